/**
 * What an authority has to hear before any other input: that its lease on the log may be over, and
 * that its process stood still. Whatever it said before it knew might be wrong.
 */
import { StallWatch } from "../core/commit/stall-watch.ts";
import type { AuthorityInput } from "../core/kernel/component.ts";
import type { HostClock } from "./host-clock.ts";
import type { LogAccess, LogListener } from "./log-access.ts";

/** A leader without requests must find out all the same, and in a small part of any lease. */
export const LOOK_IN_MS = 250;

export class HeardFirst {
  private readonly of: {
    readonly access: LogAccess;
    readonly clock: HostClock;
    readonly plane: Pick<LogListener, "trouble">;
  };
  private readonly stalls = new StallWatch();

  constructor(of: HeardFirst["of"]) {
    this.of = of;
  }

  inputs(): readonly AuthorityInput[] {
    const { access, clock, plane } = this.of;
    const stalledMs = this.stalls.look(clock.nowMs());
    if (stalledMs === undefined) return access.lapses();
    plane.trouble("keep time", new Error(`this plane stalled for ${stalledMs} ms`));
    return [...access.lapses(), { kind: "stalled" }];
  }
}
