/** The rules of `put` and `delete` (OB1 to OB6, QT3), restated from docs/SPEC.md. */
import { isDeepStrictEqual } from "node:util";
import type { IntentOf } from "../../src/core/commit/command.ts";
import type { Role } from "../../src/core/model/actor.ts";
import { type ObjectKey, quotaKey, tenantKey } from "../../src/core/model/ids.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isAtRest,
  isWanted,
  MEASURES,
  type ModelState,
  replicasOn,
  sum,
  type Thing,
  useOfTenant,
} from "./model-state.ts";

export function partsOf(key: ObjectKey): { kind: string; namespace: string; name: string } {
  const [kind = "", namespace = "", ...name] = key.split("/");
  return { kind, namespace, name: name.join("/") };
}

export function putRules(
  state: ModelState,
  intent: IntentOf<"put">,
  role: Role,
  broken: BrokenRules,
): void {
  const held = state.things.find(({ key }) => key === intent.key);
  const { desired } = intent;
  const { namespace } = partsOf(intent.key);
  broken.owners(["user", "admit"], role);
  broken.add("bad-object", isMalformed(intent));
  expectations(held, intent, broken);
  if (desired.kind === "Workload" || desired.kind === "Quota") {
    const tenant = find(state, "Tenant", tenantKey(namespace));
    broken.add("no-such-object", tenant === undefined);
    broken.add("being-deleted", tenant?.deletingMs !== undefined);
  }
  if (desired.kind === "Workload" && desired.spec.template.priorityClass !== "") {
    const name = desired.spec.template.priorityClass;
    broken.add("no-such-object", !every(state, "PriorityClass").some((one) => one.name === name));
  }
  if (held !== undefined && held.deletingMs !== undefined && "spec" in held) {
    broken.add("being-deleted", !isDeepStrictEqual(held.spec, desired.spec));
    // With the last finalizer the object goes, and what is still used cannot.
    const goes = finalizersAfter(held, intent, role).length === 0;
    if (goes) useRules(state, held, broken);
  }
  if (desired.kind === "Quota") {
    const { reserved, committed } = useOfTenant(state, namespace);
    const used = sum([reserved, committed]);
    const { limit } = desired.spec;
    broken.add(
      "quota-below-use",
      MEASURES.some((measure) => used[measure] > limit[measure]),
    );
  }
}

function isUsed(state: ModelState, tenant: string): boolean {
  const { reserved, committed } = useOfTenant(state, tenant);
  return MEASURES.some((measure) => reserved[measure] + committed[measure] > 0);
}

function expectations(
  held: Thing | undefined,
  { expect }: IntentOf<"put"> | IntentOf<"delete">,
  broken: BrokenRules,
): void {
  if (expect.revision === 0) broken.add("already-exists", held !== undefined);
  else if (expect.revision !== undefined) {
    broken.add("no-such-object", held === undefined);
    broken.add("revision-changed", held !== undefined && held.revision !== expect.revision);
  }
  if (expect.generation !== undefined) {
    broken.add("no-such-object", held === undefined);
    broken.add("generation-changed", held?.generation !== expect.generation);
  }
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;

function isMalformed({ key, desired }: IntentOf<"put">): boolean {
  const { kind, namespace, name } = partsOf(key);
  if (kind !== desired.kind) return true;
  if (name === "" || /[^a-z0-9.-]/.test(name) || /^[.-]|[.-]$/.test(name)) return true;
  const belongsToTenant = kind === "Quota" || kind === "Workload";
  if (belongsToTenant !== (namespace !== "")) return true;
  switch (desired.kind) {
    case "Node": {
      const { capacity, deviceIds, region, zone } = desired.spec;
      const repeats = deviceIds.some((id, at) => deviceIds.indexOf(id) !== at);
      const counted = capacity.devices === deviceIds.length;
      const whole = MEASURES.every((measure) => isWhole(capacity[measure]));
      return repeats || !counted || !whole || region === "" || zone === "";
    }
    case "Quota":
      return (
        key !== quotaKey(namespace) ||
        !MEASURES.every((measure) => isWhole(desired.spec.limit[measure]))
      );
    case "Workload": {
      const { replicas, template } = desired.spec;
      const skewed = template.spread.some(({ maxSkew }) => !isWhole(maxSkew) || maxSkew < 1);
      const whole = MEASURES.every((measure) => isWhole(template.ask.amounts[measure]));
      return !isWhole(replicas) || !whole || skewed;
    }
    default:
      return false;
  }
}

export function deleteRules(
  state: ModelState,
  intent: IntentOf<"delete">,
  role: Role,
  broken: BrokenRules,
): void {
  const held = state.things.find(({ key }) => key === intent.key);
  expectations(held, intent, broken);
  broken.add("no-such-object", held === undefined);
  if (held === undefined) return;
  broken.add("being-deleted", held.deletingMs !== undefined);
  switch (held.kind) {
    case "Reservation":
    case "Lease":
      // They end with what they belong to; nobody owns their deletion.
      broken.owners([], role);
      break;
    case "Replica":
      broken.owners(["admit"], role);
      break;
    default:
      broken.owners(["user"], role);
  }
  useRules(state, held, broken);
}

/** OB4 and QT3: what is still used stays. */
function useRules(state: ModelState, held: Thing, broken: BrokenRules): void {
  const owned = [...every(state, "Workload"), ...every(state, "Quota")];
  const ownsSomething = owned.some(({ namespace }) => namespace === held.name);
  broken.add("still-in-use", held.kind === "Tenant" && ownsSomething);
  broken.add("still-in-use", held.kind === "Node" && replicasOn(state, held.name).length > 0);
  const isKept = held.kind === "Replica" && (!isAtRest(held) || isWanted(state, held));
  broken.add("still-in-use", isKept);
  broken.add("quota-below-use", held.kind === "Quota" && isUsed(state, held.namespace));
}

/** Put on every workload when it is made, so that it outlives its deletion until its replicas are gone. */
export const REPLICAS_FINALIZER = "berth.dev/replicas";

/** OB3: a person cannot take off the finalizer that guards a workload's replicas. */
export function finalizersAfter(
  held: Thing,
  { finalizers }: IntentOf<"put">,
  role: Role,
): string[] {
  const guarded = held.finalizers.includes(REPLICAS_FINALIZER) && role !== "admit";
  if (!guarded || finalizers.includes(REPLICAS_FINALIZER)) return [...finalizers];
  return [REPLICAS_FINALIZER, ...finalizers];
}
