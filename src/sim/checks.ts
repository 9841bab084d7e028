/**
 * Hands what happens to the checkers that asked for it, and keeps the first thing any of them
 * reports.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Reply } from "../core/protocol/outcome.ts";
import type { SecretsAsk } from "../core/protocol/secrets-ask.ts";
import type { DecisionRecord } from "../core/protocol/decision.ts";
import type { AgentEffect, Request } from "../core/kernel/component.ts";
import type { Epoch, ObjectKey, OperationId, Revision } from "../core/model/ids.ts";
import type { View } from "../core/observe/view.ts";
import { isRenewal } from "./check/fast-path.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { AccessAsked } from "./roles/roles-gate.ts";
import type { Checker, LiveProcess, Report, Truth, Violation } from "./check/checker.ts";

type Hook = Exclude<keyof Checker, "name" | "ignoresRenewals">;
type With<H extends Hook> = Checker & Required<Pick<Checker, H>>;

export class Checks {
  violation: Violation | undefined;
  /** How often a checker was asked about a commit, a request, a decision, a view or a sample. */
  calls = 0;
  private isBeginning = false;
  private readonly truth: Truth;
  private readonly before: readonly With<"beforeCommit">[];
  private readonly after: readonly With<"afterCommit">[];
  private readonly beforeRenewal: readonly With<"beforeCommit">[];
  private readonly afterRenewal: readonly With<"afterCommit">[];
  private readonly starts: readonly With<"processStarted">[];
  private readonly ends: readonly With<"processEnded">[];
  private readonly replies: readonly With<"replied">[];
  private readonly requests: readonly With<"requested">[];
  private readonly attacks: readonly With<"attacked">[];
  private readonly attackReplies: readonly With<"attackAnswered">[];
  private readonly accesses: readonly With<"accessAsked">[];
  private readonly claims: readonly With<"claimed">[];
  private readonly answers: readonly With<"answered">[];
  private readonly secrets: readonly With<"secretsAnswered">[];
  private readonly shows: readonly With<"shown">[];
  private readonly listings: readonly With<"listAsked">[];
  private readonly lists: readonly With<"listed">[];
  private readonly deciders: readonly With<"decided">[];
  private readonly stops: readonly With<"clientStopped">[];
  private readonly moves: readonly With<"viewMoved">[];
  private readonly samples: readonly With<"sampled">[];
  private readonly finals: readonly With<"atEnd">[];

  constructor(checkers: readonly Checker[], truth: Truth) {
    this.truth = truth;
    this.before = having(checkers, "beforeCommit");
    this.after = having(checkers, "afterCommit");
    const ofRenewals = checkers.filter(({ ignoresRenewals }) => ignoresRenewals !== true);
    this.beforeRenewal = having(ofRenewals, "beforeCommit");
    this.afterRenewal = having(ofRenewals, "afterCommit");
    this.starts = having(checkers, "processStarted");
    this.ends = having(checkers, "processEnded");
    this.replies = having(checkers, "replied");
    this.requests = having(checkers, "requested");
    this.attacks = having(checkers, "attacked");
    this.attackReplies = having(checkers, "attackAnswered");
    this.accesses = having(checkers, "accessAsked");
    this.claims = having(checkers, "claimed");
    this.answers = having(checkers, "answered");
    this.secrets = having(checkers, "secretsAnswered");
    this.shows = having(checkers, "shown");
    this.listings = having(checkers, "listAsked");
    this.lists = having(checkers, "listed");
    this.deciders = having(checkers, "decided");
    this.stops = having(checkers, "clientStopped");
    this.moves = having(checkers, "viewMoved");
    this.samples = having(checkers, "sampled");
    this.finals = having(checkers, "atEnd");
  }

  readonly report: Report = (rule, message, key?: ObjectKey) => {
    // What follows a first violation may be its consequence; only the first is evidence.
    if (this.violation !== undefined || this.isBeginning) return;
    if (this.truth.isOwnDamage?.(rule, key) === true) return;
    const { nowMs: atMs, commits } = this.truth;
    this.violation = { rule, message, atMs, revision: commits.length, key };
  };

  /** What happens in it makes the checkers know what is there, and breaks no rule. */
  whileBeginning(act: () => void): void {
    this.isBeginning = true;
    act();
    this.isBeginning = false;
  }

  /** A component or the store found itself in a state that cannot be. */
  broken(component: string, error: unknown): void {
    const said = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    this.report("INV0", `${component} stopped: ${said}`);
  }

  beforeCommit(commit: Commit): void {
    const checkers = isRenewal(commit) ? this.beforeRenewal : this.before;
    this.calls += checkers.length;
    for (const checker of checkers) checker.beforeCommit(commit, this.truth, this.report);
  }
  afterCommit(commit: Commit): void {
    const checkers = isRenewal(commit) ? this.afterRenewal : this.after;
    this.calls += checkers.length;
    for (const checker of checkers) checker.afterCommit(commit, this.truth, this.report);
  }
  processStarted(process: LiveProcess): void {
    for (const checker of this.starts) checker.processStarted(process, this.truth, this.report);
  }
  processEnded(process: LiveProcess): void {
    for (const checker of this.ends) checker.processEnded(process, this.truth, this.report);
  }
  replied(to: string, operation: OperationId, reply: Reply): void {
    for (const checker of this.replies)
      checker.replied(to, operation, reply, this.truth, this.report);
  }
  requested(from: string, operation: OperationId, request: Request): void {
    this.calls += this.requests.length;
    for (const checker of this.requests) {
      checker.requested(from, operation, request.attempt, this.truth, this.report, request);
    }
  }
  attacked(from: string, request: Request): void {
    for (const checker of this.attacks) checker.attacked(from, request, this.truth, this.report);
  }
  attackAnswered(to: string, operation: OperationId, reply: Reply): void {
    for (const checker of this.attackReplies)
      checker.attackAnswered(to, operation, reply, this.truth, this.report);
  }
  accessAsked(asked: AccessAsked, objects: ObjectIndex): void {
    for (const checker of this.accesses) {
      checker.accessAsked(asked, objects, this.truth, this.report);
    }
  }
  claimed(plane: string, epoch: Epoch): void {
    for (const checker of this.claims) checker.claimed(plane, epoch, this.truth, this.report);
  }
  answered(plane: string, reply: Reply): void {
    for (const checker of this.answers) checker.answered(plane, reply, this.truth, this.report);
  }
  secretsAnswered(to: string, ask: SecretsAsk, reply: Reply): void {
    const { truth, report } = this;
    for (const checker of this.secrets) checker.secretsAnswered(to, ask, reply, truth, report);
  }
  shown(plane: string, to: Revision): void {
    for (const checker of this.shows) checker.shown(plane, to, this.truth, this.report);
  }
  listAsked(component: string): void {
    for (const checker of this.listings) checker.listAsked(component);
  }
  listed(component: string, revision: Revision): void {
    for (const checker of this.lists) checker.listed(component, revision, this.report);
  }
  decided(view: View, effects: readonly AgentEffect[]): void {
    // Most turns conclude nothing, and hardly any conclude two things.
    let records: DecisionRecord[] | undefined;
    for (const effect of effects) {
      if (effect.kind === "decision") (records ??= []).push(effect.record);
    }
    if (records === undefined) return;
    this.calls += this.deciders.length;
    for (const checker of this.deciders) checker.decided(records, view, this.truth, this.report);
  }
  clientStopped(component: string): void {
    for (const checker of this.stops) checker.clientStopped(component);
  }
  viewMoved(component: string, view: View, wasRevision: Revision, wasEpoch: Epoch): void {
    if (this.moves.length === 0) return;
    const was = { revision: wasRevision, epoch: wasEpoch };
    this.calls += this.moves.length;
    for (const checker of this.moves)
      checker.viewMoved(component, view, was, this.truth, this.report);
  }
  sampled(): void {
    this.calls += this.samples.length;
    for (const checker of this.samples) checker.sampled(this.truth, this.report);
  }
  atEnd(): void {
    for (const checker of this.finals) checker.atEnd(this.truth, this.report);
  }
}

function having<H extends Hook>(checkers: readonly Checker[], hook: H): readonly With<H>[] {
  return checkers.filter((checker): checker is With<H> => checker[hook] !== undefined);
}
