/**
 * [INV184] A node registered by its agent claims no more than a machine can be and no label
 * reserved for operators, carries no hold of others, names no owner, and takes no replicas before a
 * person has written it. No agent writes a node that exists.
 *
 * It would break if an agent's own word were enough: a machine that claims to be huge attracts the
 * work of other tenants, and with it the secrets in their environment. No operator of a simulated
 * world approves a node in advance, so every such node waits. The numbers are written down here a
 * second time.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import type { AnyObject, Node, Replica } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";

const MOST_CPU_MILLIS = 4_096_000;
const MOST_MEMORY_MIB = 64 * 1024 * 1024;
const RESERVED = /^(?:[^/]*\.)?(?:berth\.dev|kubernetes\.io|k8s\.io)\//;

class RegistrationsChecker implements Checker {
  readonly name = "registrations";
  /** Nodes made by their agents that no person or controller has written since. */
  private readonly waiting = new Set<string>();

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      const { key, after, before } = change;
      if (after?.kind === "Node") this.seeNode(after, commit, change, report);
      else if (before?.kind === "Node" && after === undefined)
        this.waiting.delete(before.meta.name);
      if (after?.kind !== "Replica" || this.waiting.size === 0) continue;
      const { node = "" } = after.status;
      if (!this.waiting.has(node) || isOn(node, before, after)) continue;
      const what = `${commit.command} ${commit.operation} put ${key} on ${node}`;
      report("INV184", `${what}, which its agent registered and no operator has approved.`, key);
    }
  }

  private seeNode(node: Node, by: Commit, { before }: Change, report: Report): void {
    const { key, meta, spec } = node;
    if (by.actor.role === "user") this.waiting.delete(meta.name);
    if (by.actor.role !== "agent") return;
    if (before !== undefined && by.command === "put") {
      report("INV184", `${by.actor.name} wrote ${key}, which existed.`, key);
    }
    if (before !== undefined) return;
    this.waiting.add(meta.name);
    const { cpuMillis, memoryMiB } = spec.capacity;
    if (cpuMillis > MOST_CPU_MILLIS || memoryMiB > MOST_MEMORY_MIB) {
      report(
        "INV184",
        `${by.actor.name} registered ${key} with ${cpuMillis}m CPU and ${memoryMiB} MiB.`,
        key,
      );
    }
    const label = Object.keys(meta.labels).find((name) => RESERVED.test(name));
    if (label !== undefined) {
      report("INV184", `${by.actor.name} registered ${key} with the reserved label ${label}.`, key);
    }
    const [other] = ofOthers(node);
    if (other !== undefined)
      report("INV184", `${by.actor.name} registered ${key} with ${other}.`, key);
  }
}

/**
 * A replica of an earlier node of that name, which was deleted under it: it keeps its node in
 * every change until it is given up, and nothing was bound.
 */
const isOn = (node: string, before: AnyObject | undefined, after: Replica): boolean =>
  before?.kind === "Replica" &&
  before.status.node === node &&
  before.status.incarnation === after.status.incarnation;

/**
 * Fields that only people and controllers write: a node that waits for them would wait for ever.
 */
function ofOthers({ meta, spec }: Node): readonly string[] {
  return [
    ...meta.finalizers.map((name) => `the finalizer ${name}`),
    ...(meta.owners ?? []).map((owner) => `the owner ${owner.key}`),
    ...spec.cordons
      .filter(({ holder }) => holder !== "approval")
      .map(({ holder }) => `a cordon of ${holder}`),
    ...(spec.draining ? ["a drain"] : []),
    ...(spec.supply === "soft" ? ["a forecast of itself"] : []),
  ];
}

export const createRegistrationsChecker = (): Checker => new RegistrationsChecker();
