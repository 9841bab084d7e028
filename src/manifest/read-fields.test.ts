import { describe, expect, test } from "vitest";
import { JsonValue } from "../api/kinds/json-value.ts";
import { SpecReader } from "../api/kinds/spec-reader.ts";
import {
  amounts,
  byChoice,
  choice,
  count,
  duration,
  type Fields,
  filled,
  hidden,
  list,
  name,
  oneOf,
  optional,
  part,
  text,
  usually,
} from "../core/kinds/fields/field.ts";
import { WRITTEN_DEFINITIONS, writtenFormOfKind } from "../core/kinds/kind-definitions.ts";
import { readFields, writtenNames } from "./read-fields.ts";
import { writeFields } from "./write-fields.ts";

const HOUR = { least: 1, most: 3_600_000 };
const FIELDS: Fields = {
  mode: choice("Which form the bound has.", ["time", "share"]),
  bound: byChoice("By its mode.", "mode", { share: part("") }, duration("", HOUR)),
  windowMs: filled(duration("How long.", HOUR), 60_000),
  note: hidden(text("For people."), ""),
  weight: usually(count("How heavy.", { least: 1, most: 9 }), 1),
  room: amounts("", { cpu: "CPUs.", memory: "Memory.", devices: "Devices.", isInline: true }),
  tenants: optional(list("Whose.", name("A tenant."), { repeated: "merged" })),
  target: oneOf<{ readonly kind: "cpu" | "requests" }>("One of these.", {
    cpu: count("Percent.", { least: 1, most: 100 }),
    requests: count("A second.", { least: 1, most: 100 }),
  }),
};

function read(written: object) {
  const reader = new SpecReader();
  const spec = readFields(FIELDS, new JsonValue(written, "spec", reader).fields());
  return { spec, mistakes: reader.mistakes };
}

const WRITTEN = { mode: "time", bound: "2s", cpu: "2", memory: "1Gi", target: { cpu: 70 } };
const SPEC = {
  mode: "time",
  bound: 2_000,
  windowMs: 60_000,
  note: "",
  room: { cpuMillis: 2_000, memoryMiB: 1_024, deviceMillis: 0 },
  target: { kind: "cpu", value: 70 },
};

describe("readFields()", () => {
  test("fills in what is stored with its default and leaves out what the core goes without", () => {
    expect(read(WRITTEN)).toEqual({ spec: SPEC, mistakes: [] });
  });

  test("reads a field in the form that another one chooses", () => {
    const { spec } = read({ ...WRITTEN, mode: "share", bound: "2.5%" });
    expect(spec["bound"]).toBe(25_000);
  });

  test("keeps a merged list in order, each entry once", () => {
    const { spec } = read({ ...WRITTEN, tenants: ["b", "a", "b"] });
    expect(spec["tenants"]).toEqual(["a", "b"]);
  });

  test("notes every mistake at its place", () => {
    const wrong = { ...WRITTEN, bound: "2h", cpu: "much", target: { cpu: 1, requests: 2 } };
    const { mistakes } = read(wrong);
    expect(mistakes.map(({ field }) => field)).toEqual(["spec.bound", "spec.cpu", "spec.target"]);
    expect(mistakes[0]?.message).toMatch(/found "2h"; expected a duration .*, from 1ms to 1h/);
    expect(mistakes[2]?.message).toBe("found cpu and requests; expected one of cpu and requests.");
  });
});

test("writtenNames() are the names that people use, amounts that stand by themselves included", () => {
  expect(writtenNames(FIELDS)).toEqual([
    "mode",
    "bound",
    "window",
    "note",
    "weight",
    "cpu",
    "memory",
    "devices",
    "tenants",
    "target",
  ]);
});

describe("writeFields()", () => {
  test("writes what is read back as the same, and not what is hidden", () => {
    const written = writeFields(FIELDS, SPEC, "manifest");
    expect(written).toEqual({ ...WRITTEN, window: "1m" });
    expect(read(written).spec).toEqual(SPEC);
    expect(writeFields(FIELDS, SPEC, "world")).toMatchObject({ cpu: 2, memory: "1Gi" });
  });

  const defined = WRITTEN_DEFINITIONS.flatMap(({ kind, spec }) => (spec ? [{ kind, spec }] : []));

  test.each(defined)("what is read of the example of $kind is written back", ({ kind, spec }) => {
    const { fields, read: toSpec, write } = writtenFormOfKind(kind);
    const reading = (written: object): object =>
      toSpec(readFields(fields, new JsonValue(written, "spec", new SpecReader()).fields()));
    const first = reading(spec.example.spec);
    expect(reading(writeFields(fields, write(first), "manifest"))).toEqual(first);
  });
});
