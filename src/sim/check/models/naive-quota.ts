/**
 * Which tenant may reserve how much, computed from the objects of one moment alone: it adds up
 * every reservation and every replica that holds a node, and applies the rules about groups,
 * classes and regions to those sums. It shares no line with the accounts of the authority.
 */
import { type AmountName, type Amounts } from "../../../core/model/amounts.ts";
import type { QuotaSpec, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import { isHolding } from "./holding.ts";
import { mostHeld } from "./naive-grants.ts";
import { perState } from "./per-state.ts";
import { AMOUNT_NAMES } from "./amount-names.ts";

type Sums = Record<AmountName, number>;

interface TenantSums {
  readonly spec: QuotaSpec | undefined;
  readonly used: Sums;
  /** Held by stopping replicas whose stage is known. */
  readonly leaving: Sums;
  readonly byClass: Map<string, Sums>;
  readonly byRegion: Map<string, Sums>;
  readonly admitted: Replica[];
  /** Replicas that could be asked to give back their quota. */
  readonly askable: Replica[];
}

export class QuotaPicture {
  private readonly tenants = new Map<string, TenantSums>();
  /** Incarnations that hold a reservation, as key, uid and number. */
  private readonly reserved = new Set<string>();

  constructor(objects: ObjectIndex) {
    for (const { meta, spec } of objects.all("Quota").values()) {
      this.tenants.set(meta.namespace, emptySums(spec));
    }
    for (const { spec } of objects.all("Reservation").values()) {
      if (spec.for !== "quota") continue;
      this.reserved.add(`${spec.owner} ${spec.ownerUid} ${spec.incarnation}`);
      const of = this.of(spec.tenant);
      const owner = objects.replica(spec.owner);
      const isOwner = owner !== undefined && owner.meta.uid === spec.ownerUid;
      const priorityClass = isOwner
        ? owner.spec.template.priorityClass
        : (spec.priorityClass ?? "");
      add(of.used, spec.amounts);
      add(sumsOf(of.byClass, priorityClass), spec.amounts);
    }
    for (const grant of objects.all("Grant").values()) {
      const of = this.of(grant.meta.namespace);
      add(of.used, mostHeld(grant));
      add(sumsOf(of.byRegion, grant.spec.region), mostHeld(grant));
    }
    const regions = new Map<string, string>();
    for (const { meta, spec } of objects.all("Node").values()) regions.set(meta.name, spec.region);
    const bounded = boundedWorkloads(objects);
    for (const replica of objects.all("Replica").values()) {
      this.see(replica, regions);
      if (isSpoken(bounded, replica)) this.unask(replica);
    }
  }

  /** Whether every limit has quota for it now. */
  mayReserve(replica: Replica): boolean {
    const { spec, used } = this.of(replica.meta.namespace);
    if (spec === undefined || !this.classTakes(replica)) return false;
    const { amounts } = replica.spec.template.ask;
    const group = this.group(spec.group);
    const lent = group.length === 0 ? undefined : this.claims(group, replica.meta.namespace);
    return AMOUNT_NAMES.every((name) => {
      const ask = amounts[name];
      if (ask === 0) return true;
      const after = used[name] + ask;
      const most = spec.borrow?.[name] ?? Number.POSITIVE_INFINITY;
      if (after > spec.limit[name] + (lent === undefined ? 0 : most)) return false;
      if (lent === undefined) return true;
      const kept = after > spec.limit[name] ? lent[name] : 0;
      return total(group, "used", name) + ask + kept <= total(group, "limit", name);
    });
  }

  /** Whether its own tenant's limit covers the quota it waits for. */
  isEntitled(replica: Replica): boolean {
    const { spec, used } = this.of(replica.meta.namespace);
    const { stage, incarnation } = replica.status;
    if (spec === undefined || stage !== "admitted") return false;
    if (this.reserved.has(`${replica.key} ${replica.meta.uid} ${incarnation}`)) return false;
    const { amounts } = replica.spec.template.ask;
    const fits = AMOUNT_NAMES.every(
      (name) => amounts[name] <= Math.max(0, spec.limit[name] - used[name]),
    );
    return fits && this.classTakes(replica);
  }

  /**
   * The amount that the group of a tenant lacks until every tenant has its entitlement, with
   * stopping replicas counted as gone.
   */
  missing(tenant: string): Amounts {
    const group = this.group(this.of(tenant).spec?.group);
    const claims = this.claims(group, undefined);
    return each((name) => {
      if (claims[name] === 0) return 0;
      const room = total(group, "limit", name) - total(group, "used", name);
      return Math.max(0, claims[name] - room - total(group, "leaving", name));
    });
  }

  /** The tenant's use beyond its own limit. */
  usedBeyondLimit(tenant: string): Amounts {
    const { spec, used } = this.of(tenant);
    return each((name) => Math.max(0, used[name] - (spec?.limit[name] ?? 0)));
  }

  /** The tenant's use in a region, or its use and reservations in a class. */
  usedIn(tenant: string, part: "region" | "class", name: string): Amounts {
    const { byRegion, byClass } = this.of(tenant);
    return (part === "region" ? byRegion : byClass).get(name) ?? none();
  }

  /** The tenant's use beyond its own limit that is not being given back yet. */
  beyond(tenant: string): Amounts {
    const { spec, used, leaving } = this.of(tenant);
    return each((name) => Math.max(0, used[name] - (spec?.limit[name] ?? 0) - leaving[name]));
  }

  /**
   * The use that nothing covers: beyond limit and borrowing, or borrowed quota that the group
   * lacks.
   */
  uncovered(tenant: string): Amounts {
    const { spec, used, leaving } = this.of(tenant);
    const group = this.group(spec?.group);
    return each((name) => {
      const limit = spec?.limit[name] ?? 0;
      const most =
        spec?.group === undefined ? 0 : (spec.borrow?.[name] ?? Number.POSITIVE_INFINITY);
      const own = used[name] - limit - most - leaving[name];
      const ofGroup =
        total(group, "used", name) - total(group, "limit", name) - total(group, "leaving", name);
      const lent = Math.min(used[name] - limit - leaving[name], ofGroup);
      return Math.max(0, own, lent);
    });
  }

  /**
   * Whether replicas of the group could be asked for the quota that this entitled replica lacks.
   */
  couldBeGiven(replica: Replica): boolean {
    const tenant = replica.meta.namespace;
    const missing = this.missing(tenant);
    const isOfUse = (name: AmountName, amounts: Amounts, beyond: Amounts): boolean =>
      missing[name] > 0 && amounts[name] > 0 && beyond[name] > 0;
    for (const [other, { spec, askable }] of this.tenants) {
      if (other === tenant || spec?.group !== this.of(tenant).spec?.group) continue;
      const beyond = this.beyond(other);
      for (const { spec: held } of askable) {
        if (AMOUNT_NAMES.some((name) => isOfUse(name, held.template.ask.amounts, beyond))) {
          return true;
        }
      }
    }
    return false;
  }

  /**
   * Whether replicas of a tenant could be asked to leave for the use that its quota no longer
   * covers.
   */
  couldBeDrained(tenant: string): boolean {
    const over = this.uncovered(tenant);
    return this.of(tenant).askable.some(({ spec }) =>
      AMOUNT_NAMES.some((name) => over[name] > 0 && spec.template.ask.amounts[name] > 0),
    );
  }

  /** Whether a region still takes it. */
  regionTakes(replica: Replica, region: string): boolean {
    const { spec, byRegion } = this.of(replica.meta.namespace);
    const limit = spec?.regions?.[region];
    const held = byRegion.get(region);
    const { amounts } = replica.spec.template.ask;
    return limit === undefined || fits(amounts, held, limit);
  }

  /** The entitled claims of the waiting tenants of a group, without one of them. */
  claims(group: readonly TenantSums[], but: string | undefined): Amounts {
    const sums = none();
    for (const { spec, used, admitted } of group) {
      const claim = none();
      for (const replica of admitted) {
        if (replica.meta.namespace === but || !this.isEntitled(replica)) continue;
        add(claim, replica.spec.template.ask.amounts);
      }
      for (const name of AMOUNT_NAMES) {
        sums[name] += Math.min(claim[name], Math.max(0, (spec?.limit[name] ?? 0) - used[name]));
      }
    }
    return sums;
  }

  /**
   * The group's free quota minus the entitled claims of its other tenants: below zero, a tenant
   * took quota that was not its own.
   */
  leftForOthers(tenant: string): Amounts {
    const group = this.group(this.of(tenant).spec?.group);
    const claims = this.claims(group, tenant);
    return each((name) => total(group, "limit", name) - total(group, "used", name) - claims[name]);
  }

  private classTakes({ meta, spec: { template } }: Replica): boolean {
    const { spec, byClass } = this.of(meta.namespace);
    const limit = spec?.classes?.[template.priorityClass];
    return (
      limit === undefined || fits(template.ask.amounts, byClass.get(template.priorityClass), limit)
    );
  }

  private see(replica: Replica, regions: ReadonlyMap<string, string>): void {
    const of = this.of(replica.meta.namespace);
    const { stage, stopping, node } = replica.status;
    const { ask, priorityClass } = replica.spec.template;
    if (stage === "admitted") of.admitted.push(replica);
    const isOnNode = isHolding(replica);
    if (!isOnNode && stage !== "queued") return;
    add(of.used, ask.amounts);
    add(sumsOf(of.byClass, priorityClass), ask.amounts);
    if (!isOnNode) {
      of.askable.push(replica);
      return;
    }
    add(sumsOf(of.byRegion, regions.get(node ?? "") ?? ""), ask.amounts);
    if (stage === "unknown") return;
    if (stopping === undefined) of.askable.push(replica);
    else add(of.leaving, ask.amounts);
  }

  private unask(replica: Replica): void {
    const { askable } = this.of(replica.meta.namespace);
    const at = askable.indexOf(replica);
    if (at >= 0) askable.splice(at, 1);
  }

  private of(tenant: string): TenantSums {
    let sums = this.tenants.get(tenant);
    if (sums === undefined) {
      sums = emptySums(undefined);
      this.tenants.set(tenant, sums);
    }
    return sums;
  }

  private group(name: string | undefined): readonly TenantSums[] {
    if (name === undefined) return [];
    return [...this.tenants.values()].filter(({ spec }) => spec?.group === name);
  }
}

/** The picture of this moment: several checkers ask for it between two changes. */
export const quotaPicture = perState((objects) => new QuotaPicture(objects));

const none = (): Sums => ({ cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 });

const emptySums = (spec: QuotaSpec | undefined): TenantSums => ({
  spec,
  used: none(),
  leaving: none(),
  byClass: new Map(),
  byRegion: new Map(),
  admitted: [],
  askable: [],
});

/** The workloads that have a disruption budget, by tenant. */
function boundedWorkloads(objects: ObjectIndex): ReadonlyMap<string, ReadonlySet<string>> {
  const bounded = new Map<string, Set<string>>();
  for (const { meta, spec } of objects.all("Workload").values()) {
    if (spec.disruption === undefined) continue;
    const names = bounded.get(meta.namespace) ?? new Set();
    bounded.set(meta.namespace, names.add(meta.name));
  }
  return bounded;
}

/** A workload with a disruption budget may not be able to spare it. */
function isSpoken(
  bounded: ReadonlyMap<string, ReadonlySet<string>>,
  { meta, spec, status }: Replica,
): boolean {
  const { stage } = status;
  if (stage !== "serving" && stage !== "running" && stage !== "succeeded") return false;
  return bounded.get(meta.namespace)?.has(spec.workload) === true;
}

function add(sums: Sums, amounts: Amounts): void {
  sums.cpuMillis += amounts.cpuMillis;
  sums.memoryMiB += amounts.memoryMiB;
  sums.deviceMillis += amounts.deviceMillis;
}

function sumsOf(map: Map<string, Sums>, name: string): Sums {
  let sums = map.get(name);
  if (sums === undefined) {
    sums = none();
    map.set(name, sums);
  }
  return sums;
}

const each = (of: (name: AmountName) => number): Amounts => ({
  cpuMillis: of("cpuMillis"),
  memoryMiB: of("memoryMiB"),
  deviceMillis: of("deviceMillis"),
});

const total = (
  group: readonly TenantSums[],
  of: "used" | "limit" | "leaving",
  name: AmountName,
): number =>
  group.reduce(
    (sum, sums) => sum + (of === "limit" ? (sums.spec?.limit[name] ?? 0) : sums[of][name]),
    0,
  );

const fits = (ask: Amounts, held: Sums | undefined, limit: Amounts): boolean =>
  AMOUNT_NAMES.every((name) => ask[name] === 0 || (held?.[name] ?? 0) + ask[name] <= limit[name]);
