/**
 * Keeps the node's lease and with it the right to run anything. The lease counts from when a
 * renewal was *sent*, so it is over here before the authority can take it for over; the driver
 * kills leashed processes at that moment, whether this agent lives or not.
 *
 * A session that the authority has fenced is never renewed: the next one begins once nothing
 * leashed is running.
 */
import type { IntentOf } from "../protocol/command.ts";
import type { Outcome, Reply } from "../protocol/outcome.ts";
import type { AgentEffect } from "../kernel/component.ts";
import type { Epoch, ObjectKey, Revision } from "../model/ids.ts";
import { sentence } from "../model/text/sentence.ts";
import { KILL_GRACE_MS, LEASE_MS, RENEW_EVERY_MS } from "../model/timing.ts";
import { leaseOperation } from "../protocol/operations.ts";

/** A renewal that was lost or turned away is tried again well before the lease runs out. */
const RETRY_MS = 1_000;
/** After a turn-away that told us what to say instead. */
const CORRECTED_RETRY_MS = 50;

/**
 * An answer that is later than this many renewals would grant less than the newest one asked for.
 */
const RENEWALS_AWAITED = 32;

export class LeaseKeeper {
  readonly node: string;
  session = 0;
  /** Until when this agent may run leashed processes, on its own clock. */
  heldUntilMs = 0;
  /** The authority has ended this session; everything leashed must be gone before the next. */
  /** The last renewal that was answered was rejected. */
  isRejected = false;
  isFenced = false;
  /** When the lease was last held again after it had run out. */
  private regainedMs = Number.NEGATIVE_INFINITY;
  private seq = 0;
  /**
   * When this incarnation first renewed, on its own clock: what tells its readings from those of
   * another incarnation.
   */
  private startedMs: number | undefined;
  private renewMs = 0;
  private readonly sentMs = new Map<number, number>();
  /** The least session number the authority would accept as new. */
  private sessionFloor = 0;

  constructor(node: string) {
    this.node = node;
  }

  isHeld(nowMs: number): boolean {
    return !this.isFenced && nowMs < this.heldUntilMs;
  }

  /**
   * Whether the leash may have killed what ends now: it may take its time to, and the lease be held
   * again by then.
   */
  hasLapsed(nowMs: number): boolean {
    return !this.isHeld(nowMs) || nowMs - this.regainedMs <= KILL_GRACE_MS;
  }

  dueMs(): number {
    return this.isFenced ? Number.POSITIVE_INFINITY : this.renewMs;
  }

  renew(renewal: {
    readonly call: number;
    readonly nowMs: number;
    readonly epoch: Epoch;
    readonly basis: Revision;
    readonly kept: readonly ObjectKey[];
    readonly notes: readonly string[];
    readonly inventory?: IntentOf<"lease">["inventory"];
  }): AgentEffect {
    this.seq += 1;
    this.renewMs = renewal.nowMs + RETRY_MS;
    this.sentMs.set(renewal.call, renewal.nowMs);
    this.forgetOldest();
    const { node, session, seq } = this;
    const operation = leaseOperation(node, session, seq);
    // A renewal that is too long to be read would cost the node its lease.
    const said = renewal.notes.flatMap((note) => sentence(note) ?? []);
    const notes = said.length === 0 ? {} : { notes: said };
    this.startedMs ??= renewal.nowMs;
    const clock = { startedMs: this.startedMs, nowMs: renewal.nowMs };
    const more =
      renewal.inventory === undefined ? notes : { ...notes, inventory: renewal.inventory };
    return {
      kind: "request",
      call: renewal.call,
      request: {
        kind: "command",
        attempt: 1,
        command: {
          intent: {
            kind: "lease",
            operation,
            node,
            session,
            seq,
            kept: renewal.kept,
            clock,
            ...more,
          },
          epoch: renewal.epoch,
          basis: renewal.basis,
          actor: { role: "agent", name: `agent:${node}` },
        },
      },
    };
  }

  private forgetOldest(): void {
    const oldest = this.sentMs.keys().next().value;
    if (this.sentMs.size > RENEWALS_AWAITED && oldest !== undefined) this.sentMs.delete(oldest);
  }

  /** Whether the call was one of ours; if so, what it taught. */
  replied(call: number, reply: Reply, nowMs: number): boolean {
    const sentMs = this.sentMs.get(call);
    if (sentMs === undefined) return false;
    this.sentMs.delete(call);
    if (reply.kind === "outcome") this.learn(reply.outcome, sentMs, nowMs);
    return true;
  }

  private learn(outcome: Outcome, sentMs: number, nowMs: number): void {
    this.isRejected = outcome.kind !== "committed" && outcome.kind !== "duplicate";
    if (outcome.kind === "committed" || outcome.kind === "duplicate") {
      if (this.heldUntilMs > 0 && nowMs >= this.heldUntilMs) this.regainedMs = nowMs;
      this.heldUntilMs = Math.max(this.heldUntilMs, sentMs + LEASE_MS);
      this.renewMs = sentMs + RENEW_EVERY_MS;
      return;
    }
    switch (outcome.code) {
      case "node-fenced":
      case "session-ended":
        this.isFenced = true;
        this.sessionFloor = typeof outcome.expected === "number" ? outcome.expected : this.session;
        return;
      case "lease-replayed":
        // An earlier incarnation of this agent counted further than we know.
        this.seq = Math.max(this.seq, Number(outcome.actual));
        this.renewMs = nowMs + CORRECTED_RETRY_MS;
        return;
      case "stale-epoch":
        this.renewMs = nowMs + CORRECTED_RETRY_MS;
        return;
      default:
        return;
    }
  }

  /** Nothing leashed runs any more: speak again, as somebody new. */
  beginSession(nowMs: number): void {
    this.session = Math.max(this.session, this.sessionFloor) + 1;
    this.seq = 0;
    this.heldUntilMs = 0;
    this.isFenced = false;
    this.renewMs = nowMs;
    this.sentMs.clear();
  }
}
