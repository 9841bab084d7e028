/** What each `berth bench NAME` is: its options, its run, and what it leaves to print. */
import type { Command } from "commander";
import type { Progress } from "../measure/progress.ts";

/** What every benchmark is given. */
export interface BenchFrame {
  readonly progress: Progress;
  /** A line about a measurement that takes long, on standard error; nothing with `--json`. */
  readonly say: (line: string) => void;
  /** For logs; gone afterwards. */
  readonly folder: string;
}

export interface BenchReport {
  /** Where the log was kept; "none" for a benchmark without one. */
  readonly store: string;
  /** The figures, as `--json` prints them; what it ran on is added. */
  readonly figures: Readonly<Record<string, unknown>>;
  /** The same for people: a line each, the first one the headings. */
  readonly table: readonly (readonly string[])[];
  /** Sentences below the table. */
  readonly notes: readonly string[];
  /** An SVG document; made only when one is asked for. */
  readonly plot: () => string;
  /** False when not everything was done that was asked for: the exit code says so. */
  readonly isComplete: boolean;
}

export interface Benchmark<Options = never> {
  readonly name: string;
  readonly description: string;
  addOptions(command: Command): void;
  run(options: Options, frame: BenchFrame): Promise<BenchReport>;
}
