import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import type { ApiKind, FieldMistake } from "../api-kind.ts";
import { checkObject } from "../schema/check-object.ts";
import { kindByName } from "./all-kinds.ts";
import { nodeKind } from "./node.ts";
import { workloadKind } from "./workload.ts";

const least = { resources: { cpu: 1, memory: "1Gi" }, run: { command: ["serve"] } };

const mistakesIn = (spec: object): readonly FieldMistake[] => {
  const desired = workloadKind.toDesired({ ...least, ...spec });
  return Array.isArray(desired) ? (desired as FieldMistake[]) : [];
};

const written = (kind: ApiKind, spec: object): object => ({
  apiVersion: "berth.dev/v1",
  kind: kind.kind,
  metadata: { name: "it", namespace: kind === workloadKind ? "payments" : undefined },
  spec,
});

describe("docs/placement.md", () => {
  const page = readFileSync(new URL("../../../docs/placement.md", import.meta.url), "utf8");
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? "");

  test("shows objects that are accepted as they stand", () => {
    const objects = blocks
      .flatMap((block) => parseAllDocuments(block).map((it) => it.toJS()))
      .filter(({ kind }) => kind !== undefined);
    expect(objects.map(({ kind }) => kind)).toEqual(["Node", "Workload", "Policy"]);
    for (const object of objects) {
      const kind = kindByName(object.kind)!;
      expect(checkObject(kind, object)).toEqual({ unknownFields: [], mistakes: [] });
      expect(Array.isArray(kind.toDesired(object.spec))).toBe(false);
    }
  });
});

const asking = (devices: object): readonly FieldMistake[] =>
  mistakesIn({ resources: { ...least.resources, devices } });

describe("devices of a workload", () => {
  test("are a count or a share", () => {
    expect(asking({ class: "gpu", count: 2, model: "A100 | V100" })).toEqual([]);
    expect(asking({ class: "gpu", share: 0.25 })).toEqual([]);
    expect(asking({ class: "gpu" })).toEqual([
      {
        field: "spec.resources.devices",
        message: "found neither count nor share; expected one of them.",
      },
    ]);
    expect(asking({ class: "gpu", count: 1, share: "500m" })).toHaveLength(1);
  });

  test.each(["0", "1001m", "2", "half"])("are not a share of %s", (share) => {
    expect(asking({ class: "gpu", share }).map(({ field }) => field)).toContain(
      "spec.resources.devices.share",
    );
  });

  test("are of named models", () => {
    expect(asking({ class: "gpu", count: 1, model: "A100||V100" })).toMatchObject([
      { field: "spec.resources.devices.model" },
    ]);
  });
});

describe("placement", () => {
  test("says how many values an operator needs", () => {
    const nodeExpressions = [
      { key: "disk", operator: "in" },
      { key: "disk", operator: "exists", values: ["ssd"] },
      { key: "cores", operator: "gt", values: ["many"] },
      { key: "cores", operator: "lt", values: ["8"] },
    ];
    expect(mistakesIn({ placement: { nodeExpressions } })).toEqual([
      {
        field: "spec.placement.nodeExpressions[0].values",
        message: "found no values; in expects one or more values.",
      },
      {
        field: "spec.placement.nodeExpressions[1].values",
        message: "found ssd; exists expects no values.",
      },
      {
        field: "spec.placement.nodeExpressions[2].values",
        message: "found many; gt expects one whole number in quotes.",
      },
    ]);
  });

  test("takes a toleration of every key only without a value", () => {
    expect(mistakesIn({ placement: { tolerations: [{ effect: "no-schedule" }] } })).toEqual([]);
    expect(mistakesIn({ placement: { tolerations: [{ value: "x" }] } })).toMatchObject([
      { field: "spec.placement.tolerations[0]" },
    ]);
  });

  test("tells users of Kubernetes what it is called here", () => {
    const affinity = { podAntiAffinity: {} };
    const check = checkObject(
      workloadKind,
      written(workloadKind, { ...least, placement: { affinity } }),
    );
    expect(check.unknownFields[0]?.message).toContain("use antiRequired and antiPreferred");
  });
});

const capacityOf = (of: object) =>
  nodeKind.toDesired({ region: "eu", zone: "eu-a", capacity: { cpu: 1, memory: "1Gi", ...of } });

describe("pools of a node", () => {
  test("are named on through a class, and may not repeat an id", () => {
    const pools = [
      { class: "gpu", model: "A100", count: 2 },
      { class: "gpu", model: "V100", count: 1 },
    ];
    expect(capacityOf({ pools })).toMatchObject({
      spec: {
        capacity: { deviceMillis: 3000 },
        pools: [{ ids: ["gpu-0", "gpu-1"] }, { model: "V100", ids: ["gpu-2"] }],
      },
    });
    const twice = [
      { class: "gpu", ids: ["a"] },
      { class: "fpga", ids: ["a"] },
    ];
    expect(capacityOf({ pools: twice })).toMatchObject([
      { field: "spec.capacity.pools", message: 'found "a" twice; expected distinct ids.' },
    ]);
  });

  test("stand instead of devices, not beside them", () => {
    const devices = { class: "gpu", count: 1 };
    expect(capacityOf({ devices, pools: [{ class: "fpga", count: 1 }] })).toMatchObject([
      { field: "spec.capacity.pools" },
    ]);
  });
});
