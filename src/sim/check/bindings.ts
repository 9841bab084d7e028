/**
 * [INV1] An index of a generation has at most one live binding, its incarnations only grow, and a
 * replica names a node exactly while it is in a stage that holds one.
 *
 * It would break if a retry after a lost reply, a second scheduler or a deposed leader could bind
 * what is bound already, or if a release forgot one half of what it undoes.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey, Uid } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";

interface Seen {
  readonly key: ObjectKey;
  uid: Uid;
  incarnation: number;
  node: string | undefined;
  /** The index this replica is entered under as holder; set together with `node`. */
  index: string | undefined;
}

interface Moment {
  readonly commit: Commit;
  readonly truth: Truth;
  readonly report: Report;
}

class BindingsChecker implements Checker {
  readonly name = "bindings";
  readonly ignoresRenewals = true;
  private readonly seen = new Map<ObjectKey, Seen>();
  private readonly holderOfIndex = new Map<string, ObjectKey>();

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      const { after } = change;
      if (after === undefined) this.forget(change.key);
      else if (after.kind === "Replica") {
        checkStage(after, report);
        if (!keepsBinding(change)) this.see(after, { commit, truth, report });
      }
    }
  }

  private see(replica: Replica, moment: Moment): void {
    const { key, status } = replica;
    const { node } = status;
    const was = this.seen.get(key);
    if (was === undefined || was.uid !== replica.meta.uid) {
      if (was !== undefined) this.forget(key);
      this.seen.set(key, {
        key,
        uid: replica.meta.uid,
        incarnation: status.incarnation,
        node: undefined,
        index: undefined,
      });
      if (node !== undefined) this.take(replica, node, moment);
      return;
    }
    if (was.node === node && was.incarnation === status.incarnation) return;
    this.compareIncarnations(was, replica, moment);
    was.incarnation = status.incarnation;
    if (was.node === node) return;
    if (was.node !== undefined) this.leave(was);
    if (node !== undefined) this.take(replica, node, moment);
  }

  private compareIncarnations(was: Seen, replica: Replica, { commit, report }: Moment): void {
    const { key, status } = replica;
    if (status.incarnation < was.incarnation) {
      report(
        "INV1",
        `${key} went back from incarnation ${was.incarnation} to incarnation ${status.incarnation}.`,
        key,
      );
    }
    // A node's new session ends what ran there; what begins anew in its place is for INV70 to
    // check.
    const isAnew = commit.command === "lease" && was.node === status.node;
    // Only a stage that holds nothing may lie between two bindings, whichever incarnations they
    // belong to.
    if (was.node !== undefined && status.node !== undefined && !isAnew) {
      report(
        "INV1",
        `${key} incarnation ${status.incarnation} is bound to ${status.node} while incarnation ${was.incarnation} still holds ${was.node}.`,
        key,
      );
    }
  }

  private take(replica: Replica, node: string, { truth, report }: Moment): void {
    const { key, spec, status } = replica;
    const index = `${spec.workloadUid}/${spec.generation}/${spec.index}`;
    const holder = this.holderOfIndex.get(index);
    const isReplaced =
      holder !== undefined && truth.objects.replica(holder)?.status.superseded !== undefined;
    // Whether it was rightly replaced is for INV70 to check; its binding is beside the index's from
    // then on.
    if (holder !== undefined && holder !== key && !isReplaced) {
      report(
        "INV1",
        `${key} incarnation ${status.incarnation} is bound to ${node} while ${holder} still holds ${this.seen.get(holder)?.node} for the same index.`,
        key,
      );
    }
    this.holderOfIndex.set(index, key);
    const seen = this.seen.get(key);
    if (seen === undefined) return;
    seen.node = node;
    seen.index = index;
  }

  private leave(seen: Seen): void {
    if (seen.index !== undefined && this.holderOfIndex.get(seen.index) === seen.key)
      this.holderOfIndex.delete(seen.index);
    seen.node = undefined;
    seen.index = undefined;
  }

  private forget(key: ObjectKey): void {
    const seen = this.seen.get(key);
    if (seen === undefined) return;
    this.leave(seen);
    this.seen.delete(key);
  }
}

function checkStage(replica: Replica, report: Report): void {
  const { key, status } = replica;
  const { node, stage, incarnation } = status;
  if (isHolding(replica) === (node !== undefined)) return;
  const holds = node === undefined ? "names no node" : `names ${node}`;
  report("INV1", `${key} incarnation ${incarnation} is ${stage} and ${holds}.`, key);
}

export const createBindingsChecker = (): Checker => new BindingsChecker();
