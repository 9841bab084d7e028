/** An incident of the log, as `GET /incidents` answers and the dashboard lists it. */
import type { IncidentKind } from "../../core/explain/incident-sign.ts";

export interface ShownMoment {
  readonly revision: number;
  /** RFC 3339, on the clock of the plane that led. */
  readonly time: string;
}

export interface ShownIncident {
  readonly id: string;
  /** "SloBreached" is measured by the plane that answers, from the start of its process. */
  readonly kind: IncidentKind | "SloBreached";
  /** `node/NAME`, `workload/TENANT/NAME` or `slo/NAME`. */
  readonly about: string;
  /** Of a crash loop. */
  readonly replica?: string;
  /** In a sentence. */
  readonly message: string;
  /** The commit after which it could not be undone. */
  readonly began: ShownMoment;
  /** Left out while it lasts. */
  readonly ended?: ShownMoment;
}

export interface ShownIncidents {
  readonly revision: number;
  /** Newest first. */
  readonly incidents: readonly ShownIncident[];
  /** Give it as `before` to go on; left out: there is nothing older to look at. */
  readonly next?: number;
  readonly says: string;
}
