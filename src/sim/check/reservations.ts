/**
 * [INV5] An intent (one life of one replica) holds at most one reservation; a reservation ends exactly once,
 * by the bind it was made for or by a release or evict; and a bind consumes its own reservation and no other.
 *
 * It would break if a reserve whose reply was lost were made again under another name, or if a repair loop
 * took useful partial progress for a leak.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { Uid } from "../../core/model/ids.ts";
import type { Replica, Reservation } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal } from "./fast-path.ts";

class ReservationsChecker implements Checker {
  readonly name = "reservations";
  private readonly heldByIntent = new Map<string, Reservation>();
  private readonly ended = new Set<Uid>();

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    let consumed: Reservation | undefined;
    let count = 0;
    for (const { before, after } of commit.changes) {
      if (before?.kind === "Reservation" && after === undefined) {
        this.end(before, commit, report);
        consumed = before;
        count += 1;
      } else if (after?.kind === "Reservation") {
        this.hold(after, before?.kind === "Reservation" ? before : undefined, report);
      }
    }
    if (commit.command === "bind") checkBind(commit, { consumed, count }, report);
  }

  private hold(reservation: Reservation, before: Reservation | undefined, report: Report): void {
    const { key, meta, spec } = reservation;
    const intent = intentOf(reservation);
    const held = this.heldByIntent.get(intent);
    if (before !== undefined) {
      // What is held may get a later deadline, but never another owner.
      if (intentOf(before) !== intent) {
        report("INV5", `${key} was turned from ${intentOf(before)} to ${intent}.`, key);
      }
    } else if (held !== undefined) {
      report(
        "INV5",
        `${spec.owner} life ${spec.life} got ${key} while ${held.key} is still held for it.`,
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
    if (commit.command !== "bind" && commit.command !== "release" && commit.command !== "evict") {
      report(
        "INV5",
        `${key} was ended by ${commit.command}; only bind, release and evict may.`,
        key,
      );
    }
    this.ended.add(meta.uid);
    const intent = intentOf(reservation);
    if (this.heldByIntent.get(intent)?.meta.uid === meta.uid) this.heldByIntent.delete(intent);
    else if (!this.heldByIntent.has(intent)) {
      report("INV5", `${key} ended without ever having been held.`, key);
    }
  }
}

function checkBind(
  commit: Commit,
  ended: { readonly consumed: Reservation | undefined; readonly count: number },
  report: Report,
): void {
  const replica = boundReplica(commit);
  if (replica === undefined) {
    report("INV5", `Bind ${commit.operation} changed no replica.`);
    return;
  }
  const { key, meta, status } = replica;
  const { consumed, count } = ended;
  if (consumed === undefined) {
    report(
      "INV5",
      `${key} life ${status.life} was bound to ${status.node} without a reservation.`,
      key,
    );
  } else if (count > 1) {
    report("INV5", `Binding ${key} life ${status.life} ended ${count} reservations.`, key);
  } else if (
    consumed.spec.owner !== key ||
    consumed.spec.ownerUid !== meta.uid ||
    consumed.spec.life !== status.life
  ) {
    report(
      "INV5",
      `Binding ${key} life ${status.life} consumed ${consumed.key}, which was held for ${consumed.spec.owner} life ${consumed.spec.life}.`,
      key,
    );
  }
}

function boundReplica(commit: Commit): Replica | undefined {
  for (const { after } of commit.changes) {
    if (after?.kind === "Replica") return after;
  }
  return undefined;
}

const intentOf = ({ spec }: Reservation): string =>
  `${spec.owner} life ${spec.life} (${spec.ownerUid})`;

export const createReservationsChecker = (): Checker => new ReservationsChecker();
