/**
 * Random sequences of commands that mean something. A move is a verb, a way to be wrong and a few numbers;
 * it becomes a command only against the state it meets, so a sequence stays sensible while it shrinks.
 */
import * as fc from "fast-check";
import type { Command } from "../../src/core/protocol/command.ts";
import type { Actor, Role } from "../../src/core/model/actor.ts";
import { type Epoch, operationId } from "../../src/core/model/ids.ts";
import {
  CORRELATED_HOLD_MS,
  FENCE_AFTER_MS,
  SUSPECT_AFTER_MS,
} from "../../src/core/model/timing.ts";
import { emptyState, every, type ModelState } from "./model-state.ts";
import { predict } from "./naive-model.ts";
import { Picks } from "./picks.ts";
import {
  admits,
  binds,
  deletes,
  deletesOfNodes,
  drainOvers,
  evicts,
  leases,
  type Proposal,
  queues,
  reports,
  reserves,
  worsenings,
  quotaGoes,
} from "./proposals.ts";
import { bindAlls, enqueues } from "./proposals-of-many.ts";
import { preempts } from "./proposals-of-preemption.ts";
import { releases } from "./proposals-of-release.ts";
import { twist } from "./twist.ts";
import { type Verb, VERBS, type Weights } from "./weights.ts";
import {
  lettingGo,
  nodePut,
  openingNodes,
  openingPuts,
  plainPut,
  quotaPut,
  type Universe,
  workloadPut,
} from "./desired-states.ts";

export interface Move {
  readonly verb: Verb;
  /** Whether the command is to be twisted out of shape before it is sent. */
  readonly wrong: boolean;
  readonly picks: readonly number[];
}

export type Step =
  | { readonly kind: "command"; readonly command: Command }
  | { readonly kind: "time"; readonly nowMs: number }
  | { readonly kind: "lead"; readonly epoch: Epoch; readonly nowMs: number }
  | { readonly kind: "nothing" };

/** Only the moves shrink: fewer of them say more than smaller numbers in each, and take minutes less. */
export const choices = (count: number): fc.Arbitrary<number[]> =>
  fc.noShrink(fc.array(fc.nat({ max: 5039 }), { minLength: count, maxLength: count, size: "max" }));

export function moves(weights: Weights, most: number): fc.Arbitrary<Move[]> {
  const verbs = VERBS.flatMap((verb) => {
    const weight = weights[verb] ?? 0;
    return weight > 0 ? [{ weight, arbitrary: fc.constant(verb) }] : [];
  });
  const verb = fc.oneof(...verbs);
  const wrong = fc.nat({ max: 5 }).map((number) => number === 5);
  const picks = choices(32);
  return fc.array(fc.record({ verb, wrong, picks }), {
    maxLength: most,
    size: "max",
  });
}

/** The numbers from which the opening of a run is read. */
export const openings = (): fc.Arbitrary<number[]> => choices(160);

const firstLease = (node: string): Proposal => ({
  role: "agent",
  intent: { kind: "lease", operation: operationId(""), node, session: 1, seq: 1, kept: [] },
});

/** Objects that most runs need, and a first renewal from every node. */
export function opening(universe: Universe, numbers: readonly number[]): readonly Proposal[] {
  const picks = new Picks(numbers);
  const puts = universe.opening?.(universe, picks) ?? [
    ...openingPuts(emptyState(), picks),
    ...openingNodes(universe, picks),
  ];
  return [
    ...puts.map((intent): Proposal => ({ role: "user", intent })),
    ...universe.nodes.map(firstLease),
  ];
}

export interface Scene {
  readonly universe: Universe;
  readonly state: ModelState;
  /** Everything sent so far, in order, whatever became of it. */
  readonly sent: readonly Command[];
}

export function interpret(move: Move, scene: Scene): Step {
  const { state, sent } = scene;
  const picks = new Picks(move.picks);
  if (move.verb === "lead") {
    // The new leader's clock has nothing to do with the old one's.
    const nowMs = picks.one([state.nowMs, 0, state.nowMs + 5_000, 40_000]);
    return { kind: "lead", epoch: state.epoch + picks.one([1, 1, 2]), nowMs };
  }
  if (move.verb === "advance-time") return { kind: "time", nowMs: laterMs(state, picks) };
  if (move.verb === "repeat" && sent.length > 0) return repeat(scene, picks);
  const chosen = choose(state, propose(move.verb, scene, picks), picks);
  if (chosen === undefined) return { kind: "nothing" };
  const command = address(scene, chosen);
  return { kind: "command", command: move.wrong ? twist(command, state, picks) : command };
}

const senderOf = (role: Role, intent: Proposal["intent"]): Actor => ({
  role,
  name: role === "agent" && "node" in intent ? `agent:${intent.node}` : role,
});

/** Signs a proposal with an identity of its own and the present leadership. */
export function address({ state, sent }: Scene, { intent, role }: Proposal): Command {
  return {
    intent: { ...intent, operation: operationId(`op-${sent.length}`) },
    epoch: state.epoch,
    basis: state.revision,
    actor: senderOf(role, intent),
  };
}

/** The same operation again: as it was, or with other words of the same kind under a new leadership. */
function repeat({ state, sent }: Scene, picks: Picks): Step {
  const before = picks.one(sent);
  const command = picks.onceIn(2) ? { ...before, epoch: state.epoch } : before;
  return { kind: "command", command };
}

const user = (intent: Proposal["intent"]): Proposal[] => [{ role: "user", intent }];

function propose(verb: Verb, { state, universe }: Scene, picks: Picks): Proposal[] {
  switch (verb) {
    case "admit":
      return admits(state, picks);
    case "reserve":
      return reserves(state);
    case "queue":
      return queues(state, picks);
    case "bind":
      return binds(state, picks);
    case "enqueue":
      return enqueues(state, picks);
    case "bind-all":
      return bindAlls(state, picks);
    case "report":
      return reports(state, picks);
    case "lease":
      return leases(state, universe.nodes, picks);
    case "worsen-node":
      return worsenings(state, picks);
    case "release":
      return releases(state, picks);
    case "evict":
      return evicts(state, picks);
    case "delete":
      return deletes(state, picks);
    case "preempt":
      return preempts(state, picks);
    case "drain-over":
      return drainOvers(state, picks);
    case "delete-node":
      return deletesOfNodes(state, picks);
    case "lift-finalizer":
      return lettingGo(state).map((intent) => ({ role: "lift-finalizer", intent }));
    case "put-node":
      return user(nodePut(state, universe, picks));
    case "put-workload":
      // The admit controller lets a workload go; a person who tries finds it still there.
      return [{ role: picks.one(["user", "admit"]), intent: workloadPut(state, picks) }];
    case "put-quota":
      return picks.onceIn(4) ? quotaGoes(state, picks) : user(quotaPut(state, picks));
    case "put-plain":
      // The same is true of a tenant and the controller that empties it.
      return [{ role: picks.one(["user", "empty-tenant"]), intent: plainPut(state, picks) }];
    default:
      return onwards(state, picks);
  }
}

/** The next step of every replica's way; nearer to the end first, so that some come all the way. */
function onwards(state: ModelState, picks: Picks): Proposal[] {
  const ways = [
    () => binds(state, picks),
    () => bindAlls(state, picks),
    () => queues(state, picks),
    () => reserves(state),
    () => admits(state, picks),
  ];
  const first = picks.one([0, 0, 0, 1, 1, 2, 2, 3, 4]);
  for (let turn = 0; turn < ways.length; turn += 1) {
    const right = ways[(first + turn) % ways.length]!().filter((one) => commits(state, one));
    if (right.length > 0) return [picks.one(right)];
  }
  return reports(state, picks);
}

function commits(state: ModelState, { intent, role }: Proposal): boolean {
  const actor = senderOf(role, intent);
  const command: Command = { intent, epoch: state.epoch, basis: state.revision, actor };
  return predict(state, command).kind === "committed";
}

/** Mostly something that will commit, so that sequences get somewhere; sometimes anything at all. */
function choose(state: ModelState, all: readonly Proposal[], picks: Picks): Proposal | undefined {
  if (all.length === 0) return undefined;
  if (picks.onceIn(4)) return picks.one(all);
  const right = all.filter((proposal) => commits(state, proposal));
  return picks.one(right.length > 0 ? right : all);
}

/** A little later, or right before, at or after a moment at which something comes to mean more. */
function laterMs(state: ModelState, picks: Picks): number {
  const steps = [20_000, 3_000, 9_000, 30_000, 1_000];
  const plain = state.nowMs + picks.one(steps);
  const aims = momentsMs(state, picks).filter((ms) => ms > state.nowMs);
  if (aims.length === 0 || picks.onceIn(2)) return plain;
  const aimed = picks.one(aims) + picks.one([0, -1, 1]);
  return aimed > state.nowMs ? aimed : plain;
}

/** When silences are as long as they may be, and when what is held or drained for a time is over. */
function momentsMs(state: ModelState, picks: Picks): number[] {
  const since = (of: { readonly epoch: Epoch; readonly ms: number }): number =>
    of.epoch === state.epoch ? of.ms : state.leadSinceMs;
  const bound = picks.one([FENCE_AFTER_MS, SUSPECT_AFTER_MS, CORRELATED_HOLD_MS]);
  const nodes = every(state, "Node");
  return [
    ...every(state, "Lease").map(({ epoch, renewedMs: ms }) => since({ epoch, ms }) + bound),
    ...every(state, "Reservation").flatMap(({ room, createdMs: ms, holdMs }) =>
      room === undefined ? [] : [since({ epoch: room.epoch, ms }) + holdMs],
    ),
    ...nodes.flatMap(({ drain, spec }) =>
      drain === undefined
        ? []
        : [since({ epoch: drain.epoch, ms: drain.sinceMs }) + (spec.drain?.deadlineMs ?? 0)],
    ),
    ...nodes.flatMap(({ heldSinceMs: ms, heldOf: epoch, heldForMs }) =>
      ms === undefined ? [] : [since({ epoch, ms }) + heldForMs],
    ),
  ];
}
