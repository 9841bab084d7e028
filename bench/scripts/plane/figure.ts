/** One number of the report: what was measured, what it should be, and whether it is. */
import { rounded } from "../../measure/latencies.ts";

export interface Aim {
  readonly at: "least" | "most";
  readonly value: number;
}

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly aim: Aim;
  readonly met: boolean;
  /**
   * Processor time of the plane's process for each operation, its threads included: on a machine
   * that others use too it says more than the clock does.
   */
  readonly cpuMicrosPerOperation: number | undefined;
  /** Whatever else helps to understand the number. */
  readonly besides: Readonly<Record<string, number | string>>;
}

export function figure(
  of: Omit<Figure, "met" | "cpuMicrosPerOperation" | "besides"> &
    Partial<Pick<Figure, "cpuMicrosPerOperation" | "besides">>,
): Figure {
  const { aim } = of;
  const value = rounded(of.value);
  const met = aim.at === "least" ? value >= aim.value : value <= aim.value;
  const cpu = of.cpuMicrosPerOperation;
  return {
    ...of,
    value,
    met,
    cpuMicrosPerOperation: cpu === undefined ? undefined : rounded(cpu),
    besides: of.besides ?? {},
  };
}

export const atLeast = (value: number): Aim => ({ at: "least", value });
export const atMost = (value: number): Aim => ({ at: "most", value });

export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.map(({ name, value, unit, aim, met, cpuMicrosPerOperation, besides }) => {
    const sign = aim.at === "least" ? "≥" : "≤";
    const cpu = cpuMicrosPerOperation === undefined ? "" : `${cpuMicrosPerOperation} µs CPU`;
    const more = Object.entries(besides).map(([of, is]) => `${of} ${is}`);
    return [
      name.padEnd(58),
      `${value} ${unit}`.padStart(14),
      `${sign} ${aim.value}`.padStart(9),
      met ? " met " : " MISS",
      cpu.padStart(16),
      more.length > 0 ? `  (${more.join(", ")})` : "",
    ].join(" ");
  });
  return `${lines.join("\n")}\n`;
}
