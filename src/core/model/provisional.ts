/**
 * A binding that was made while its region was partitioned. It is a lease, not a right: it is
 * confirmed once the region is back, or it goes (DG4 to DG6).
 */
import type { JobMoment } from "./batch.ts";
import type { Epoch } from "./ids.ts";
import { holdsNode, type Stage } from "./stage.ts";

export interface Provisional {
  /** The name of the override that cut the region off. */
  readonly override: string;
  readonly sinceMs: number;
  /** Of the leadership that bound it: another one counts from its own beginning. */
  readonly epoch: Epoch;
}

/** Means nothing once the replica holds no node any more. */
export interface MaybeProvisional {
  readonly provisional?: Provisional | undefined;
}

export const provisionalOf = ({
  status,
}: {
  readonly status: MaybeProvisional & { readonly stage: Stage };
}): Provisional | undefined => (holdsNode(status.stage) ? status.provisional : undefined);

export const madeAt = ({ sinceMs, epoch }: Provisional): JobMoment => ({ atMs: sinceMs, epoch });
