/**
 * [INV5] An intent (one life of one replica) holds at most one reservation; a reservation ends exactly once,
 * by the bind it was made for or by a release or evict; and a bind consumes its own reservation and no other.
 *
 * It would break if a reserve whose reply was lost were made again under another name, or if a repair loop
 * took useful partial progress for a leak.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Reservation } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal } from "./fast-path.ts";

class ReservationsChecker implements Checker {
  readonly name = "reservations";
  private readonly heldByIntent = new Map<string, Reservation>();
  private readonly ended = new Set<Uid>();

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
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
    const isEnding = isBind(commit) || commit.command === "release" || commit.command === "evict";
    // Room ends with its node, too.
    const isWithNode =
      reservation.spec.room !== undefined && touchesNode(commit, reservation.spec.room);
    if (!isEnding && !isWithNode) {
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

const touchesNode = ({ changes }: Commit, { node }: { readonly node: string }): boolean =>
  changes.some(({ key }) => key === nodeKey(node));

const isBind = ({ command }: Commit): boolean => command === "bind" || command === "bind-all";

/** Every replica that is bound consumes the reservation of that very life, and nothing else is consumed. */
function checkBind(commit: Commit, consumed: readonly Reservation[], report: Report): void {
  const left = new Map(consumed.map((reservation) => [intentOf(reservation), reservation]));
  let bound = 0;
  for (const { after } of commit.changes) {
    if (after?.kind !== "Replica") continue;
    bound += 1;
    const { key, meta, status } = after;
    const own = `${key} life ${status.life} (${meta.uid})`;
    // What was held for it on a node goes with it.
    left.delete(`room of ${own}`);
    if (!left.delete(own)) {
      const others = consumed.map(intentOf).join(", ") || "none";
      const to = `${key} life ${status.life} was bound to ${status.node}`;
      report("INV5", `${to} without its reservation; consumed: ${others}.`, key);
    }
  }
  if (bound === 0) report("INV5", `Bind ${commit.operation} changed no replica.`);
  for (const { key, spec } of left.values()) {
    report("INV5", `Bind ${commit.operation} consumed ${key}, held for ${spec.owner}.`, key);
  }
}

/** A life may hold quota and room at once: they are two intents. */
const intentOf = ({ spec }: Reservation): string =>
  `${spec.room === undefined ? "" : "room of "}${spec.owner} life ${spec.life} (${spec.ownerUid})`;

export const createReservationsChecker = (): Checker => new ReservationsChecker();
