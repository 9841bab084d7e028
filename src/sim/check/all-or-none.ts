/**
 * [INV23] A commit for many indexes changes every index that its operation names, in the
 * incarnation it names, and no other. A part of the operation is not what the sender asked for.
 *
 * It would break if a command for many skipped the indexes that it may not change and changed the
 * rest. Its sender reads "committed" and believes that all of it is done.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Checker, Report, Truth } from "./checker.ts";

class AllOrNoneChecker implements Checker {
  readonly name = "all-or-none";
  readonly ignoresRenewals = true;

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (commit.command !== "enqueue" && commit.command !== "bind-all") return;
    const named = indexesNamedBy(commit.operation);
    const changed = new Set<string>();
    for (const { after } of commit.changes) {
      if (after?.kind === "Replica") changed.add(`${after.spec.index}.${after.status.incarnation}`);
    }
    const left = [...named].filter((index) => !changed.has(index));
    const more = [...changed].filter((index) => !named.has(index));
    if (left.length > 0) report("INV23", `${commit.operation} left out ${left.join(", ")}.`);
    if (more.length > 0) report("INV23", `${commit.operation} also changed ${more.join(", ")}.`);
  }
}

/**
 * The last part of the operation, e.g. "0-2.1,4.3", as indexes with their incarnations: 0.1, 1.1,
 * 2.1, 4.3.
 */
function indexesNamedBy(operation: string): ReadonlySet<string> {
  const indexes = new Set<string>();
  for (const run of operation.slice(operation.lastIndexOf("/") + 1).split(",")) {
    const [range = "", incarnation = ""] = run.split(".");
    const [first = "", last = first] = range.split("-");
    for (let index = Number(first); index <= Number(last); index += 1)
      indexes.add(`${index}.${incarnation}`);
  }
  return indexes;
}

export const createAllOrNoneChecker = (): Checker => new AllOrNoneChecker();
