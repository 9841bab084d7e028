/**
 * What the node lifecycle controller believes of the nodes: which are Unknown, which wait for their
 * NoExecute taint, and the state of each zone. Follows `monitorNodeHealth`, `handleDisruption` and
 * `doNoExecuteTaintingPass` in pkg/controller/nodelifecycle/node_lifecycle_controller.go.
 */
import type { Node } from "../../core/model/objects.ts";
import type { ControllerTimes } from "./controller-times.ts";
import type { Phases } from "./phases.ts";
import { StatusWriter } from "./status-writer.ts";
import { type ZoneState, ZoneTaints } from "./zone-taints.ts";

/** A node that is silent, or was. */
interface Watched {
  readonly name: string;
  readonly zone: string;
  /** 1 if it counts for the state of its zone, else 0. */
  readonly counted: number;
  /** Undefined: it is alive. */
  lostMs: number | undefined;
  /** The last heartbeat that a look has seen, and the time of that look. */
  seenBeatMs: number;
  probeMs: number;
  isUnknown: boolean;
  /** When the controller's own cache shows it as Unknown. */
  cachedMs: number;
  isTainted: boolean;
}

/** What one look at all nodes found, with the times at which it wrote it. */
export interface Look {
  readonly unknown: readonly { readonly node: string; readonly atMs: number }[];
  readonly healthy: readonly string[];
  readonly endMs: number;
}

export interface ZoneChange {
  readonly atMs: number;
  readonly zone: string;
  readonly state: ZoneState | "AllZonesDisrupted";
  readonly unhealthy: number;
  readonly nodes: number;
}

export interface NodeWatchParts {
  readonly times: ControllerTimes;
  readonly phases: Phases;
  /** Pods whose Ready condition the controller has to take back. */
  readonly podsOn: (node: string) => number;
}

export class NodeWatch {
  private readonly parts: NodeWatchParts;
  private readonly zones = new Map<string, { taints: ZoneTaints; nodes: number }>();
  private readonly zoneOf = new Map<string, string>();
  private readonly watched = new Map<string, Watched>();
  private readonly writer: StatusWriter;
  private looks = 0;
  private isStopped = false;
  readonly changes: ZoneChange[] = [];

  /** Only the nodes in `mayFall` are ever silent. */
  constructor(nodes: Iterable<Node>, mayFall: ReadonlySet<string>, parts: NodeWatchParts) {
    this.parts = parts;
    this.writer = new StatusWriter(parts.times);
    for (const { meta, spec } of nodes) {
      const zone = `${spec.region}/${spec.zone}`;
      const counted = EXCLUDED in meta.labels ? 0 : 1;
      this.zoneOf.set(meta.name, zone);
      const known = this.zones.get(zone);
      if (known === undefined) {
        this.zones.set(zone, { taints: new ZoneTaints(parts.times), nodes: counted });
      } else known.nodes += counted;
      if (mayFall.has(meta.name)) this.watched.set(meta.name, aliveNode(meta.name, zone, counted));
    }
  }

  lose(node: string, nowMs: number): void {
    const watched = this.watched.get(node);
    if (watched !== undefined) watched.lostMs ??= nowMs;
  }

  giveBack(node: string): void {
    const watched = this.watched.get(node);
    if (watched !== undefined) watched.lostMs = undefined;
  }

  /** A node that was silent before the first event. */
  begin(node: string, isTainted: boolean): void {
    const lostMs = Number.NEGATIVE_INFINITY;
    const watched = this.watched.get(node);
    if (watched !== undefined) Object.assign(watched, { lostMs, isUnknown: true, isTainted });
  }

  /** Why a node that is Unknown has no taint yet. */
  whyUntainted(node: string): string {
    if (this.isStopped) return "no node of the cluster is ready, so none is tainted";
    const zone = this.zones.get(this.zoneOf.get(node) ?? "");
    if (zone?.taints.state === "PartialDisruption" && zone.taints.nextMs === undefined) {
      const unhealthy = this.unhealthyIn(this.zoneOf.get(node) ?? "");
      return `its zone is partly disrupted (${unhealthy} of ${zone.nodes} nodes), and no node of a zone of up to ${this.parts.times.largeZoneNodes} nodes is tainted then`;
    }
    return "it waits for its turn: the nodes of a zone are tainted one after the other";
  }

  /** One look at all nodes; their pods are written one request after the other. */
  look(nowMs: number): Look {
    const { phases, times } = this.parts;
    const look = this.looks++;
    const silent = [...this.watched.values()].toSorted(
      (a, b) =>
        phases.order(look, a.name) - phases.order(look, b.name) || (a.name < b.name ? -1 : 1),
    );
    const silenced: string[] = [];
    const healthy: string[] = [];
    for (const node of silent) {
      const beatMs = this.lastBeatMs(node, nowMs);
      if (beatMs > node.seenBeatMs) Object.assign(node, { seenBeatMs: beatMs, probeMs: nowMs });
      if (node.lostMs === undefined) {
        if (node.isUnknown || node.isTainted) healthy.push(node.name);
        Object.assign(node, { isUnknown: false, isTainted: false });
        this.taintsOf(node).remove(node.name);
        continue;
      }
      if (!node.isUnknown && nowMs <= node.probeMs + times.gracePeriodMs) continue;
      if (node.isUnknown) {
        if (!node.isTainted) this.taintsOf(node).requeue(node.name);
        continue;
      }
      node.isUnknown = true;
      silenced.push(node.name);
    }
    const jobs = silenced.map((node) => ({ node, pods: this.parts.podsOn(node) }));
    return { healthy, ...this.writer.write(jobs, nowMs) };
  }

  /** Its condition is written; from here on it waits for its taint. */
  wasWritten(name: string, nowMs: number): void {
    const node = this.watched.get(name);
    if (node?.isUnknown !== true || node.isTainted) return;
    node.cachedMs = nowMs + this.parts.times.cacheMs;
    this.taintsOf(node).requeue(name);
  }

  /** At the end of a look: zone states and their rates. True: all taints were taken back. */
  settle(nowMs: number): boolean {
    const states = [...this.zones].map(([name, zone]) => {
      const unhealthy = this.unhealthyIn(name);
      return { name, zone, unhealthy, state: zone.taints.stateOf(unhealthy, zone.nodes) };
    });
    const isAll = states.every(({ state }) => state === "FullDisruption");
    if (isAll && this.isStopped) return false;
    for (const { name, zone, unhealthy, state } of states) {
      const hasChanged = state !== zone.taints.state || this.isStopped;
      if (isAll) zone.taints.stop(nowMs);
      else if (hasChanged) zone.taints.enter(state, zone.nodes, nowMs);
      if (!hasChanged && !isAll) continue;
      const { nodes } = zone;
      const said = isAll ? "AllZonesDisrupted" : state;
      this.changes.push({ atMs: nowMs, zone: name, state: said, unhealthy, nodes });
    }
    if (isAll) this.untaintAll();
    this.isStopped = isAll;
    return isAll;
  }

  /** When the next node of any zone may be tainted. */
  nextTaintMs(nowMs: number): number | undefined {
    let nextMs: number | undefined;
    for (const { taints } of this.zones.values()) {
      const { nextMs: own } = taints;
      if (own !== undefined && own < (nextMs ?? Number.POSITIVE_INFINITY)) nextMs = own;
    }
    return nextMs === undefined ? undefined : this.tryAfter(Math.max(nextMs, nowMs));
  }

  taint(nowMs: number): readonly string[] {
    return [...this.zones.values()].flatMap(({ taints }) => {
      const name = taints.take(nowMs);
      const node = name === undefined ? undefined : this.watched.get(name);
      // A node that looks ready uses up the turn: it is ready again, or the cache is behind.
      if (node === undefined || node.lostMs === undefined || nowMs < node.cachedMs) return [];
      node.isTainted = true;
      return [node.name];
    });
  }

  isTainted(node: string): boolean {
    return this.watched.get(node)?.isTainted === true;
  }

  private untaintAll(): void {
    for (const node of this.watched.values()) {
      node.isTainted = false;
      this.taintsOf(node).remove(node.name);
    }
  }

  private tryAfter(atMs: number): number {
    const { phases, times } = this.parts;
    const tries = Math.ceil((atMs - phases.taintTryMs) / times.taintTryMs);
    return phases.taintTryMs + tries * times.taintTryMs;
  }

  private unhealthyIn(zone: string): number {
    let unhealthy = 0;
    for (const node of this.watched.values()) {
      if (node.zone === zone && node.isUnknown) unhealthy += node.counted;
    }
    return unhealthy;
  }

  private taintsOf({ zone }: Watched): ZoneTaints {
    return (this.zones.get(zone) as { taints: ZoneTaints }).taints;
  }

  private lastBeatMs({ name, lostMs }: Watched, nowMs: number): number {
    const { phases, times } = this.parts;
    const untilMs = Math.min(lostMs ?? nowMs, nowMs);
    const periods = Math.floor((untilMs - phases.heartbeatMs(name)) / times.heartbeatMs);
    return phases.heartbeatMs(name) + periods * times.heartbeatMs;
  }
}

/** A node with this label does not count for the state of its zone. */
const EXCLUDED = "node.kubernetes.io/exclude-disruption";

const aliveNode = (name: string, zone: string, counted: number): Watched => ({
  name,
  zone,
  counted,
  lostMs: undefined,
  seenBeatMs: Number.NEGATIVE_INFINITY,
  probeMs: Number.NEGATIVE_INFINITY,
  isUnknown: false,
  cachedMs: Number.NEGATIVE_INFINITY,
  isTainted: false,
});
