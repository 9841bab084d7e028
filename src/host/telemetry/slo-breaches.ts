/**
 * When objectives were breached: their error budget was spent. Objectives are measured beside the
 * log, so that no log tells of it; this is known from the start of this process.
 */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { HostClock } from "../host-clock.ts";
import type { PlanePort } from "../plane-port.ts";
import type { SloMeters } from "./slo-meters.ts";

/** A budget is spent over minutes. */
const LOOK_EVERY_MS = 15_000;
/** More than people go back through; the oldest goes first. */
const KEPT = 200;

interface Moment {
  readonly revision: number;
  readonly atMs: number;
}

export interface SloBreach {
  readonly key: ObjectKey;
  readonly began: Moment;
  /** The part of samples that was good when it began. */
  readonly good: number;
  ended: Moment | undefined;
}

interface SloBreachesOf {
  readonly plane: Pick<PlanePort, "revision">;
  readonly clock: HostClock;
  readonly slos: Pick<SloMeters, "keys" | "read">;
}

export class SloBreaches {
  /** Oldest first. */
  readonly breaches: SloBreach[] = [];
  private readonly of: SloBreachesOf;
  private readonly timer: NodeJS.Timeout;

  constructor(of: SloBreachesOf) {
    this.of = of;
    this.timer = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  look(): void {
    const { plane, clock, slos } = this.of;
    const at = { revision: plane.revision, atMs: clock.nowMs() };
    const spent = new Map<ObjectKey, number>();
    for (const key of slos.keys()) {
      const reading = slos.read(key, at.atMs);
      if (reading !== undefined && reading.budgetLeft < 0) spent.set(key, reading.good);
    }
    for (const breach of this.breaches) {
      if (breach.ended !== undefined) continue;
      // One that was deleted is over, too.
      if (!spent.delete(breach.key)) breach.ended = at;
    }
    for (const [key, good] of spent) this.breaches.push({ key, began: at, good, ended: undefined });
    if (this.breaches.length > KEPT) this.breaches.splice(0, this.breaches.length - KEPT);
  }
}
