/**
 * How regions with planes of their own stand: who is heard, what each may still do, and until when.
 */
import { type Amounts, NOTHING, plus } from "../../core/model/amounts.ts";
import type { Grant, Region } from "../../core/model/objects.ts";
import { exposureOf } from "../../core/model/regional/exposure.ts";
import type { RegionalPlane } from "../../core/model/regional/plane.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { REGION_LINK_LIMITS } from "../../core/regional/limits.ts";
import { chargedOf, heldOf } from "../../core/rules/regional/held.ts";
import { regionSummary } from "../../core/rules/regional/report-of.ts";
import { isTermInForce, regionalOf } from "../../core/rules/regional/term.ts";

/** Two heartbeats may be late before people are told that a region is cut off. */
const SILENT_AFTER_MS = 3 * REGION_LINK_LIMITS.heartbeat.value;

/**
 * `in-contact`: it reports. `cut-off`: it does not, and may take new work. `repairs-only`: its term
 * is over. `learning`: it was restored. `gone`: a person has said so.
 */
export type RegionState =
  | "never-heard"
  | "in-contact"
  | "cut-off"
  | "repairs-only"
  | "learning"
  | "gone";

export interface RegionStanding {
  readonly name: string;
  readonly state: RegionState;
  /** When the two planes last heard of each other; left out: never. */
  readonly heardMs?: number;
  /** Until when it may take new work without the other. */
  readonly newWorkUntilMs?: number;
  readonly nodes?: number;
  readonly replicas?: number;
  readonly serving?: number;
  readonly queued?: number;
  /** Of all tenants together. */
  readonly lent: Amounts;
  readonly used: Amounts;
  /** The most that tenants may hold there, as far as this plane knows. */
  readonly held: Amounts;
  readonly tenants: number;
  /** Tenants whose last versions the region has not confirmed. */
  readonly unconfirmed: number;
}

export interface RegionStandings {
  /** `single`: no region has a plane of its own. */
  readonly role: "single" | "global" | "regional";
  readonly regions: readonly RegionStanding[];
}

export function regionStandings(
  objects: ObjectIndex,
  at: { readonly epoch: number; readonly nowMs: number },
): RegionStandings {
  const own = regionalOf(objects.plane);
  if (own !== undefined) return { role: "regional", regions: [ownStanding(objects, own, at)] };
  const regions = [...objects.all("Region").values()]
    .filter(({ spec }) => spec.plane !== undefined)
    .toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1));
  if (regions.length === 0) return { role: "single", regions: [] };
  const sums = sumsByRegion(objects);
  return {
    role: "global",
    regions: regions.map((region) => standingOf(region, sums.get(region.meta.name), at.nowMs)),
  };
}

interface Sums {
  lent: Amounts;
  used: Amounts;
  held: Amounts;
  tenants: number;
  unconfirmed: number;
}

const noSums = (): Sums => ({
  lent: NOTHING,
  used: NOTHING,
  held: NOTHING,
  tenants: 0,
  unconfirmed: 0,
});

function sumsByRegion(objects: ObjectIndex): ReadonlyMap<string, Sums> {
  const byRegion = new Map<string, Sums>();
  for (const grant of objects.all("Grant").values()) {
    const sums = byRegion.get(grant.spec.region) ?? noSums();
    addGrant(sums, grant);
    byRegion.set(grant.spec.region, sums);
  }
  return byRegion;
}

function addGrant(sums: Sums, grant: Grant): void {
  const { demand, pending = [] } = grant.status;
  sums.lent = plus(sums.lent, grant.spec.amounts);
  sums.used = plus(sums.used, demand?.charged ?? NOTHING);
  sums.held = plus(sums.held, exposureOf(grant));
  sums.tenants += 1;
  if (pending.length > 0) sums.unconfirmed += 1;
}

function standingOf(
  { meta, status: { heard } }: Region,
  sums = noSums(),
  nowMs: number,
): RegionStanding {
  const base = { name: meta.name, ...sums };
  if (heard === undefined) return { ...base, state: "never-heard" };
  const { atMs, termUntilMs, summary } = heard;
  const counts =
    summary === undefined
      ? {}
      : {
          nodes: summary.nodes,
          replicas: summary.replicas,
          serving: summary.serving,
          queued: summary.queued,
        };
  const state = ((): RegionState => {
    if (heard.gone === true) return "gone";
    if (nowMs >= termUntilMs) return "repairs-only";
    if (nowMs - atMs > SILENT_AFTER_MS) return "cut-off";
    return heard.learning ? "learning" : "in-contact";
  })();
  return { ...base, state, heardMs: atMs, newWorkUntilMs: termUntilMs, ...counts };
}

function ownStanding(
  objects: ObjectIndex,
  own: RegionalPlane,
  { epoch, nowMs }: { readonly epoch: number; readonly nowMs: number },
): RegionStanding {
  const sums = noSums();
  for (const { meta, spec } of objects.all("Grant").values()) {
    sums.lent = plus(sums.lent, spec.amounts);
    sums.used = plus(sums.used, chargedOf(objects, meta.namespace));
    sums.held = plus(sums.held, heldOf(objects, meta.namespace));
    sums.tenants += 1;
  }
  const { nodes, replicas, serving, queued } = regionSummary(objects);
  const { term } = own;
  return {
    name: own.region,
    state: ownState(own, epoch, nowMs),
    ...(term === undefined ? {} : { heardMs: term.askedMs, newWorkUntilMs: term.untilMs }),
    nodes,
    replicas,
    serving,
    queued,
    ...sums,
  };
}

function ownState(own: RegionalPlane, epoch: number, nowMs: number): RegionState {
  if (own.learning !== undefined) return "learning";
  if (own.term === undefined) return "never-heard";
  if (own.ended === true || !isTermInForce(own, epoch, nowMs)) return "repairs-only";
  return nowMs - own.term.askedMs > SILENT_AFTER_MS ? "cut-off" : "in-contact";
}
