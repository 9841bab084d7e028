import { describe, expect, test } from "vitest";
import { aNodeSpec, type NodeParts } from "../../../../test/builders/a-node.ts";
import { aPlane, putting, type Plane } from "../../../../test/builders/a-plane.ts";
import { nodeKey, operationId, tenantKey } from "../../model/ids.ts";
import { isReservedLabel, type NodeApproval } from "../../model/node/node-approval.ts";
import { NODE_LIMITS } from "../../model/limits/node-limits.ts";
import type { Cordon } from "../../model/node/cordon.ts";
import type { Labels } from "../../model/objects.ts";
import { apply } from "../apply.ts";
import type { Intent, IntentOf } from "../../protocol/command.ts";

let sent = 0;

function send(plane: Plane, actor: { role: "agent" | "user"; name: string }, intent: Intent) {
  const { ledger, nowMs } = plane;
  const { outcome, commit } = apply(
    ledger,
    { intent, epoch: ledger.epoch, basis: 0, actor },
    nowMs,
  );
  if (commit !== undefined) {
    ledger.fold(commit);
    plane.commits.push(commit);
  }
  return "code" in outcome ? `${outcome.code}: ${outcome.field}` : outcome.kind;
}

interface Claim {
  readonly spec?: NodeParts;
  readonly labels?: Labels;
  readonly approved?: NodeApproval;
  readonly more?: Partial<IntentOf<"put">>;
}

/** What becomes of a put by the agent of a-9. */
function register(plane: Plane, of: Claim, as = "agent:a-9"): string {
  sent += 1;
  const { spec = {}, labels = {}, approved, more = {} } = of;
  const desired = { kind: "Node", spec: aNodeSpec(spec) } as const;
  return send(
    plane,
    { role: "agent", name: as },
    {
      ...putting(nodeKey("a-9"), desired, { labels }),
      expect: { revision: 0 },
      operation: operationId(`register/${sent}`),
      ...(approved === undefined ? {} : { approved }),
      ...more,
    },
  );
}

const stated: NodeApproval = { cpuMillis: 2_000, memoryMiB: 2_000, region: "eu", zone: "eu-a" };
const cordonsOf = (plane: Plane): readonly Cordon[] => plane.node("a-9").spec.cordons;
const KEY = nodeKey("a-9");

describe("an agent registers its node", () => {
  test("at once approved where its operator has stated all that it claims [NR4]", () => {
    const plane = aPlane();
    const approved = { ...stated, labels: { disk: "fast", rack: "7" }, devices: { gpu: 2 } };
    const claim = { spec: { deviceIds: ["g-0", "g-1"] }, labels: { disk: "fast" }, approved };
    expect(register(plane, claim)).toBe("committed");
    expect(cordonsOf(plane)).toEqual([]);
  });

  test.each<Claim & { title: string; names: string }>([
    { title: "nothing", approved: {}, names: "region eu, zone eu-a, 1000m CPU, 1000Mi memory" },
    { title: "another region", approved: { ...stated, region: "us" }, names: "region eu" },
    { title: "another zone", approved: { ...stated, zone: "eu-b" }, names: "zone eu-a" },
    { title: "no label", labels: { tier: "web" }, approved: stated, names: "label tier" },
    {
      title: "another value of a label",
      labels: { tier: "web" },
      approved: { ...stated, labels: { tier: "batch" } },
      names: "label tier",
    },
    { title: "no devices", spec: { deviceIds: ["g"] }, approved: stated, names: "gpu devices" },
    {
      title: "devices without a model",
      spec: { pools: [{ class: "gpu", model: "H100", ids: ["g"] }] },
      approved: { ...stated, devices: { gpu: 1 } },
      names: "gpu model H100",
    },
    { title: "no cap", spec: { maxReplicas: 9_999 }, approved: stated, names: "maxReplicas" },
    {
      title: "no taint",
      spec: { taints: [{ key: "t", value: "", effect: "no-schedule" }] },
      approved: stated,
      names: "taint t",
    },
  ])("that waits for approval where its operator stated $title [NR4]", ({ names, ...claim }) => {
    const plane = aPlane();
    expect(register(plane, claim)).toBe("committed");
    const reason = `its agent claims values that no operator allowed: ${names}`;
    expect(cordonsOf(plane)).toEqual([{ holder: "approval", reason }]);
  });

  test("and gets no work before it is approved, though it renews its lease [NR4]", () => {
    const plane = aPlane();
    register(plane, {});
    plane.renew({ node: "a-9" });
    expect(plane.node("a-9").status.health).toBe("ready");
    plane.putDesired();
    const replica = plane.queued();
    const bind = {
      kind: "bind",
      replica: replica.key,
      incarnation: replica.status.incarnation,
      node: "a-9",
      deviceIds: [],
    } as const;
    expect(plane.send(bind)).toMatchObject({ code: "node-not-schedulable" });
    approve(plane, "ada");
    expect(plane.send(bind)).toMatchObject({ kind: "committed" });
  });

  test.each<Claim & { title: string; field: string }>([
    { title: "more CPU", spec: { cpuMillis: 2_001 }, field: "spec.capacity.cpu (millis)" },
    { title: "more memory", spec: { memoryMiB: 2_001 }, field: "spec.capacity.memory (MiB)" },
    {
      title: "more devices of a class",
      spec: { deviceIds: ["a", "b"] },
      field: "spec.capacity.devices gpu",
    },
  ])("but not with $title than its operator stated [NR2]", ({ field, ...claim }) => {
    const approved = { ...stated, devices: { gpu: 1 } };
    const refused = `capacity-over-ceiling: ${KEY} ${field}`;
    expect(register(aPlane(), { ...claim, approved })).toBe(refused);
  });

  test.each<{ title: string; spec: NodeParts }>([
    { title: "CPU", spec: { cpuMillis: NODE_LIMITS.cpuMillis.value + 1 } },
    { title: "memory", spec: { memoryMiB: NODE_LIMITS.memoryMiB.value + 1 } },
    {
      title: "devices",
      spec: { deviceIds: Array.from({ length: NODE_LIMITS.devices.value + 1 }, (_, i) => `d${i}`) },
    },
  ])("and never with more $title than any machine has [NR2]", ({ spec }) => {
    const approved = { cpuMillis: 1e9, memoryMiB: 1e9, devices: { gpu: 1e6 } };
    expect(register(aPlane(), { spec, approved })).toMatch(/^capacity-over-ceiling/);
    expect(register(aPlane(), { spec })).toMatch(/^capacity-over-ceiling/);
  });

  test("and a million CPUs are refused, stated or not [NR2]", () => {
    const spec = { cpuMillis: 1_000_000_000 };
    expect(register(aPlane(), { spec })).toMatch(/^capacity-over-ceiling/);
    const approved = { ...stated, cpuMillis: 1_000_000_000 };
    expect(register(aPlane(), { spec, approved })).toMatch(/^capacity-over-ceiling/);
  });

  test("with a reserved label only if its operator stated it [NR3]", () => {
    const labels = { "berth.dev/tier": "gold" };
    const refused = `label-reserved: ${KEY} metadata.labels`;
    expect(register(aPlane(), { labels, approved: stated })).toBe(refused);
    const other = { ...stated, labels: { "berth.dev/tier": "iron" } };
    expect(register(aPlane(), { labels, approved: other })).toBe(refused);
    expect(register(aPlane(), { labels, approved: { ...stated, labels } })).toBe("committed");
  });

  test.each([
    ["berth.dev/x", true],
    ["pool.berth.dev/x", true],
    ["Kubernetes.io/hostname", true],
    ["topology.kubernetes.io/zone", true],
    ["notberth.dev/x", false],
    ["berth.dev", false],
    ["disk", false],
  ])("%s is reserved: %s [NR3]", (key, isReserved) => {
    expect(isReservedLabel(key)).toBe(isReserved);
  });

  test("and writes nothing else: no other node, no other kind, no second time [NR1]", () => {
    const plane = aPlane();
    expect(register(plane, {}, "agent:a-8")).toBe(`not-owner: ${KEY}`);
    expect(register(plane, {}, "a-8")).toBe(`not-owner: ${KEY}`);
    const tenant = { kind: "Tenant", spec: { displayName: "mine" } } as const;
    const other = { key: tenantKey("mine"), desired: tenant };
    expect(register(plane, { more: other })).toBe(`not-owner: ${tenantKey("mine")}`);
    expect(register(plane, {})).toBe("committed");
    expect(register(plane, {})).toBe(`already-exists: ${KEY} resourceVersion`);
    const { revision } = plane.node("a-9").meta;
    for (const expected of [{}, { revision }]) {
      expect(register(plane, { more: { expect: expected } })).toBe(`not-owner: ${KEY}`);
    }
  });

  test.each<Claim & { field: string }>([
    { field: "spec.cordons", spec: { cordons: [{ holder: "ada", reason: "" }] } },
    { field: "spec.drain", spec: { draining: true } },
    { field: "spec.supply", spec: { supply: "soft" } },
    { field: "metadata.finalizers", more: { finalizers: ["example.com/x"] } },
    { field: "metadata.annotations", more: { annotations: { a: "b" } } },
    { field: "force", more: { force: true } },
  ])("without $field, which is others' to write [NR1]", ({ field, ...claim }) => {
    expect(register(aPlane(), claim)).toBe(`not-owner: ${KEY} ${field}`);
  });
});

function approve(plane: Plane, as: string, cordons: readonly Cordon[] = []): string {
  sent += 1;
  const { spec, meta } = plane.node("a-9");
  const desired = { kind: "Node", spec: { ...spec, cordons } } as const;
  const put = putting(KEY, desired, { labels: meta.labels });
  const operation = operationId(`approve/${sent}`);
  return send(plane, { role: "user", name: as }, { ...put, operation });
}

describe("the hold of a node that waits for approval", () => {
  test("is lifted by any user, and made by none [NR5]", () => {
    const plane = aPlane();
    register(plane, {});
    const [hold] = cordonsOf(plane);
    expect(hold).toBeDefined();
    expect(approve(plane, "bob")).toBe("committed");
    expect(cordonsOf(plane)).toEqual([]);
    expect(approve(plane, "bob", hold === undefined ? [] : [hold])).toMatch(/^not-holder/);
  });

  test("goes alone: the cordons of others stay theirs [NR5]", () => {
    const plane = aPlane();
    register(plane, {});
    const [hold] = cordonsOf(plane);
    const ada = { holder: "ada", reason: "new disk" };
    approve(plane, "ada", [...(hold === undefined ? [] : [hold]), ada]);
    expect(approve(plane, "bob", [])).toMatch(/^not-holder/);
    expect(approve(plane, "bob", [ada])).toBe("committed");
  });
});
