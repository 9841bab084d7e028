/**
 * Node pools in a file, with the behaviour of the provider that makes their machines: `{ name:
 * burst, region: eu, zone: eu-a, capacity: { cpu: 4, memory: 8Gi }, maxNodes: 3, pace: { nodes: 1,
 * period: 30s }, pendingFor: 10s, boot: { from: 1s, to: 5s }, refusedPercent: 20 }`.
 */
import type { NodePoolSpec } from "../core/model/node/node-pool.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import { formatDuration } from "../quantity/duration.ts";
import type { WorldNodePool } from "../sim/world/world.ts";
import { capacityForm, plainWithCapacity, readWithCapacity } from "./capacity-fields.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";

const FORM = capacityForm("NodePool", ["provisioner"]);
const PERCENTS = ["refusedPercent", "lostPercent", "silentPercent"] as const;

/** Only the simulator makes these machines, so they need no other name. */
const PROVISIONER = "cloud";

/** The default for a pool that does not say how long its machines take. */
const BOOT = { least: 1_000, most: 5_000 } as const;

export function readNodePool(cursor: Cursor, references: References): WorldNodePool {
  const fields = cursor.fields(["name", ...writtenNames(FORM.fields), "boot", ...PERCENTS]);
  const percent = (field: (typeof PERCENTS)[number]): number =>
    fields.get(field, (of) => of.integer(0), 0);
  const more = { provisioner: PROVISIONER };
  return {
    name: readName(fields.need("name")),
    spec: readWithCapacity(FORM, fields, references, more) as NodePoolSpec,
    bootMs: fields.get<WorldNodePool["bootMs"]>("boot", readBoot, BOOT),
    refusedPercent: percent("refusedPercent"),
    lostPercent: percent("lostPercent"),
    silentPercent: percent("silentPercent"),
  };
}

function readBoot(cursor: Cursor): WorldNodePool["bootMs"] {
  const fields = cursor.fields(["from", "to"]);
  return { least: fields.need("from").durationMs(), most: fields.need("to").durationMs() };
}

export function plainNodePool(of: WorldNodePool): PlainFields {
  const { name, spec, bootMs, refusedPercent, lostPercent, silentPercent } = of;
  return {
    name,
    ...plainWithCapacity(FORM, spec),
    boot: { from: formatDuration(bootMs.least), to: formatDuration(bootMs.most) },
    ...(refusedPercent === 0 ? {} : { refusedPercent }),
    ...(lostPercent === 0 ? {} : { lostPercent }),
    ...(silentPercent === 0 ? {} : { silentPercent }),
  };
}
