/** The rules of quota (QT), restated from docs/SPEC.md as loops over everything that is there. */
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import type { QuotaSpec } from "../../src/core/model/objects.ts";
import type { Account } from "../../src/core/observe/accounts/account.ts";
import type { BrokenRules } from "./broken-rules.ts";
import {
  every,
  find,
  isItsOwn,
  isOnANode,
  MEASURES,
  type ModelState,
  type NodeThing,
  quotaReservations,
  type ReplicaThing,
  sum,
  useOfTenant,
} from "./model-state.ts";

type Measure = (typeof MEASURES)[number];

const NONE: Amounts = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };

const specOf = (state: ModelState, tenant: string): QuotaSpec | undefined =>
  every(state, "Quota").find(({ namespace }) => namespace === tenant)?.spec;

const usedBy = (state: ModelState, tenant: string): Amounts => {
  const { reserved, committed } = useOfTenant(state, tenant);
  return sum([reserved, committed]);
};

const each = (of: (measure: Measure) => number): Amounts => ({
  cpuMillis: of("cpuMillis"),
  memoryMiB: of("memoryMiB"),
  deviceMillis: of("deviceMillis"),
});

/** QT5: those whose quotas name the same group. */
function groupOf(state: ModelState, tenant: string): readonly string[] {
  const group = specOf(state, tenant)?.group;
  if (group === undefined) return [];
  return every(state, "Quota")
    .filter(({ spec }) => spec.group === group)
    .map(({ namespace }) => namespace);
}

/** What may be borrowed at most; without a group nothing. */
function mayBorrow(spec: QuotaSpec | undefined): Amounts {
  if (spec?.group === undefined) return NONE;
  const most = Number.MAX_SAFE_INTEGER;
  return spec.borrow ?? { cpuMillis: most, memoryMiB: most, deviceMillis: most };
}

const holdsReservation = (state: ModelState, replica: ReplicaThing): boolean =>
  quotaReservations(state).some((held) => isItsOwn(held, replica));

/** QT6: what a class has reserved and holds. A reservation is of the class it was made for. */
function usedByClass(state: ModelState, tenant: string, priorityClass: string): Amounts {
  const reservations = quotaReservations(state).filter(
    (held) => held.namespace === tenant && (held.priorityClass ?? "") === priorityClass,
  );
  const holding = every(state, "Replica").filter(
    (replica) =>
      replica.namespace === tenant &&
      (isOnANode(replica) || replica.stage === "queued") &&
      replica.template.priorityClass === priorityClass,
  );
  return sum([
    ...reservations.map(({ amounts }) => amounts),
    ...holding.map(({ template }) => template.ask.amounts),
  ]);
}

function classTakes(state: ModelState, { namespace, template }: ReplicaThing): boolean {
  const bound = specOf(state, namespace)?.classes?.[template.priorityClass];
  if (bound === undefined) return true;
  const used = usedByClass(state, namespace, template.priorityClass);
  return MEASURES.every(
    (measure) =>
      template.ask.amounts[measure] === 0 ||
      used[measure] + template.ask.amounts[measure] <= bound[measure],
  );
}

/** QT5: it waits, holds no reservation, and fits into what is free of its own tenant's limit. */
export function isEntitled(state: ModelState, replica: ReplicaThing): boolean {
  const { limit = NONE } = specOf(state, replica.namespace) ?? {};
  const used = usedBy(state, replica.namespace);
  const { amounts } = replica.template.ask;
  const fits = MEASURES.every(
    (measure) => amounts[measure] <= Math.max(0, limit[measure] - used[measure]),
  );
  const waits = replica.stage === "admitted" && !holdsReservation(state, replica);
  return waits && fits && classTakes(state, replica);
}

/** What these tenants wait for and are entitled to, each no more than it has free. */
function claims(state: ModelState, tenants: readonly string[]): Amounts {
  return sum(
    tenants.map((tenant) => {
      const waiting = every(state, "Replica").filter(
        (replica) => replica.namespace === tenant && isEntitled(state, replica),
      );
      const wanted = sum(waiting.map(({ template }) => template.ask.amounts));
      const { limit = NONE } = specOf(state, tenant) ?? {};
      const used = usedBy(state, tenant);
      return each((measure) =>
        Math.min(wanted[measure], Math.max(0, limit[measure] - used[measure])),
      );
    }),
  );
}

/** QT1, QT5 and QT6 for one replica that asks for quota. */
export function quotaRules(state: ModelState, replica: ReplicaThing, broken: BrokenRules): void {
  const { namespace: tenant, template } = replica;
  const spec = specOf(state, tenant);
  broken.add("quota-missing", spec === undefined);
  if (spec === undefined) return;
  const { amounts } = template.ask;
  const group = groupOf(state, tenant);
  const limits = sum(group.map((member) => specOf(state, member)!.limit));
  const uses = sum(group.map((member) => usedBy(state, member)));
  const others = claims(
    state,
    group.filter((member) => member !== tenant),
  );
  const used = usedBy(state, tenant);
  const exceeds = MEASURES.some((measure) => {
    if (amounts[measure] === 0) return false;
    const after = used[measure] + amounts[measure];
    if (after > spec.limit[measure] + mayBorrow(spec)[measure]) return true;
    if (group.length === 0) return false;
    const kept = after > spec.limit[measure] ? others[measure] : 0;
    return uses[measure] + amounts[measure] + kept > limits[measure];
  });
  broken.add("quota-exceeded", exceeds || !classTakes(state, replica));
}

/** QT7. */
export function regionRules(
  state: ModelState,
  node: NodeThing,
  { namespace, template }: ReplicaThing,
  broken: BrokenRules,
): void {
  const bound = specOf(state, namespace)?.regions?.[node.spec.region];
  if (bound === undefined) return;
  const there = every(state, "Replica").filter((replica) => {
    const its = every(state, "Node").find(({ name }) => name === replica.node);
    const isThere = isOnANode(replica) && its?.spec.region === node.spec.region;
    return replica.namespace === namespace && isThere;
  });
  const held = sum([...there.map((one) => one.template.ask.amounts), template.ask.amounts]);
  const { amounts } = template.ask;
  const exceeds = MEASURES.some(
    (measure) => amounts[measure] > 0 && held[measure] > bound[measure],
  );
  broken.add("quota-exceeded", exceeds);
}

/** What is asked to stop and can be reached. */
function leaving(state: ModelState, tenants: readonly string[]): Amounts {
  const going = every(state, "Replica").filter(
    (replica) =>
      tenants.includes(replica.namespace) &&
      isOnANode(replica) &&
      replica.stage !== "unknown" &&
      replica.stopping !== undefined,
  );
  return sum(going.map(({ template }) => template.ask.amounts));
}

/** QT8. */
export function reclaimRules(
  state: ModelState,
  victim: ReplicaThing,
  waitingKey: ObjectKey,
  broken: BrokenRules,
): void {
  broken.add("wrong-stage", victim.stage === "unknown");
  const waiting = find(state, "Replica", waitingKey);
  const group = waiting === undefined ? [] : groupOf(state, waiting.namespace);
  const isPossible =
    waiting !== undefined &&
    isEntitled(state, waiting) &&
    waiting.namespace !== victim.namespace &&
    group.includes(victim.namespace);
  broken.add("evidence-wrong", !isPossible);
  if (!isPossible) return;
  const wanted = claims(state, group);
  const room = each(
    (measure) =>
      sum(group.map((member) => specOf(state, member)!.limit))[measure] -
      sum(group.map((member) => usedBy(state, member)))[measure] +
      leaving(state, group)[measure],
  );
  const { limit } = specOf(state, victim.namespace)!;
  const used = usedBy(state, victim.namespace);
  const going = leaving(state, [victim.namespace]);
  const isOfUse = MEASURES.some(
    (measure) =>
      wanted[measure] > 0 &&
      wanted[measure] > room[measure] &&
      used[measure] - going[measure] > limit[measure] &&
      victim.template.ask.amounts[measure] > 0,
  );
  broken.add("evidence-wrong", !isOfUse);
}

/** QT3. */
export function shrinkRules(
  state: ModelState,
  victim: ReplicaThing,
  quota: ObjectKey,
  broken: BrokenRules,
): void {
  broken.add("wrong-stage", victim.stage === "unknown");
  const { namespace: tenant, template } = victim;
  const spec = specOf(state, tenant);
  const isMeant = quota === `Quota/${tenant}/default` && spec?.shrink === "drain";
  broken.add("evidence-wrong", !isMeant);
  if (!isMeant || spec === undefined) return;
  const group = groupOf(state, tenant);
  const used = usedBy(state, tenant);
  const own = leaving(state, [tenant]);
  const limits = sum(group.map((member) => specOf(state, member)!.limit));
  const uses = sum(group.map((member) => usedBy(state, member)));
  const all = leaving(state, group);
  const isOver = MEASURES.some((measure) => {
    const beyond = used[measure] - spec.limit[measure] - own[measure];
    const uncovered = beyond - mayBorrow(spec)[measure];
    const ofGroup = Math.min(beyond, uses[measure] - limits[measure] - all[measure]);
    return template.ask.amounts[measure] > 0 && Math.max(uncovered, ofGroup) > 0;
  });
  broken.add("evidence-wrong", !isOver);
}

/** QT2: what the account of a tenant has to say. */
export function accountOf(state: ModelState, tenant: string): Account {
  const spec = specOf(state, tenant);
  const limit = spec?.limit ?? NONE;
  const { reserved, committed } = useOfTenant(state, tenant);
  const beyond = each((measure) => reserved[measure] + committed[measure] - limit[measure]);
  const most = mayBorrow(spec);
  const borrowed = each((measure) => Math.min(Math.max(0, beyond[measure]), most[measure]));
  return {
    limit,
    mayBorrow: most,
    borrowed,
    overdrawn: each((measure) => Math.max(0, beyond[measure]) - borrowed[measure]),
    free: each((measure) => Math.max(0, -beyond[measure])),
    reserved,
    committed,
  };
}

const isWhole = (value: number): boolean => Number.isInteger(value) && value >= 0;
const areWhole = (amounts: Amounts): boolean =>
  MEASURES.every((measure) => isWhole(amounts[measure]));

/** OB5. */
export function isMalformedQuota({ limit, group, borrow, regions, classes }: QuotaSpec): boolean {
  const parts = [...Object.values(regions ?? {}), ...Object.values(classes ?? {})];
  const isAlone = borrow !== undefined && group === undefined;
  return isAlone || ![limit, ...parts, ...(borrow === undefined ? [] : [borrow])].every(areWhole);
}
