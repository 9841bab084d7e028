/**
 * Two authorities on one log, every answer of which is held against the log at the moment it is given. The
 * check itself is not in question here: it is made again, on what is durable, and must come out alike.
 */
import { strict as assert } from "node:assert";
import { apply } from "../../src/core/commit/apply.ts";
import { Authority } from "../../src/core/commit/authority.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { operationSpace } from "../../src/core/protocol/operation-space.ts";
import type { Reply } from "../../src/core/protocol/outcome.ts";
import type { AuthorityEffect, AuthorityInput, Request } from "../../src/core/kernel/component.ts";
import { type OperationId, operationId, tenantKey } from "../../src/core/model/ids.ts";
import { pictureOfLedger } from "./picture.ts";
import { Picks } from "./picks.ts";
import { type Batch, FATES, TinyStore } from "./tiny-store.ts";

export interface PlaneMove {
  readonly verb: "request" | "store" | "arrive" | "restart" | "news" | "lapse" | "late-answer";
  readonly plane: 0 | 1;
  readonly picks: readonly number[];
}

/** What was asked, and what the asked authority had checked by then, durable or not. */
interface Question {
  readonly request: Request;
  readonly nowMs: number;
  readonly checkedTo: number;
}

interface Plane {
  authority: Authority;
  pending:
    | { readonly kind: "claim" }
    | { readonly kind: "append"; readonly batch: Batch }
    | undefined;
  resigned: boolean;
  /** Calls of this incarnation that got no answer yet. */
  open: Map<number, Question>;
  /** How much of the log it has followed since it asked for it. */
  followed: number | undefined;
  /** Appends of a leadership that has lapsed, whose answers are still to come. */
  late: Batch[];
}

const ADA = { role: "user", name: "ada" } as const;
const NAMES = { nodes: [], tenants: ["red", "blue"] };

export function foldLog(log: readonly Commit[]): Ledger {
  const ledger = new Ledger();
  for (const commit of log) ledger.fold(commit);
  return ledger;
}

export class TwoPlanes {
  readonly store = new TinyStore();
  /** How often each kind of answer was given, to show that a run was about something. */
  readonly answered: Record<string, number> = {};
  private readonly planes: readonly [Plane, Plane];
  private readonly asked: OperationId[] = [];
  private nowMs = 0;
  private calls = 0;

  constructor() {
    this.planes = [this.boot("left"), this.boot("right")];
    for (const plane of this.planes) this.tell(plane, { kind: "started" });
  }

  take(move: PlaneMove): void {
    this.nowMs += 1;
    const plane = this.planes[move.plane];
    const picks = new Picks(move.picks);
    switch (move.verb) {
      case "request":
        return this.ask(plane, picks);
      case "store":
        return this.settle(plane, picks);
      case "arrive":
        return this.store.arrive();
      case "restart":
        return this.restart(plane);
      case "news":
        return this.hear(plane, picks.next() % (this.store.log.length + 1));
      case "lapse":
        return this.lapse(plane);
      case "late-answer":
        return this.answerLate(plane, picks);
    }
  }

  /** EP6: a standby holds the log so far, and shows nothing else. */
  private hear(plane: Plane, to: number): void {
    if (plane.pending?.kind !== "claim") return;
    const commits = this.store.log.slice(plane.followed ?? 0, to);
    plane.followed = (plane.followed ?? 0) + commits.length;
    this.tell(plane, { kind: "followed", commits });
    const expected = foldLog(this.store.log.slice(0, plane.followed));
    const { ledger } = plane.authority;
    assert.deepEqual(pictureOfLedger(ledger, NAMES), pictureOfLedger(expected, NAMES));
    this.count("followed");
  }

  /** EP7: whatever is under way is given up, and nobody is told what became of it. */
  private lapse(plane: Plane): void {
    if (!plane.authority.isLeading) return;
    if (plane.pending?.kind === "append") plane.late.push(plane.pending.batch);
    plane.pending = undefined;
    plane.open.clear();
    this.tell(plane, { kind: "lapsed" });
    assert.equal(plane.authority.isLeading, false);
  }

  /** EP9: the answer to an append of an earlier leadership changes nothing in this one. */
  private answerLate(plane: Plane, picks: Picks): void {
    const batch = plane.late.shift();
    if (batch === undefined) return;
    const result = this.store.append(batch, picks.one(FATES));
    const effects = plane.authority.receive(
      { kind: "appended", result, epoch: batch.epoch },
      { now: this.nowMs, random: () => 0 },
    );
    assert.deepEqual(effects, []);
    this.count("late");
  }

  private boot(name: string): Plane {
    const authority = new Authority({ name });
    const nothing = { pending: undefined, resigned: false, followed: undefined, late: [] };
    return { authority, open: new Map(), ...nothing };
  }

  private restart(plane: Plane): void {
    // What it had sent to the log may still arrive; what it owed its callers never will.
    if (plane.pending?.kind === "append") this.store.setAdrift(plane.pending.batch);
    Object.assign(plane, this.boot(plane.authority.name));
    this.tell(plane, { kind: "started" });
  }

  private settle(plane: Plane, picks: Picks): void {
    const { pending } = plane;
    plane.pending = undefined;
    if (pending?.kind === "claim") {
      const { epoch, commits } = this.store.claim();
      if (picks.onceIn(3)) this.tell(plane, { kind: "claimed", epoch, commits });
      else {
        this.tell(plane, { kind: "followed", commits: commits.slice(plane.followed ?? 0) });
        this.tell(plane, { kind: "took-over", epoch, end: commits.length });
        this.count("took-over");
      }
      this.showsTheLog(plane);
    } else if (pending?.kind === "append") {
      const fate = picks.one(["durable", "durable", "durable", "durable", ...FATES] as const);
      const result = this.store.append(pending.batch, fate);
      this.tell(plane, { kind: "appended", result, epoch: pending.batch.epoch });
      assert.equal(plane.resigned, result === "fenced");
      if (result !== "durable") {
        assert.equal(plane.authority.isLeading, false);
        plane.open.clear();
      }
    }
  }

  /** EP5: whatever was known before, the authority goes on from the log and nothing else. */
  private showsTheLog({ authority, pending }: Plane): void {
    const mine = pending?.kind === "append" ? pending.batch.commits : [];
    const expected = foldLog([...this.store.log, ...mine]);
    assert.deepEqual(
      mine.map(({ command }) => command),
      ["lead"],
    );
    assert.deepEqual(pictureOfLedger(authority.ledger, NAMES), pictureOfLedger(expected, NAMES));
  }

  private ask(plane: Plane, picks: Picks): void {
    const { authority } = plane;
    const request = this.question(plane, picks);
    const call = this.calls++;
    const epoch = request.kind === "command" ? request.command.epoch : 0;
    const speechless = !authority.isLeading || epoch > authority.epoch;
    const before = authority.ledger.revision;
    const effects = authority.receive(
      { kind: "request", from: "somebody", call, request },
      { now: this.nowMs, random: () => 0 },
    );
    if (speechless) {
      // EP2, EP3: deposed, resigned or not loaded yet; nothing happened here.
      const reply = { kind: "unavailable" };
      assert.deepEqual(effects, [{ kind: "respond", to: "somebody", call, reply }]);
      assert.equal(authority.ledger.revision, before);
      this.count("unavailable");
      return;
    }
    const checkedTo = authority.ledger.revision;
    plane.open.set(call, { request, nowMs: this.nowMs, checkedTo });
    this.carryOut(plane, effects);
  }

  private question({ authority }: Plane, picks: Picks): Request {
    const isLookup = picks.onceIn(4);
    const isRetry = this.asked.length > 0 && (isLookup || picks.onceIn(3));
    const operation = isRetry ? this.again(picks) : operationId(`op-${this.asked.length}`);
    if (isLookup) return { kind: "lookup", operation, actor: ADA, attempt: 1 };
    if (!isRetry) this.asked.push(operation);
    const key = tenantKey(picks.one(NAMES.tenants));
    const epoch = Math.max(0, authority.epoch + picks.one([0, 0, 0, 0, 0, 0, 1, -1]));
    const expectation = picks.one([{}, { revision: 0 }, {}, { generation: 1 }]);
    const desired = { kind: "Tenant", spec: { displayName: `${picks.next() % 3}` } } as const;
    const put = { kind: "put", key, desired, labels: {}, finalizers: [] } as const;
    const intent = picks.onceIn(5)
      ? ({ kind: "delete", key, operation, expect: {} } as const)
      : ({ ...put, operation, expect: expectation } as const);
    return { kind: "command", command: { intent, epoch, basis: 0, actor: ADA }, attempt: 1 };
  }

  /** Often one that is in the log: what was asked a moment ago is not, as a rule. */
  private again(picks: Picks): OperationId {
    const inLog = new Set(this.store.log.map(({ operation }) => operation));
    const done = this.asked.filter((operation) => inLog.has(operation));
    return picks.one(done.length > 0 && picks.onceIn(2) ? done : this.asked);
  }

  private tell(plane: Plane, input: AuthorityInput): void {
    const turn = { now: this.nowMs, random: () => 0 };
    this.carryOut(plane, plane.authority.receive(input, turn));
  }

  private carryOut(plane: Plane, effects: readonly AuthorityEffect[]): void {
    for (const effect of effects) {
      switch (effect.kind) {
        case "claim":
          assert.equal(plane.pending, undefined);
          plane.pending = { kind: "claim" };
          plane.followed = undefined;
          break;
        case "append":
          assert.equal(plane.pending, undefined);
          plane.pending = { kind: "append", batch: effect };
          break;
        case "publish":
          assert.ok(effect.to <= this.store.log.length, "Published what is not durable.");
          break;
        case "respond":
          this.isBacked(plane, effect.call, effect.reply);
          break;
        case "resigned":
          plane.resigned = true;
      }
    }
  }

  /** EP4: the answer follows from the durable log alone, as it stands at this very moment. */
  private isBacked(plane: Plane, call: number, reply: Reply): void {
    const question = plane.open.get(call);
    plane.open.delete(call);
    if (question === undefined) throw new Error(`Call ${call} was answered though nobody waits.`);
    const { request, nowMs, checkedTo } = question;
    const { log } = this.store;
    assert.ok(checkedTo <= log.length, "Answered on what is not durable.");
    this.count(reply.kind === "outcome" ? reply.outcome.kind : reply.kind);
    if (request.kind === "lookup") {
      const known = foldLog(log.slice(0, checkedTo)).operations.of(
        operationSpace(ADA),
        request.operation,
      );
      const first = known && { kind: "committed", revision: known.revision };
      assert.equal(reply.kind, known === undefined ? "not-found" : "found");
      assert.deepEqual(reply.kind === "found" ? reply.first : undefined, first);
      return;
    }
    if (reply.kind !== "outcome") throw new Error(`A command was answered with ${reply.kind}.`);
    const { outcome } = reply;
    const seen = outcome.kind === "committed" ? outcome.revision - 1 : checkedTo;
    const again = apply(foldLog(log.slice(0, seen)), request.command, nowMs);
    assert.deepEqual(outcome, again.outcome);
    if (again.commit !== undefined) assert.deepEqual(log[seen], again.commit);
  }

  private count(kind: string): void {
    this.answered[kind] = (this.answered[kind] ?? 0) + 1;
  }
}
