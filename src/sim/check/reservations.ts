/**
 * [INV5] An intent (one incarnation of one replica) has at most one reservation of quota and one of
 * room; a reservation ends exactly once. A reservation of quota ends by a release, or when its
 * replica is queued and holds the quota itself. A reservation of room ends by its bind, with its
 * node, or by a release or evict. No replica is queued or bound on the reservation of another.
 *
 * It would break if a reserve whose reply was lost were made again under another name, if a repair
 * loop took useful partial progress for a leak, or if a replica were queued beside its reservation
 * and counted twice.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Replica, Reservation } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isOfRecovery } from "./models/naive-recovery.ts";

class ReservationsChecker implements Checker {
  readonly name = "reservations";
  readonly ignoresRenewals = true;
  private readonly heldByIntent = new Map<string, Reservation>();
  private readonly ended = new Set<Uid>();

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    const consumed: Reservation[] = [];
    for (const { before, after } of commit.changes) {
      if (before?.kind === "Reservation" && after === undefined) {
        this.end(before, commit, report);
        consumed.push(before);
      } else if (after?.kind === "Reservation") {
        this.hold(after, before?.kind === "Reservation" ? before : undefined, report);
      }
    }
    if (isBind(commit)) checkBind(commit, consumed, report);
    this.checkQueued(commit, consumed, report);
  }

  /**
   * A transition queues a replica on its own reservation; an enqueue needs none and leaves none.
   */
  private checkQueued(commit: Commit, consumed: readonly Reservation[], report: Report): void {
    for (const { before, after } of commit.changes) {
      if (after?.kind !== "Replica" || after.status.stage !== "queued") continue;
      if (before?.kind === "Replica" && before.status.stage === "queued") continue;
      const own = incarnationOf(after);
      const cited = consumed.some((reservation) => intentOf(reservation) === own);
      if (commit.command === "transition" && !cited) {
        report("INV5", `${own} was queued without a reservation of its own.`, after.key);
      }
      const left = this.heldByIntent.get(own);
      if (left === undefined) continue;
      report("INV5", `${own} was queued, and ${left.key} is still held for it.`, after.key);
    }
  }

  private hold(reservation: Reservation, before: Reservation | undefined, report: Report): void {
    const { key, meta, spec } = reservation;
    const intent = intentOf(reservation);
    const held = this.heldByIntent.get(intent);
    if (before !== undefined) {
      // A reservation may get a later deadline, but never another owner.
      if (intentOf(before) !== intent) {
        report("INV5", `${key} was turned from ${intentOf(before)} to ${intent}.`, key);
      }
    } else if (held !== undefined) {
      report(
        "INV5",
        `${spec.owner} incarnation ${spec.incarnation} got ${key} while ${held.key} is still held for it.`,
        key,
      );
    }
    if (this.ended.has(meta.uid)) {
      report("INV5", `${key} (uid ${meta.uid}) is held again after it had ended.`, key);
    }
    this.heldByIntent.set(intent, reservation);
  }

  private end(reservation: Reservation, commit: Commit, report: Report): void {
    const { key, meta } = reservation;
    if (this.ended.has(meta.uid)) {
      report("INV5", `${key} (uid ${meta.uid}) ended a second time.`, key);
    }
    if (!mayEnd(reservation, commit)) {
      report("INV5", `${key} was ended by ${commit.command}, which may not.`, key);
    }
    this.ended.add(meta.uid);
    const intent = intentOf(reservation);
    if (this.heldByIntent.get(intent)?.meta.uid === meta.uid) this.heldByIntent.delete(intent);
    else if (!this.heldByIntent.has(intent)) {
      report("INV5", `${key} ended without ever having been held.`, key);
    }
  }
}

function mayEnd({ spec }: Reservation, commit: Commit): boolean {
  const { command } = commit;
  if (command === "unreserve") return true;
  if (spec.for === "quota") return command === "transition";
  if (spec.for === "recovery" && endsSpare(spec, commit)) return true;
  const node = nodeKey(spec.room.node);
  return isBind(commit) || command === "evict" || commit.changes.some(({ key }) => key === node);
}

/** Its controller releases it, or its workload goes. */
const endsSpare = ({ owner }: Reservation["spec"], { command, changes }: Commit): boolean =>
  command === "hold-recovery" ||
  changes.some(({ key, after }) => key === owner && after === undefined);

const isBind = ({ command }: Commit): boolean => command === "bind" || command === "bind-all";

/** The reserved room goes with its replica, and no other reservation is consumed. */
function checkBind(commit: Commit, consumed: readonly Reservation[], report: Report): void {
  // `recoveries.ts` checks the recovery reserve that a bind takes.
  const own = consumed.filter((reservation) => !isOfRecovery(reservation));
  const left = new Map(own.map((reservation) => [intentOf(reservation), reservation]));
  let bound = 0;
  for (const { after } of commit.changes) {
    if (after?.kind !== "Replica") continue;
    bound += 1;
    left.delete(`room of ${incarnationOf(after)}`);
  }
  if (bound === 0) report("INV5", `Bind ${commit.operation} changed no replica.`);
  for (const { key, spec } of left.values()) {
    report("INV5", `Bind ${commit.operation} consumed ${key}, held for ${spec.owner}.`, key);
  }
}

const incarnationOf = ({ key, meta, status }: Replica): string =>
  `${key} incarnation ${status.incarnation} (${meta.uid})`;

/** An incarnation may hold quota and room at once: they are two intents. */
const intentOf = ({ spec }: Reservation): string =>
  `${spec.for === "quota" ? "" : "room of "}${spec.owner} incarnation ${spec.incarnation} (${spec.ownerUid})`;

export const createReservationsChecker = (): Checker => new ReservationsChecker();
