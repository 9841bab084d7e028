/**
 * Everything that must be true of what clients were told, whatever was done to the planes and to etcd meanwhile. The revisions
 * say in which order it happened; whether that order explains every answer is what is checked, so nothing is searched for.
 */
import type { Call } from "./call.ts";
import { checkEffects } from "./check-effects.ts";
import { checkTimes } from "./check-times.ts";
import { checkWatches } from "./check-watches.ts";
import type { Finding } from "./finding.ts";
import { Order } from "./order.ts";
import type { Watched } from "./watched.ts";

export interface History {
  readonly calls: readonly Call[];
  /** Of the planes, and of the log itself. */
  readonly watched: readonly Watched[];
}

export function checkHistory({ calls, watched }: History): readonly Finding[] {
  const order = new Order(calls, watched);
  return [
    ...order.findings,
    ...checkEffects(calls, order),
    ...checkTimes(calls, order),
    ...checkWatches(calls, watched, order),
  ];
}
