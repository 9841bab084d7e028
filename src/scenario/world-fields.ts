/** A whole world as it stands in a file, on its own or inside a scenario. */
import type { World } from "../sim/world/world.ts";
import { plainAttack, readAttack } from "./attack-fields.ts";
import { plainAutoscaler, readAutoscaler } from "./autoscaler-fields.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import { formatDuration } from "../quantity/duration.ts";
import { FAULT_PLAN_FIELDS, plainFaultPlan, readFaultPlan } from "./fault-plan-fields.ts";
import {
  plainBetweenPlanes,
  plainRegionPlane,
  readBetweenPlanes,
  readRegionPlane,
} from "./between-planes-fields.ts";
import { plainNode, readNodes } from "./node-fields.ts";
import { plainNodePool, readNodePool } from "./node-pool-fields.ts";
import { plainPersonAct, readPersonAct } from "./person-act-fields.ts";
import { plainPolicyRevision, readPolicy, readPolicyRevision } from "./policy-fields.ts";
import { plainPriorityClass, readPriorityClass } from "./priority-class-fields.ts";
import { plainQuotaTerms, readQuotaTerms } from "./quota-fields.ts";
import { readName, References } from "./references.ts";
import { plainTimelineEntry, readTimelineEntry } from "./timeline-fields.ts";
import { plainWorkload, readWorkload } from "./workload-fields.ts";

const WORLD_FIELDS = [
  "name",
  "regions",
  "nodes",
  "priorityClasses",
  "policyRevisions",
  "policies",
  "tenants",
  "workloads",
  "autoscalers",
  "nodePools",
  "schedulers",
  "commandsPerSecond",
  "controllersShareView",
  "planes",
  "timeline",
  "attacks",
  "people",
  "betweenPlanes",
  ...FAULT_PLAN_FIELDS,
  "faultsUntil",
  "heal",
  "startUp",
  "batchRun",
] as const;

/** What a world gets that does not say otherwise. */
const DEFAULTS = {
  // Two, because one scheduler alone can never race another.
  schedulers: 2,
  // Long enough for a node to be lost, fenced and replaced while faults go on.
  faultsUntilMs: 120_000,
  // Correlated silence alone may hold repair back for two minutes; then restarts still back off.
  healMs: 240_000,
  startUpMs: 1_000,
  batchRunMs: 20_000,
} as const;

export function readWorld(cursor: Cursor): World {
  const fields = cursor.fields(WORLD_FIELDS);
  const references = new References();
  const world: World = {
    name: readName(fields.need("name")),
    regions: fields.need("regions").list((item) => readRegion(item, references)),
    nodes: fields
      .need("nodes")
      .list((item) => readNodes(item, references))
      .flat(),
    ...(fields.has("priorityClasses")
      ? { priorityClasses: fields.need("priorityClasses").list(readPriorityClass) }
      : {}),
    ...(fields.has("policyRevisions")
      ? {
          policyRevisions: fields
            .need("policyRevisions")
            .list((item) => readPolicyRevision(item, references)),
        }
      : {}),
    ...(fields.has("policies") ? { policies: fields.need("policies").list(readPolicy) } : {}),
    tenants: fields.need("tenants").list((item) => readTenant(item, references)),
    workloads: fields.get(
      "workloads",
      (list) => list.list((item) => readWorkload(item, references)),
      [],
    ),
    ...(fields.has("autoscalers")
      ? { autoscalers: fields.need("autoscalers").list((item) => readAutoscaler(item, references)) }
      : {}),
    ...(fields.has("nodePools")
      ? { nodePools: fields.need("nodePools").list((item) => readNodePool(item, references)) }
      : {}),
    schedulers: fields.get("schedulers", (count) => count.integer(1), DEFAULTS.schedulers),
    controllersShareView: fields.get("controllersShareView", (flag) => flag.boolean(), false),
    ...(fields.has("commandsPerSecond")
      ? { commandsPerSecond: fields.need("commandsPerSecond").integer(1) }
      : {}),
    ...(fields.has("planes") ? { planes: fields.need("planes").integer(1) } : {}),
    timeline: fields
      .get("timeline", (list) => list.list((item) => readTimelineEntry(item, references)), [])
      .filter((entry) => entry !== undefined),
    ...(fields.has("attacks")
      ? {
          attacks: fields
            .need("attacks")
            .list((item) => readAttack(item, references))
            .filter((attack) => attack !== undefined),
        }
      : {}),
    ...(fields.has("people") ? { people: fields.need("people").list(readPersonAct) } : {}),
    ...(fields.has("betweenPlanes")
      ? { regional: readBetweenPlanes(fields.need("betweenPlanes"), references) }
      : {}),
    ...readFaultPlan(fields, references),
    faultsUntilMs: fields.get("faultsUntil", (time) => time.durationMs(), DEFAULTS.faultsUntilMs),
    healMs: fields.get("heal", (time) => time.durationMs(), DEFAULTS.healMs),
    startUpMs: fields.get("startUp", (time) => time.durationMs(), DEFAULTS.startUpMs),
    batchRunMs: fields.get("batchRun", (time) => time.durationMs(), DEFAULTS.batchRunMs),
  };
  references.check();
  return world;
}

function readRegion(cursor: Cursor, references: References): World["regions"][number] {
  const fields = cursor.fields(["name", "zones", "plane"]);
  const nameAt = fields.need("name");
  const name = readName(nameAt);
  references.declare("region", name, nameAt);
  const plane = fields.has("plane") ? { plane: readRegionPlane(fields.need("plane")) } : {};
  // Read by hand: each zone is declared where it stands.
  const zones = fields.need("zones").list((item) => {
    const zone = readName(item);
    // Two regions may each have a zone "a", so only a repetition within one region is a mistake.
    references.declare("zone", `${name}/${zone}`, item);
    references.mention("zone in any region", zone);
    return zone;
  });
  return { name, zones, ...plane };
}

function readTenant(cursor: Cursor, references: References): World["tenants"][number] {
  const fields = cursor.fields(["name", "quota", "finalizers"]);
  const nameAt = fields.need("name");
  const name = readName(nameAt);
  references.declare("tenant", name, nameAt);
  const finalizers = fields.get(
    "finalizers",
    (value) => value.list((item) => item.text("the name of a finalizer")),
    [],
  );
  return {
    name,
    ...readQuotaTerms(fields.need("quota"), references),
    ...(finalizers.length === 0 ? {} : { finalizers }),
  };
}

export function plainWorld(world: World): PlainFields {
  return {
    name: world.name,
    regions: world.regions.map(({ name, zones, plane }) => ({
      name,
      zones,
      ...(plane === undefined ? {} : { plane: plainRegionPlane(plane) }),
    })),
    nodes: world.nodes.map(plainNode),
    ...(world.priorityClasses === undefined
      ? {}
      : { priorityClasses: world.priorityClasses.map(plainPriorityClass) }),
    ...(world.policyRevisions === undefined
      ? {}
      : { policyRevisions: world.policyRevisions.map(plainPolicyRevision) }),
    ...(world.policies === undefined
      ? {}
      : { policies: world.policies.map(({ name, active }) => ({ name, active })) }),
    tenants: world.tenants.map(({ name, finalizers = [], ...terms }) => ({
      name,
      quota: plainQuotaTerms(terms),
      ...(finalizers.length === 0 ? {} : { finalizers: [...finalizers] }),
    })),
    workloads: world.workloads.map(plainWorkload),
    ...(world.autoscalers === undefined
      ? {}
      : { autoscalers: world.autoscalers.map(plainAutoscaler) }),
    ...(world.nodePools === undefined ? {} : { nodePools: world.nodePools.map(plainNodePool) }),
    schedulers: world.schedulers,
    ...(world.controllersShareView === true ? { controllersShareView: true } : {}),
    ...(world.commandsPerSecond === undefined
      ? {}
      : { commandsPerSecond: world.commandsPerSecond }),
    ...(world.planes === undefined ? {} : { planes: world.planes }),
    timeline: world.timeline.map(plainTimelineEntry),
    ...(world.attacks === undefined ? {} : { attacks: world.attacks.map(plainAttack) }),
    ...(world.people === undefined ? {} : { people: world.people.map(plainPersonAct) }),
    ...(world.regional === undefined ? {} : { betweenPlanes: plainBetweenPlanes(world.regional) }),
    ...plainFaultPlan(world),
    faultsUntil: formatDuration(world.faultsUntilMs),
    heal: formatDuration(world.healMs),
    startUp: formatDuration(world.startUpMs),
    batchRun: formatDuration(world.batchRunMs),
  };
}
