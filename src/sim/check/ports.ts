/**
 * [INV192] No two replicas that hold a node have the same fixed port there, whatever their
 * workloads and tenants.
 *
 * It would break if ports were left to the scheduler's view, if a command that binds many were
 * checked one by one against what was there before it, or if only siblings counted.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";

class PortsChecker implements Checker {
  readonly name = "ports";
  readonly ignoresRenewals = true;
  /** Who has a port of a node, by both. */
  private readonly owners = new Map<string, Set<ObjectKey>>();

  beforeCommit(commit: Commit, _: unknown, report: Report): void {
    const changes = commit.changes.filter((change) => !keepsBinding(change));
    for (const { before } of changes) {
      if (before?.kind !== "Replica") continue;
      for (const place of placesOf(before)) this.owners.get(place)?.delete(before.key);
    }
    for (const { after } of changes) {
      if (after?.kind === "Replica") this.arrive(after, report);
    }
  }

  private arrive(replica: Replica, report: Report): void {
    for (const place of placesOf(replica)) {
      const owners = this.owners.get(place) ?? new Set();
      this.owners.set(place, owners);
      for (const other of owners) {
        const what = `${replica.key} has the fixed port ${place}, which ${other} has as well.`;
        report("INV192", what, replica.key);
      }
      owners.add(replica.key);
    }
  }
}

/** e.g. "8080 on node-1" */
function placesOf(replica: Replica): readonly string[] {
  const { fixedPorts } = replica.spec.template.ask;
  if (fixedPorts === undefined || !isHolding(replica)) return [];
  const ports = new Set(Object.values(fixedPorts));
  return [...ports].map((port) => `${port} on ${replica.status.node}`);
}

export const createPortsChecker = (): Checker => new PortsChecker();
