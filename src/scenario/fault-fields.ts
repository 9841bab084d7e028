/**
 * Faults as they stand in a scenario: `lose-reply: { to: place-1, operation: …, attempt: 1 }`. One
 * table lists the fields of each fault; the compiler compares it with `Fault`, so a new fault
 * cannot be forgotten here.
 */
import { namesInWorld, type WorldNames } from "../sim/faults/fault-target.ts";
import type { Fault, FaultName } from "../sim/faults/fault.ts";
import type { World } from "../sim/world/world.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import { formatDuration } from "../quantity/duration.ts";
import { didYouMean } from "../spelling/nearest.ts";

type FieldsOf<Name extends FaultName> = Omit<Extract<Fault, { readonly fault: Name }>, "fault">;

/**
 * `duration` fields end in Ms inside and lose the ending in the file; `offset` may be below zero.
 */
type Kind = "text" | "component" | "node" | "count" | "integer" | "flag" | "duration" | "offset";

const FIELDS: { readonly [Name in FaultName]: { readonly [Field in keyof FieldsOf<Name>]: Kind } } =
  {
    "lose-request": { from: "component", operation: "text", attempt: "count" },
    "lose-reply": { to: "component", operation: "text", attempt: "count" },
    "duplicate-request": {
      from: "component",
      operation: "text",
      attempt: "count",
      afterMs: "duration",
    },
    "delay-request": { from: "component", operation: "text", attempt: "count", byMs: "duration" },
    "delay-reply": { to: "component", operation: "text", attempt: "count", byMs: "duration" },
    "append-unknown": { plane: "component", append: "count", landed: "flag" },
    "append-late": { plane: "component", append: "count", byMs: "duration" },
    "late-renewal": { plane: "component", renewal: "count", byMs: "duration" },
    "cut-store": { plane: "component", atMs: "duration", forMs: "duration" },
    "pause-plane": { plane: "component", atMs: "duration", forMs: "duration" },
    "restart-plane": { plane: "component", atMs: "duration", downMs: "duration" },
    "stall-follower": { plane: "component", atMs: "duration", forMs: "duration" },
    "compact-log": { atMs: "duration", keep: "count" },
    "watch-stall": { to: "component", atMs: "duration", forMs: "duration" },
    "watch-drop": { to: "component", atMs: "duration", forMs: "duration" },
    "watch-break": { to: "component", atMs: "duration" },
    "stale-list": { to: "component", atMs: "duration", forMs: "duration", behind: "count" },
    crash: { component: "component", atMs: "duration", downMs: "duration" },
    "crash-after": {
      component: "component",
      operation: "text",
      attempt: "count",
      downMs: "duration",
    },
    "restart-leader": { atMs: "duration", downMs: "duration" },
    "second-leader": { atMs: "duration" },
    partition: { from: "component", to: "component", atMs: "duration", forMs: "duration" },
    clock: {
      component: "component",
      atMs: "duration",
      offsetMs: "offset",
      driftPerThousand: "integer",
    },
    "node-crash": { node: "node", atMs: "duration", downMs: "duration" },
    "node-pause": { node: "node", atMs: "duration", forMs: "duration" },
    "blind-agent": { node: "node", atMs: "duration", forMs: "duration" },
    overload: { atMs: "duration", forMs: "duration" },
    "hardware-loss": { node: "node", atMs: "duration", forMs: "duration" },
    "slow-start": { replica: "text", incarnation: "count", byMs: "duration" },
    "failing-probe": { replica: "text", incarnation: "count", times: "count" },
    "process-exit": { replica: "text", incarnation: "count", afterMs: "duration" },
    "readiness-lapse": {
      replica: "text",
      incarnation: "count",
      afterMs: "duration",
      times: "count",
    },
  };

export const FAULT_NAMES = Object.keys(FIELDS) as readonly FaultName[];

/** `world` is undefined when it could not be read; names are then not checked. */
export function readFaults(cursor: Cursor, world: World | undefined): readonly Fault[] {
  const names = world ? namesInWorld(world) : undefined;
  return cursor.list((item) => readFault(item, names)).filter((fault) => fault !== undefined);
}

function readFault(cursor: Cursor, names: WorldNames | undefined): Fault | undefined {
  const [first, second] = [...cursor.entries()];
  if (!first) {
    if (cursor.isMapping)
      cursor.fail(`found an empty fault, expected one of ${FAULT_NAMES.join(", ")}.`);
    return undefined;
  }
  const [name, { key, value }] = first;
  const known = FAULT_NAMES.find((each) => each === name);
  if (known === undefined) {
    key.fail(
      `unknown fault "${name}", expected one of ${FAULT_NAMES.join(", ")}.${didYouMean(name, FAULT_NAMES)}`,
    );
    return undefined;
  }
  if (second) second[1].key.fail(`found a second fault "${second[0]}"; use a separate entry.`);
  const kinds: Readonly<Record<string, Kind>> = FIELDS[known];
  const fields = value.fields(Object.keys(kinds).map(inFile));
  const read: Record<string, string | number | boolean> = { fault: known };
  for (const [property, kind] of Object.entries(kinds)) {
    read[property] = readField(fields.need(inFile(property)), kind, names);
  }
  // The table above is checked against Fault, and every field of it was read.
  return read as unknown as Fault;
}

function readField(
  cursor: Cursor,
  kind: Kind,
  names: WorldNames | undefined,
): string | number | boolean {
  switch (kind) {
    case "text":
      return cursor.text();
    case "component":
      return readKnown(cursor, "component", names?.components);
    case "node":
      return readKnown(cursor, "node", names?.nodes);
    case "count":
      return cursor.integer(0);
    case "integer":
      return cursor.integer(Number.MIN_SAFE_INTEGER);
    case "flag":
      return cursor.boolean();
    case "duration":
      return cursor.durationMs();
    case "offset":
      return cursor.durationMs(Number.MIN_SAFE_INTEGER);
  }
}

/** A fault without a target would never fire, and the scenario would pass for the wrong reason. */
function readKnown(cursor: Cursor, what: string, known: ReadonlySet<string> | undefined): string {
  const name = cursor.text(`the name of a ${what}`);
  if (!known || name === "" || known.has(name)) return name;
  cursor.fail(`the world has no ${what} "${name}".${didYouMean(name, [...known])}`);
  return name;
}

export function plainFault(fault: Fault): PlainFields {
  const { fault: name, ...values } = fault;
  const kinds: Readonly<Record<string, Kind>> = FIELDS[name];
  const plain: PlainFields = {};
  for (const [property, kind] of Object.entries(kinds)) {
    const value = (values as Readonly<Record<string, string | number | boolean>>)[property];
    if (value === undefined) throw new Error(`the fault ${name} has no ${property}`);
    const isTime = kind === "duration" || kind === "offset";
    plain[inFile(property)] = isTime ? formatDuration(Number(value)) : value;
  }
  return { [name]: plain };
}

/** The unit is written with the value, so the field does not repeat it. */
function inFile(property: string): string {
  return property.endsWith("Ms") ? property.slice(0, -2) : property;
}
