/**
 * Workloads in a file, shaped as they are given to a running Berth. Fields that the simulator has no notion
 * of (ports, probes, roll-out) are refused rather than ignored: a run must not seem to have tested them.
 */
import type { Ask, Spread, Template, Toleration, WorkloadSpec } from "../core/model/objects.ts";
import type { WorldWorkload } from "../sim/world.ts";
import {
  plainCpuAndMemory,
  type Plain,
  type PlainFields,
  putUnlessEmpty,
  readCpuMillis,
  readLabels,
  readMemoryMiB,
} from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, type References } from "./references.ts";

/** What a workload gets that does not say how important it is: no class, which yields to every other. */
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
  "resources",
  "placement",
  "run",
  "onDisconnect",
] as const;

function readSpec(cursor: Cursor, references: References): WorkloadSpec {
  const fields = cursor.fields(SPEC_FIELDS);
  return {
    type: fields.get("type", (type) => type.choice(["service", "batch"]), "service"),
    replicas: fields.get("replicas", (count) => count.integer(0), 1),
    template: readTemplate(fields, references),
  };
}

function readTemplate(fields: Fields, references: References): Template {
  const placement = fields.get<Fields | undefined>(
    "placement",
    (value) => value.fields(["regions", "zones", "nodeSelector", "tolerations", "spread"]),
    undefined,
  );
  return {
    ask: readAsk(fields.need("resources"), placement, references),
    spread: placement?.get("spread", (list) => list.list(readSpread), []) ?? [],
    priorityClass: fields.get("priorityClass", (name) => name.text(), DEFAULT_PRIORITY),
    onDisconnect: fields.get("onDisconnect", (what) => what.choice(["stop", "keep"]), "stop"),
    command: fields.get("run", readCommand, []),
  };
}

function readAsk(resources: Cursor, placement: Fields | undefined, references: References): Ask {
  const fields = resources.fields(["cpu", "memory", "devices"]);
  const devices = fields.get("devices", readDevices, { deviceClass: "", count: 0 });
  const places = (kind: "region" | "zone") =>
    placement?.get(
      `${kind}s`,
      (list) => list.list((item) => readPlace(item, kind, references)),
      [],
    ) ?? [];
  return {
    amounts: {
      cpuMillis: readCpuMillis(fields.need("cpu")),
      memoryMiB: readMemoryMiB(fields.need("memory")),
      devices: devices.count,
    },
    deviceClass: devices.deviceClass,
    regions: places("region"),
    zones: places("zone"),
    nodeSelector: placement?.get("nodeSelector", readLabels, {}) ?? {},
    tolerations: placement?.get("tolerations", (list) => list.list(readToleration), []) ?? [],
  };
}

function readDevices(cursor: Cursor): { deviceClass: string; count: number } {
  const fields = cursor.fields(["class", "count"]);
  return { deviceClass: readName(fields.need("class")), count: fields.need("count").integer(1) };
}

function readPlace(cursor: Cursor, kind: "region" | "zone", references: References): string {
  const name = readName(cursor);
  references.refer(kind === "zone" ? "zone in any region" : kind, name, cursor);
  return name;
}

function readSpread(cursor: Cursor): Spread {
  const fields = cursor.fields(["by", "maxSkew"]);
  return {
    by: fields.need("by").choice(["zone", "region", "node"]),
    maxSkew: fields.get("maxSkew", (skew) => skew.integer(1), 1),
  };
}

function readToleration(cursor: Cursor): Toleration {
  const fields = cursor.fields(["key", "value"]);
  return { key: fields.need("key").text(), value: fields.get("value", (text) => text.text(), "") };
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
  const { type, replicas, template } = workload.spec;
  const spec: PlainFields = { type, replicas, resources: plainResources(template.ask) };
  if (template.priorityClass !== DEFAULT_PRIORITY) spec["priorityClass"] = template.priorityClass;
  putUnlessEmpty(spec, "placement", plainPlacement(template) as Record<string, never>);
  if (template.command.length > 0) spec["run"] = { command: template.command };
  if (template.onDisconnect !== "stop") spec["onDisconnect"] = template.onDisconnect;
  return { metadata, spec };
}

function plainResources(ask: Ask): Plain {
  const plain = plainCpuAndMemory(ask.amounts);
  if (ask.amounts.devices > 0)
    plain["devices"] = { class: ask.deviceClass, count: ask.amounts.devices };
  return plain;
}

function plainPlacement({ ask, spread }: Template): PlainFields {
  const plain: PlainFields = {};
  putUnlessEmpty(plain, "regions", ask.regions);
  putUnlessEmpty(plain, "zones", ask.zones);
  putUnlessEmpty(plain, "nodeSelector", ask.nodeSelector);
  putUnlessEmpty(
    plain,
    "tolerations",
    ask.tolerations.map(({ key, value }) => ({ key, value })),
  );
  putUnlessEmpty(
    plain,
    "spread",
    spread.map(({ by, maxSkew }) => ({ by, maxSkew })),
  );
  return plain;
}
