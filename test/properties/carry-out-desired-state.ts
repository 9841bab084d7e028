/** What puts and deletions change once no rule stands against them. The model is changed in place. */
import { isDeepStrictEqual } from "node:util";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { leaseKey, type ObjectKey } from "../../src/core/model/ids.ts";
import type { Template, WorkloadSpec } from "../../src/core/model/objects.ts";
import { alter, endRoomsOn, named, remove } from "./model-changes.ts";
import {
  find,
  type ModelState,
  replicasOn,
  type Thing,
  type WorkloadThing,
} from "./model-state.ts";
import { drainAfter } from "./rules-of-drains.ts";
import {
  CONTENTS_FINALIZER,
  isUsed,
  RESERVED_FINALIZER,
  finalizersAfter,
  ownsSomething,
  REPLICAS_FINALIZER,
} from "./rules-of-desired-state.ts";

export function carryOutPut(state: ModelState, intent: IntentOf<"put">, role: Role): void {
  const held = state.things.find(({ key }) => key === intent.key);
  const { desired } = intent;
  if (held === undefined) {
    state.things.push(made(state, intent));
    return;
  }
  const finalizers = finalizersAfter(held, intent, role);
  if (held.deletingMs !== undefined && finalizers.length === 0) {
    removeForGood(state, held);
    return;
  }
  held.revision = state.revision;
  held.labels = { ...intent.labels };
  held.finalizers = finalizers;
  if (!("spec" in held) || isDeepStrictEqual(held.spec, desired.spec)) return;
  held.generation += 1;
  if (held.kind === "Workload" && desired.kind === "Workload") {
    changeTemplate(held, desired.spec);
  }
  if (held.kind === "Node" && desired.kind === "Node") {
    held.drain = drainAfter(state, held, { spec: desired.spec, generation: held.generation });
  }
  held.spec = desired.spec;
}

/** Of the past so many are kept, besides what still runs. Written out: it is the specification's number. */
const KEPT = 10;

/** OB6 and RO8: a service keeps running what it ran until somebody moves it on; everything else changes at once. */
function changeTemplate(held: WorkloadThing, spec: WorkloadSpec): void {
  const isNew = !isDeepStrictEqual(held.spec.template, spec.template);
  if (spec.type !== "service" || spec.gang !== undefined) {
    held.past = [];
    if (!isNew && held.runs === held.templateGeneration) return;
    held.templateGeneration = held.generation;
    held.runs = held.generation;
    return;
  }
  if (!isNew) return;
  const known = held.past.find(({ template }) => isDeepStrictEqual(template, spec.template));
  const left = { generation: held.templateGeneration, template: held.spec.template };
  held.templateGeneration = known?.generation ?? held.generation;
  const past = [...held.past.filter((each) => each !== known), left];
  held.past = past.filter(
    ({ generation }, at) => at >= past.length - KEPT || generation === held.runs,
  );
}

export const templateOf = (
  { spec, templateGeneration, past }: WorkloadThing,
  wanted: number,
): Template =>
  wanted === templateGeneration
    ? spec.template
    : past.find(({ generation }) => generation === wanted)!.template;

function made(state: ModelState, { key, desired, labels, finalizers }: IntentOf<"put">): Thing {
  const base = { ...named(state, key), labels: { ...labels }, finalizers: [...finalizers] };
  switch (desired.kind) {
    case "Node":
      return {
        ...base,
        ...desired,
        health: "unknown",
        // Made anew while replicas still hold it, it goes on in the session of the lease that was left (OB9).
        session: find(state, "Lease", leaseKey(base.name))?.session ?? 0,
        because: undefined,
        told: undefined,
        returns: [],
        returnsOf: 0,
        heldSinceMs: undefined,
        heldForMs: 0,
        heldOf: 0,
        drain: drainAfter(state, undefined, { spec: desired.spec, generation: 1 }),
      };
    case "Workload": {
      const others = finalizers.filter((finalizer) => finalizer !== REPLICAS_FINALIZER);
      return {
        ...base,
        ...desired,
        finalizers: [REPLICAS_FINALIZER, ...others],
        templateGeneration: 1,
        runs: 1,
        past: [],
      };
    }
    default:
      return { ...base, ...desired };
  }
}

export function carryOutDelete(state: ModelState, key: ObjectKey, role: Role): void {
  const held = state.things.find((thing) => thing.key === key)!;
  if (held.kind === "Replica" && role === "user") {
    alter(state, key, (replica) => {
      replica.deletingMs = state.nowMs;
      if (replica.stage === "failed" || replica.stopping !== undefined) return;
      replica.stopping = { reason: "deleted", sinceMs: state.nowMs };
    });
    return;
  }
  const guarded = held.finalizers.includes(CONTENTS_FINALIZER);
  if (held.kind === "Tenant" && ownsSomething(state, held) && !guarded) {
    held.finalizers = [CONTENTS_FINALIZER, ...held.finalizers];
  }
  const isReserved = held.finalizers.includes(RESERVED_FINALIZER);
  if (held.kind === "Quota" && isUsed(state, held.namespace) && !isReserved) {
    held.finalizers = [RESERVED_FINALIZER, ...held.finalizers];
  }
  if (held.finalizers.length > 0) {
    held.deletingMs = state.nowMs;
    held.revision = state.revision;
    return;
  }
  removeForGood(state, held);
}

/**
 * A lease that stayed would be taken for that of a later node of the same name; while replicas hold the node it is
 * all that tells when they are gone (OB9).
 */
function removeForGood(state: ModelState, { kind, key, name }: Thing): void {
  remove(state, key);
  if (kind !== "Node") return;
  endRoomsOn(state, name);
  if (replicasOn(state, name).length === 0) remove(state, leaseKey(name));
}
