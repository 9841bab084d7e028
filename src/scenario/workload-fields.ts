/**
 * Workloads in a file, shaped as they are given to a running Berth. Fields that the simulator has
 * no notion of (ports, probes) are refused rather than ignored: a run must not seem to have tested
 * them.
 */
import { RECONCILES } from "../core/model/disconnect.ts";
import type { Disruption } from "../core/model/disruption.ts";
import { type Gang, GANG_DEADLINE_MAX_MS } from "../core/model/gang.ts";
import type { Ask, DeviceAsk, Template, WorkloadSpec } from "../core/model/objects.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { WorldWorkload } from "../sim/world/world.ts";
import type { Plain, PlainFields } from "../manifest/write-fields.ts";
import {
  plainCpuAndMemory,
  putUnlessEmpty,
  readCpuMillis,
  readLabels,
  readMemoryMiB,
} from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { plainDeviceAsk, readDeviceAsk } from "./device-fields.ts";
import { ANYWHERE, plainPlacement, readPlacement } from "./placement-fields.ts";
import { readName, type References } from "./references.ts";
import { plainBatch, readBatch } from "./batch-fields.ts";
import { plainRecovery, readRecovery } from "./recovery-fields.ts";
import { plainRollout, readRollout } from "./rollout-fields.ts";

/**
 * What a workload gets that does not say how important it is: no class, which yields to every
 * other.
 */
const DEFAULT_PRIORITY = "";

export function readWorkload(cursor: Cursor, references: References): WorldWorkload {
  const fields = cursor.fields(["apiVersion", "kind", "metadata", "spec"]);
  fields.get("apiVersion", (version) => version.choice(["berth.dev/v1"]), "berth.dev/v1");
  fields.get("kind", (kind) => kind.choice(["Workload"]), "Workload");
  const metadata = fields.need("metadata").fields(["name", "namespace", "labels"]);
  const nameAt = metadata.need("name");
  const tenantAt = metadata.need("namespace");
  const name = readName(nameAt);
  const tenant = readName(tenantAt);
  references.refer("tenant", tenant, tenantAt);
  if (name !== "" && tenant !== "") references.declare("workload", `${tenant}/${name}`, nameAt);
  return {
    tenant,
    name,
    labels: metadata.get("labels", readLabels, {}),
    spec: readSpec(fields.need("spec"), references),
  };
}

const SPEC_FIELDS = [
  "type",
  "replicas",
  "priorityClass",
  "disruption",
  "gang",
  "rollout",
  "recovery",
  "batch",
  "resources",
  "placement",
  "run",
  "onDisconnect",
  "replaceAfter",
  "reconcile",
] as const;

function readSpec(cursor: Cursor, references: References): WorkloadSpec {
  const fields = cursor.fields(SPEC_FIELDS);
  const batch = fields.has("batch") ? readBatch(fields.need("batch")) : undefined;
  return {
    type: fields.get("type", (type) => type.choice(["service", "batch"]), "service"),
    replicas: fields.get("replicas", (count) => count.integer(0), batch?.completions ?? 1),
    template: readTemplate(fields, references),
    ...(fields.has("disruption") ? { disruption: readDisruption(fields.need("disruption")) } : {}),
    ...(fields.has("gang") ? { gang: readGang(fields.need("gang")) } : {}),
    ...(fields.has("rollout") ? { rollout: readRollout(fields.need("rollout")) } : {}),
    ...(fields.has("recovery")
      ? { recovery: readRecovery(fields.need("recovery"), references) }
      : {}),
    ...(batch === undefined ? {} : { batch }),
  };
}

const readDisruption = (cursor: Cursor): Disruption => ({
  maxUnavailable: cursor.fields(["maxUnavailable"]).need("maxUnavailable").integer(0),
});

function readGang(cursor: Cursor): Gang {
  const deadline = cursor.fields(["deadline"]).need("deadline");
  const deadlineMs = deadline.durationMs(1);
  if (deadlineMs > GANG_DEADLINE_MAX_MS) deadline.expected("a duration of up to 24h");
  return { deadlineMs };
}

function readTemplate(fields: Fields, references: References): Template {
  const { where, together } = fields.get(
    "placement",
    (value) => readPlacement(value, references),
    ANYWHERE,
  );
  return {
    ask: { ...readAsk(fields.need("resources")), ...where },
    ...together,
    priorityClass: fields.get("priorityClass", (name) => name.text(), DEFAULT_PRIORITY),
    onDisconnect: fields.get("onDisconnect", (what) => what.choice(["stop", "keep"]), "stop"),
    ...(fields.has("replaceAfter")
      ? { replaceAfterMs: fields.need("replaceAfter").durationMs(1) }
      : {}),
    ...(fields.has("reconcile") ? { reconcile: fields.need("reconcile").choice(RECONCILES) } : {}),
    command: fields.get("run", readCommand, []),
  };
}

function readAsk(resources: Cursor): Pick<Ask, "amounts" | "device"> {
  const fields = resources.fields(["cpu", "memory", "devices"]);
  const device = fields.get<DeviceAsk | undefined>("devices", readDeviceAsk, undefined);
  return {
    amounts: {
      cpuMillis: readCpuMillis(fields.need("cpu")),
      memoryMiB: readMemoryMiB(fields.need("memory")),
      deviceMillis: device === undefined ? 0 : device.count * device.shareMillis,
    },
    ...(device === undefined ? {} : { device }),
  };
}

function readCommand(cursor: Cursor): readonly string[] {
  return cursor
    .fields(["command"])
    .need("command")
    .list((word) => word.text("a word of the command"));
}

export function plainWorkload(workload: WorldWorkload): PlainFields {
  const metadata: PlainFields = { name: workload.name, namespace: workload.tenant };
  putUnlessEmpty(metadata, "labels", workload.labels);
  const { type, replicas, template, disruption, gang, rollout, recovery, batch } = workload.spec;
  const count: PlainFields = batch === undefined ? { replicas } : { batch: plainBatch(batch) };
  const spec: PlainFields = { type, ...count, resources: plainResources(template.ask) };
  if (template.priorityClass !== DEFAULT_PRIORITY) spec["priorityClass"] = template.priorityClass;
  if (disruption !== undefined) spec["disruption"] = { maxUnavailable: disruption.maxUnavailable };
  if (gang !== undefined) spec["gang"] = { deadline: formatDuration(gang.deadlineMs) };
  if (rollout !== undefined) spec["rollout"] = plainRollout(rollout);
  if (recovery !== undefined) spec["recovery"] = plainRecovery(recovery);
  putUnlessEmpty(spec, "placement", plainPlacement(template) as Record<string, never>);
  if (template.command.length > 0) spec["run"] = { command: template.command };
  if (template.onDisconnect !== "stop") spec["onDisconnect"] = template.onDisconnect;
  const { replaceAfterMs, reconcile } = template;
  if (replaceAfterMs !== undefined) spec["replaceAfter"] = formatDuration(replaceAfterMs);
  if (reconcile !== undefined) spec["reconcile"] = reconcile;
  return { metadata, spec };
}

function plainResources(ask: Ask): Plain {
  const plain = plainCpuAndMemory(ask.amounts);
  if (ask.device !== undefined) plain["devices"] = plainDeviceAsk(ask.device);
  return plain;
}
