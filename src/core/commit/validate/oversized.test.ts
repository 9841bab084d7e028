import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { aPlane, putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey, type ObjectKey } from "../../model/ids.ts";
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import type { Template, WorkloadSpec } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { oversized } from "./oversized.ts";

const REGION = "Region//a" as ObjectKey;

const keyed = (count: number, value: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]));

const running = (env: Record<string, string>): Partial<Template> => ({
  run: { env, workingDir: "", user: "", ports: [], stopGraceMs: 0 },
});

const specWith = (template: Partial<Template>): WorkloadSpec => {
  const spec = aWorkloadSpec({});
  return { ...spec, template: { ...spec.template, ...template } };
};

const workloadPut = (template: Partial<Template>, parts: Partial<IntentOf<"put">> = {}) => ({
  ...putting(WORKLOAD, { kind: "Workload", spec: specWith(template) }),
  ...parts,
});

const taint = { key: "k", value: "v", effect: "no-schedule" } as const;
const spread = { by: "zone", maxSkew: 1 } as const;

describe("an object that is too large is refused", () => {
  test.each([
    { title: "labels [IN6]", put: workloadPut({}, { labels: keyed(129, "v") }) },
    {
      title: "the value of a label [IN6]",
      put: workloadPut({}, { labels: { a: "v".repeat(64) } }),
    },
    {
      title: "a key of a label [IN6]",
      put: workloadPut({}, { labels: { ["k".repeat(318)]: "" } }),
    },
    { title: "annotations [IN6]", put: workloadPut({}, { annotations: keyed(257, "v") }) },
    {
      title: "the bytes of all annotations [IN6]",
      put: workloadPut({}, { annotations: keyed(9, "\u00e9".repeat(15_000)) }),
    },
    {
      title: "finalizers [IN6]",
      put: workloadPut({}, { finalizers: Object.keys(keyed(33, "")) }),
    },
    {
      title: "managedFields [IN6]",
      put: workloadPut({}, { managedFields: "x".repeat(OBJECT_MOST.managedFieldsBytes + 1) }),
    },
    { title: "environment variables [IN6]", put: workloadPut(running(keyed(513, "v"))) },
    {
      title: "one environment variable [IN6]",
      put: workloadPut(running({ a: "v".repeat(40_000) })),
    },
    {
      title: "a template as a whole [IN6]",
      put: workloadPut(running(keyed(500, "v".repeat(140)))),
    },
    { title: "a command [IN6]", put: workloadPut({ command: Object.keys(keyed(513, "")) }) },
    {
      title: "spread rules [IN6]",
      put: workloadPut({ spread: Array.from({ length: 17 }, () => spread) }),
    },
    {
      title: "taints of a node [IN6]",
      put: putting(nodeKey("a-1"), {
        kind: "Node",
        spec: { ...aNodeSpec({}), taints: Array.from({ length: 65 }, () => taint) },
      }),
    },
    {
      title: "a list without a bound of its own [IN6]",
      put: putting(REGION, { kind: "Region", spec: { zones: Object.keys(keyed(1_025, "")) } }),
    },
    {
      title: "a spec as a whole [IN6]",
      put: putting(REGION, {
        kind: "Region",
        spec: { zones: Object.keys(keyed(1_000, "")).map((name) => name.repeat(100)) },
      }),
    },
  ])("by $title", ({ put }) => {
    const outcome = aPlane().send(put);
    expect(outcome).toMatchObject({ kind: "refused", code: "object-too-large", rule: "IN6" });
    expect(JSON.stringify(outcome).length).toBeLessThan(1_000);
  });

  test("as much as the limits allow is committed [IN6]", () => {
    const put = workloadPut(running(keyed(512, "v".repeat(100))), {
      labels: keyed(128, "v".repeat(63)),
      annotations: keyed(256, "v".repeat(900)),
    });
    expect(codeOf(aPlane().send(put))).toBe("committed");
  });

  test("what was larger before there were limits stays, loses finalizers, and does not grow [IN6]", () => {
    const held = aPlane().workload();
    const large = { ...held, spec: specWith(running(keyed(600, "v"))) };
    const put = workloadPut(running(keyed(600, "v")), { labels: held.meta.labels });
    const named = { ...put, operation: "o" } as Parameters<typeof oversized>[1];
    expect(oversized(undefined, named)).toMatchObject({ code: "object-too-large" });
    expect(oversized(large, named)).toBe(undefined);
    const more = { ...named, ...workloadPut(running(keyed(601, "v"))) };
    expect(oversized(large, more)).toMatchObject({ code: "object-too-large" });
  });
});
