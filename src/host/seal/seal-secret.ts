/**
 * Seals the values of a secret and opens them: AES-256-GCM under a data key of the secret's own,
 * which is itself sealed under the operator's key. Each value is bound to the namespace, the name,
 * the seal of its object and its key, so that no sealed value opens in another place (SE3).
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Seal, SealedValue, SecretSpec } from "../../core/model/secret/secret.ts";
import { KEY_BYTES, type SecretKey, type SecretKeys } from "./secret-keys.ts";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const SEAL_ID_BYTES = 16;
/** Half of a SHA-256: without the key none can be computed, so only chance makes two alike. */
const DIGEST_LETTERS = 32;

export type PlainValues = ReadonlyMap<string, Buffer>;
/** "kept": the value that is there. */
export type WantedValues = ReadonlyMap<string, Buffer | "kept">;

/** A value that no key at hand opens, in the words of an error: never with a part of a value. */
export class CannotOpen extends Error {}

/** The plane was started without a key. */
export class NoKey extends Error {}

/** What seals and opens the values of one secret. */
interface OpenSeal {
  readonly seal: Seal;
  readonly valueKey: Buffer;
  readonly digestKey: Buffer;
}

/**
 * The spec with these values. A value that is as it was keeps its sealed form, so that writing the
 * same again changes nothing (SE4).
 */
export function sealValues(
  held: SecretSpec | undefined,
  of: {
    readonly key: ObjectKey;
    readonly wanted: Omit<SecretSpec, "seal" | "values">;
    readonly values: WantedValues;
    readonly keys: SecretKeys | undefined;
  },
): SecretSpec {
  const { key, wanted, values, keys } = of;
  let open: OpenSeal | undefined;
  const sealed = [...values].map(([name, value]): [string, SealedValue] => {
    const before = held?.values[name];
    if (value === "kept") {
      if (before === undefined) throw new CannotOpen(`${key} has no key ${name} to keep.`);
      return [name, before];
    }
    if (keys === undefined) throw new NoKey();
    open ??= held?.seal === undefined ? newSeal(key, keys.first) : openSeal(key, held.seal, keys);
    const digest = digestOf(open, name, value);
    const isSame = before?.digest === digest && before.bytes === value.length;
    return [name, isSame ? before : sealValue(key, open, { name, value, digest })];
  });
  const seal = held?.seal ?? open?.seal;
  return {
    ...wanted,
    ...(seal === undefined ? {} : { seal }),
    values: Object.fromEntries(sealed),
  };
}

/** Every value, or `CannotOpen`. */
export function openValues(key: ObjectKey, spec: SecretSpec, keys: SecretKeys): PlainValues {
  const { seal, values } = spec;
  if (seal === undefined) return new Map();
  const open = openSeal(key, seal, keys);
  return new Map(
    Object.entries(values).map(([name, { box }]) => [
      name,
      decrypt(open.valueKey, box, boundTo(key, seal.id, name), `${key} key ${name}`),
    ]),
  );
}

/** The same values under new keys of their own and the operator's first key (SE7). */
export function resealed(key: ObjectKey, spec: SecretSpec, keys: SecretKeys): SecretSpec {
  const { seal, values: _, ...rest } = spec;
  if (seal === undefined) return spec;
  const plain = openValues(key, spec, keys);
  const open = newSeal(key, keys.first, seal.id);
  const sealed = [...plain].map(([name, value]): [string, SealedValue] => [
    name,
    sealValue(key, open, { name, value, digest: digestOf(open, name, value) }),
  ]);
  return { ...rest, seal: open.seal, values: Object.fromEntries(sealed) };
}

function newSeal(
  key: ObjectKey,
  under: SecretKey,
  id = randomBytes(SEAL_ID_BYTES).toString("hex"),
): OpenSeal {
  const both = randomBytes(2 * KEY_BYTES);
  const dataKey = encrypt(under.bytes, both, boundTo(key, id, ""));
  return { seal: { id, keyId: under.id, dataKey }, ...halves(both) };
}

function openSeal(key: ObjectKey, seal: Seal, keys: SecretKeys): OpenSeal {
  const under = keys.find(seal.keyId);
  if (under === undefined) {
    throw new CannotOpen(
      `${key} is sealed with the key ${seal.keyId}; there is only ${keys.ids.join(", ")}.`,
    );
  }
  return {
    seal,
    ...halves(decrypt(under.bytes, seal.dataKey, boundTo(key, seal.id, ""), `${key} data key`)),
  };
}

const halves = (both: Buffer): Pick<OpenSeal, "valueKey" | "digestKey"> => ({
  valueKey: both.subarray(0, KEY_BYTES),
  digestKey: both.subarray(KEY_BYTES),
});

/** Of the data key, the name is empty, which no key of a secret is. */
const boundTo = (key: ObjectKey, sealId: string, name: string): Buffer =>
  Buffer.from(JSON.stringify(["berth secret 1", key, sealId, name]));

const digestOf = ({ digestKey }: OpenSeal, name: string, value: Buffer): string =>
  createHmac("sha256", digestKey)
    .update(JSON.stringify(name))
    .update("\0")
    .update(value)
    .digest("hex")
    .slice(0, DIGEST_LETTERS);

const sealValue = (
  key: ObjectKey,
  { valueKey, seal }: OpenSeal,
  {
    name,
    value,
    digest,
  }: { readonly name: string; readonly value: Buffer; readonly digest: string },
): SealedValue => ({
  box: encrypt(valueKey, value, boundTo(key, seal.id, name)),
  digest,
  bytes: value.length,
});

function encrypt(key: Buffer, plain: Buffer, bound: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  cipher.setAAD(bound);
  const box = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return box.toString("base64");
}

function decrypt(key: Buffer, text: string, bound: Buffer, what: string): Buffer {
  const box = Buffer.from(text, "base64");
  const end = box.length - TAG_BYTES;
  if (end < NONCE_BYTES) throw new CannotOpen(`${what} is too short to be sealed.`);
  try {
    const opening = createDecipheriv("aes-256-gcm", key, box.subarray(0, NONCE_BYTES));
    opening.setAAD(bound);
    opening.setAuthTag(box.subarray(end));
    return Buffer.concat([opening.update(box.subarray(NONCE_BYTES, end)), opening.final()]);
  } catch {
    throw new CannotOpen(`${what} does not open: it was changed, or moved from another object.`);
  }
}
