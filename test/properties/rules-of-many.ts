/**
 * The rules of many at once (MN), restated from docs/SPEC.md: a command for many breaks what the single steps
 * would break, taken one after the other on a copy of the state. Nothing is added up here; each step meets
 * what the steps before it have left behind. Only whether a gang is whole is asked of all of them together.
 */
import type {
  Binding,
  Intent,
  IntentOf,
  IndexIncarnation,
} from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { ObjectKey, OperationId } from "../../src/core/model/ids.ts";
import { BrokenRules } from "./broken-rules.ts";
import { carryOut } from "./carry-out.ts";
import { copyOf, find, type ModelState } from "./model-state.ts";
import { gangRules } from "./rules-of-gangs.ts";
import {
  admittedKey,
  admitRules,
  bindingRules,
  queueRules,
  reserveRules,
  indexRules,
} from "./rules-of-replicas.ts";

/** Written out, not imported: it is the specification's number. */
const MOST = 1024;

type Step = Extract<Intent, { kind: "admit" | "reserve" | "transition" | "bind" }>;

const nameless = "" as OperationId;

export function enqueueRules(
  state: ModelState,
  intent: IntentOf<"enqueue">,
  role: Role,
  broken: BrokenRules,
): void {
  const { indexes } = intent;
  broken.add("no-such-object", find(state, "Workload", intent.workload) === undefined);
  broken.add("bad-object", indexes.length < 1 || indexes.length > MOST);
  const ascend = indexes.every(({ index }, at) => at === 0 || index > indexes[at - 1]!.index);
  broken.add("bad-object", !ascend || indexes.some(({ index }) => index < 0));
  for (const { index, incarnation } of indexes)
    indexRules(state, admitOf(intent, { index, incarnation }), broken);
  const steps = stepsOf(state, intent);
  oneAfterTheOther(state, steps, role, broken);
}

export function bindAllRules(
  state: ModelState,
  { bindings }: IntentOf<"bind-all">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.add("bad-object", bindings.length < 1 || bindings.length > MOST);
  oneAfterTheOther(state, bindings.map(bindOf), role, broken);
  const bound = bindings.map(({ replica }) => replica);
  gangRules(state, bound, broken);
}

export const bindOf = (binding: Binding): IntentOf<"bind"> => ({
  kind: "bind",
  operation: nameless,
  ...binding,
});

const admitOf = (
  { workload, generation }: IntentOf<"enqueue">,
  { index, incarnation }: IndexIncarnation,
): IntentOf<"admit"> => ({
  kind: "admit",
  operation: nameless,
  workload,
  generation,
  index,
  incarnation,
});

/**
 * Admit, reserve and queue for each index, in the order of the indexes. One that was admitted in that same incarnation,
 * and waits for its quota since, only goes on.
 */
export function stepsOf(state: ModelState, intent: IntentOf<"enqueue">): readonly Step[] {
  const { indexes } = intent;
  return indexes.flatMap(({ index, incarnation }): Step[] => {
    const admit = admitOf(intent, { index, incarnation });
    const replica = admittedKey(admit);
    const reservation = `${replica.replace("Replica", "Reservation")}.${incarnation}` as ObjectKey;
    const queue = { from: "admitted", to: "queued", reservation } as const;
    const held = find(state, "Replica", replica);
    const isAdmitted = held?.stage === "admitted" && held.incarnation === incarnation;
    return [
      ...(isAdmitted ? [] : [admit]),
      { kind: "reserve", operation: nameless, replica, incarnation, deadlineMs: 0 },
      { kind: "transition", operation: nameless, key: replica, incarnation, ...queue },
    ];
  });
}

function oneAfterTheOther(
  state: ModelState,
  steps: readonly Step[],
  role: Role,
  broken: BrokenRules,
): void {
  const copy = copyOf(state);
  for (const step of steps) {
    const its = new BrokenRules();
    addRules(copy, step, role, its);
    for (const code of its.codes) broken.add(code, true);
    // What does not happen leaves nothing behind; the rest is looked at all the same.
    if (its.codes.size === 0) carryOut(copy, step, role);
  }
}

function addRules(state: ModelState, step: Step, role: Role, broken: BrokenRules): void {
  switch (step.kind) {
    case "admit":
      return admitRules(state, step, role, broken);
    case "reserve":
      return reserveRules(state, step, role, broken);
    case "transition":
      if (step.to === "queued") queueRules(state, step, role, broken);
      return;
    case "bind":
      return bindingRules(state, step, role, broken);
  }
}
