/**
 * The work of the plane for one request until it is refused or read, counted in characters, values
 * and copies. Each case is the worst that was found for its function. Counts are the same on every
 * machine, unlike times.
 */
import { describe, expect, it } from "vitest";
import { applyJsonPatch } from "../../src/api/write/json-patch.ts";
import { mergeApplied } from "../../src/api/write/apply-patch.ts";
import { BODY } from "../../src/api/http/body-limits.ts";
import { commandsCheck } from "../../src/api/http/commands-check.ts";
import { decodeBody } from "../../src/api/http/decode-body.ts";
import { ApiError } from "../../src/api/errors.ts";
import { fromFieldsV1, ownableFields, withoutFields } from "../../src/api/write/field-set.ts";
import { parseFieldSelector } from "../../src/api/list/field-selector.ts";
import { parseLabelSelector } from "../../src/api/list/label-selector.ts";
import { measureJson } from "../../src/api/http/measure-json.ts";
import { readObject } from "../../src/api/list/read-object.ts";
import { readProtobuf } from "../../src/api/protobuf/read-protobuf.ts";
import { OBJECT_KINDS } from "../../src/api/list/served-kinds.ts";
import { statusOf } from "../../src/api/http/status-error.ts";
import { WorkBudget } from "../../src/api/http/work-budget.ts";
import { readYaml } from "../../src/api/yaml/read-yaml.ts";
import { STEPS_PER_CHARACTER } from "../../src/api/yaml/yaml-cursor.ts";
import { OBJECT_MOST } from "../../src/core/model/limits/object-limits.ts";
import { doubling, filled, keyed, many, numbered, owner } from "./heavy-inputs.ts";

const YAML = { "content-type": "application/yaml" };
const asYaml = (body: string) => decodeBody({ body, headers: YAML }, ["application/yaml"]);
const asJson = (body: string) => decodeBody({ body, headers: {} }, ["application/json"]);

function refusal(run: () => unknown): ApiError {
  try {
    run();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error("It was not refused.");
}

/** However many values there are: their bound would hide how many steps the rest takes. */
function readOrRefused(text: string): { readonly error: string; readonly steps: number } {
  try {
    const { steps } = readYaml(text, { ...BODY, values: Number.POSITIVE_INFINITY });
    return { error: "none", steps };
  } catch (error) {
    return { error: String(error), steps: 0 };
  }
}

/** Counts, and never ends what it counts for. */
const counting = (): WorkBudget => new WorkBudget(Number.POSITIVE_INFINITY, () => new Error());

describe("JSON patches", () => {
  it.each([
    { title: "[IN1] a list that is copied into itself 28 times", patch: doubling(28) },
    {
      title: "[IN1] an object that is copied into itself",
      patch: many(200, () => ({ op: "copy", from: "", path: "/spec" })),
    },
    {
      title: "[IN1] a long text that is copied often",
      patch: [
        { op: "add", path: "/a", value: "x".repeat(100_000) },
        ...many(100, (at) => ({ op: "copy", from: "/a", path: `/b${at}` })),
      ],
    },
    {
      title: "[IN1] a large map that is tested often",
      patch: many(4_000, () => ({ op: "test", path: "/spec/env", value: keyed(1_000, "v") })),
    },
    {
      title: "[IN1] a long list that is inserted into at its beginning",
      patch: [
        { op: "add", path: "/l", value: many(10_000, (at) => at) },
        ...many(3_000, () => ({ op: "add", path: "/l/0", value: 0 })),
      ],
    },
    {
      title: "[IN1] more operations than are allowed",
      patch: many(BODY.patchOperations + 1, () => ({ op: "test", path: "/spec", value: 1 })),
    },
  ])("$title is 422 within the budget", ({ patch }) => {
    const document = { spec: { env: keyed(1_000, "v") } };
    const error = refusal(() => applyJsonPatch(document, patch));
    expect(error.code).toBe("invalid-object");
    expect(error.message).toMatch(/^The JSON patch was not applied: /);
    expect(statusOf(error).code).toBe(422);
  });

  it.each([
    { title: "path", operation: { op: "test", path: "/".repeat(1_000_000), value: 1 } },
    { title: "from", operation: { op: "move", path: "/a", from: "/a".repeat(400_000) } },
  ])(
    "[IN1] a $title of more levels than an object has is refused before it is taken apart",
    ({ operation }) => {
      const error = refusal(() => applyJsonPatch({}, [operation]));
      expect(error.code).toBe("invalid-object");
      expect(error.message).toMatch(/names more than 100 levels\.$/);
      expect(error.message.length).toBeLessThan(200);
    },
  );

  it("[IN1] a path of as many levels as an object may have is followed", () => {
    const path = "/a".repeat(BODY.depth);
    expect(refusal(() => applyJsonPatch({}, [{ op: "remove", path }])).message).toContain(
      "there is nothing at",
    );
  });

  it.each([
    { title: "an op", operation: { op: { toString: 1 }, path: "/a", value: 1 } },
    { title: "an op without a value", operation: { op: { toString: 1 }, path: "/a" } },
    { title: "a from", operation: { op: "copy", path: "/a", from: { toString: 1 } } },
    { title: "a from in lists", operation: { op: "copy", path: "/a", from: [[{ valueOf: 1 }]] } },
  ])("[IN9] $title that is no text is 400", ({ operation }) => {
    expect(statusOf(refusal(() => applyJsonPatch({}, [operation]))).code).toBe(400);
  });

  it("[IN1] what is done is counted, and ends at the budget", () => {
    const budget = new WorkBudget(BODY.patchWork, () => new Error("over"));
    expect(() => applyJsonPatch({}, doubling(28), budget)).toThrow("over");
    expect(budget.spent).toBeLessThanOrEqual(BODY.patchWork + 100);
  });

  it("[IN1] an ordinary patch spends about its own size", () => {
    const patch = many(100, (at) => ({ op: "add", path: `/spec/env/K${at}`, value: "v" }));
    const budget = counting();
    applyJsonPatch({ spec: { env: {} } }, patch, budget);
    expect(budget.spent).toBeLessThan(100 * 64);
  });

  it("[IN1] a patch that is applied again, after another write came first, does the same again", () => {
    const patch = [
      { op: "add", path: "/l", value: [] },
      { op: "add", path: "/l/-", value: 1 },
    ];
    expect(applyJsonPatch({}, patch)).toEqual({ l: [1] });
    expect(applyJsonPatch({}, patch)).toEqual({ l: [1] });
  });
});

describe("YAML", () => {
  it.each([
    { title: "[IN2] keys", text: numbered((at) => `k${at}: v\n`) },
    { title: "[IN2] keys in braces", text: `{${numbered((at) => `k${at}: v,`)}}` },
    { title: "[IN2] braces", text: filled("{") },
    { title: "[IN2] brackets", text: filled("[") },
    { title: "[IN2] dashes", text: filled("- ") },
    { title: "[IN2] question marks", text: filled("? ") },
    { title: "[IN2] colons", text: filled(": ") },
    { title: "[IN2] complex keys", text: filled("? a\n") },
    { title: "[IN2] anchors", text: numbered((at) => `k${at}: &a${at} v\n`) },
    { title: "[IN2] aliases", text: `a: &a 1\n${numbered((at) => `k${at}: *a\n`)}` },
    { title: "[IN2] tags", text: numbered((at) => `k${at}: !t${at} v\n`) },
    { title: "[IN2] merge keys", text: `b:\n${filled("  <<: {a: 1}\n")}` },
    { title: "[IN2] comments", text: `${filled("# c\n")}a: 1` },
    { title: "[IN2] comments behind values", text: numbered((at) => `k${at}: v # c\n`) },
    { title: "[IN2] closing brackets", text: filled("]\n") },
    { title: "[IN2] two keys on each line", text: filled("a: b: c\n") },
    { title: "[IN2] a plain text over many lines", text: `a: ${filled("w\n  ")}` },
    { title: "[IN2] plain texts before empty lines", text: filled("- a\n\n\n\n\n\n\n\n") },
    { title: "[IN2] a quoted text over many lines", text: `a: "${filled("x\n  ")}"` },
    { title: "[IN2] escapes", text: `a: "${filled("\\u0041")}"` },
    { title: "[IN2] a block text of empty lines", text: `a: |\n${filled("\n")}` },
    { title: "[IN2] a folded block text", text: `a: >\n${filled(" l\n   m\n\n")}` },
    { title: "[IN2] tabs", text: `a:${filled("\t")}b` },
    { title: "[IN2] lines of Windows", text: numbered((at) => `k${at}: v\r\n`) },
    { title: "[IN2] documents", text: filled("---\na\n") },
    { title: "[IN2] deep maps", text: numbered((at) => `${" ".repeat(at % 90)}k${at}:\n`) },
    { title: "[IN2] texts in brackets over many lines", text: `[${filled("a b\n")}]` },
  ])("$title: read or refused in steps linear in the text", ({ text }) => {
    const { error, steps } = readOrRefused(text);
    expect(steps).toBeLessThanOrEqual(1_024 + STEPS_PER_CHARACTER * text.length);
    expect(error).toMatch(/^(?:none|YamlError: line )/);
    expect(error).not.toContain("takes too long");
  });

  it("[IN2] a body of 60,000 keys is 413 before it is read", () => {
    const body = many(60_000, (at) => `k${at}: v`).join("\n");
    expect(refusal(() => asYaml(body)).code).toBe("body-too-large");
  });

  it("[IN2] JSON under a type of YAML is read as JSON, which may be longer", () => {
    const body = JSON.stringify({ a: "x".repeat(BODY.yamlBytes) });
    expect(asYaml(body).value).toEqual(JSON.parse(body));
  });
});

describe("JSON", () => {
  it.each([
    { title: "[IN2] a megabyte of brackets", body: "[".repeat(1_000_000), steps: 101 },
    { title: "[IN2] a megabyte of numbers", body: `[${"1,".repeat(500_000)}1]`, steps: 40_003 },
    { title: "[IN2] an open quote", body: `["${"x".repeat(1_000_000)}`, steps: 1_000_003 },
    { title: "[IN2] backslashes", body: `["${"\\".repeat(999_999)}`, steps: 1_000_003 },
  ])("$title is counted in one pass, and refused", ({ body, steps }) => {
    expect(measureJson(body, BODY).steps).toBeLessThanOrEqual(steps);
    expect(refusal(() => asJson(body)).code).toBe("malformed-body");
  });

  it("[IN2] more than a megabyte is 413", () => {
    expect(refusal(() => asJson(`"${"x".repeat(BODY.jsonBytes)}"`)).code).toBe("body-too-large");
  });

  it("[IN2] of thousands of duplicate fields few are told, each cut", () => {
    const name = "n".repeat(1_000);
    const inner = many(5_000, () => '"a":1').join(",");
    const { duplicates } = asJson(`{"${name}":{"${name}":{${inner}}}}`);
    expect(duplicates.length).toBe(BODY.duplicatesTold);
    expect(duplicates.join("").length).toBeLessThan(BODY.duplicatesTold * 300);
  });

  it("[IN2] a field name of more than a kilobyte is refused", () => {
    expect(refusal(() => asJson(`{"${"n".repeat(2_000)}":1}`)).message).toContain(
      "2000 characters",
    );
  });
});

describe("server-side apply", () => {
  const long = { ["n".repeat(1_000)]: { ["m".repeat(1_000)]: keyed(5_000, 1) } };

  it("[IN1] long names above many fields are refused by the length of all paths", () => {
    expect(refusal(() => ownableFields({ spec: long })).code).toBe("invalid-object");
    const fieldsV1 = {
      "f:a": Object.fromEntries(many(9_000, (at) => [`f:${"n".repeat(900)}${at}`, {}])),
    };
    expect(refusal(() => fromFieldsV1(fieldsV1)).code).toBe("invalid-object");
    const budget = counting();
    ownableFields({ spec: { env: keyed(500, 1) } }, budget);
    expect(budget.spent).toBeLessThan(500 * 20);
  });

  it("[IN1] all fields of a map that an applier gave up go in one pass", () => {
    const env = keyed(500, "v");
    let reads = 0;
    const live = {
      spec: new Proxy({ env }, { ownKeys: (target) => ((reads += 1), Reflect.ownKeys(target)) }),
    };
    const gone = new Set(Object.keys(env).map((name) => `/spec/env/${name}`));
    expect(withoutFields(live, gone)).toEqual({});
    expect(reads).toBe(1);
  });

  it("[IN1] thousands of owners are joined in one pass", () => {
    const live = { spec: keyed(10, 1), metadata: { managedFields: many(2_000, owner) } };
    const writer = { manager: "m1", time: "" };
    const merged = mergeApplied(live, { applied: { spec: {} }, writer, force: false });
    expect(Object.keys(merged["spec"] as object).length).toBe(9);
  });
});

describe("objects", () => {
  const workloads = OBJECT_KINDS.find(({ name }) => name === "Workload");
  const read = (spec: object, metadata: object = {}) => {
    if (workloads === undefined) throw new Error("There are no workloads.");
    const sent = {
      apiVersion: "berth.dev/v1",
      kind: "Workload",
      metadata: { name: "a", ...metadata },
      spec: {
        type: "service",
        replicas: 1,
        resources: { cpu: 1, memory: "1Gi" },
        run: { command: ["x"] },
        ...spec,
      },
    };
    return readObject(workloads, sent, { name: "a", fieldValidation: "Warn", duplicates: [] });
  };

  it.each([
    {
      title: "[IN5] 10,000 environment variables",
      spec: { run: { command: ["x"], env: keyed(10_000, "v") } },
      field: "spec.run.env",
    },
    {
      title: "[IN5] one environment variable too many",
      spec: { run: { command: ["x"], env: keyed(OBJECT_MOST.env + 1, "v") } },
      field: "spec.run.env",
    },
    {
      title: "[IN5] more tolerations than a template may have",
      spec: { placement: { tolerations: many(OBJECT_MOST.tolerations + 1, () => ({})) } },
      field: "spec.placement.tolerations",
    },
    {
      title: "[IN5] wrong values by the thousand",
      spec: { placement: { spread: many(1_000, () => keyed(10, 1)) } },
      field: "spec.placement.spread",
    },
    {
      title: "[IN5] a word of a command that is too long",
      spec: { run: { command: ["x".repeat(OBJECT_MOST.textBytes + 1)] } },
      field: "spec.run.command[0]",
    },
  ])("$title: 422 names the field, in a short answer", ({ spec, field }) => {
    const error = refusal(() => read(spec));
    expect(error.code).toBe("invalid-object");
    expect(error.message).toContain(field);
    expect(JSON.stringify(statusOf(error)).length).toBeLessThan(40_000);
  });

  it("[IN5] as much as the limits allow is read", () => {
    const env = keyed(OBJECT_MOST.env, "v".repeat(100));
    const labels = keyed(OBJECT_MOST.labels, "v");
    const { desired } = read({ run: { command: ["x"], env } }, { labels });
    expect(desired.kind).toBe("Workload");
  });
});

describe("selectors, protobuf and commands", () => {
  it.each([
    { title: "[IN4] a long label selector", run: () => parseLabelSelector("a".repeat(5_000)) },
    {
      title: "[IN4] many requirements",
      run: () => parseLabelSelector(many(100, (at) => `k${at}`).join(",")),
    },
    {
      title: "[IN4] many values",
      run: () => parseLabelSelector(`a in (${many(100, (at) => `v${at}`).join(",")})`),
    },
    {
      title: "[IN4] spaces before a sign",
      run: () => parseLabelSelector(`a=${" ".repeat(4_000)}!`),
    },
    {
      title: "[IN4] a long field selector",
      run: () => parseFieldSelector(`metadata.name=${"a".repeat(5_000)}`, {}),
    },
    {
      title: "[IN4] a field with spaces in it",
      run: () => parseFieldSelector(`a${" ".repeat(4_000)}b`, {}),
    },
  ])("$title is 400, in a short answer", ({ run }) => {
    const error = refusal(run);
    expect(error.code).toBe("bad-selector");
    expect(error.message.length).toBeLessThan(700);
  });

  it("[IN4] a protobuf body of empty parts ends after the parts that are allowed", () => {
    const body = Buffer.concat([Buffer.from("k8s\0"), Buffer.alloc(100_000, Buffer.from([10, 0]))]);
    expect(refusal(() => readProtobuf(body)).message).toContain("parts");
  });

  it.each([
    {
      title: "[IN7] a lease that names too many replicas",
      intent: { kind: "lease", session: 1, seq: 1, kept: many(10_001, (at) => `Replica/t/r${at}`) },
    },
    {
      title: "[IN7] a lease with too many notes",
      intent: { kind: "lease", session: 1, seq: 1, kept: [], notes: many(33, () => "n") },
    },
    {
      title: "[IN7] a report with too many ports",
      intent: {
        kind: "report",
        replica: "Replica/t/r",
        incarnation: 1,
        session: 1,
        stage: "ready",
        address: { host: "h", ports: keyed(65, 1) },
      },
    },
    {
      title: "[IN7] a report with a long reason",
      intent: {
        kind: "report",
        replica: "Replica/t/r",
        incarnation: 1,
        session: 1,
        stage: "failed",
        reason: "x".repeat(513),
      },
    },
  ])("$title is no command", ({ intent }) => {
    const actor = { role: "agent", name: "agent:a" };
    const command = { intent: { operation: "o", node: "a", ...intent }, epoch: 1, basis: 1, actor };
    const body = { from: "a", request: { kind: "command", attempt: 1, command } };
    expect(commandsCheck(body)(body)).toBe(false);
  });

  it("[IN4] no error repeats more than a part of its request", () => {
    const text = "x".repeat(1_000_000);
    const error = new ApiError("bad-request", text, {
      name: text,
      causes: [{ reason: "r", message: text, field: text }],
    });
    expect(JSON.stringify(statusOf(error)).length).toBeLessThan(15_000);
  });
});
