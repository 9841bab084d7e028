/**
 * The rules of many at once (MN), restated from docs/SPEC.md: a command for many breaks what the single steps
 * would break, taken one after the other on a copy of the state. Nothing is added up here; each step meets
 * what the steps before it have left behind.
 */
import type { Binding, Intent, IntentOf } from "../../src/core/commit/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { ObjectKey, OperationId } from "../../src/core/model/ids.ts";
import { BrokenRules } from "./broken-rules.ts";
import { carryOut } from "./carry-out.ts";
import { find, type ModelState } from "./model-state.ts";
import {
  admittedKey,
  admitRules,
  bindRules,
  queueRules,
  reserveRules,
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
  const { slots } = intent;
  broken.add("no-such-object", find(state, "Workload", intent.workload) === undefined);
  broken.add("bad-object", slots.length < 1 || slots.length > MOST);
  const ascend = slots.every(({ slot }, at) => at === 0 || slot > slots[at - 1]!.slot);
  broken.add("bad-object", !ascend || slots.some(({ slot }) => slot < 0));
  oneAfterTheOther(state, stepsOf(intent), role, broken);
}

export function bindAllRules(
  state: ModelState,
  { bindings }: IntentOf<"bind-all">,
  role: Role,
  broken: BrokenRules,
): void {
  broken.add("bad-object", bindings.length < 1 || bindings.length > MOST);
  oneAfterTheOther(state, bindings.map(bindOf), role, broken);
}

export const bindOf = (binding: Binding): IntentOf<"bind"> => ({
  kind: "bind",
  operation: nameless,
  ...binding,
});

/** Admit, reserve and queue for each slot, in the order of the slots. */
export function stepsOf(intent: IntentOf<"enqueue">): readonly Step[] {
  const { workload, generation, slots, deadlineMs } = intent;
  return slots.flatMap(({ slot, life }): Step[] => {
    const admit = { kind: "admit", operation: nameless, workload, generation, slot, life } as const;
    const replica = admittedKey(admit);
    const reservation = `${replica.replace("Replica", "Reservation")}.${life}` as ObjectKey;
    const queue = { from: "admitted", to: "queued", reservation } as const;
    return [
      admit,
      { kind: "reserve", operation: nameless, replica, life, deadlineMs },
      { kind: "transition", operation: nameless, key: replica, life, ...queue },
    ];
  });
}

function oneAfterTheOther(
  state: ModelState,
  steps: readonly Step[],
  role: Role,
  broken: BrokenRules,
): void {
  const copy: ModelState = { ...state, things: structuredClone(state.things) };
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
      return bindRules(state, step, role, broken);
  }
}
