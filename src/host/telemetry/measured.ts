/** One sample of what objectives can be set for. */
import type { Indicator } from "../../core/model/slo.ts";

export interface Measured {
  readonly indicator: Indicator;
  /** Milliseconds; of fairness, millionths of all there is. */
  readonly value: number;
  readonly atMs: number;
  /** Of what was bound or waited; left out: it is of no class. */
  readonly priorityClass?: string;
}

/** Who is told of samples. */
export interface MeasureSink {
  /** False while there is no objective: then no sample need be made. */
  readonly isWanted: boolean;
  take(measured: Measured): void;
}
