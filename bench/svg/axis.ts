/**
 * An axis: where a value stands on it, which values are worth a mark, and how a number is written
 * there.
 */

export type ScaleKind = "linear" | "log";

export interface AxisSpec {
  readonly label: string;
  /** Such as "s" or "µs"; empty for plain counts. */
  readonly unit: string;
  readonly scale: ScaleKind;
  /**
   * Where a linear axis begins (default: 0); for values that differ little and are far from
   * nothing.
   */
  readonly from?: number;
}

export interface Axis {
  readonly ticks: readonly number[];
  /** Pixels. */
  at(value: number): number;
}

/** About this many marks can be told apart on an axis of this size. */
const WANTED_TICKS = 5;

/** `from` and `to` are pixels; `from` is where the smallest value stands. */
export function axisOf(
  values: readonly number[],
  { scale, from: start = 0 }: Pick<AxisSpec, "scale" | "from">,
  { from, to }: { readonly from: number; readonly to: number },
): Axis {
  const ticks = scale === "log" ? logTicks(values) : linearTicks(values, start);
  const position = scale === "log" ? Math.log10 : (value: number) => value;
  const low = position(ticks[0] ?? 0);
  const high = position(ticks.at(-1) ?? 1);
  return {
    ticks,
    at: (value) => from + ((position(value) - low) / (high - low || 1)) * (to - from),
  };
}

/**
 * From the start, in steps of 1, 2 or 5 times a power of ten, to the first step that no value
 * exceeds.
 */
export function linearTicks(values: readonly number[], start = 0): readonly number[] {
  const highest = Math.max(start, ...values) - start;
  if (highest === 0) return [start, start + 1];
  const rough = highest / WANTED_TICKS;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough) ?? rough;
  const count = Math.ceil(highest / step - 1e-9);
  // Multiplied, not summed: sums of tenths drift.
  return Array.from({ length: count + 1 }, (_, at) => Number((start + at * step).toPrecision(12)));
}

/** Powers of ten around all values, with 2 and 5 between them where there is room. */
export function logTicks(values: readonly number[]): readonly number[] {
  const positive = values.filter((value) => value > 0);
  if (positive.length === 0) return [1, 10];
  const lowest = Math.min(...positive);
  const highest = Math.max(...positive);
  const first = Math.floor(Math.log10(lowest));
  const last = Math.ceil(Math.log10(highest));
  const decades = Math.max(1, last - first);
  const factors = decades > WANTED_TICKS ? [1] : [1, 2, 5];
  const all = Array.from({ length: decades + 1 }, (_, at) => 10 ** (first + at)).flatMap((power) =>
    factors.map((factor) => factor * power),
  );
  const begin = Math.max(
    0,
    all.findLastIndex((tick) => tick <= lowest),
  );
  const end = all.findIndex((tick) => tick >= highest);
  const shown = all.slice(begin, end + 1);
  return shown.length > 1 ? shown : all.slice(begin, begin + 2);
}

const LARGE = [
  { from: 1e6, letter: "M" },
  { from: 1e3, letter: "k" },
] as const;

/** `1500` is `1.5k`: an axis has no room for more. */
export function tickText(value: number): string {
  const large = LARGE.find(({ from }) => Math.abs(value) >= from);
  const scaled = large === undefined ? value : value / large.from;
  return `${Number(scaled.toPrecision(3))}${large?.letter ?? ""}`;
}

export function axisTitle({ label, unit, scale }: AxisSpec): string {
  const besides = [unit, scale === "log" ? "logarithmic" : ""].filter((word) => word !== "");
  return besides.length === 0 ? label : `${label} (${besides.join(", ")})`;
}
