/**
 * [INV40] Room that is held for a replica goes to nobody else: whoever is bound beside it leaves
 * room for it once those who were asked to stop are gone. A hold is for an incarnation that is
 * still queued, on a node that is there and not fenced, and an incarnation has one at most.
 *
 * It would break if a bind looked only at what is free, if a hold outlived its use, or if a
 * preemptor that was placed elsewhere kept what was held for it.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, type Uid } from "../../core/model/ids.ts";
import type { Replica, Reservation } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal, keepsBinding } from "./fast-path.ts";
import { isOfRecovery } from "./models/naive-recovery.ts";
import { hasRoomWithout, holdsOn } from "./models/naive-room.ts";

/** What is left of a time that a clock at the edge of its drift has counted in full. */
const PERCENT_OF_A_FAST_CLOCK = 98;

class HeldRoomChecker implements Checker {
  readonly name = "held-room";
  /** Whether any room is held at all; nearly always not. */
  private holds = 0;
  /** When each hold was made, true time. */
  private readonly sinceMs = new Map<Uid, number>();

  /** Asked before the bind is counted: the newcomer is what has to fit. */
  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (this.holds === 0 || (commit.command !== "bind" && commit.command !== "bind-all")) return;
    // What is kept for a workload that it takes is looked at by `recoveries.ts`.
    const holds = new Set(commit.changes.filter(isTaken).map(({ key }) => key));
    for (const { after } of commit.changes) {
      if (after?.kind === "Replica") checkBind(after, holds, truth, report);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const { before, after } of commit.changes) {
      const had = before?.kind === "Reservation" && before.spec.room !== undefined;
      const has = after?.kind === "Reservation" && after.spec.room !== undefined;
      this.holds += Number(has) - Number(had);
      if (has && !had) this.sinceMs.set(after.meta.uid, truth.nowMs);
      if (had && !has) this.ended(before, commit, truth, report);
    }
    if (this.holds > 0 && !commit.changes.every(keepsBinding)) checkHolds(truth, report);
  }

  /** Taken back for its age, it must have been held as long as it was meant to be, by any clock. */
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
    if (spec.room === undefined) continue;
    const intent = `${spec.owner} incarnation ${spec.incarnation}`;
    if (owners.has(intent)) report("INV40", `${intent} has room held for it twice.`, key);
    owners.add(intent);
    const owner = objects.replica(spec.owner);
    const isOnItsWay =
      owner?.meta.uid === spec.ownerUid &&
      owner.status.incarnation === spec.incarnation &&
      owner.status.stage === "queued";
    if (!isOnItsWay && spec.room.purpose !== "recovery") {
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
