import { randomBytes } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { SecretSpec } from "../../core/model/secret/secret.ts";
import {
  CannotOpen,
  NoKey,
  openValues,
  resealed,
  sealValues,
  type WantedValues,
} from "./seal-secret.ts";
import { parseSecretKeys, type SecretKeys } from "./secret-keys.ts";

const key = "Secret/payments/db" as ObjectKey;
const wanted = { type: "Opaque" };

function someKeys(...texts: readonly string[]): SecretKeys {
  const keys = parseSecretKeys(texts.join("\n"));
  if ("mistake" in keys) throw new Error(keys.mistake);
  return keys;
}
const aKeyText = (): string => randomBytes(32).toString("base64");
const keys = someKeys(aKeyText());
const values = (entries: Record<string, string>): WantedValues =>
  new Map(Object.entries(entries).map(([name, text]) => [name, Buffer.from(text)]));
const sealed = (entries: Record<string, string>, held?: SecretSpec): SecretSpec =>
  sealValues(held, { key, wanted, values: values(entries), keys });
const texts = (spec: SecretSpec, at = key): Record<string, string> =>
  Object.fromEntries(
    [...openValues(at, spec, keys)].map(([name, value]) => [name, value.toString()]),
  );

describe("a sealed secret", () => {
  test("opens with its key, and has the values nowhere [SE3]", () => {
    const spec = sealed({ password: "correct horse", empty: "" });
    expect(texts(spec)).toEqual({ password: "correct horse", empty: "" });
    const text = JSON.stringify(spec);
    expect(text).not.toContain("correct horse");
    expect(text).not.toContain(Buffer.from("correct horse").toString("base64"));
    expect(spec.values["password"]?.bytes).toBe(13);
  });

  test("does not open under another key, name, namespace or seal, or changed [SE3]", () => {
    const spec = sealed({ a: "one", b: "two" });
    const { a, b } = spec.values as Record<"a" | "b", SecretSpec["values"][string]>;
    const swapped = { ...spec, values: { a: b, b: a } };
    expect(() => texts(swapped)).toThrow(CannotOpen);
    expect(() => texts(spec, "Secret/shops/db" as ObjectKey)).toThrow(CannotOpen);
    expect(() => texts(spec, "Secret/payments/other" as ObjectKey)).toThrow(CannotOpen);
    const foreign = sealed({ a: "one" });
    expect(() => texts({ ...foreign, values: { a } })).toThrow(CannotOpen);
    const flipped = Buffer.from(a.box, "base64");
    flipped[20] = (flipped[20] ?? 0) ^ 1;
    const box = flipped.toString("base64");
    expect(() => texts({ ...spec, values: { a: { ...a, box } } })).toThrow(CannotOpen);
    const seal = { ...spec.seal!, id: "0".repeat(32) };
    expect(() => texts({ ...spec, seal })).toThrow(CannotOpen);
  });

  test("keeps the sealed form of a value that is the same, and no other [SE4]", () => {
    const before = sealed({ a: "one", b: "two" });
    const after = sealed({ a: "one", b: "owt" }, before);
    expect(after.values["a"]).toBe(before.values["a"]);
    expect(after.values["b"]).not.toEqual(before.values["b"]);
    expect(after.seal).toEqual(before.seal);
    expect(sealed({ a: "one", b: "two" }, before)).toEqual(before);
  });

  test("equal values have other digests under another key of it, and in another secret [SE4]", () => {
    const spec = sealed({ a: "same", b: "same" });
    const digests = [spec, sealed({ a: "same" })].flatMap((each) =>
      Object.values(each.values).map(({ digest }) => digest),
    );
    expect(new Set(digests).size).toBe(3);
  });

  test("is sealed and opened with a key at hand only, and says which is missing [SE5]", () => {
    const of = { key, wanted, values: values({ a: "one" }) };
    expect(() => sealValues(undefined, { ...of, keys: undefined })).toThrow(NoKey);
    const spec = sealed({ a: "one" });
    const others = someKeys(aKeyText());
    expect(() => openValues(key, spec, others)).toThrow(keys.first.id);
    expect(() => sealValues(spec, { ...of, keys: others })).toThrow(CannotOpen);
    // What is kept needs no key.
    const kept = new Map([["a", "kept" as const]]);
    expect(sealValues(spec, { key, wanted, values: kept, keys: undefined })).toEqual(spec);
  });
});

test("a rotation keeps the values, and needs the earlier key no more [SE9]", () => {
  const before = sealed({ a: "one", empty: "" });
  const next = aKeyText();
  const both = someKeys(next, keys.first.bytes.toString("base64"));
  const after = resealed(key, before, both);
  expect(after.seal).toMatchObject({ id: before.seal?.id, keyId: both.first.id });
  expect(after.values["a"]?.digest).not.toBe(before.values["a"]?.digest);
  const opened = openValues(key, after, someKeys(next));
  expect([...opened].map(([name, value]) => [name, value.toString()])).toEqual([
    ["a", "one"],
    ["empty", ""],
  ]);
  expect(() => openValues(key, after, keys)).toThrow(CannotOpen);
});

describe("parseSecretKeys()", () => {
  test("takes the first key for sealing, and an id from the key alone [SE5]", () => {
    const [one, two] = [aKeyText(), aKeyText()];
    const read = someKeys("# of May", one, "", two);
    expect(read.first.id).toBe(read.ids[0]);
    expect(someKeys(two, one).ids).toEqual(read.ids.toReversed());
    expect(read.find(read.ids[1] ?? "")?.bytes.toString("base64")).toBe(two);
  });

  test.each([
    ["", "it has no key"],
    [Buffer.alloc(16, 7).toString("base64"), "line 1 is not a key of 32 bytes in base64"],
    [`# x\n${"?".repeat(44)}`, "line 2 is not a key of 32 bytes in base64"],
    [Array.from({ length: 17 }, aKeyText).join("\n"), "it has 17 keys; at most 16 are allowed"],
  ])("refuses %j without quoting it [SE2]", (text, mistake) =>
    expect(parseSecretKeys(text)).toEqual({ mistake }),
  );
});
