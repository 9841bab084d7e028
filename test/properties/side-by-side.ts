/** The authority's check and the naive model, walked through the same commands, compared at every step. */
import { strict as assert } from "node:assert";
import { inspect } from "node:util";
import { apply } from "../../src/core/commit/apply.ts";
import type { Command } from "../../src/core/protocol/command.ts";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { RefusalCode } from "../../src/core/protocol/refusals.ts";
import { type Epoch, operationId } from "../../src/core/model/ids.ts";
import { address, interpret, type Move, opening } from "./commands.ts";
import { freeze } from "./freeze.ts";
import { emptyState, type ModelState } from "./model-state.ts";
import { commit, lead, predict, type Prediction } from "./naive-model.ts";
import { pictureOfLedger, pictureOfModel } from "./picture.ts";
import { TENANTS, type Universe } from "./desired-states.ts";

/** Which noes the specification calls a conflict and which refused, where it says so in words. */
const STATED: Partial<Record<RefusalCode, "conflict" | "refused">> = {
  "operation-reused": "refused",
  "stale-epoch": "conflict",
  "no-such-object": "conflict",
  "already-exists": "conflict",
  "revision-changed": "conflict",
  "generation-changed": "conflict",
  "being-deleted": "conflict",
  "bad-object": "refused",
  "not-owner": "refused",
  "wrong-stage": "conflict",
  "wrong-incarnation": "conflict",
};

const SHOWN = { depth: 8, breakLength: 110 } as const;

export interface Walk {
  readonly universe: Universe;
  readonly opening: readonly number[];
  readonly moves: readonly Move[];
}

export class SideBySide {
  readonly ledger = new Ledger();
  readonly state: ModelState = emptyState();
  readonly log: Commit[] = [];
  readonly sent: Command[] = [];
  readonly outcomes: Outcome[] = [];
  readonly universe: Universe;

  constructor(universe: Universe) {
    this.universe = universe;
    this.lead(1, 0);
  }

  /** Sends the opening and then the moves; `before` sees every command that is about to be checked. */
  static walk(of: Walk, before?: (pair: SideBySide, command: Command) => void): SideBySide {
    const pair = new SideBySide(of.universe);
    for (const proposal of opening(of.universe, of.opening)) pair.send(address(pair, proposal));
    for (const move of of.moves) pair.take(move, before);
    return pair;
  }

  private take(move: Move, before?: (pair: SideBySide, command: Command) => void): void {
    const step = interpret(move, this);
    switch (step.kind) {
      case "nothing":
        return;
      case "time":
        this.state.nowMs = step.nowMs;
        return;
      case "lead":
        return this.lead(step.epoch, step.nowMs);
      case "command":
        before?.(this, step.command);
        return this.send(step.command);
    }
  }

  private lead(epoch: Epoch, nowMs: number): void {
    const operation = operationId(`lead/${epoch}`);
    const opened: Commit = {
      revision: this.ledger.revision + 1,
      epoch,
      atMs: nowMs,
      operation,
      actor: { role: "user", name: "plane" },
      command: "lead",
      basis: this.ledger.revision,
      evidence: undefined,
      changes: [],
    };
    this.ledger.fold(opened);
    this.log.push(opened);
    lead(this.state, { epoch, operation, nowMs });
  }

  private send(command: Command): void {
    const expected = predict(this.state, command);
    const { outcome, commit: made } = apply(this.ledger, command, this.state.nowMs);
    this.sent.push(command);
    this.outcomes.push(outcome);
    const shown = { command, outcome, commit: made === undefined ? "none" : "made" };
    const fits =
      agrees(outcome, expected) && (made !== undefined) === (outcome.kind === "committed");
    if (!fits)
      throw new Error(`The naive model disagrees: ${inspect({ ...shown, expected }, SHOWN)}`);
    if (made === undefined) return;
    // Whoever wrote into a committed object would change the log, and the ledger behind its own back.
    this.ledger.fold(freeze(made));
    this.log.push(made);
    commit(this.state, command);
    this.compare();
  }

  private compare(): void {
    const names = { nodes: this.universe.nodes, tenants: TENANTS };
    const real = pictureOfLedger(this.ledger, names);
    const naive = pictureOfModel(this.state, names);
    assert.deepEqual(real, naive);
  }
}

function agrees(outcome: Outcome, expected: Prediction): boolean {
  switch (outcome.kind) {
    case "committed":
      return expected.kind === "committed" && expected.revision === outcome.revision;
    case "duplicate":
      return expected.kind === "duplicate" && expected.revision === outcome.first.revision;
    default:
      return (
        expected.kind === "no" &&
        expected.codes.has(outcome.code) &&
        outcome.kind === (STATED[outcome.code] ?? outcome.kind)
      );
  }
}
