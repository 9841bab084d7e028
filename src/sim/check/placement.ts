/**
 * [INV7] At the moment of a bind the node is there, healthy, open and allowed for the replica, and
 * the workload still wants the index.
 *
 * It would break if the authority took the scheduler's word: the view a bind was decided on may be
 * older than a cordon, a drain, a lost heartbeat or a deletion.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, workloadKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { notAllowed, notSchedulable } from "./models/naive-fit.ts";
import { whyUnwanted } from "./models/naive-wanted.ts";

class PlacementChecker implements Checker {
  readonly name = "placement";
  readonly ignoresRenewals = true;

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "lease" || commit.command === "report") return;
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Replica" || after.status.node === undefined) continue;
      const left = before?.kind === "Replica" ? before.status.node : undefined;
      if (left !== after.status.node) check(after, after.status.node, truth, report);
    }
  }
}

function check(replica: Replica, name: string, truth: Truth, report: Report): void {
  const { key, meta, spec, status } = replica;
  const node = truth.objects.node(nodeKey(name));
  const what = `${key} incarnation ${status.incarnation} was bound to ${name}`;
  if (node === undefined) {
    report("INV7", `${what}, which does not exist.`, key);
  } else {
    const closed = notSchedulable(node);
    if (closed !== undefined) report("INV7", `${what}, which ${closed}.`, key);
    const barred = notAllowed(node, spec.template.ask);
    if (barred !== undefined)
      report("INV7", `${what}, which ${barred}: the workload may not run there.`, key);
  }
  const workload = workloadKey(meta.namespace, spec.workload);
  const unwanted = whyUnwanted(truth.objects.workload(workload), spec);
  if (unwanted !== undefined) report("INV7", `${what}, but ${workload} ${unwanted}.`, key);
}

export const createPlacementChecker = (): Checker => new PlacementChecker();
