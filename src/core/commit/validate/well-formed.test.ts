import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { putting } from "../../../../test/builders/a-plane.ts";
import { aWorkloadSpec } from "../../../../test/builders/a-workload.ts";
import { amounts } from "../../../../test/builders/amounts.ts";
import { nodeKey, type ObjectKey, operationId, quotaKey, workloadKey } from "../../model/ids.ts";
import type { Desired } from "../../protocol/command.ts";
import type { Rejection } from "../../protocol/rejection.ts";
import { malformed } from "./well-formed.ts";

const fault = (key: string, desired: Desired): Rejection | undefined =>
  malformed({ ...putting(key as ObjectKey, desired), operation: operationId("put") });

const node = (of: Parameters<typeof aNodeSpec>[0] = {}): Desired => ({
  kind: "Node",
  spec: aNodeSpec(of),
});
const workload = (of: Parameters<typeof aWorkloadSpec>[0] = {}): Desired => ({
  kind: "Workload",
  spec: aWorkloadSpec(of),
});
const quota = (of: Parameters<typeof amounts>[0] = {}): Desired => ({
  kind: "Quota",
  spec: { limit: amounts(of) },
});
const WORKLOAD = workloadKey("payments", "api");

describe("how long a disconnected replica is waited for", () => {
  const disconnect = (of: Parameters<typeof workload>[0]): string | undefined =>
    fault(WORKLOAD, workload(of))?.field;
  const FIELD = `${WORKLOAD} spec.template.replaceAfterMs`;

  test("[DC4] is between a millisecond and a day", () => {
    expect(disconnect({ replaceAfterMs: 1 })).toBeUndefined();
    expect(disconnect({ replaceAfterMs: 86_400_000 })).toBeUndefined();
    for (const replaceAfterMs of [0, -1, 86_400_001, 1.5, Number.NaN]) {
      expect(disconnect({ replaceAfterMs })).toBe(FIELD);
    }
  });

  test("[DC4] of one that keeps running, is for services that are no gang", () => {
    const keep = { onDisconnect: "keep", replaceAfterMs: 1_000 } as const;
    expect(disconnect(keep)).toBeUndefined();
    expect(disconnect({ ...keep, type: "batch" })).toBe(FIELD);
    expect(disconnect({ ...keep, gang: { deadlineMs: 1 } })).toBe(FIELD);
    expect(disconnect({ replaceAfterMs: 1_000, type: "batch" })).toBeUndefined();
  });

  test("[DC4] who stays is one of three", () => {
    expect(disconnect({ reconcile: "keep-original" })).toBeUndefined();
    expect(disconnect({ reconcile: "newest" as never })).toBe(
      `${WORKLOAD} spec.template.reconcile`,
    );
  });
});

test("[RO90] the time of a restart is RFC 3339, and on services only", () => {
  const restarted = (restartedAt: string, type: "service" | "batch" = "service") => {
    const { template, ...spec } = aWorkloadSpec({ type });
    return fault(WORKLOAD, {
      kind: "Workload",
      spec: { ...spec, template: { ...template, restartedAt } },
    });
  };
  const field = `${WORKLOAD} spec.template.restartedAt`;
  for (const time of ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.123456+02:00"]) {
    expect(restarted(time)).toBeUndefined();
    expect(restarted(time, "batch")?.field).toBe(field);
  }
  for (const time of ["", "now", "2026-01-31", "2026-13-01T00:00:00Z", "2026-01-31T09:30:00"]) {
    expect(restarted(time)?.field).toBe(field);
  }
});

describe("an objective for the control plane", () => {
  const good = {
    indicator: "queue-wait",
    priorityClass: "critical",
    threshold: 1,
    objective: 999_999,
    windowMs: 60_000,
  } as const;
  const wrong = (of: object): string | undefined =>
    fault("Slo//waits", { kind: "Slo", spec: { ...good, ...of } })?.field;

  test("[OB5] names what is measured, a threshold, a part of all and a window that can be counted", () => {
    expect(wrong({})).toBeUndefined();
    expect(wrong({ indicator: "joy" })).toBe("Slo//waits spec.indicator");
    for (const threshold of [-1, 0, 86_400_001]) {
      expect(wrong({ threshold })).toBe("Slo//waits spec.threshold");
    }
    expect(wrong({ indicator: "fairness", priorityClass: undefined, threshold: 1_000_000 })).toBe(
      "Slo//waits spec.threshold",
    );
    for (const objective of [0, 1_000_000, 0.5]) {
      expect(wrong({ objective })).toBe("Slo//waits spec.objective");
    }
    for (const windowMs of [59_999, 28 * 86_400_000 + 1]) {
      expect(wrong({ windowMs })).toBe("Slo//waits spec.windowMs");
    }
    expect(wrong({ indicator: "recovery" })).toBe("Slo//waits spec.priorityClass");
  });
});

describe("a recovery objective", () => {
  const recovery = { withinMs: 1_000, replicas: 2, regions: ["eu"] };
  const wrong = (of: Parameters<typeof workload>[0]): string | undefined =>
    fault(WORKLOAD, workload({ recovery, ...of }))?.field;

  test("[RV1] names a time of up to a day, up to 1,024 replicas, and regions that each are named once", () => {
    expect(wrong({})).toBeUndefined();
    for (const withinMs of [0, 86_400_001, 1.5]) {
      expect(wrong({ recovery: { ...recovery, withinMs } })).toContain("spec.recovery.withinMs");
    }
    for (const replicas of [0, 1_025, Number.NaN]) {
      expect(wrong({ recovery: { ...recovery, replicas } })).toContain("spec.recovery.replicas");
    }
    for (const regions of [[], [""], ["eu", "eu"]]) {
      expect(wrong({ recovery: { ...recovery, regions } })).toContain("spec.recovery.regions");
    }
  });

  test("[RV1] is for services that are no gang, in regions they may run in", () => {
    expect(wrong({ type: "batch" })).toContain("spec.recovery");
    expect(wrong({ gang: { deadlineMs: 1 } })).toContain("spec.recovery");
    expect(wrong({ regions: ["us"] })).toContain("spec.recovery.regions[0]");
    expect(wrong({ regions: ["us", "eu"] })).toBeUndefined();
  });
});

describe("well-formed objects", () => {
  test.each([
    { title: "a plain node [OB5]", key: nodeKey("a-1"), desired: node() },
    {
      title: "a node with devices [OB5]",
      key: nodeKey("a-1"),
      desired: node({ deviceIds: ["g0", "g1"] }),
    },
    { title: "a name with dots and digits [OB5]", key: nodeKey("0.a-1.b"), desired: node() },
    { title: "a workload of no replicas [OB5]", key: WORKLOAD, desired: workload({ replicas: 0 }) },
    { title: "a quota of nothing [OB5]", key: quotaKey("t"), desired: quota({ cpuMillis: 0 }) },
  ])("$title passes", ({ key, desired }) => {
    expect(fault(key, desired)).toBeUndefined();
  });
});

describe("what is refused", () => {
  test.each([
    { title: "a name in capitals [OB5]", key: nodeKey("A-1"), desired: node(), field: "name" },
    { title: "an empty name [OB5]", key: nodeKey(""), desired: node(), field: "name" },
    { title: "a name with a slash [OB5]", key: nodeKey("a/b"), desired: node(), field: "name" },
    { title: "a name ending in a dash [OB5]", key: nodeKey("a-"), desired: node(), field: "name" },
    {
      title: "a kind that is not the key's [OB5]",
      key: nodeKey("a-1"),
      desired: quota(),
      field: "kind",
    },
    {
      title: "a node in a tenant [OB5]",
      key: "Node/payments/a-1",
      desired: node(),
      field: "namespace",
    },
    {
      title: "a workload in no tenant [OB5]",
      key: workloadKey("", "api"),
      desired: workload(),
      field: "namespace",
    },
    {
      title: "a second quota of a tenant [OB5]",
      key: "Quota/payments/extra",
      desired: quota(),
      field: "name",
    },
    {
      title: "a node in no region [OB5]",
      key: nodeKey("a-1"),
      desired: node({ region: "" }),
      field: "spec.region",
    },
    {
      title: "a node in no zone [OB5]",
      key: nodeKey("a-1"),
      desired: node({ zone: "" }),
      field: "spec.zone",
    },
    {
      title: "a negative capacity [OB5]",
      key: nodeKey("a-1"),
      desired: node({ cpuMillis: -1 }),
      field: "spec.capacity.cpuMillis",
    },
    {
      title: "a broken capacity [OB5]",
      key: nodeKey("a-1"),
      desired: node({ memoryMiB: 0.5 }),
      field: "spec.capacity.memoryMiB",
    },
    {
      title: "a device named twice [OB5]",
      key: nodeKey("a-1"),
      desired: node({ deviceIds: ["g0", "g0"] }),
      field: "spec.pools[0].ids",
    },
    {
      title: "a quota that is no number [OB5]",
      key: quotaKey("t"),
      desired: quota({ deviceMillis: Number.NaN }),
      field: "spec.limit.deviceMillis",
    },
    {
      title: "an endless quota [OB5]",
      key: quotaKey("t"),
      desired: quota({ cpuMillis: Number.POSITIVE_INFINITY }),
      field: "spec.limit.cpuMillis",
    },
    {
      title: "half a replica [OB5]",
      key: WORKLOAD,
      desired: workload({ replicas: 1.5 }),
      field: "spec.replicas",
    },
    {
      title: "a negative ask [OB5]",
      key: WORKLOAD,
      desired: workload({ memoryMiB: -100 }),
      field: "spec.template.ask.amounts.memoryMiB",
    },
    {
      title: "a skew of nothing [OB5]",
      key: WORKLOAD,
      desired: workload({ spread: [{ by: "zone", maxSkew: 0 }] }),
      field: "spec.template.spread[0].maxSkew",
    },
    {
      title: "a broken skew [OB5]",
      key: WORKLOAD,
      desired: workload({ spread: [{ by: "zone", maxSkew: 1.5 }] }),
      field: "spec.template.spread[0].maxSkew",
    },
  ])("$title", ({ key, desired, field }) => {
    expect(fault(key, desired)).toMatchObject({ code: "bad-object", field: `${key} ${field}` });
  });

  test.each([
    { title: "a share of several devices", device: { count: 2, shareMillis: 500 } },
    { title: "a share of more than one device", device: { shareMillis: 1001 } },
    { title: "a share of nothing", device: { shareMillis: 0 } },
    { title: "no device at all", device: { count: 0 } },
  ])("$title [OB5]", ({ device: of }) => {
    const device = { class: "gpu", models: [], count: 1, shareMillis: 1000, ...of };
    expect(fault(WORKLOAD, workload({ device }))).toMatchObject({ code: "bad-object" });
  });

  test("an amount of devices that is not what the ask comes to [OB5]", () => {
    const spec = aWorkloadSpec({ devices: 1 });
    const { template } = spec;
    const ask = { ...template.ask, amounts: { ...template.ask.amounts, deviceMillis: 999 } };
    const wrong = { ...spec, template: { ...template, ask } };
    expect(fault(WORKLOAD, { kind: "Workload", spec: wrong })).toMatchObject({ expected: "1000" });
  });

  test.each([
    { title: "a cap of no replicas per node", parts: { maxPerNode: 0 } },
    { title: "a fixed port beyond all ports", parts: { fixedPorts: { http: 65_536 } } },
    { title: "a fixed port 0", parts: { fixedPorts: { http: 0 } } },
    {
      title: "a statement without the value it needs",
      parts: { nodeExpressions: [{ key: "disk", operator: "in" as const, values: [] }] },
    },
    {
      title: "a comparison with something that is no number",
      parts: {
        preferredNodes: [
          { weight: 1, expressions: [{ key: "n", operator: "gt" as const, values: ["x"] }] },
        ],
      },
    },
    {
      title: "a weight beyond a hundred",
      parts: { preferredNodes: [{ weight: 101, expressions: [] }] },
    },
  ])("$title [OB5]", ({ parts }) => {
    expect(fault(WORKLOAD, workload(parts))).toMatchObject({ code: "bad-object" });
  });

  test("one device id in two pools [OB5]", () => {
    const pool = { class: "gpu", model: "", ids: ["g0"] };
    const desired = node({ pools: [pool, { ...pool, model: "A100" }] });
    expect(fault(nodeKey("a-1"), desired)).toMatchObject({ actual: "g0" });
  });

  test("a device count that is not the number of device ids [OB5]", () => {
    const spec = aNodeSpec({ deviceIds: ["g0", "g1"] });
    const capacity = { ...spec.capacity, deviceMillis: 3000 };
    expect(fault(nodeKey("a-1"), { kind: "Node", spec: { ...spec, capacity } })).toMatchObject({
      code: "bad-object",
      field: "Node//a-1 spec.capacity.deviceMillis",
      expected: "2000",
      actual: 3000,
    });
  });
});
