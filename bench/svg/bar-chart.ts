/** Named things with one value or several, as bars side by side. */
import { axisOf, type AxisSpec, axisTitle, tickText } from "./axis.ts";
import { colourOf, legend, pixel, svgDocument, textAt, WIDTH } from "./document.ts";

export interface BarChart {
  readonly title: string;
  readonly value: AxisSpec;
  /** What the bars of one row are, in their order. */
  readonly series: readonly string[];
  readonly rows: readonly {
    readonly name: string;
    /** One for each of the series; undefined where there is none. */
    readonly values: readonly (number | undefined)[];
  }[];
}

const BAR_HEIGHT = 14;
const ROW_GAP = 12;
const TOP = 72;
/** Room for names of rows, such as "unschedulable backlog, 20k". */
const LEFT = 230;
/** Room for the number behind the longest bar. */
const RIGHT = WIDTH - 76;

export function barChart({ title, value, series, rows }: BarChart): string {
  const rowHeight = series.length * BAR_HEIGHT + ROW_GAP;
  const bottom = TOP + rows.length * rowHeight;
  const known = rows.flatMap(({ values }) => values).filter((each) => each !== undefined);
  const axis = axisOf(known, value, { from: LEFT, to: RIGHT });
  const body = [
    ...legend(series, { x: 16, y: 52 }),
    ...axis.ticks.flatMap((tick) => {
      const x = pixel(axis.at(tick));
      return [
        `<line class="grid" x1="${x}" x2="${x}" y1="${TOP - 4}" y2="${bottom}"/>`,
        textAt(tickText(tick), {
          x: axis.at(tick),
          y: bottom + 18,
          className: "soft",
          anchor: "middle",
        }),
      ];
    }),
    textAt(axisTitle(value), { x: (LEFT + RIGHT) / 2, y: bottom + 40, anchor: "middle" }),
    ...rows.flatMap(({ name, values }, at) => [
      textAt(name, { x: LEFT - 10, y: TOP + at * rowHeight + rowHeight / 2, anchor: "end" }),
      ...values.flatMap((each, of) => bar(each, TOP + at * rowHeight + of * BAR_HEIGHT, of)),
    ]),
  ];
  return svgDocument({ title, height: bottom + 56, body });

  function bar(length: number | undefined, y: number, of: number): readonly string[] {
    if (length === undefined) return [];
    const end = length > 0 ? axis.at(length) : LEFT;
    return [
      `<rect x="${LEFT}" y="${pixel(y)}" width="${pixel(Math.max(1, end - LEFT))}" height="${BAR_HEIGHT - 2}" fill="${colourOf(of)}"/>`,
      textAt(tickText(length), { x: end + 6, y: y + BAR_HEIGHT - 4, className: "soft" }),
    ];
  }
}
