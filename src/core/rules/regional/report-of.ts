/** What a region states of itself, read from what is durable in its log. */
import { type Amounts, NOTHING, plus } from "../../model/amounts.ts";
import { type Epoch, grantKey, type Revision } from "../../model/ids.ts";
import { largerOf, smallerOf } from "../../model/regional/exposure.ts";
import type { GrantDemand } from "../../model/regional/grant.ts";
import type { RegionalPlane } from "../../model/regional/plane.ts";
import type { RegionSummary } from "../../model/regional/region-plane.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { GrantReport, RegionReport } from "../../protocol/region-exchange.ts";
import { chargedOf, heldOf } from "./held.ts";
import { digestOf, sharedNames } from "./shared-objects.ts";
import { regionalOf } from "./term.ts";

/** Which tenants a report speaks of. */
interface ReportPart {
  /** The position that the global plane has taken in; 0: the report speaks of all tenants. */
  readonly from: Revision;
  /** Tenants of whom a replica, reservation, quota or grant changed after that. */
  readonly changed: Iterable<string>;
}

/** The position of the view that is read, and the time of that leadership. */
interface ReportedAt {
  readonly epoch: Epoch;
  readonly revision: Revision;
  readonly askedMs: number;
}

/** Undefined: this plane is not that of a region. */
export function reportOf(
  objects: ObjectIndex,
  { from, changed }: ReportPart,
  { epoch, revision, askedMs }: ReportedAt,
): RegionReport | undefined {
  const plane = regionalOf(objects.plane);
  if (plane === undefined) return undefined;
  const tenants = from === 0 ? knownTenants(objects) : new Set(changed);
  const grants = [...tenants].toSorted().flatMap((tenant) => grantOf(objects, plane, tenant) ?? []);
  const { region, incarnation, global, objectsTo } = plane;
  return {
    region,
    incarnation,
    ...(global === undefined ? {} : { global }),
    learning: plane.learning !== undefined,
    epoch,
    revision,
    from,
    askedMs,
    grants,
    objectsTo,
    objectsDigest: digestOf(sharedNames(objects, region)),
    summary: regionSummary(objects),
  };
}

function knownTenants(objects: ObjectIndex): ReadonlySet<string> {
  const tenants = new Set(objects.tenantsWithAccount());
  for (const { meta } of objects.all("Grant").values()) tenants.add(meta.namespace);
  return tenants;
}

/** Undefined: there is nothing to say of this tenant. */
function grantOf(
  objects: ObjectIndex,
  { region, incarnation }: RegionalPlane,
  tenant: string,
): GrantReport | undefined {
  const grant = objects.all("Grant").get(grantKey(tenant, region));
  const isThis = grant?.spec.incarnation === incarnation;
  const version = isThis ? grant.spec.version : 0;
  const held = heldOf(objects, tenant);
  const demand = demandOf(objects, tenant);
  const isEmpty = grant === undefined && isNothing(held) && isNothing(demand.waiting);
  return isEmpty ? undefined : { tenant, version, held, demand };
}

function demandOf(objects: ObjectIndex, tenant: string): GrantDemand {
  let waiting: Amounts = NOTHING;
  let largest: Amounts = NOTHING;
  let smallest: Amounts | undefined;
  for (const { key, spec, status } of objects.quotaUsage.of(tenant).admitted.values()) {
    if (status.stopping !== undefined) continue;
    // Quota is held for it already.
    if (objects.reservationsOf(key).some((held) => held.spec.for === "quota")) continue;
    const { amounts } = spec.template.ask;
    waiting = plus(waiting, amounts);
    largest = largerOf(largest, amounts);
    smallest = smallerOf(smallest ?? amounts, amounts);
  }
  const charged = chargedOf(objects, tenant);
  return { charged, waiting, largest, smallest: smallest ?? NOTHING };
}

const isNothing = ({ cpuMillis, memoryMiB, deviceMillis }: Amounts): boolean =>
  cpuMillis === 0 && memoryMiB === 0 && deviceMillis === 0;

export function regionSummary(objects: ObjectIndex): RegionSummary {
  let capacity: Amounts = NOTHING;
  let free: Amounts = NOTHING;
  const nodes = objects.all("Node");
  for (const { meta, spec, status } of nodes.values()) {
    capacity = plus(capacity, spec.capacity);
    if (status.health !== "ready") continue;
    const { cpuMillis, memoryMiB, deviceMillis } = objects.useOf(meta.name);
    const { capacity: all } = spec;
    free = plus(free, {
      cpuMillis: Math.max(0, all.cpuMillis - cpuMillis),
      memoryMiB: Math.max(0, all.memoryMiB - memoryMiB),
      deviceMillis: Math.max(0, all.deviceMillis - deviceMillis),
    });
  }
  let serving = 0;
  let queued = 0;
  const replicas = objects.all("Replica");
  for (const { status } of replicas.values()) {
    if (status.stage === "serving" || status.stage === "running") serving += 1;
    else if (status.stage === "queued") queued += 1;
  }
  return { nodes: nodes.size, capacity, free, replicas: replicas.size, serving, queued };
}
