/**
 * Where the loops of a cluster stand when its nodes are lost: all that is chance in the model. One
 * seed is one set of phases; a measured run has its own.
 */
import { between, hashText, keyed } from "../../core/kernel/keyed-hash.ts";
import type { ControllerTimes } from "./controller-times.ts";

export interface Phases {
  /** A heartbeat of the node is at this time, and one each period before and after it. */
  heartbeatMs(node: string): number;
  /** The node monitor looks at the nodes at this time, before the loss. */
  readonly monitorMs: number;
  /** The queues of nodes to taint are tried at this time, and every period after it. */
  readonly taintTryMs: number;
  readonly quotaSyncMs: number;
  /** The place of a node in the order of one look of the monitor; lower is earlier. */
  order(look: number, node: string): number;
}

const HEARTBEAT = 1;
const MONITOR = 2;
const TAINT = 3;
const QUOTA = 4;
const ORDER = 5;

export function phasesOf(seed: number, times: ControllerTimes): Phases {
  const draw = (site: number, most: number, node = ""): number =>
    between(keyed(seed, site, hashText(node), 0, 0), 0, most - 1);
  return {
    heartbeatMs: (node) => draw(HEARTBEAT, times.heartbeatMs, node),
    monitorMs: draw(MONITOR, times.monitorPeriodMs) - times.monitorPeriodMs,
    taintTryMs: draw(TAINT, times.taintTryMs),
    quotaSyncMs: draw(QUOTA, times.quotaSyncMs),
    // The lister of the controller answers in another order each time.
    order: (look, node) => keyed(seed, ORDER, hashText(node), look, 0),
  };
}
