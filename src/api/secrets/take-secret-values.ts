/**
 * Takes the values out of a secret that a client wrote, before the object is read: what is checked,
 * quoted in errors, owned by field managers and stored is the object as a read shows it, with zero
 * bytes in place of each value (SE1, SE2). The values themselves go to the sealing alone.
 */
import { SECRET_KEY } from "../../core/kinds/fields/secret-fields.ts";
import { zeroBytes } from "../../core/kinds/secret.ts";
import { SECRET_MOST } from "../../core/model/limits/secret-limits.ts";
import type { Secret } from "../../core/model/objects.ts";
import type { SecretSpec } from "../../core/model/secret/secret.ts";
import type { Desired } from "../../core/protocol/command.ts";
import { CannotOpen, NoKey, sealValues, type WantedValues } from "../../host/seal/seal-secret.ts";
import type { FieldMistake } from "../api-kind.ts";
import { ApiError } from "../errors.ts";
import { fieldOf, isJsonObject, type JsonObject } from "../http/json-value.ts";
import { invalid } from "../list/read-object.ts";
import {
  type FinishedValues,
  type NamedTarget,
  type TakeValues,
  targetKey,
} from "../list/served-kind.ts";
import { withoutAppliedValues } from "./without-applied-values.ts";

export const takeSecretValues: TakeValues = ({ object, held, target, keys }) => {
  const before = (held as Secret | undefined)?.spec;
  const { values, mistakes } = readValues(object, before);
  if (mistakes.length > 0) throw invalid(target.kind, target.name, mistakes);
  const { data: _, stringData: __, ...rest } = object;
  const shown = [...values].map(([name, value]) => [name, shownValue(name, value, before)]);
  return {
    object: {
      ...withoutAppliedValues(rest),
      ...(values.size === 0 ? {} : { data: Object.fromEntries(shown) as JsonObject }),
    },
    finish: (desired) => {
      const { type, immutable } = desired.spec as SecretSpec;
      const wanted = { type, ...(immutable === undefined ? {} : { immutable }) };
      const key = targetKey(target);
      const spec = told(() => sealValues(before, { key, wanted, values, keys }));
      if (before?.immutable === true) checkUnchanged(target, before, spec);
      return finished(before, spec);
    },
  };
};

function told(seal: () => SecretSpec): SecretSpec {
  try {
    return seal();
  } catch (error) {
    if (error instanceof NoKey) {
      throw new ApiError(
        "no-secret-key",
        "The plane was started without a key for secrets: start it with --secret-key-file FILE or --secret-key-command COMMAND.",
      );
    }
    if (error instanceof CannotOpen) throw new ApiError("no-secret-key", error.message);
    throw error;
  }
}

const shownValue = (name: string, value: Buffer | "kept", before: SecretSpec | undefined): string =>
  zeroBytes(value === "kept" ? (before?.values[name]?.bytes ?? 0) : value.length);

const finished = (before: SecretSpec | undefined, spec: SecretSpec): FinishedValues => ({
  desired: { kind: "Secret", spec } satisfies Desired,
  marked: (shown) => {
    const data = shown["data"];
    if (!isJsonObject(data)) return shown;
    const marks = Object.entries(data).map(([name, zeros]) => {
      const digest = spec.values[name]?.digest;
      return [name, digest === before?.values[name]?.digest ? zeros : digest];
    });
    return { ...shown, data: Object.fromEntries(marks) as JsonObject };
  },
});

function checkUnchanged(target: NamedTarget, before: SecretSpec, spec: SecretSpec): void {
  const names = new Set([...Object.keys(before.values), ...Object.keys(spec.values)]);
  const field = [...names].find((name) => before.values[name]?.box !== spec.values[name]?.box);
  const changed =
    field !== undefined
      ? `data.${field}`
      : before.type !== spec.type
        ? "type"
        : spec.immutable === true
          ? undefined
          : "immutable";
  if (changed === undefined) return;
  throw invalid(target.kind, target.name, [
    {
      field: changed,
      message: "the secret is immutable: delete it and create another one.",
    },
  ]);
}

function readValues(
  object: JsonObject,
  before: SecretSpec | undefined,
): { readonly values: WantedValues; readonly mistakes: readonly FieldMistake[] } {
  const values = new Map<string, Buffer | "kept">();
  const mistakes: FieldMistake[] = [];
  const fail = (field: string, message: string): void => void mistakes.push({ field, message });
  for (const [field, read] of [
    ["data", readBase64],
    ["stringData", (text: string) => Buffer.from(text)],
  ] as const) {
    const map = fieldOf(object, field) ?? {};
    if (!isJsonObject(map)) fail(field, "expected values by their keys.");
    else
      for (const [name, given] of Object.entries(map)) {
        // As Kubernetes: a key without a value has the empty one.
        const text = given ?? "";
        const value = typeof text === "string" ? read(text) : undefined;
        // Neither the value nor a part of it may come into the message.
        const expected = field === "data" ? "text in base64" : "text; numbers need quotes";
        if (value === undefined) fail(`${field}.${name}`, `expected ${expected}.`);
        else if (!isPlaceholder(value)) values.set(name, value);
        else if (before?.values[name]?.bytes === value.length) values.set(name, "kept");
        else
          fail(
            `${field}.${name}`,
            "has only zero bytes, which is how reads show a value that they hide: write the value.",
          );
      }
  }
  mistakes.push(...sizeMistakes(values));
  return { values, mistakes };
}

const isPlaceholder = (value: Buffer): boolean =>
  value.length > 0 && value.every((byte) => byte === 0);

function readBase64(text: string): Buffer | undefined {
  // Line ends, as `base64` writes them.
  const packed = text.replaceAll(/[\r\n]/g, "");
  const isBase64 = packed.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(packed);
  return isBase64 ? Buffer.from(packed, "base64") : undefined;
}

function sizeMistakes(values: WantedValues): readonly FieldMistake[] {
  const mistakes: FieldMistake[] = [];
  const { secretKeys, secretValueBytes, secretBytes } = SECRET_MOST;
  if (values.size > secretKeys) {
    const message = `found ${values.size} keys; expected at most ${secretKeys}.`;
    return [{ field: "data", message }];
  }
  let sum = 0;
  for (const [name, value] of values) {
    const field = `data.${name}`;
    if (name.length > SECRET_KEY.most || !new RegExp(SECRET_KEY.pattern).test(name)) {
      mistakes.push({ field, message: `expected ${SECRET_KEY.expected}.` });
    }
    if (value === "kept") continue;
    sum += value.length;
    if (value.length > secretValueBytes) {
      const message = `found ${value.length} bytes; expected at most ${secretValueBytes}.`;
      mistakes.push({ field, message });
    }
  }
  if (sum > secretBytes) {
    const message = `found ${sum} bytes; expected at most ${secretBytes} in all values together.`;
    mistakes.push({ field: "data", message });
  }
  return mistakes;
}
