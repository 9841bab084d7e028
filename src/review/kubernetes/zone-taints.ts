/**
 * The nodes of one zone that wait for their NoExecute taint, and how fast they get it. Follows
 * pkg/controller/nodelifecycle: `scheduler/rate_limited_queue.go` has the queue and its limiter,
 * `ComputeZoneState` and `setLimiterInZone` of node_lifecycle_controller.go its rate.
 */
import type { ControllerTimes } from "./controller-times.ts";

export type ZoneState = "Normal" | "PartialDisruption" | "FullDisruption";

export class ZoneTaints {
  state: ZoneState = "Normal";
  private readonly times: ControllerTimes;
  /** Undefined: no node is tainted. */
  private periodMs: number | undefined;
  private tokenMs = Number.NEGATIVE_INFINITY;
  private readonly queue = new Set<string>();

  constructor(times: ControllerTimes) {
    this.times = times;
    this.periodMs = times.taintPeriodMs;
  }

  /** Every look at the nodes puts those that are not tainted yet to the end, in its order. */
  requeue(node: string): void {
    this.queue.delete(node);
    this.queue.add(node);
  }

  remove(node: string): void {
    this.queue.delete(node);
  }

  stateOf(unhealthy: number, nodes: number): ZoneState {
    const { unhealthyNodes, unhealthyPercent } = this.times;
    if (unhealthy === nodes && nodes > 0) return "FullDisruption";
    const isPartial = unhealthy >= unhealthyNodes && unhealthy * 100 >= nodes * unhealthyPercent;
    return isPartial ? "PartialDisruption" : "Normal";
  }

  enter(state: ZoneState, nodes: number, nowMs: number): void {
    this.state = state;
    const { largeZoneNodes, slowTaintPeriodMs, taintPeriodMs } = this.times;
    if (state !== "PartialDisruption") this.limit(taintPeriodMs, nowMs);
    else this.limit(nodes > largeZoneNodes ? slowTaintPeriodMs : undefined, nowMs);
  }

  /** All zones are fully disrupted: the fault is taken to be the control plane's own. */
  stop(nowMs: number): void {
    this.state = "FullDisruption";
    this.limit(undefined, nowMs);
  }

  /** A new limiter begins with a token only if the old one had one left, which it takes. */
  private limit(periodMs: number | undefined, nowMs: number): void {
    if (periodMs === this.periodMs) return;
    const hadToken = this.periodMs !== undefined && this.tokenMs <= nowMs;
    this.periodMs = periodMs;
    this.tokenMs = hadToken || periodMs === undefined ? nowMs : nowMs + periodMs;
  }

  /** When the next node may be tainted; undefined: not at this rate. */
  get nextMs(): number | undefined {
    return this.queue.size === 0 || this.periodMs === undefined ? undefined : this.tokenMs;
  }

  take(nowMs: number): string | undefined {
    if (this.periodMs === undefined || this.tokenMs > nowMs) return undefined;
    const [node] = this.queue;
    if (node === undefined) return undefined;
    this.queue.delete(node);
    this.tokenMs = nowMs + this.periodMs;
    return node;
  }
}
