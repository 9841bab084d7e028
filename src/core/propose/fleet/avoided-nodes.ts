/**
 * Nodes that have turned a replica of a workload away, and until when the workload stays away from
 * them. All of its replicas do: they ask for the same, and a machine that has lost a part has lost
 * it for each of them. Times count on this scheduler's own clock from when it first looked; a
 * restarted one counts anew, which only stays away for longer.
 */
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { AVOID_MS } from "../../model/node-rejection.ts";

/**
 * Far more workloads than are turned away at once; one that is forgotten sooner stays away for
 * another minute.
 */
const WORKLOADS_KEPT = 4_096;

export class AvoidedNodes {
  /** By workload, then by node: until when. */
  private readonly byWorkload = new Map<ObjectKey, Map<string, number>>();
  /** Rejections that were counted, each once, by workload. */
  private readonly seen = new Map<ObjectKey, Set<string>>();

  get isEmpty(): boolean {
    return this.byWorkload.size === 0;
  }

  isAvoided(workload: ObjectKey, node: string): boolean {
    return this.byWorkload.get(workload)?.has(node) ?? false;
  }

  nodesOf(workload: ObjectKey): Iterable<string> {
    return this.byWorkload.get(workload)?.keys() ?? [];
  }

  /** Takes note of what these have met; answers the nodes for which something is new. */
  note(workload: ObjectKey, replicas: readonly Replica[], nowMs: number): readonly string[] {
    const fresh: string[] = [];
    for (const { key, status } of replicas) {
      for (const { node, incarnation } of status.rejections ?? []) {
        if (!this.isNew(workload, `${key} ${incarnation} ${node}`)) continue;
        this.untilOf(workload).set(node, nowMs + AVOID_MS);
        fresh.push(node);
      }
    }
    return fresh;
  }

  /** Those whose time is over. */
  expire(nowMs: number): readonly string[] {
    const over: string[] = [];
    for (const [workload, nodes] of this.byWorkload) {
      for (const [node, untilMs] of nodes) {
        if (nowMs < untilMs) continue;
        nodes.delete(node);
        over.push(node);
      }
      if (nodes.size === 0) this.byWorkload.delete(workload);
    }
    return over;
  }

  /** When the next of its nodes may be tried again. */
  nextMs(workload: ObjectKey): number {
    return Math.min(...(this.byWorkload.get(workload)?.values() ?? []));
  }

  private isNew(workload: ObjectKey, rejection: string): boolean {
    let seen = this.seen.get(workload);
    if (seen === undefined) {
      seen = new Set();
      this.seen.set(workload, seen);
      // Kept also while nothing of it waits: a gang gives its quota back and lines up again,
      // several times a minute, and its minute would never be over if it began anew each time.
      const [oldest] = this.seen.keys();
      if (this.seen.size > WORKLOADS_KEPT && oldest !== undefined) this.seen.delete(oldest);
    }
    if (seen.has(rejection)) return false;
    seen.add(rejection);
    return true;
  }

  private untilOf(workload: ObjectKey): Map<string, number> {
    let nodes = this.byWorkload.get(workload);
    if (nodes === undefined) {
      nodes = new Map();
      this.byWorkload.set(workload, nodes);
    }
    return nodes;
  }
}
