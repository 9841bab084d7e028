/**
 * The people, as one component: they take one step after another, wait for each answer, ask again
 * without one, and give a step up after repeated refusals. After a crash they repeat their steps
 * from the beginning; the plane answers a step that had its effect as a duplicate.
 */
import type { Outcome, Reply } from "../../core/protocol/outcome.ts";
import type { ClientEffect, ClientInput, Component } from "../../core/kernel/component.ts";
import type { Turn } from "../../core/protocol/turn.ts";
import { View } from "../../core/observe/view.ts";
import { OPERATION_ATTEMPTS } from "../../core/runner/runner.ts";
import { OwesNothing } from "./owes-nothing.ts";
import type { Step } from "./user-script.ts";

/** People wait about as long for an answer as the runner does. */
const ANSWER_MS = 2_000;
const AGAIN_MS = 500;
/**
 * After several failed attempts, a person leaves the plane alone for a while and then begins
 * afresh.
 */
const PAUSE_MS = 5_000;
/**
 * A refusal may pass (a workload of the same name is still being deleted); after this many it will
 * not.
 */
const REFUSALS_TAKEN = 20;
/** A granted amount may be free again only in an hour, so people do not ask again for long. */
const RECOVERY_BUDGET_REFUSALS_TAKEN = 2;

export class User extends OwesNothing implements Component<ClientInput, ClientEffect> {
  /** Watches nothing: it only follows the epoch, because commands carry it. */
  readonly view = new View({ kinds: new Set(), node: undefined });
  private readonly steps: readonly Step[];
  private readonly startMs: number;
  private next = 0;
  private attempt = 0;
  private refusals = 0;
  private calls = 0;
  private awaited: number | undefined;
  /** When to give up waiting for the answer, or to try again. */
  private dueMs = 0;
  private isListed = false;
  private listDueMs = 0;

  /** `startMs` is when the script begins, on the user's own clock. */
  constructor(steps: readonly Step[], startMs: number) {
    super();
    this.steps = steps;
    this.startMs = startMs;
  }

  get isDone(): boolean {
    return this.next >= this.steps.length;
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    switch (input.kind) {
      case "started":
        return this.ask(turn);
      case "listed":
        this.isListed = true;
        this.view.replace(input.objects, input.revision, input.epoch);
        break;
      case "watch":
        this.view.follow(input.commits, input.to, input.epoch);
        return [];
      case "reply":
        if (input.call !== this.awaited) return [];
        this.awaited = undefined;
        this.hear(input.reply, turn);
        break;
      case "timer":
        if (!this.isListed && turn.now >= this.listDueMs) return this.ask(turn);
        break;
    }
    return this.isListed ? this.act(turn) : [];
  }

  private ask(turn: Turn): readonly ClientEffect[] {
    this.listDueMs = turn.now + ANSWER_MS;
    return [{ kind: "list" }, { kind: "timer", atMs: this.listDueMs }];
  }

  private hear(reply: Reply, turn: Turn): void {
    this.dueMs = turn.now + AGAIN_MS;
    if (reply.kind !== "outcome") return;
    if (reply.epoch > this.view.epoch) this.view.epoch = reply.epoch;
    if (isDone(reply.outcome) || this.isHopeless(reply.outcome)) {
      this.next++;
      this.attempt = 0;
      this.refusals = 0;
      this.dueMs = turn.now;
    }
  }

  private isHopeless(outcome: Outcome): boolean {
    if (!("code" in outcome) || outcome.code === "stale-epoch") return false;
    this.refusals++;
    const most = outcome.code.startsWith("budget-")
      ? RECOVERY_BUDGET_REFUSALS_TAKEN
      : REFUSALS_TAKEN;
    return outcome.kind === "refused" || this.refusals >= most;
  }

  private act(turn: Turn): readonly ClientEffect[] {
    const step = this.steps[this.next];
    if (step === undefined) return [];
    const fromMs = Math.max(this.dueMs, this.startMs + step.atMs);
    if (turn.now < fromMs) return [{ kind: "timer", atMs: fromMs }];
    if (this.attempt === OPERATION_ATTEMPTS) {
      this.attempt = 0;
      this.dueMs = turn.now + PAUSE_MS;
      return [{ kind: "timer", atMs: this.dueMs }];
    }
    const call = ++this.calls;
    this.awaited = call;
    this.attempt++;
    this.dueMs = turn.now + ANSWER_MS;
    const command = {
      intent: step.intent,
      epoch: this.view.epoch,
      basis: this.view.revision,
      actor: { role: "user", name: step.as },
    } as const;
    return [
      { kind: "request", call, request: { kind: "command", command, attempt: this.attempt } },
      { kind: "timer", atMs: this.dueMs },
    ];
  }
}

const isDone = (outcome: Outcome): boolean =>
  outcome.kind === "committed" || outcome.kind === "duplicate";
