/** Lines and areas of a small chart as the data of SVG paths. */
export interface Point {
  readonly atMs: number;
  /** Null: nothing was measured, and the line has a gap. */
  readonly value: number | null;
}

export interface ChartBox {
  readonly fromMs: number;
  readonly toMs: number;
  /** The value at the top; 0 is at the bottom. */
  readonly most: number;
}

/** Of the drawing, in its own units. */
export const WIDTH = 320;
export const HEIGHT = 80;

/** A dot stands for a value without neighbours. */
const DOT = 1.5;

export function linePath(points: readonly Point[], box: ChartBox): string {
  return runsOf(points)
    .map((run) => {
      const placed = run.map((point) => place(point, box));
      const [x, y] = placed[0] ?? [0, 0];
      if (placed.length === 1) return `M${text(x - DOT)} ${text(y)}H${text(x + DOT)}`;
      return `M${placed.map(([left, top]) => `${text(left)} ${text(top)}`).join("L")}`;
    })
    .join("");
}

/** Down to 0 on both sides. */
export function areaPath(points: readonly Point[], box: ChartBox): string {
  return runsOf(points)
    .filter((run) => run.length > 1)
    .map((run) => {
      const placed = run.map((point) => place(point, box));
      const [first] = placed[0] ?? [0];
      const [last] = placed.at(-1) ?? [0];
      const line = placed.map(([left, top]) => `${text(left)} ${text(top)}`).join("L");
      return `M${text(first)} ${HEIGHT}L${line}L${text(last)} ${HEIGHT}Z`;
    })
    .join("");
}

/** A round number that nothing is above, so that the top of the chart can be read. */
export function roundUp(value: number): number {
  if (value <= 0) return 1;
  const unit = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map((step) => step * unit).find((step) => step >= value) ?? value;
}

type Value = { readonly atMs: number; readonly value: number };

function runsOf(points: readonly Point[]): readonly (readonly Value[])[] {
  const runs: Value[][] = [];
  let run: Value[] = [];
  for (const { atMs, value } of points) {
    if (value === null) run = [];
    else {
      if (run.length === 0) runs.push(run);
      run.push({ atMs, value });
    }
  }
  return runs;
}

function place(
  { atMs, value }: Value,
  { fromMs, toMs, most }: ChartBox,
): readonly [number, number] {
  const span = Math.max(1, toMs - fromMs);
  return [((atMs - fromMs) / span) * WIDTH, HEIGHT - (value / most) * HEIGHT];
}

const text = (position: number): string => `${Math.round(position * 10) / 10}`;
