/** Values along an axis, as lines. */
import { type Axis, axisOf, type AxisSpec, axisTitle, tickText } from "./axis.ts";
import { type Box, colourOf, legend, pixel, svgDocument, textAt, WIDTH } from "./document.ts";

export interface LineChart {
  readonly title: string;
  readonly x: AxisSpec;
  readonly y: AxisSpec;
  readonly series: readonly {
    readonly name: string;
    readonly points: readonly (readonly [x: number, y: number])[];
  }[];
}

const HEIGHT = 400;
/**
 * What is around the drawing: the title and the legend above, names and numbers of the axes beside.
 */
const BOX: Box = { left: 72, right: WIDTH - 24, top: 66, bottom: HEIGHT - 56 };

/** Beyond this, marks on every point hide the line they are on. */
const MOST_MARKS = 30;

export function lineChart({ title, x, y, series }: LineChart): string {
  const all = series.flatMap(({ points }) => points);
  const across = axisOf(
    all.map((point) => point[0]),
    x,
    { from: BOX.left, to: BOX.right },
  );
  const up = axisOf(
    all.map((point) => point[1]),
    y,
    { from: BOX.bottom, to: BOX.top },
  );
  const body = [
    ...legend(
      series.map(({ name }) => name),
      { x: BOX.left, y: 50 },
    ),
    ...upwards(up, y),
    ...sideways(across, x),
    ...series.flatMap(({ points }, at) => line(points, colourOf(at), { across, up })),
  ];
  return svgDocument({ title, height: HEIGHT, body });
}

function upwards(axis: Axis, spec: AxisSpec): readonly string[] {
  const middle = (BOX.top + BOX.bottom) / 2;
  return [
    ...axis.ticks.flatMap((tick) => {
      const y = pixel(axis.at(tick));
      return [
        `<line class="grid" x1="${BOX.left}" x2="${BOX.right}" y1="${y}" y2="${y}"/>`,
        textAt(tickText(tick), {
          x: BOX.left - 8,
          y: axis.at(tick) + 4,
          className: "soft",
          anchor: "end",
        }),
      ];
    }),
    textAt(axisTitle(spec), {
      x: 18,
      y: middle,
      anchor: "middle",
      transform: `rotate(-90 18 ${pixel(middle)})`,
    }),
  ];
}

function sideways(axis: Axis, spec: AxisSpec): readonly string[] {
  return [
    `<line class="axis" x1="${BOX.left}" x2="${BOX.right}" y1="${BOX.bottom}" y2="${BOX.bottom}"/>`,
    ...axis.ticks.map((tick) =>
      textAt(tickText(tick), {
        x: axis.at(tick),
        y: BOX.bottom + 20,
        className: "soft",
        anchor: "middle",
      }),
    ),
    textAt(axisTitle(spec), {
      x: (BOX.left + BOX.right) / 2,
      y: BOX.bottom + 42,
      anchor: "middle",
    }),
  ];
}

function line(
  points: readonly (readonly [number, number])[],
  colour: string,
  { across, up }: { readonly across: Axis; readonly up: Axis },
): readonly string[] {
  const places = points.map(([x, y]) => ({ x: pixel(across.at(x)), y: pixel(up.at(y)) }));
  const path = places.map(({ x, y }) => `${x},${y}`).join(" ");
  const marks =
    places.length > MOST_MARKS
      ? []
      : places.map(({ x, y }) => `<circle cx="${x}" cy="${y}" r="3" fill="${colour}"/>`);
  return [`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`, ...marks];
}
