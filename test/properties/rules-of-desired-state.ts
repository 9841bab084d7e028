/** The rules of `put` and `delete` (OB1 to OB9, QT4, RP2, RP3), restated from docs/SPEC.md. */
import { isDeepStrictEqual } from "node:util";
import type { IntentOf } from "../../src/core/protocol/command.ts";
import type { Actor, Role } from "../../src/core/model/actor.ts";
import { type ObjectKey, quotaKey, tenantKey } from "../../src/core/model/ids.ts";
import type { Ask } from "../../src/core/model/objects.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isAtRest,
  isOnANode,
  isWanted,
  MEASURES,
  type ModelState,
  type ReplicaThing,
  replicasOn,
  type Thing,
  useOfTenant,
} from "./model-state.ts";
import { changesAnothers, isMalformedDrain } from "./rules-of-drains.ts";
import { isMalformedGang } from "./rules-of-gangs.ts";
import { budgetRules, isMalformedClass } from "./rules-of-preemption.ts";
import { isMalformedQuota } from "./rules-of-quota.ts";

export function partsOf(key: ObjectKey): { kind: string; namespace: string; name: string } {
  const [kind = "", namespace = "", ...name] = key.split("/");
  return { kind, namespace, name: name.join("/") };
}

/** Whoever writes only to let go of what is on its way out (OB8, RP2). */
const lettingGo = (held: Thing | undefined): readonly Role[] => {
  if (held?.deletingMs === undefined) return [];
  const isEmptied = held.kind === "Tenant" || held.kind === "Quota";
  return isEmptied ? ["empty-tenant", "lift-finalizer"] : ["lift-finalizer"];
};

export function putRules(
  state: ModelState,
  intent: IntentOf<"put">,
  { role, name: by }: Actor,
  broken: BrokenRules,
): void {
  const held = state.things.find(({ key }) => key === intent.key);
  const { desired } = intent;
  const { namespace } = partsOf(intent.key);
  broken.owners(["user", "admit", ...lettingGo(held)], role);
  broken.add("bad-object", isMalformed(intent));
  expectations(held, intent, broken);
  // What is on its way out may outlive what it refers to.
  const isLeaving = held?.deletingMs !== undefined;
  if (!isLeaving && (desired.kind === "Workload" || desired.kind === "Quota")) {
    const tenant = find(state, "Tenant", tenantKey(namespace));
    broken.add("no-such-object", tenant === undefined);
    broken.add("being-deleted", tenant?.deletingMs !== undefined);
  }
  if (!isLeaving && desired.kind === "Workload" && desired.spec.template.priorityClass !== "") {
    const name = desired.spec.template.priorityClass;
    broken.add("no-such-object", !every(state, "PriorityClass").some((one) => one.name === name));
  }
  if (held?.kind === "Node" && desired.kind === "Node") {
    const isForced = intent.force === true;
    broken.add("not-holder", !isForced && changesAnothers(held.spec, desired.spec, by));
  }
  if (held !== undefined && held.deletingMs !== undefined && "spec" in held) {
    broken.add("being-deleted", !isDeepStrictEqual(held.spec, desired.spec));
    // With the last finalizer the object goes, and what is still used cannot.
    const goes = finalizersAfter(held, intent, role).length === 0;
    if (goes) useRules(state, held, broken);
  }
}

export function isUsed(state: ModelState, tenant: string): boolean {
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
      const { capacity, pools, region, zone } = desired.spec;
      const deviceIds = pools.flatMap(({ ids }) => ids);
      const repeats = deviceIds.some((id, at) => deviceIds.indexOf(id) !== at);
      const counted = capacity.deviceMillis === 1000 * deviceIds.length;
      const whole = MEASURES.every((measure) => isWhole(capacity[measure]));
      const isPlaced = region !== "" && zone !== "";
      return repeats || !counted || !whole || !isPlaced || isMalformedDrain(desired.spec);
    }
    case "Quota":
      return key !== quotaKey(namespace) || isMalformedQuota(desired.spec);
    case "Workload": {
      const { replicas, template, disruption } = desired.spec;
      const skewed = template.spread.some(({ maxSkew }) => !isWhole(maxSkew) || maxSkew < 1);
      const whole = MEASURES.every((measure) => isWhole(template.ask.amounts[measure]));
      const isOdd = hasBadDevice(template.ask) || isMalformedGang(desired.spec);
      const spares = disruption === undefined || isWhole(disruption.maxUnavailable);
      return !isWhole(replicas) || !whole || skewed || isOdd || !spares;
    }
    case "PriorityClass":
      return isMalformedClass(desired.spec);
    default:
      return false;
  }
}

function hasBadDevice({ amounts, device }: Ask): boolean {
  if (device === undefined) return amounts.deviceMillis !== 0;
  const { count, shareMillis } = device;
  const isWholeDevices = count >= 1 && shareMillis === 1000;
  const isShare = count === 1 && isWhole(shareMillis) && shareMillis > 0 && shareMillis < 1000;
  return !(isWholeDevices || isShare) || amounts.deviceMillis !== count * shareMillis;
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
  const isEnding = held.kind === "Replica" && role !== "user";
  broken.add("being-deleted", held.deletingMs !== undefined && !isEnding);
  switch (held.kind) {
    case "Reservation":
    case "Lease":
      // They end with what they belong to; nobody owns their deletion.
      broken.owners([], role);
      break;
    case "Replica":
      if (role === "user") return restartRules(state, held, broken);
      broken.owners(["admit"], role);
      break;
    case "Workload":
    case "Quota": {
      const tenant = find(state, "Tenant", tenantKey(held.namespace));
      const goesToo = tenant?.deletingMs !== undefined;
      broken.owners(goesToo ? ["user", "empty-tenant"] : ["user"], role);
      break;
    }
    default:
      broken.owners(["user"], role);
  }
  // A tenant that owns something and a quota in use are only marked (OB8, QT4), and a person may delete a node
  // under its replicas (OB9).
  const isMarked = held.kind === "Tenant" || held.kind === "Quota";
  const isOrphaning = held.kind === "Node" && intent.orphan === true;
  if (!isMarked && !isOrphaning) useRules(state, held, broken);
}

/** ST90: a person deletes what has a process or waits to be started again, within its budget. */
function restartRules(state: ModelState, held: ReplicaThing, broken: BrokenRules): void {
  broken.add("wrong-stage", held.stage !== "failed" && !isOnANode(held));
  const isAsked = !isOnANode(held) || held.stopping !== undefined;
  if (!isAsked) budgetRules(state, [held], broken);
}

export const ownsSomething = (state: ModelState, tenant: Thing): boolean =>
  [...every(state, "Workload"), ...every(state, "Quota")].some(
    ({ namespace }) => namespace === tenant.name,
  );

/** OB4 and QT4: what is still used stays. */
function useRules(state: ModelState, held: Thing, broken: BrokenRules): void {
  broken.add("still-in-use", held.kind === "Tenant" && ownsSomething(state, held));
  broken.add("still-in-use", held.kind === "Node" && replicasOn(state, held.name).length > 0);
  const isKept = held.kind === "Replica" && (!isAtRest(held) || isWanted(state, held));
  broken.add("still-in-use", isKept);
  broken.add("quota-below-use", held.kind === "Quota" && isUsed(state, held.namespace));
}

/** Put on every workload when it is made, so that it outlives its deletion until its replicas are gone. */
export const REPLICAS_FINALIZER = "berth.dev/replicas";

/** Put on a tenant that is deleted while it owns something (OB8). */
export const CONTENTS_FINALIZER = "berth.dev/contents";

/** Put on a quota that is deleted while it is used (QT4). */
export const RESERVED_FINALIZER = "berth.dev/reserved";

/** OB3 and RP2: who takes it off an object of this kind; undefined: it is none of the plane's own. */
function lifterOf(finalizer: string, kind: Thing["kind"]): Role | undefined {
  if (finalizer === REPLICAS_FINALIZER) return kind === "Workload" ? "admit" : "lift-finalizer";
  if (finalizer === CONTENTS_FINALIZER)
    return kind === "Tenant" ? "empty-tenant" : "lift-finalizer";
  if (finalizer === RESERVED_FINALIZER) return kind === "Quota" ? "empty-tenant" : "lift-finalizer";
  return undefined;
}

/** The plane's own come off by whoever looks after them; who only repairs takes off no other (RP3). */
export function finalizersAfter(
  held: Thing,
  { finalizers }: IntentOf<"put">,
  role: Role,
): string[] {
  const kept = held.finalizers.filter((name) => {
    const lifter = lifterOf(name, held.kind);
    return lifter === undefined ? role === "lift-finalizer" : lifter !== role;
  });
  return [...kept.filter((name) => !finalizers.includes(name)), ...finalizers];
}
