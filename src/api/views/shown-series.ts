/** What `GET /series` answers. */
import type { FleetSample } from "../../host/telemetry/fleet-series.ts";

export interface ShownSample extends Omit<FleetSample, "atMs" | "bindP50Ms" | "bindP95Ms"> {
  readonly time: string;
  /** Null without a bind since the sample before. */
  readonly bindP50Ms: number | null;
  readonly bindP95Ms: number | null;
}

export interface ShownSeries {
  /** When this plane's process began to sample. */
  readonly since: string;
  readonly everySeconds: number;
  /** Oldest first, an hour at most. */
  readonly samples: readonly ShownSample[];
}
