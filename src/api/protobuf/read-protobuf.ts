/**
 * Kubernetes' binary form of an object, as far as clients insist on it. It is `k8s\0`, then an
 * envelope that names the type, and the object's own message in it.
 */
import { ApiError } from "../errors.ts";
import { BODY } from "../http/body-limits.ts";
import { echoed } from "../http/echoed.ts";
import type { JsonObject } from "../http/json-value.ts";
import { DELETE_OPTIONS, type Message, type MessageField, MESSAGES } from "./messages.ts";
import { WorkBudget } from "../http/work-budget.ts";

export const PROTOBUF = "application/vnd.kubernetes.protobuf";

const MAGIC = Buffer.from("k8s\0");

const ENVELOPE: Message = {
  1: {
    name: "typeMeta",
    form: "message",
    of: { 1: { name: "apiVersion", form: "text" }, 2: { name: "kind", form: "text" } },
  },
};
/** In the envelope: the object itself. */
const RAW = 2;
const MAP_ENTRY = { key: 1, value: 2 } as const;

export function readProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new ApiError("malformed-body", "The body is not a Kubernetes object.");
  }
  const budget = new WorkBudget(
    BODY.protobufParts,
    () => new ApiError("malformed-body", `The body has more than ${BODY.protobufParts} parts.`),
  );
  const envelope = fieldsOf(body.subarray(MAGIC.length), budget);
  const { typeMeta } = objectOf(ENVELOPE, envelope, budget) as { readonly typeMeta?: JsonObject };
  const { apiVersion = "", kind = "" } = (typeMeta ?? {}) as Readonly<Record<string, string>>;
  const message = kind === "DeleteOptions" ? DELETE_OPTIONS : MESSAGES.get(`${apiVersion}/${kind}`);
  if (message === undefined) {
    throw new ApiError(
      "unsupported-media-type",
      `${PROTOBUF} is not accepted for ${echoed(kind) || "nothing"}. Send application/json.`,
    );
  }
  const raw = fieldsOf(partAt(envelope, RAW) ?? Buffer.alloc(0), budget);
  return { apiVersion, kind, ...objectOf(message, raw, budget) };
}

/** The parts of a message by number: those that have a length, and numbers. */
type Fields = ReadonlyMap<number, readonly (Buffer | number)[]>;

function objectOf(message: Message, fields: Fields, budget: WorkBudget): JsonObject {
  const object: Record<string, unknown> = {};
  for (const [number, field] of Object.entries(message)) {
    const value = valueOf(field, fields.get(Number(number)) ?? [], budget);
    if (value !== undefined) object[field.name] = value;
  }
  return object;
}

/** Undefined: it is not there, or is the empty text that stands for that. */
function valueOf(
  field: MessageField,
  parts: readonly (Buffer | number)[],
  budget: WorkBudget,
): unknown {
  const last = parts.at(-1);
  if (last === undefined) return undefined;
  const all = parts.filter((part) => typeof part !== "number");
  switch (field.form) {
    case "flag":
      return last === 1;
    case "number":
      return typeof last === "number" ? last : undefined;
    case "text":
      return all.at(-1)?.toString("utf8") || undefined;
    case "texts":
      return all.map((part) => part.toString("utf8"));
    case "map":
      return mapOf(all, budget, "utf8");
    case "bytes":
      return mapOf(all, budget, "base64");
    case "message":
      return all.length === 0 ? undefined : partOf(field.of, all.at(-1), budget);
    case "messages":
      return all.map((part) => partOf(field.of, part, budget));
  }
}

const partOf = (message: Message, part: Buffer | undefined, budget: WorkBudget): JsonObject =>
  objectOf(message, fieldsOf(part ?? Buffer.alloc(0), budget), budget);

const partAt = (fields: Fields, field: number): Buffer | undefined =>
  fields.get(field)?.findLast((part) => typeof part !== "number");

const mapOf = (
  entries: readonly Buffer[],
  budget: WorkBudget,
  encoding: "utf8" | "base64",
): JsonObject =>
  Object.fromEntries(
    entries.map((entry) => {
      const pair = fieldsOf(entry, budget);
      const textAt = (field: number, as: "utf8" | "base64"): string =>
        partAt(pair, field)?.toString(as) ?? "";
      return [textAt(MAP_ENTRY.key, "utf8"), textAt(MAP_ENTRY.value, encoding)];
    }),
  );

function fieldsOf(message: Buffer, budget: WorkBudget): Fields {
  const fields = new Map<number, (Buffer | number)[]>();
  const keep = (field: number, part: Buffer | number): void => {
    const values = fields.get(field) ?? [];
    fields.set(field, values);
    values.push(part);
  };
  let at = 0;
  while (at < message.length) {
    budget.spend(1);
    const tag = varintAt(message, at);
    const [field, wireType] = [Math.floor(tag.value / 8), tag.value % 8];
    at = tag.end;
    if (wireType === 2) {
      const length = varintAt(message, at);
      at = length.end + length.value;
      if (at > message.length) throw cutShort();
      keep(field, message.subarray(length.end, at));
    } else if (wireType === 0) {
      const number = varintAt(message, at);
      keep(field, number.value);
      at = number.end;
    } else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else
      throw new ApiError("malformed-body", `The body has a part of unknown wire type ${wireType}.`);
  }
  return fields;
}

/** Seven bits to a byte, lowest first. Ten bytes are as long as any number is. */
function varintAt(
  message: Buffer,
  start: number,
): { readonly value: number; readonly end: number } {
  let value = 0;
  let weight = 1;
  for (let at = start; at < start + 10; at++) {
    const byte = message[at];
    if (byte === undefined) throw cutShort();
    value += (byte % 128) * weight;
    if (byte < 128) return { value, end: at + 1 };
    weight *= 128;
  }
  throw new ApiError("malformed-body", "The body has an unterminated number.");
}

const cutShort = (): ApiError =>
  new ApiError("malformed-body", "The body ends in the middle of a part.");
