/**
 * A plane that exists only in this process and in virtual time: the authority's check and all
 * controllers that a change of objects concerns, on a copy of a fleet. Nodes stay as they are:
 * health, leases and lost replicas are left out, and agents do what they are told.
 */
import { allControllers } from "../core/all-controllers.ts";
import { apply } from "../core/commit/apply.ts";
import { Ledger } from "../core/commit/ledger.ts";
import { ControllerGroup } from "../core/controller-group.ts";
import type { ClientEffect, ClientInput, Request } from "../core/kernel/component.ts";
import { KeyedTurn } from "../core/kernel/keyed-turn.ts";
import type { Actor } from "../core/model/actor.ts";
import { listObjects } from "../core/observe/list-objects.ts";
import type { Intent } from "../core/protocol/command.ts";
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Outcome, Reply } from "../core/protocol/outcome.ts";
import type { PlaneFleet } from "../fleet/fleet.ts";
import { RehearsalAccount } from "./rehearsal-account.ts";
import { type Pace, RehearsedAgents } from "./rehearsed-agents.ts";

/** They act on the silence of nodes, and no node of a rehearsal falls silent or returns. */
const LEFT_OUT: ReadonlySet<string> = new Set([
  "node-health",
  "release-lost",
  "release-vanished",
  "release-forgotten",
]);

/** Only ties between equals depend on it: each rehearsal of the same fleet is the same. */
const SEED = 1;

export class RehearsedPlane {
  readonly ledger = new Ledger();
  readonly account: RehearsalAccount;
  nowMs: number;
  private readonly agents: RehearsedAgents;
  private readonly group: ControllerGroup;
  private readonly turn: KeyedTurn;
  private requests: { readonly call: number; readonly request: Request }[] = [];
  private commits: Commit[] = [];
  private isListAsked = false;
  private timerMs: number | undefined;

  constructor({ objects, revision, atMs }: PlaneFleet, pace: Pace) {
    const epoch = 1;
    this.ledger.restore({ revision, epoch, leadSinceMs: 0, objects, operations: [] });
    this.nowMs = atMs;
    this.account = new RehearsalAccount(atMs);
    this.agents = new RehearsedAgents(this.ledger.objects, pace, atMs);
    const controllers = allControllers(1)
      .filter(([name]) => !LEFT_OUT.has(name))
      .map(([name, create]) => [name, create()] as const);
    this.group = new ControllerGroup({ name: "controllers", controllers });
    this.group.view.lookInto({ objects: this.ledger.objects, leaps: 1 });
    this.turn = new KeyedTurn(SEED, this.group.name);
  }

  /** As a person sends it; the controllers see it when the plane runs. */
  take(intent: Intent, actor: Actor): Outcome {
    const { epoch, revision: basis } = this.ledger;
    const { outcome, commit } = apply(this.ledger, { intent, epoch, basis, actor }, this.nowMs);
    if (commit !== undefined) this.follow(commit);
    return outcome;
  }

  /** Lets the plane work until this time has come. */
  runUntil(untilMs: number): void {
    this.tell({ kind: "started" });
    this.settle();
    for (;;) {
      const nextMs = Math.min(this.timerMs ?? untilMs + 1, this.agents.nextMs ?? untilMs + 1);
      if (nextMs > untilMs) break;
      this.nowMs = Math.max(this.nowMs, nextMs);
      if (this.agents.nextMs === nextMs) this.agentSpeaks();
      else this.wake();
      this.settle();
    }
    this.nowMs = untilMs;
    this.account.end(this.ledger.objects, this.group.owed());
  }

  private agentSpeaks(): void {
    const intent = this.agents.take(this.ledger.objects);
    if (intent === undefined) return;
    this.take(intent, { role: "agent", name: `agent:${intent.node}` });
  }

  private wake(): void {
    this.timerMs = undefined;
    this.tell({ kind: "timer" });
  }

  /**
   * Commits of one round are shown together, before the answers and before the next request is
   * checked: so the index is as far as the view whenever a controller looks into it.
   */
  private settle(): void {
    while (this.requests.length > 0 || this.commits.length > 0 || this.isListAsked) {
      const asked = this.requests;
      this.requests = [];
      const replies = asked.map(({ call, request }) => ({ call, reply: this.answer(request) }));
      const { revision: to, epoch } = this.ledger;
      const { commits } = this;
      this.commits = [];
      if (commits.length > 0) this.tell({ kind: "watch", commits, to, epoch });
      if (this.isListAsked) this.list();
      for (const reply of replies) this.tell({ kind: "reply", ...reply });
    }
  }

  private answer(request: Request): Reply {
    const { epoch } = this.ledger;
    // Every request is answered at once, so none is ever looked up.
    if (request.kind === "lookup") return { kind: "not-found", epoch };
    const { outcome, commit } = apply(this.ledger, request.command, this.nowMs);
    if (commit !== undefined) this.follow(commit);
    return { kind: "outcome", outcome, epoch };
  }

  private list(): void {
    this.isListAsked = false;
    const { objects, revision, epoch } = this.ledger;
    const listed = listObjects(objects, this.group.view.interest);
    this.tell({ kind: "listed", objects: listed, revision, epoch });
  }

  private follow(commit: Commit): void {
    this.ledger.fold(commit);
    this.commits.push(commit);
    this.account.committed(commit);
    this.agents.committed(commit);
  }

  private tell(input: ClientInput): void {
    this.turn.now = this.nowMs;
    for (const effect of this.group.receive(input, this.turn)) this.carryOut(effect);
  }

  private carryOut(effect: ClientEffect): void {
    switch (effect.kind) {
      case "request":
        this.requests.push({ call: effect.call, request: effect.request });
        return;
      case "list":
        this.isListAsked = true;
        return;
      case "timer":
        this.timerMs = effect.atMs;
        return;
      case "decision":
        this.account.decided(effect.record);
        return;
    }
  }
}
