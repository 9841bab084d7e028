/**
 * Renews the leases of many nodes, as their agents would: each in its turn, as often as an agent
 * does it, spread evenly over that time.
 */
import { RENEW_EVERY_MS } from "../../src/core/model/timing.ts";

/** Small steps make an even load; below this the timers themselves would be one. */
const STEP_MS = 50;
const STEPS_A_ROUND = RENEW_EVERY_MS / STEP_MS;

export type Renew = (node: string, seq: number) => Promise<void>;

interface Spoken {
  readonly node: string;
  seq: number;
  /** When the first renewal was sent that has no answer yet. */
  sentMs?: number | undefined;
  /** When its last renewal was answered. */
  heardMs: number;
}

export class RenewalRound {
  private readonly renew: Renew;
  private readonly onFailure: (error: unknown) => void;
  /**
   * Like the hours of a clock: a node is renewed whenever the hand passes the step at which it
   * joined.
   */
  private readonly steps: readonly Spoken[][] = Array.from({ length: STEPS_A_ROUND }, () => []);
  /** The last completed step, counted from the beginning. */
  private hand = 0;
  private readonly startMs = performance.now();
  private timer: NodeJS.Timeout | undefined;
  /** Renewals after the first of each node. */
  renewals = 0;
  /**
   * The longest time between two renewals of one node: after some seconds a plane considers it
   * silent.
   */
  longestGapMs = 0;
  private longestAnswerMs = 0;

  constructor(renew: Renew, onFailure: (error: unknown) => void) {
    this.renew = renew;
    this.onFailure = onFailure;
  }

  /** Renews a node for the first time, which makes it ready, and keeps renewing it. */
  async add(node: string): Promise<void> {
    this.timer ??= setInterval(() => this.turn(), STEP_MS);
    await this.renew(node, 1);
    // At the hand's current position, so that the next renewal comes after a whole round.
    this.steps[this.hand % STEPS_A_ROUND]?.push({ node, seq: 1, heardMs: performance.now() });
  }

  /** How long the renewal has waited that has waited longest for its answer. */
  get longestWaitMs(): number {
    const nowMs = performance.now();
    let longest = this.longestAnswerMs;
    for (const { sentMs } of this.steps.flat()) {
      if (sentMs !== undefined) longest = Math.max(longest, nowMs - sentMs);
    }
    return longest;
  }

  forget(): void {
    this.longestGapMs = 0;
    this.longestAnswerMs = 0;
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private now(): number {
    return Math.floor((performance.now() - this.startMs) / STEP_MS);
  }

  private turn(): void {
    const now = this.now();
    // After a long pause each node is renewed only once.
    this.hand = Math.max(this.hand, now - STEPS_A_ROUND);
    while (this.hand < now) {
      this.hand += 1;
      for (const spoken of this.steps[this.hand % STEPS_A_ROUND] ?? []) this.speak(spoken);
    }
  }

  private speak(spoken: Spoken): void {
    spoken.seq += 1;
    this.renewals += 1;
    spoken.sentMs ??= performance.now();
    this.renewed(spoken).catch(this.onFailure);
  }

  private async renewed(spoken: Spoken): Promise<void> {
    await this.renew(spoken.node, spoken.seq);
    const now = performance.now();
    this.longestAnswerMs = Math.max(this.longestAnswerMs, now - (spoken.sentMs ?? now));
    spoken.sentMs = undefined;
    this.longestGapMs = Math.max(this.longestGapMs, now - spoken.heardMs);
    spoken.heardMs = now;
  }
}
