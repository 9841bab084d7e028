/**
 * [INV110] Only replicas of its own workload take a workload's recovery reserve, one room each, on
 * its node, and only while that workload recovers. A commit that reserves more room leaves no more
 * than the objective asks for beyond the replicas that already run there, on nodes that are open to
 * the workload, in its regions, with room beside all other reserved room, and in places that its
 * spread allows. [INV111] A recovery begins when fewer replicas serve than before, ends when as
 * many serve again, and is recorded once. It is called missed only after its time, and its recorded
 * duration is not longer than the true one. Time is true time. While it is under way it counts
 * every replica that is missing at once (`recovery-losses.ts`); LIV40 bounds how long its number
 * may be too low. [INV112] Capacity adds up in every region and contains the recovery reserve once.
 *
 * They would break if a bind took the reserve of another workload, if each room were checked
 * without the ones before it, if a new leadership took the times of another clock for its own, or
 * if a loss were noted only when its recovery comes to another stage.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { AmountName } from "../../../core/model/amounts.ts";
import type { DecisionRecord } from "../../../core/protocol/decision.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import { nodeKey, type ObjectKey, type OperationId, type Uid } from "../../../core/model/ids.ts";
import type { Replica, Reservation, Workload } from "../../../core/model/objects.ts";
import { capacityClasses } from "../../../core/rules/capacity-classes.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { View } from "../../../core/observe/view.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import { notAllowed, notSchedulable } from "../models/naive-fit.ts";
import {
  anotherOf,
  isOfRecovery,
  recoveryPicture,
  spreadOverSpares,
} from "../models/naive-recovery.ts";
import { hasRoomWithout } from "../models/naive-room.ts";
import { workloadOf } from "../models/naive-wanted.ts";
import { surely } from "../surely.ts";
import { RecoveryLosses } from "./recovery-losses.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";

/** Clocks may be off by a hundredth, and an append takes a moment. */
const atMost = (ms: number): number => ms + (2 * ms) / 100 + 2_000;

class RecoveriesChecker implements Checker {
  readonly name = "recoveries";
  readonly ignoresRenewals = true;
  /** True time at which the current recovery of each workload began. */
  private readonly beganMs = new Map<Uid, number>();
  private readonly losses = new RecoveryLosses();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "bind" || commit.command === "bind-all") {
      checkTaken(commit, truth, report);
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    this.losses.afterCommit(commit, truth, report);
    for (const { before, after } of commit.changes) {
      const was = before?.kind === "Workload" ? before : undefined;
      if (after?.kind !== "Workload") continue;
      if (commit.command === "hold-recovery") checkHolds(commit, after, truth, report);
      this.told(was, after, { commit, truth, report });
    }
  }

  decided(records: readonly DecisionRecord[], view: View, _: Truth, report: Report): void {
    this.losses.decided(records, view, report);
  }

  replied(_to: string, _of: OperationId, reply: Reply, _truth: Truth, report: Report): void {
    this.losses.replied(reply, report);
  }

  sampled(truth: Truth, report: Report): void {
    let isAny = false;
    for (const { key, spec } of truth.objects.all("Reservation").values()) {
      if (spec.for !== "recovery") continue;
      isAny = true;
      if (truth.objects.workload(spec.owner)?.meta.uid === spec.ownerUid) continue;
      report("INV110", `${key} keeps room for ${spec.owner}, which is gone.`, key);
    }
    if (isAny) checkClasses(truth, report);
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private told(was: Workload | undefined, is: Workload, of: Seeing): void {
    const { truth, report, commit } = of;
    const { key, meta } = is;
    const before = was?.status.recovery;
    const after = is.status.recovery;
    if (after?.under !== undefined && before?.under === undefined) {
      this.beganMs.set(meta.uid, truth.nowMs);
      const { serving, bar } = recoveryPicture(truth.objects, is);
      if (serving >= bar) report("INV111", `${key} recovers, and ${serving} of ${bar} serve.`, key);
    }
    const tookMs = truth.nowMs - (this.beganMs.get(meta.uid) ?? truth.nowMs);
    const withinMs = is.spec.recovery?.withinMs ?? 0;
    const isMissed = after?.under?.missed !== undefined && before?.under?.missed === undefined;
    if (isMissed && tookMs < surely(withinMs)) {
      report("INV111", `${key} is said to be late after ${tookMs} ms of ${withinMs} ms.`, key);
    }
    if (before?.under === undefined || after?.under !== undefined) return;
    this.beganMs.delete(meta.uid);
    // Removing the objective also removes its recovery.
    if (commit.command === "put" && is.spec.recovery === undefined) return;
    this.ended(is, { tookMs, isNew: after?.last !== before.last }, of);
  }

  private ended(
    { key, ...rest }: Workload,
    { tookMs, isNew }: { readonly tookMs: number; readonly isNew: boolean },
    { truth, report }: Seeing,
  ): void {
    const is: Workload = { key, ...rest };
    const { last } = is.status.recovery ?? {};
    if (last === undefined || !isNew) {
      report("INV111", `${key} recovers no more, and nothing is said of how it went.`, key);
      return;
    }
    const { serving, bar } = recoveryPicture(truth.objects, is);
    if (serving < bar)
      report("INV111", `${key} is said to be back with ${serving} of ${bar}.`, key);
    if (last.tookMs > atMost(tookMs)) {
      report("INV111", `${key} took ${tookMs} ms, and ${last.tookMs} ms are told.`, key);
    }
  }
}

interface Seeing {
  readonly commit: Commit;
  readonly truth: Truth;
  readonly report: Report;
}

/** The commit binds as many replicas of the workload on the node as it takes rooms there. */
function checkTaken(commit: Commit, truth: Truth, report: Report): void {
  const bound: Replica[] = [];
  const taken: Reservation[] = [];
  for (const { before, after } of commit.changes) {
    if (after?.kind === "Replica") bound.push(after);
    if (before?.kind === "Reservation" && isOfRecovery(before)) taken.push(before);
  }
  const free = new Set(bound);
  for (const { key, spec } of taken) {
    const workload = truth.objects.workload(spec.owner);
    if (workload?.status.recovery?.under === undefined) {
      report("INV110", `${commit.operation} took ${key}, and ${spec.owner} has lost nothing.`, key);
    }
    const by = [...free].find(
      (replica) =>
        workloadOf(truth.objects, replica)?.key === spec.owner &&
        replica.status.node === roomOf(spec)?.node,
    );
    if (by === undefined) {
      report("INV110", `${commit.operation} took ${key}, and bound no replica there for it.`, key);
    } else free.delete(by);
  }
}

function checkHolds(commit: Commit, workload: Workload, truth: Truth, report: Report): void {
  const { key } = workload;
  const { held, most } = recoveryPicture(truth.objects, workload);
  if (held.length > most) {
    report("INV110", `${held.length} rooms are kept for ${key}, which needs ${most}.`, key);
  }
  const asked = anotherOf(workload);
  const made: Reservation[] = [];
  for (const { before, after } of commit.changes) {
    if (after?.kind !== "Reservation" || before !== undefined) continue;
    made.push(after);
    const wrong = whyUseless(after, asked, truth);
    if (wrong !== undefined) report("INV110", `${after.key} is kept on a node that ${wrong}.`, key);
  }
  checkSpread(made, asked, { commit, truth, report, held });
}

function whyUseless(held: Reservation, asked: Replica, { objects }: Truth): string | undefined {
  const node = objects.node(nodeKey(roomOf(held.spec)?.node ?? ""));
  if (node === undefined) return "is not there";
  const closed = notSchedulable(node) ?? notAllowed(node, asked.spec.template.ask);
  if (closed !== undefined) return closed;
  // The room is checked beside all other reserved room, so it is left out itself.
  const own = new Set<ObjectKey>([held.key]);
  return hasRoomWithout(objects, node, asked, { holds: own }) ? undefined : "has no room for it";
}

/** All rooms that a commit made keep the spread, whatever happens to earlier ones. */
function checkSpread(
  made: readonly Reservation[],
  asked: Replica,
  { held, truth: { objects }, report }: Seeing & { readonly held: readonly Reservation[] },
): void {
  for (const room of made) {
    const node = objects.node(nodeKey(roomOf(room.spec)?.node ?? ""));
    if (node === undefined) continue;
    const others = made.filter((each) => each !== room);
    const wrong = spreadOverSpares(objects, asked, { node, rooms: others, atMost: held });
    if (wrong !== undefined) report("INV110", `${room.key} is kept ${wrong}.`, room.key);
  }
}

function checkClasses({ objects }: Truth, report: Report): void {
  const { regions } = capacityClasses(objects);
  for (const [region, { hard, reclaimable }] of regions) {
    for (const name of AMOUNT_NAMES) {
      const kept = keptIn(objects, region, name);
      const shown = hard.recovery[name];
      if (shown !== kept) {
        report(
          "INV112",
          `${name} ${kept} of ${region} is kept for recovery, and ${shown} is told.`,
        );
      }
      const there = hard.capacity[name] + hard.overcommitted[name];
      const spent = hard.committed[name] + reclaimable[name] + shown + hard.free[name];
      if (there !== spent) {
        report("INV112", `${name} of ${region} is ${there}, and ${spent} is told.`);
      }
    }
  }
}

/** The reserved room that its nodes really have, since a machine may shrink below it. */
function keptIn(objects: ObjectIndex, region: string, name: AmountName): number {
  let sum = 0;
  for (const { meta, spec } of objects.all("Node").values()) {
    if (spec.region !== region || spec.supply === "soft") continue;
    let left = spec.capacity[name];
    for (const replica of objects.replicasOn(meta.name).values()) {
      if (isHolding(replica)) left -= replica.spec.template.ask.amounts[name];
    }
    const kept = [...objects.all("Reservation").values()]
      .filter((held) => isOfRecovery(held) && roomOf(held.spec)?.node === meta.name)
      .reduce((all, held) => all + held.spec.amounts[name], 0);
    sum += Math.min(Math.max(0, left), kept);
  }
  return sum;
}

export const createRecoveriesChecker = (): Checker => new RecoveriesChecker();
