/**
 * The parts that every controller needs: a work queue without duplicates, keys that change while in
 * work, backoff, attempts, deadlines, look-ups, waiting for one's own write, owed wake-ups.
 *
 * The runner decides *when* to look at a key, the controller *what* to do about it, the authority
 * whether that becomes true. Nothing in here needs to be durable: after a restart, every key is
 * looked at again and every operation id comes out the same.
 */
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Outcome, Reply } from "../protocol/outcome.ts";
import { type Controller, isAhead, keyOf, type Ordered } from "./controller.ts";
import type { Decision } from "../protocol/decision.ts";
import type { ClientEffect, ClientInput, Component } from "../kernel/component.ts";
import type { Turn } from "../protocol/turn.ts";
import type { Actor } from "../model/actor.ts";
import type { Epoch, ObjectKey, Revision } from "../model/ids.ts";
import { objectFact } from "../observe/facts.ts";
import type { Interest } from "../observe/interest.ts";
import { View } from "../observe/view.ts";
import {
  backoffMs,
  KEYS_PER_TURN,
  LIST_TIMEOUT_MS,
  OWN_WRITE_PATIENCE_MS,
  RELIST_EVERY_MS,
  RESYNC_EVERY_MS,
} from "./limits.ts";
import { wake } from "./calm-return.ts";
import { type KeyState, KeyStates } from "./key-state.ts";
import { type Call, type Found, Operations } from "./operations.ts";
import { type Owed, OwedLedger } from "./owed-ledger.ts";
import { decisionEffect } from "./decision-effect.ts";
import { lookOf } from "./look-of.ts";
import { requestOf } from "./request-of.ts";
import { Retries } from "./retries.ts";
import { retryTermsOf, withPolicies } from "./retry-terms.ts";
import type { TargetBudgets } from "./target-budgets.ts";

export type { Owed } from "./owed-ledger.ts";
export { OPERATION_ATTEMPTS } from "./limits.ts";

export class Runner implements Component<ClientInput, ClientEffect> {
  readonly name: string;
  readonly view: View;
  private readonly isMember: boolean;
  private readonly controller: Controller;
  private readonly actor: Actor;
  private readonly queue = new Set<ObjectKey>();
  private readonly keys = new KeyStates();
  private readonly operations = new Operations(() => retryTermsOf(this.view));
  readonly waits = new OwedLedger();
  private readonly retries: Retries;
  private isListed = false;
  private listDueMs = 0;
  private resyncDueMs = 0;
  private timerMs = Number.POSITIVE_INFINITY;
  /** When the next turn has something to do that no input brings. */
  private dueMs = 0;
  private effects: ClientEffect[] = [];

  /** With a `view` it is one of a group, which moves the view for all members. */
  constructor(options: {
    readonly name: string;
    readonly controller: Controller;
    readonly view?: View;
    readonly targets?: TargetBudgets;
  }) {
    this.name = options.name;
    this.controller = options.controller;
    this.actor = { role: options.controller.role, name: options.name };
    this.view = options.view ?? new View(withPolicies(options.controller.interest));
    this.isMember = options.view !== undefined;
    this.retries = new Retries(options.targets);
  }

  get interest(): Interest {
    return this.controller.interest;
  }

  owed(): readonly Owed[] {
    return this.waits.all();
  }

  /** Whether the key is queued, in flight or owed a look: unsettled work must be one of these. */
  isTracking(key: ObjectKey): boolean {
    return this.queue.has(key) || this.waits.get(key) !== undefined || this.keys.isInFlight(key);
  }

  /** Another part of the same component may send requests, too; call numbers are shared. */
  takeCall(): number {
    return this.operations.takeCall();
  }

  /** An event outside the log concerns this key (an agent's process, say): it is due for a look. */
  poke(key: ObjectKey): void {
    this.enqueue(key);
    this.dueMs = 0;
  }

  receive(input: ClientInput, turn: Turn): readonly ClientEffect[] {
    switch (input.kind) {
      case "listed": {
        const { objects, revision, epoch } = input;
        return this.viewReplaced(this.view.replace(objects, revision, epoch), turn);
      }
      case "watch":
        return this.isListed
          ? this.viewMoved(this.view.follow(input.commits, input.to, input.epoch), turn)
          : this.takeTurn(turn, () => {});
      case "started":
        return this.takeTurn(turn, () => this.askForList(turn));
      case "reply":
        return this.takeTurn(turn, () => this.replied(input.call, input.reply, turn));
      case "timer":
        this.timerMs = Number.POSITIVE_INFINITY;
        return this.takeTurn(turn, () => {}, true);
    }
  }

  /** The view has just applied these changes. */
  viewMoved(changes: readonly Change[], turn: Turn): readonly ClientEffect[] {
    if (changes.length === 0 && this.keys.behind.size === 0 && turn.now < this.dueMs) return [];
    return this.takeTurn(turn, () => this.moved(changes, turn));
  }

  /** A list replaced the view and changed this; undefined when the list was refused. */
  viewReplaced(changes: readonly Change[] | undefined, turn: Turn): readonly ClientEffect[] {
    return this.takeTurn(turn, () => {
      // A list from a plane that lags behind the view is ignored; the timeout asks for another.
      if (changes === undefined) return;
      this.listDueMs = turn.now + RELIST_EVERY_MS;
      this.isListed = true;
      this.moved(changes, turn);
    });
  }

  /** The timer of its group rang: the time at which it is due instead; undefined: it is due. */
  passOver(turn: Turn): number | undefined {
    if (turn.now >= this.dueMs) return undefined;
    this.timerMs = this.dueMs;
    return this.dueMs;
  }

  /** In a group, a key's look is a turn of its own: others are served before it (RN11). */
  private takeTurn(turn: Turn, begin: () => void, looks = !this.isMember): readonly ClientEffect[] {
    this.effects = [];
    begin();
    this.attendToDue(turn);
    if (looks) this.work(turn);
    this.setTimer(turn);
    return this.effects;
  }

  private askForList(turn: Turn): void {
    this.listDueMs = turn.now + LIST_TIMEOUT_MS;
    this.effects.push({ kind: "list" });
  }

  /** Turns changes, of which most members are shown none, into keys to look at, in their order. */
  private moved(changes: readonly Change[], turn: Turn): void {
    if (changes.length === 0 && this.keys.behind.size === 0) return;
    const touched = new Set<ObjectKey>();
    for (const change of changes) {
      this.controller.follow?.(change, this.view);
      for (const key of this.controller.keysFor(change, this.view)) touched.add(key);
      if (!this.waits.isEmpty) wake(this.waits, change, { touched, turn });
    }
    this.keys.addShown(this.view.revision, touched);
    for (const key of touched.size > 1 ? [...touched].toSorted() : touched) this.enqueue(key);
  }

  private enqueue(key: ObjectKey): void {
    const state = this.keys.get(key);
    if (state !== undefined && state.inFlight > 0) {
      state.dirty = true;
      return;
    }
    this.waits.settle(key);
    this.keys.behind.delete(key);
    this.queue.add(key);
  }

  private attendToDue(turn: Turn): void {
    for (const call of this.operations.closeOverdue(turn.now)) this.overdue(call, turn);
    for (const key of this.waits.due(turn.now)) this.enqueue(key);
    // Also while listed: a watch can silently lose an event, and only a list finds it (RN5).
    if (this.listDueMs > 0 && turn.now >= this.listDueMs) this.askForList(turn);
    if (!this.isListed || turn.now < this.resyncDueMs) return;
    this.resyncDueMs = turn.now + RESYNC_EVERY_MS;
    for (const key of [...this.controller.allKeys(this.view)].toSorted()) {
      // A wait has its own deadline, and a resync must not cut a backoff short.
      if (this.waits.get(key) === undefined) this.enqueue(key);
    }
  }

  private work(turn: Turn): void {
    if (!this.isListed) return;
    let left = KEYS_PER_TURN;
    const before = this.operations.underWay;
    const due = this.queue.size < 2 ? this.queue : this.controller.order?.(this.queue, this.view);
    for (const next of due ?? this.queue) {
      if (left-- === 0 || this.operations.isEnough(before)) return;
      this.queue.delete(keyOf(next));
      this.look(next, turn);
    }
  }

  private look(next: Ordered, turn: Turn): void {
    const key = keyOf(next);
    const state = this.keys.get(key);
    if (state !== undefined && state.ownWrite > this.view.revision) {
      return this.awaitOwnWrite(key, state, turn);
    }
    const look = lookOf(state, { view: this.view, turn, isAhead: isAhead(next) });
    this.conclude(key, this.controller.reconcile(key, this.view, look), turn);
  }

  private conclude(key: ObjectKey, decision: Decision, turn: Turn): void {
    if (decision.kind !== "propose") this.retries.leave(key);
    if (decision.kind === "settled") {
      this.keys.forget(key);
      this.operations.forget(key);
      return;
    }
    if (decision.kind === "take-turn") return void this.queue.add(key);
    this.effects.push(decisionEffect(this, { key, atMs: turn.now, decision }));
    if (decision.kind === "wait") {
      const { reason, wakes, deadlineMs } = decision;
      return this.park({ key, reason, wakes: [...wakes, objectFact(key)], deadlineMs });
    }
    this.proposeAll(key, decision.intents, turn);
  }

  private proposeAll(key: ObjectKey, intents: readonly Intent[], turn: Turn): void {
    const state = this.keys.of(key);
    const { isUnheard } = state;
    state.failedThisRound = false;
    state.dirty = false;
    let isOverBudget = false;
    for (const intent of intents) {
      if (this.operations.isSpent(key, intent.operation, turn.now)) continue;
      const isRetry = isUnheard || this.operations.isUnheard(key, intent.operation);
      isOverBudget = !this.retries.permits(key, isRetry, turn.now);
      if (isOverBudget) break;
      this.operations.spend(key, intent.operation, turn.now);
      // Until a call of the round is answered.
      state.isUnheard = true;
      this.send({ key, intent, phase: "command", basis: this.view.revision }, turn);
    }
    if (state.inFlight > 0) return;
    // No answer came, and the retry budget is spent: the next retry waits its turn (RN8).
    if (isOverBudget) {
      const deadlineMs = this.retries.awaitTurn(key, turn);
      this.park({ key, reason: "retry-budget", wakes: [objectFact(key)], deadlineMs });
      return;
    }
    // Every operation has used up its attempts. Begin afresh when the world has moved on.
    this.operations.beginAfresh(key);
    this.retries.leave(key);
    state.failures = 0;
    const deadlineMs = turn.now + RESYNC_EVERY_MS;
    this.park({ key, reason: "attempts-exhausted", wakes: [objectFact(key)], deadlineMs });
  }

  private send(call: Omit<Call, "overdueMs">, turn: Turn): void {
    const { key, intent } = call;
    this.keys.of(key).inFlight += 1;
    const attempt = this.operations.attempts(key, intent.operation);
    const request = requestOf(call, attempt, { view: this.view, actor: this.actor });
    this.effects.push({ kind: "request", call: this.operations.open(call, turn.now), request });
  }

  private replied(id: number, reply: Reply, turn: Turn): void {
    const call = this.operations.close(id);
    // A reply to a call that was given up: its outcome has been looked up since.
    if (call === undefined) return;
    const state = this.keys.of(call.key);
    if (reply.kind === "unavailable") this.operations.heard(call, false);
    else this.answered(call, state, reply.epoch);
    switch (reply.kind) {
      case "outcome":
        this.learn(call, state, reply.outcome, turn);
        break;
      case "found":
        this.hadEffect(call, state, reply, turn);
        break;
      // Not found is no proof: it may be on its way. Sent again, it can only have one effect.
      case "not-found":
      case "secrets":
      case "unavailable":
        state.failedThisRound = true;
        break;
    }
    this.finish(call.key, state, turn);
  }

  private answered(call: Call, state: KeyState, epoch: Epoch): void {
    if (epoch > this.view.epoch) this.view.epoch = epoch;
    state.isUnheard = false;
    this.operations.heard(call, true);
    for (const key of this.retries.answered(call.key)) this.enqueue(key);
  }

  private learn(call: Call, state: KeyState, outcome: Outcome, turn: Turn): void {
    switch (outcome.kind) {
      case "committed":
        this.landed(call, state, outcome.revision);
        break;
      case "duplicate":
        this.hadEffect(call, state, outcome, turn);
        break;
      case "conflict":
      case "refused":
        // The next proposal gets the reason, until the view shows the cause (RN4).
        state.feedback = [
          ...state.feedback.filter(({ revision }) => revision > this.view.revision),
          outcome,
        ];
        state.failedThisRound = true;
        break;
    }
  }

  /** The effect may be long past and undone: wait for a view as new as the answer. */
  private hadEffect(call: Call, state: KeyState, { first, asOf }: Found, turn: Turn): void {
    const wasTold = first.revision <= state.ownWrite && state.ownWrite <= call.basis;
    this.landed(call, state, asOf);
    if (!wasTold) return;
    // The view should show the effect, but the controller proposed again: it lost an event (RN9).
    state.failedThisRound = true;
    this.askForList(turn);
  }

  private landed(call: Call, state: KeyState, revision: Revision): void {
    this.operations.succeeded(call.key, call.intent.operation);
    if (revision <= state.ownWrite) return;
    state.ownWrite = revision;
    state.patienceEndsMs = 0;
  }

  /** No answer is not a no: the command may have committed. Ask before a retry (RN2). */
  private overdue(call: Call, turn: Turn): void {
    const state = this.keys.of(call.key);
    if (call.phase === "command") {
      this.send({ ...call, phase: "lookup" }, turn);
      state.inFlight -= 1;
      return;
    }
    this.operations.heard(call, false);
    state.failedThisRound = true;
    this.finish(call.key, state, turn);
  }

  /** One call of the round is over; the last one decides when the next look is due. */
  private finish(key: ObjectKey, state: KeyState, turn: Turn): void {
    state.inFlight -= 1;
    if (state.inFlight > 0) return;
    if (!state.failedThisRound) {
      state.failures = 0;
      state.feedback = [];
      this.enqueue(key);
      return;
    }
    state.failures += 1;
    // The change may be the reason of the failure: look now rather than after the delay.
    if (state.dirty) {
      this.enqueue(key);
      return;
    }
    const jitter = turn.random("backoff", `${key}#${state.failures}`);
    const deadlineMs = turn.now + backoffMs(state.failures, jitter, retryTermsOf(this.view));
    this.park({ key, reason: "backing-off", wakes: [objectFact(key)], deadlineMs });
  }

  private awaitOwnWrite(key: ObjectKey, state: KeyState, turn: Turn): void {
    // Patience is over and the view is still behind: the stream lost it, only a list helps.
    if (state.patienceEndsMs > 0 && turn.now >= state.patienceEndsMs) this.askForList(turn);
    if (turn.now >= state.patienceEndsMs) state.patienceEndsMs = turn.now + OWN_WRITE_PATIENCE_MS;
    this.keys.behind.add(key);
    const deadlineMs = state.patienceEndsMs;
    this.park({ key, reason: "awaiting-own-write", wakes: [], deadlineMs });
  }

  private park(owed: Omit<Owed, "sinceRevision">): void {
    this.waits.owe({ ...owed, sinceRevision: this.view.revision });
  }

  private setTimer(turn: Turn): void {
    let atMs = Math.min(this.operations.nextOverdueMs(), this.waits.next(), this.listDueMs);
    if (this.isListed) atMs = Math.min(atMs, this.resyncDueMs);
    if (this.queue.size > 0 && this.isListed && !this.operations.isFull) atMs = turn.now;
    this.dueMs = atMs;
    if (atMs >= this.timerMs) return;
    this.timerMs = atMs;
    this.effects.push({ kind: "timer", atMs });
  }
}
