/**
 * [INV40] Room reserved for a preemptor goes to no other replica: another bind on the node leaves
 * room for the preemptor once the victims are gone. A reservation is for an incarnation that is
 * still queued, on a node that exists and is not fenced, and an incarnation has one at most.
 *
 * It would break if a bind looked only at free room, if a reservation outlived its use, or if a
 * preemptor that was placed elsewhere kept its reserved room.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, type Uid } from "../../core/model/ids.ts";
import type { Replica, Reservation } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isOfRecovery } from "./models/naive-recovery.ts";
import { hasRoomWithout, holdsOn } from "./models/naive-room.ts";

/** The minimum share of a duration that passes while the fastest allowed clock counts all of it. */
const PERCENT_OF_A_FAST_CLOCK = 98;

class HeldRoomChecker implements Checker {
  readonly name = "held-room";
  readonly ignoresRenewals = true;
  /** The number of reservations of room; nearly always none. */
  private holds = 0;
  /** True time at which each reservation was made. */
  private readonly sinceMs = new Map<Uid, number>();

  /** Checked before the bind is counted: the newcomer has to fit. */
  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (this.holds === 0 || (commit.command !== "bind" && commit.command !== "bind-all")) return;
    // `recoveries.ts` checks the recovery reserve that a bind takes.
    const holds = new Set(commit.changes.filter(isTaken).map(({ key }) => key));
    for (const { after } of commit.changes) {
      if (after?.kind === "Replica") checkBind(after, holds, truth, report);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const { before, after } of commit.changes) {
      const had = before?.kind === "Reservation" && before.spec.for !== "quota";
      const has = after?.kind === "Reservation" && after.spec.for !== "quota";
      this.holds += Number(has) - Number(had);
      if (has && !had) this.sinceMs.set(after.meta.uid, truth.nowMs);
      if (had && !has) this.ended(before, commit, truth, report);
    }
    if (this.holds > 0 && !commit.changes.every(keepsBinding)) checkHolds(truth, report);
  }

  /** A reservation released for its age must have lasted its full time, by any clock. */
  private ended(
    { key, meta, spec }: Reservation,
    commit: Commit,
    truth: Truth,
    report: Report,
  ): void {
    const heldMs = truth.nowMs - (this.sinceMs.get(meta.uid) ?? truth.nowMs);
    this.sinceMs.delete(meta.uid);
    const meantMs = spec.deadlineMs - meta.createdMs;
    if (commit.evidence?.kind !== "hold-over") return;
    if (heldMs * 100 >= meantMs * PERCENT_OF_A_FAST_CLOCK) return;
    report("INV40", `${key} was taken back after ${heldMs} ms of ${meantMs} ms.`, key);
  }
}

const isTaken = ({ before }: Commit["changes"][number]): boolean =>
  before?.kind === "Reservation" && isOfRecovery(before);

function checkBind(
  bound: Replica,
  holds: ReadonlySet<ObjectKey>,
  truth: Truth,
  report: Report,
): void {
  const { objects } = truth;
  const { node: name, incarnation } = bound.status;
  const node = objects.node(nodeKey(name ?? ""));
  if (name === undefined || node === undefined) return;
  const others = holdsOn(objects, name).filter(
    ({ key, spec }) =>
      (spec.owner !== bound.key || spec.incarnation !== incarnation) && !holds.has(key),
  );
  if (others.length === 0 || hasRoomWithout(objects, node, bound, { holds })) return;
  const owners = others.map(({ spec }) => spec.owner).join(", ");
  report("INV40", `${bound.key} was bound to ${name}, in room held for ${owners}.`, bound.key);
}

function checkHolds(truth: Truth, report: Report): void {
  const { objects } = truth;
  const owners = new Set<string>();
  for (const { key, spec } of objects.all("Reservation").values()) {
    if (spec.for === "quota") continue;
    const intent = `${spec.owner} incarnation ${spec.incarnation}`;
    if (owners.has(intent)) report("INV40", `${intent} has room held for it twice.`, key);
    owners.add(intent);
    const owner = objects.replica(spec.owner);
    const isOnItsWay =
      owner?.meta.uid === spec.ownerUid &&
      owner.status.incarnation === spec.incarnation &&
      owner.status.stage === "queued";
    if (!isOnItsWay && spec.for !== "recovery") {
      const is =
        owner === undefined
          ? "gone"
          : `${owner.status.stage} in incarnation ${owner.status.incarnation}`;
      report("INV40", `${key} holds room for ${intent}, which is ${is}.`, key);
    }
    const node = objects.node(nodeKey(spec.room.node));
    if (node === undefined || node.status.health === "fenced") {
      const is = node === undefined ? "gone" : "fenced";
      report("INV40", `${key} holds room on ${spec.room.node}, which is ${is}.`, key);
    }
  }
}

export const createHeldRoomChecker = (): Checker => new HeldRoomChecker();
