/** Which replicas are sure of a node after any loss of so many places (`bound-of-sets.ts`). */
import { AMOUNT_NAMES, shortage } from "../../core/model/amounts.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AffinityTerm, Node, Replica, Spread } from "../../core/model/objects.ts";
import { domainOf } from "../../core/model/topology.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { spreadInForce } from "../../core/observe/policy-in-force.ts";
import type { Fleet } from "../../core/propose/fleet/fleet.ts";
import { matchesPool } from "../../core/rules/feasibility/matches-pool.ts";
import { STATIC_RULES } from "../../core/rules/feasibility/feasibility.ts";
import { neighbourRules } from "../../core/rules/obstacles/neighbour-rules.ts";
import { overridesInForce } from "../../core/rules/override/overrides-in-force.ts";
import type { LossPlanner } from "../../core/explain/plan-loss.ts";
import type { Place } from "./capacity-question.ts";

/** What replicas may use up of nodes. */
export interface Demand {
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly deviceMillis: number;
  readonly replicas: number;
  /** Devices that they may touch; one of which a little is taken is closed to whole requests. */
  readonly units: number;
}

const NAMES = ["cpuMillis", "memoryMiB", "deviceMillis", "replicas", "units"] as const;

export const NO_DEMAND: Demand = {
  cpuMillis: 0,
  memoryMiB: 0,
  deviceMillis: 0,
  replicas: 0,
  units: 0,
};

export function demandOf({ spec }: Replica): Demand {
  const { amounts, device } = spec.template.ask;
  return { ...amounts, replicas: 1, units: device?.count ?? 0 };
}

const combined = (of: (name: (typeof NAMES)[number]) => number): Demand => ({
  cpuMillis: of("cpuMillis"),
  memoryMiB: of("memoryMiB"),
  deviceMillis: of("deviceMillis"),
  replicas: of("replicas"),
  units: of("units"),
});

export const plusDemand = (a: Demand, b: Demand): Demand => combined((name) => a[name] + b[name]);

/** Of each amount, what the `count` largest have together: no set of as many has more. */
export const mostOf = (demands: readonly Demand[], count: number): Demand =>
  combined((name) =>
    sumOfLargest(
      demands.map((each) => each[name]),
      count,
    ),
  );

const sumOfLargest = (values: readonly number[], count: number): number =>
  values
    .toSorted((a, b) => b - a)
    .slice(0, count)
    .reduce((sum, value) => sum + value, 0);

interface Terms {
  /** The replicas that look for a place once a place is lost, for each of the places. */
  readonly moving: readonly (readonly Replica[])[];
  readonly places: readonly Place[];
  readonly lostAtOnce: number;
  /** Replicas that are added to what is lost. */
  readonly spare: readonly Replica[];
  /** What all replicas that look for a place take together, at most. */
  readonly demand: Demand;
}

export class SureRooms {
  private readonly planner: LossPlanner;
  private readonly terms: Terms;
  private readonly placeOf = new Map<string, number>();
  private readonly known = new Map<string, boolean>();
  private readonly lostOfWorkload = new Map<ObjectKey, Map<number, number>>();
  private readonly hasOverrides: boolean;
  private readonly guards: readonly { readonly tenant: string; readonly term: AffinityTerm }[];

  constructor(planner: LossPlanner, terms: Terms) {
    this.planner = planner;
    this.terms = terms;
    for (const [at, { nodes }] of terms.places.entries()) {
      for (const node of nodes) this.placeOf.set(node, at);
    }
    const { objects } = planner;
    this.hasOverrides = overridesInForce(objects).length > 0;
    this.guards = [...objects.all("Workload").values()].flatMap(({ meta, spec }) =>
      (spec.template.affinity?.antiRequired ?? []).map((term) => ({
        tenant: meta.namespace,
        term,
      })),
    );
  }

  isSure(replica: Replica): boolean {
    const rules = this.rulesFor(replica);
    if (rules === undefined) return false;
    const { ask } = replica.spec.template;
    const of = rules.beside === "none" ? "" : workloadOf(replica);
    const name = JSON.stringify([ask, rules.spread ?? 0, of]);
    let isSure = this.known.get(name);
    if (isSure === undefined) {
      isSure = this.find(replica, rules);
      this.known.set(name, isSure);
    }
    return isSure;
  }

  /** Undefined: a rule applies that no bound here is about. */
  private rulesFor(replica: Replica): Rules | undefined {
    const { objects } = this.planner;
    const { template } = replica.spec;
    const workload = objects.workload(workloadOf(replica));
    const hasRegionQuota =
      objects.quotaUsage.of(replica.meta.namespace).spec?.regions !== undefined;
    if (this.hasOverrides || hasRegionQuota || workload?.spec.gang !== undefined) return undefined;
    const { affinity, maxPerNode, ask } = template;
    if ((affinity?.required.length ?? 0) > 0) return undefined;
    const [spread, ...others] = spreadInForce(objects, template).filter(
      ({ soft }) => soft !== true,
    );
    if (others.length > 0 || spread?.by === "node") return undefined;
    const against = this.guards.filter(({ tenant, term }) => matches(term, tenant, replica));
    const apart = [...(affinity?.antiRequired ?? []), ...against.map(({ term }) => term)];
    if (apart.some(({ by }) => by !== "node")) return undefined;
    const isBesideOthers = ask.fixedPorts !== undefined || apart.length > 0;
    const isBesideOwn = maxPerNode !== undefined;
    return { spread, beside: isBesideOthers ? "others" : isBesideOwn ? "own" : "none" };
  }

  private find(replica: Replica, { spread, beside }: Rules): boolean {
    const allowed = this.allowedNodes(replica);
    const open = this.openNodes(replica, allowed, beside !== "none");
    const own = demandOf(replica);
    const others = combined((name) => this.terms.demand[name] - own[name]);
    // Each replica that a rule about neighbours counts closes the one node that it is placed on.
    const closed =
      beside === "none" ? 0 : beside === "own" ? this.mostLostOf(replica) : others.replicas;
    if (spread === undefined) return isOneLeft(open, others, closed + this.lostOf(open));
    const domains = new Map<string, Domain>();
    for (const node of allowed) {
      const name = domainOf(node, spread.by);
      if (name === undefined) continue;
      const domain = domains.get(name) ?? { open: [], places: new Set() };
      domain.places.add(this.placeOf.get(node.meta.name));
      domains.set(name, domain);
    }
    for (const each of open) domains.get(domainOf(each.node, spread.by) ?? "")?.open.push(each);
    return this.isOneLeftInEach([...domains.values()], others, closed);
  }

  /** Whichever domain is the emptiest: one that is lost as a whole is counted no more. */
  private isOneLeftInEach(domains: readonly Domain[], others: Demand, closed: number): boolean {
    const lostAsOne = new Set<number>();
    let staysAnyway = 0;
    for (const { open, places } of domains) {
      const [place] = places;
      const isOne = places.size === 1 && place !== undefined;
      if (isOne) lostAsOne.add(place);
      else staysAnyway += 1;
      const lost = isOne ? 0 : this.lostOf(open);
      if (!isOneLeft(open, others, closed + lost)) return false;
    }
    return staysAnyway > 0 || lostAsOne.size > this.terms.lostAtOnce;
  }

  /** How many replicas of its workload can be lost at once. */
  private mostLostOf(replica: Replica): number {
    const key = workloadOf(replica);
    if (this.lostOfWorkload.size === 0) this.countLost();
    const perPlace = this.lostOfWorkload.get(key) ?? new Map<number, number>();
    const spare = this.terms.spare.filter((each) => workloadOf(each) === key).length;
    return sumOfLargest([...perPlace.values()], this.terms.lostAtOnce) + spare;
  }

  private countLost(): void {
    for (const [place, replicas] of this.terms.moving.entries()) {
      for (const each of replicas) {
        const key = workloadOf(each);
        const counts = this.lostOfWorkload.get(key) ?? new Map<number, number>();
        counts.set(place, (counts.get(place) ?? 0) + 1);
        this.lostOfWorkload.set(key, counts);
      }
    }
  }

  /** How many of these nodes can be lost. */
  private lostOf(open: readonly OpenNode[]): number {
    const perPlace = new Map<number, number>();
    for (const { node } of open) {
      const place = this.placeOf.get(node.meta.name);
      if (place !== undefined) perPlace.set(place, (perPlace.get(place) ?? 0) + 1);
    }
    return sumOfLargest([...perPlace.values()], this.terms.lostAtOnce);
  }

  private allowedNodes({ spec }: Replica): readonly Node[] {
    const { objects } = this.planner;
    const { ask } = spec.template;
    return [...objects.all("Node").values()].filter((node) => {
      const candidate = { node, use: objects.useOf(node.meta.name) };
      return STATIC_RULES.every((rule) => rule.check(candidate, ask) === undefined);
    });
  }

  private openNodes(
    replica: Replica,
    allowed: readonly Node[],
    isCountedPerNode: boolean,
  ): readonly OpenNode[] {
    const { objects, columns } = this.planner;
    const rules = isCountedPerNode ? neighbourRules(replica, objects.neighbours, []) : [];
    return allowed.flatMap((node) => {
      const row = columns.rowOf(node.meta.name);
      const isBeside = rules.some(
        (rule) => rule.by === "node" && rule.forbids(node.meta.name, 0, undefined),
      );
      const costs =
        row === undefined || isBeside ? undefined : costsOf(columns, { row, node }, replica);
      return costs === undefined ? [] : [{ node, costs }];
    });
  }
}

interface Rules {
  readonly spread: Spread | undefined;
  /** Whose number on a node a rule counts: no replica's, those of its workload, or any. */
  readonly beside: "none" | "own" | "others";
}

interface Domain {
  readonly open: OpenNode[];
  /** The places that its nodes belong to. */
  readonly places: Set<number | undefined>;
}

interface OpenNode {
  readonly node: Node;
  /** What others must take of each amount so that it is closed; left out: nothing closes it. */
  readonly costs: Partial<Demand>;
}

/** Undefined: it has no room as it is. */
function costsOf(
  fleet: Fleet,
  { row, node }: { readonly row: number; readonly node: Node },
  { spec }: Replica,
): Partial<Demand> | undefined {
  const { amounts, device } = spec.template.ask;
  const free = {
    cpuMillis: fleet.cpuFree[row] ?? 0,
    memoryMiB: fleet.memoryFree[row] ?? 0,
    deviceMillis: fleet.deviceMillisLeft[row] ?? 0,
  };
  const left = fleet.replicasLeft[row] ?? 0;
  if (left < 1 || shortage(amounts, free) !== undefined) return undefined;
  const costs: { -readonly [Name in keyof Demand]?: number } = { replicas: left };
  for (const name of AMOUNT_NAMES) {
    if (amounts[name] > 0) costs[name] = free[name] - amounts[name] + 1;
  }
  if (device === undefined) return costs;
  const usable = new Set(
    node.spec.pools.filter((pool) => matchesPool(pool, device)).flatMap(({ ids }) => ids),
  );
  let units = 0;
  const end = fleet.unitStart[row + 1] ?? 0;
  for (let unit = fleet.unitStart[row] ?? 0; unit < end; unit += 1) {
    const hasRoom = (fleet.unitFree[unit] ?? 0) >= device.shareMillis;
    if (hasRoom && usable.has(fleet.unitIds[unit] ?? "")) units += 1;
  }
  return units < device.count ? undefined : { ...costs, units: units - device.count + 1 };
}

/** Whether one is open that is neither gone nor closed by these sums, the cheapest nodes first. */
function isOneLeft(open: readonly OpenNode[], others: Demand, gone: number): boolean {
  let closed = gone;
  for (const name of NAMES) {
    if (closed >= open.length) return false;
    closed += payable(
      open.flatMap(({ costs }) => costs[name] ?? []),
      others[name],
    );
  }
  return closed < open.length;
}

function payable(costs: readonly number[], sum: number): number {
  let left = sum;
  let count = 0;
  for (const cost of costs.toSorted((a, b) => a - b)) {
    left -= cost;
    if (left < 0) break;
    count += 1;
  }
  return count;
}

function matches({ labels, tenants }: AffinityTerm, tenant: string, { meta }: Replica): boolean {
  if (!(tenants ?? [tenant]).includes(meta.namespace)) return false;
  return Object.entries(labels).every(([key, value]) => meta.labels[key] === value);
}
