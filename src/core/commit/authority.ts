/**
 * The single writer of the log. It checks commands against its ledger, groups whatever arrived
 * while the last batch was being made durable, and says nothing to anybody before what it says is
 * durable.
 *
 * It owns no clock, socket or disk: appends and answers are effects. Rules live in `apply`; this
 * file is only about order and durability.
 */
import { assert } from "../model/assert.ts";
import type { AuthorityEffect, AuthorityInput, Component, Request } from "../kernel/component.ts";
import type { Turn } from "../protocol/turn.ts";
import { type Epoch, operationId } from "../model/ids.ts";
import { apply } from "./apply.ts";
import { secretsFor } from "./checks/secrets-for.ts";
import type { Commit } from "../protocol/commit-record.ts";
import { Ledger } from "./ledger.ts";
import { operationSpace } from "../protocol/operation-space.ts";
import type { Reply } from "../protocol/outcome.ts";
import { RecountSchedule } from "./recount-schedule.ts";
import { restoreLedger } from "./snapshot.ts";

interface Answer {
  readonly to: string;
  readonly call: number;
  readonly reply: Reply;
}

/** Commits that become durable together, and the answers that must wait for them. */
interface Batch {
  readonly commits: Commit[];
  readonly answers: Answer[];
}

const emptyBatch = (): Batch => ({ commits: [], answers: [] });

export class Authority implements Component<AuthorityInput, AuthorityEffect> {
  readonly name: string;
  /** `loading` is from asking for the log until it is ours: a standby may stay there for weeks. */
  private state: "idle" | "loading" | "leading" | "resigned" = "idle";
  private current = new Ledger();
  /** It has led: the ledger holds what was checked and may never have become durable. */
  private isAhead = false;
  private inFlight: Batch | undefined;
  private waiting: Batch = emptyBatch();
  private recounts = new RecountSchedule();

  constructor(options: { readonly name: string }) {
    this.name = options.name;
  }

  /** An authority in the middle of its leadership, as it was when nothing was under way. */
  static resumed(options: { readonly name: string; readonly ledger: Ledger }): Authority {
    const authority = new Authority(options);
    authority.current = options.ledger;
    authority.isAhead = true;
    authority.state = "leading";
    return authority;
  }

  /** A standby that has followed the log so far. */
  static following(options: { readonly name: string; readonly ledger: Ledger }): Authority {
    const authority = new Authority(options);
    authority.current = options.ledger;
    authority.state = "loading";
    return authority;
  }

  /** Nothing is being appended and no sender waits for an answer. */
  get isQuiet(): boolean {
    const { commits, answers } = this.waiting;
    const isIdle = this.inFlight === undefined && commits.length === 0 && answers.length === 0;
    return this.state === "leading" && isIdle;
  }

  /** Includes what is checked but not durable yet; only tests and inspection may look. */
  get ledger(): Ledger {
    return this.current;
  }
  get epoch(): Epoch {
    return this.current.epoch;
  }
  get isLeading(): boolean {
    return this.state === "leading";
  }

  receive(input: AuthorityInput, turn: Turn): readonly AuthorityEffect[] {
    switch (input.kind) {
      case "started":
        return this.claim();
      case "followed":
        return this.follow(input);
      case "claimed":
        return this.load(input, turn);
      case "took-over":
        return this.takeOver(input, turn);
      case "appended":
        return this.appended(input);
      case "lapsed":
        return this.state === "leading" ? this.claim() : [];
      case "stalled":
        this.current.woke(turn.now);
        return [];
      case "request":
        return this.requested(input, turn);
    }
  }

  /**
   * Asks for the log. Whatever was under way gets no answer: it may have landed or may yet land,
   * and only the end of the log under a new epoch says which. The senders look their operations up.
   */
  private claim(): readonly AuthorityEffect[] {
    this.state = "loading";
    this.inFlight = undefined;
    this.waiting = emptyBatch();
    return [{ kind: "claim" }];
  }

  private follow({
    snapshot,
    commits,
  }: Extract<AuthorityInput, { kind: "followed" }>): readonly AuthorityEffect[] {
    if (this.state !== "loading") return [];
    if (snapshot !== undefined) this.begin(restoreLedger(snapshot));
    else if (this.isAhead) this.begin(new Ledger());
    for (const commit of commits) this.current.fold(commit);
    return [{ kind: "publish", to: this.current.revision }];
  }

  private load(
    { epoch, snapshot, commits }: Extract<AuthorityInput, { kind: "claimed" }>,
    turn: Turn,
  ): readonly AuthorityEffect[] {
    if (this.state !== "loading") return [];
    this.begin(snapshot ? restoreLedger(snapshot) : new Ledger());
    for (const commit of commits) this.current.fold(commit);
    return this.lead(epoch, turn);
  }

  private takeOver(
    { epoch, end }: Extract<AuthorityInput, { kind: "took-over" }>,
    turn: Turn,
  ): readonly AuthorityEffect[] {
    if (this.state !== "loading") return [];
    assert(
      !this.isAhead && this.current.revision === end,
      `The log was taken over at revision ${end}, but was followed to ${this.current.revision}.`,
    );
    return this.lead(epoch, turn);
  }

  private begin(ledger: Ledger): void {
    this.current = ledger;
    this.isAhead = false;
  }

  private lead(epoch: Epoch, turn: Turn): readonly AuthorityEffect[] {
    const ledger = this.current;
    this.isAhead = true;
    this.recounts = new RecountSchedule();
    this.recounts.look(ledger, turn.now);
    this.state = "leading";
    // The first commit of an epoch is its own beginning: it carries the epoch into the ledger and
    // to every watcher, even without any other change.
    this.accept({
      revision: ledger.revision + 1,
      epoch,
      atMs: turn.now,
      operation: operationId(`lead/${epoch}`),
      actor: { role: "user", name: this.name },
      command: "lead",
      basis: ledger.revision,
      evidence: undefined,
      changes: [],
    });
    return [{ kind: "publish", to: ledger.revision - 1 }, ...this.flush()];
  }

  private accept(commit: Commit): void {
    this.current.fold(commit);
    this.waiting.commits.push(commit);
  }

  private requested(
    { from, call, request }: Extract<AuthorityInput, { kind: "request" }>,
    turn: Turn,
  ): readonly AuthorityEffect[] {
    if (this.state !== "leading" || this.isBehind(request)) {
      return [{ kind: "respond", to: from, call, reply: { kind: "unavailable" } }];
    }
    const reply = this.check(request, turn);
    // Even a refusal may rest on a commit that is not durable yet, so every answer waits for the
    // batch it was checked behind.
    this.waiting.answers.push({ to: from, call, reply });
    return this.flush();
  }

  /**
   * The sender has seen a later leadership than ours: we are deposed and do not know it yet (EP2).
   */
  private isBehind(request: Request): boolean {
    return request.kind === "command" && request.command.epoch > this.current.epoch;
  }

  private check(request: Request, turn: Turn): Reply {
    const { epoch } = this.current;
    if (request.kind === "lookup" && request.secrets !== undefined) {
      const decided = secretsFor(this.current.objects, request.secrets, request.actor);
      return { kind: "secrets", decided, epoch };
    }
    if (request.kind === "lookup") {
      const { actor, operation } = request;
      const { operations } = this.current;
      const known =
        actor === undefined
          ? operations.ofAnybody(operation)
          : operations.of(operationSpace(actor), operation);
      if (known === undefined) return { kind: "not-found", epoch };
      const first = { kind: "committed", revision: known.revision } as const;
      return { kind: "found", first, asOf: this.current.revision, epoch };
    }
    this.recounts.look(this.current, turn.now);
    const { outcome, commit } = apply(this.current, request.command, turn.now);
    if (commit !== undefined) this.accept(commit);
    return { kind: "outcome", outcome, epoch };
  }

  /**
   * One append at a time: whatever arrives meanwhile makes the next batch, so batches grow with
   * load.
   */
  private flush(): readonly AuthorityEffect[] {
    if (this.inFlight !== undefined) return [];
    const batch = this.waiting;
    if (batch.commits.length === 0) {
      if (batch.answers.length === 0) return [];
      this.waiting = emptyBatch();
      return batch.answers.map(respond);
    }
    this.waiting = emptyBatch();
    this.inFlight = batch;
    return [{ kind: "append", epoch: this.current.epoch, commits: batch.commits }];
  }

  private appended({
    result,
    epoch = this.epoch,
  }: Extract<AuthorityInput, { kind: "appended" }>): readonly AuthorityEffect[] {
    const batch = this.inFlight;
    // An append of a leadership that has lapsed may be answered when the next one has begun.
    const isOurs = this.state === "leading" && epoch === this.epoch;
    if (!isOurs || batch === undefined) return [];
    this.inFlight = undefined;
    switch (result) {
      case "durable": {
        const last = batch.commits.at(-1);
        const to = last?.revision ?? this.current.revision;
        return [{ kind: "publish", to }, ...batch.answers.map(respond), ...this.flush()];
      }
      case "fenced": {
        // Nothing of ours landed and nothing will again. Silence about the batch is the honest
        // answer: an earlier unknown append may be among what the senders ask about.
        this.state = "resigned";
        this.waiting = emptyBatch();
        return [{ kind: "resigned" }];
      }
      case "unknown":
        // A new claim fences the old epoch, so what we then read is final.
        return this.claim();
    }
  }
}

const respond = ({ to, call, reply }: Answer): AuthorityEffect => ({
  kind: "respond",
  to,
  call,
  reply,
});
