/**
 * [INV90] Only the holder of a cordon or a drain, or a person who forces it, makes, changes
 * or lifts it. [INV91] No drain ends before its deadline. Before that, or without force, a drain
 * evicts no more replicas than their workloads can spare. After a drain has stopped, it asks no
 * more replicas to leave.
 *
 * It would break if a person who writes a whole node overwrote the holds of others, or if a
 * deadline were counted on the clock of another leadership. Deadlines are counted in true time.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey } from "../../../core/model/ids.ts";
import type { Node } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { surely } from "../surely.ts";

interface Shadow {
  readonly terms: string;
  readonly sinceMs: number;
  readonly isForced: boolean;
  overMs: number | undefined;
}

class DrainsChecker implements Checker {
  readonly name = "drains";
  readonly ignoresRenewals = true;
  private readonly drains = new Map<ObjectKey, Shadow>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "evict") this.evicted(commit, report);
    for (const { key, after } of commit.changes) {
      const before = truth.objects.node(key);
      if (after?.kind !== "Node") {
        if (before !== undefined) this.drains.delete(key);
        continue;
      }
      if (before !== undefined) heldByOthers(before, after, commit, report);
      this.follow(after, truth, report);
    }
  }

  private follow(node: Node, truth: Truth, report: Report): void {
    const { key, spec, status } = node;
    const terms = spec.draining ? JSON.stringify(spec.drain ?? {}) : "";
    const known = this.drains.get(key);
    if (terms === "") this.drains.delete(key);
    else if (known?.terms !== terms) {
      const isForced = spec.drain?.atDeadline === "force";
      this.drains.set(key, { terms, sinceMs: truth.nowMs, isForced, overMs: undefined });
    }
    const shadow = this.drains.get(key);
    if (status.drain?.overMs === undefined || shadow?.overMs !== undefined) return;
    const deadlineMs = spec.drain?.deadlineMs ?? Number.MAX_SAFE_INTEGER;
    const passedMs = truth.nowMs - (shadow?.sinceMs ?? truth.nowMs);
    if (passedMs < surely(deadlineMs)) {
      const what = `was over after ${passedMs} ms instead of ${deadlineMs} ms`;
      report("INV91", `The drain of ${key} ${what}.`, key);
    }
    if (shadow !== undefined) shadow.overMs = truth.nowMs;
  }

  private evicted({ evidence, changes }: Commit, report: Report): void {
    if (evidence?.kind !== "drain" && evidence?.kind !== "drain-forced") return;
    const key = nodeKey(evidence.node);
    const shadow = this.drains.get(key);
    const isOver = shadow?.overMs !== undefined;
    const isForced = shadow?.isForced === true;
    const who = changes[0]?.key ?? key;
    if (evidence.kind === "drain-forced" && !(isOver && isForced)) {
      report("INV91", `${who} was forced off ${key}, of which no forced drain is over.`, who);
    }
    if (evidence.kind === "drain" && isOver && !isForced) {
      report("INV91", `${who} was asked to leave ${key}, whose drain has stopped.`, who);
    }
  }
}

/** The holds of each holder on a node, as text. */
function holdsOf({ spec }: Node): ReadonlyMap<string, string> {
  const holds = new Map<string, string>();
  const add = (holder: string, what: string): void => {
    holds.set(holder, `${holds.get(holder) ?? ""}${what};`);
  };
  for (const { holder, reason } of spec.cordons) add(holder, `cordon ${reason}`);
  if (spec.draining && spec.drain !== undefined) {
    add(spec.drain.holder, `drain ${JSON.stringify(spec.drain)}`);
  }
  return holds;
}

function heldByOthers(before: Node, after: Node, commit: Commit, report: Report): void {
  const { actor, evidence, command } = commit;
  if (command === "put" && evidence?.kind === "person") return;
  const was = holdsOf(before);
  const is = holdsOf(after);
  for (const holder of new Set([...was.keys(), ...is.keys()])) {
    if (was.get(holder) === is.get(holder)) continue;
    if (command === "put" && holder === actor.name) continue;
    // Any user may approve a node by lifting this hold. It cannot be made later.
    const isApproved = actor.role === "user" && holder === "approval" && !is.has(holder);
    if (command === "put" && isApproved) continue;
    // A pool closes its own nodes to scale down, and opens none.
    if (command === "scale-down" && holder === `pool/${after.spec.pool}` && !was.has(holder))
      continue;
    const change = `from "${was.get(holder) ?? ""}" to "${is.get(holder) ?? ""}"`;
    report(
      "INV90",
      `${actor.name} changed what ${holder} holds of ${before.key} ${change}.`,
      before.key,
    );
  }
}

export const createDrainsChecker = (): Checker => new DrainsChecker();
