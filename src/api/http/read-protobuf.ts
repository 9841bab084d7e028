/**
 * Kubernetes' binary form of an object, as far as clients insist on it: kubectl creates namespaces
 * and secrets in nothing else. It is `k8s\0`, then an envelope that names the type, and the
 * object's own message in it.
 */
import { ApiError } from "../errors.ts";
import { BODY } from "./body-limits.ts";
import { echoed } from "./echoed.ts";
import type { JsonObject } from "./json-value.ts";
import { WorkBudget } from "./work-budget.ts";

export const PROTOBUF = "application/vnd.kubernetes.protobuf";

const MAGIC = Buffer.from("k8s\0");

/** Where a message of Kubernetes' API keeps what is read here. */
const ENVELOPE = { typeMeta: 1, raw: 2 } as const;
const TYPE_META = { apiVersion: 1, kind: 2 } as const;
const OBJECT = { metadata: 1 } as const;
const METADATA = { name: 1, generateName: 2, labels: 11, annotations: 12, finalizers: 14 } as const;
const MAP_ENTRY = { key: 1, value: 2 } as const;
const SECRET = { data: 2, type: 3, stringData: 4, immutable: 5 } as const;

type Read = (message: Buffer | undefined) => Fields;

/** What an object of the kind has besides its metadata. */
const KINDS: Readonly<Record<string, (object: Fields, read: Read) => JsonObject>> = {
  Namespace: () => ({}),
  Secret: (object, read) => ({
    type: textIn(object, SECRET.type) || undefined,
    immutable: object.numbers.get(SECRET.immutable) === 1 ? true : undefined,
    data: mapIn(object, SECRET.data, read, "base64"),
    stringData: mapIn(object, SECRET.stringData, read),
  }),
};

export function readProtobuf(body: Buffer): JsonObject {
  if (!body.subarray(0, MAGIC.length).equals(MAGIC)) {
    throw new ApiError("malformed-body", "The body is not a Kubernetes object.");
  }
  const budget = new WorkBudget(
    BODY.protobufParts,
    () => new ApiError("malformed-body", `The body has more than ${BODY.protobufParts} parts.`),
  );
  const read: Read = (message) => fieldsOf(message ?? Buffer.alloc(0), budget);
  const envelope = read(body.subarray(MAGIC.length));
  const type = read(envelope.parts.get(ENVELOPE.typeMeta)?.[0]);
  const [apiVersion, kind] = [textIn(type, TYPE_META.apiVersion), textIn(type, TYPE_META.kind)];
  const own = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (apiVersion !== "v1" || own === undefined) {
    throw new ApiError(
      "unsupported-media-type",
      `${PROTOBUF} is accepted for ${Object.keys(KINDS).join(" and ")} only; this is ${echoed(kind) || "nothing"}. Send application/json.`,
    );
  }
  const object = read(envelope.parts.get(ENVELOPE.raw)?.[0]);
  const metadata = read(object.parts.get(OBJECT.metadata)?.[0]);
  return {
    apiVersion,
    kind,
    metadata: {
      name: textIn(metadata, METADATA.name),
      generateName: textIn(metadata, METADATA.generateName),
      labels: mapIn(metadata, METADATA.labels, read),
      annotations: mapIn(metadata, METADATA.annotations, read),
      finalizers: (metadata.parts.get(METADATA.finalizers) ?? []).map((text) =>
        text.toString("utf8"),
      ),
    },
    ...own(object, read),
  };
}

/** The parts of a message by number: those that have a length, and the last of its numbers. */
interface Fields {
  readonly parts: ReadonlyMap<number, readonly Buffer[]>;
  readonly numbers: ReadonlyMap<number, number>;
}

const textIn = ({ parts }: Fields, field: number): string =>
  parts.get(field)?.at(-1)?.toString("utf8") ?? "";

const mapIn = (
  { parts }: Fields,
  field: number,
  read: Read,
  encoding: "utf8" | "base64" = "utf8",
): JsonObject =>
  Object.fromEntries(
    (parts.get(field) ?? []).map((entry) => {
      const pair = read(entry);
      const value = pair.parts.get(MAP_ENTRY.value)?.at(-1)?.toString(encoding) ?? "";
      return [textIn(pair, MAP_ENTRY.key), value];
    }),
  );

function fieldsOf(message: Buffer, budget: WorkBudget): Fields {
  const parts = new Map<number, Buffer[]>();
  const numbers = new Map<number, number>();
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
      const values = parts.get(field) ?? [];
      parts.set(field, values);
      values.push(message.subarray(length.end, at));
    } else if (wireType === 0) {
      const number = varintAt(message, at);
      numbers.set(field, number.value);
      at = number.end;
    } else if (wireType === 1) at += 8;
    else if (wireType === 5) at += 4;
    else
      throw new ApiError("malformed-body", `The body has a part of unknown wire type ${wireType}.`);
  }
  return { parts, numbers };
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
