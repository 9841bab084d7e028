import { describe, expect, test } from "vitest";
import { aNodeSpec } from "../../../../test/builders/a-node.ts";
import { aPlane, Plane, putting, WORKLOAD } from "../../../../test/builders/a-plane.ts";
import { aQuota } from "../../../../test/builders/a-quota.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "../../../../test/builders/a-workload.ts";
import { amounts } from "../../../../test/builders/amounts.ts";
import { codeOf } from "../../../../test/builders/code-of.ts";
import { nodeKey, type ObjectKey, quotaKey, tenantKey, workloadKey } from "../../model/ids.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { REPLICAS_FINALIZER } from "../../model/finalizers.ts";

type Put = Omit<IntentOf<"put">, "operation">;

const puttingDesired = (
  of: WorkloadSpecParts = {},
  parts: Parameters<typeof putting>[2] = {},
): Put => putting(WORKLOAD, { kind: "Workload", spec: aWorkloadSpec(of) }, parts);

const tenantPut = (parts: Parameters<typeof putting>[2] = {}): Put =>
  putting(tenantKey("payments"), { kind: "Tenant", spec: { displayName: "Payments" } }, parts);

describe("existence and expectations", () => {
  test("a put that expects no object meets the one that is there [OB1]", () => {
    const plane = aPlane();
    const outcome = plane.send(puttingDesired({ replicas: 3 }, { expect: { revision: 0 } }));
    expect(outcome).toMatchObject({ kind: "conflict", code: "already-exists", rule: "OB1" });
    expect(plane.workload().spec.replicas).toBe(1);
  });

  test("a put that expects no object makes it when there is none [OB1]", () => {
    const plane = new Plane();
    expect(codeOf(plane.send(tenantPut({ expect: { revision: 0 } })))).toBe("committed");
    const made = plane.get(tenantKey("payments"));
    expect(made).toMatchObject({ meta: { generation: 1, revision: plane.ledger.revision } });
    expect(made?.status).toEqual({});
  });

  test("a put that expects a revision of an object that is gone is a conflict [OB1]", () => {
    const plane = new Plane();
    expect(codeOf(plane.send(tenantPut({ expect: { revision: 7 } })))).toBe("no-such-object");
  });

  test("what is put into a tenant that does not exist is a conflict [OB1]", () => {
    const plane = new Plane();
    expect(plane.send(puttingDesired())).toMatchObject({
      kind: "conflict",
      code: "no-such-object",
      field: tenantKey("payments"),
    });
    const quota = putting(quotaKey("payments"), { kind: "Quota", spec: aQuota().spec });
    expect(codeOf(plane.send(quota))).toBe("no-such-object");
  });

  test("a workload of a priority class that does not exist is a conflict [OB1]", () => {
    const plane = aPlane();
    expect(codeOf(plane.send(puttingDesired({ priorityClass: "urgent" })))).toBe("no-such-object");
    const key = "PriorityClass//urgent" as ObjectKey;
    plane.must(putting(key, { kind: "PriorityClass", spec: { value: 100 } }));
    expect(codeOf(plane.send(puttingDesired({ priorityClass: "urgent" })))).toBe("committed");
  });

  test("a put that expects another revision is a conflict and names both [OB2]", () => {
    const plane = aPlane();
    const { revision } = plane.workload().meta;
    plane.putDesired({ replicas: 2 });
    const outcome = plane.send(puttingDesired({ replicas: 3 }, { expect: { revision } }));
    expect(outcome).toMatchObject({
      kind: "conflict",
      code: "revision-changed",
      expected: revision,
      actual: plane.workload().meta.revision,
    });
    expect(plane.workload().spec.replicas).toBe(2);
  });

  test("a put that expects another generation is a conflict, whatever the revision [OB2]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 2 });
    const stale = plane.send(puttingDesired({ replicas: 3 }, { expect: { generation: 1 } }));
    expect(stale).toMatchObject({ kind: "conflict", code: "generation-changed", actual: 2 });
    const fresh = plane.send(puttingDesired({ replicas: 3 }, { expect: { generation: 2 } }));
    expect(codeOf(fresh)).toBe("committed");
  });

  test("a put that expects what is there is committed [OB2]", () => {
    const plane = aPlane();
    const { revision } = plane.workload().meta;
    expect(codeOf(plane.send(puttingDesired({ replicas: 2 }, { expect: { revision } })))).toBe(
      "committed",
    );
  });
});

describe("objects on their way out", () => {
  test("an object being deleted keeps its spec [OB3]", () => {
    const plane = aPlane();
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    const finalizers = [REPLICAS_FINALIZER];
    const outcome = plane.send(puttingDesired({ replicas: 5 }, { finalizers }));
    expect(outcome).toMatchObject({ kind: "conflict", code: "being-deleted" });
    expect(plane.workload().spec.replicas).toBe(1);
  });

  test("an object being deleted goes with its last finalizer, not before [OB3]", () => {
    const plane = new Plane();
    plane.must(tenantPut({ finalizers: ["a", "b"] }));
    plane.must({ kind: "delete", key: tenantKey("payments"), expect: {} });
    plane.must(tenantPut({ finalizers: ["b"] }));
    expect(plane.get(tenantKey("payments"))?.meta.finalizers).toEqual(["b"]);
    plane.must(tenantPut({ finalizers: [] }));
    expect(plane.get(tenantKey("payments"))).toBeUndefined();
  });

  test("an object that is not being deleted stays when its finalizers go [OB3]", () => {
    const plane = new Plane();
    plane.must(tenantPut({ finalizers: ["a"] }));
    plane.must(tenantPut({ finalizers: [] }));
    expect(plane.get(tenantKey("payments"))).toBeDefined();
  });

  test("nothing new is put into a tenant on its way out [OB3]", () => {
    const plane = new Plane();
    plane.must(tenantPut({ finalizers: ["a"] }));
    plane.must({ kind: "delete", key: tenantKey("payments"), expect: {} });
    expect(plane.send(puttingDesired())).toMatchObject({ kind: "conflict", code: "being-deleted" });
    const quota = putting(quotaKey("payments"), { kind: "Quota", spec: aQuota().spec });
    expect(codeOf(plane.send(quota))).toBe("being-deleted");
  });

  test("a new workload carries the finalizer that waits for its replicas, once [OB3]", () => {
    const plane = aPlane();
    expect(plane.workload().meta.finalizers).toEqual([REPLICAS_FINALIZER]);
    const key = workloadKey("payments", "web");
    const finalizers = ["x", REPLICAS_FINALIZER];
    plane.must(putting(key, { kind: "Workload", spec: aWorkloadSpec() }, { finalizers }));
    expect(plane.get(key)?.meta.finalizers).toEqual([REPLICAS_FINALIZER, "x"]);
  });

  test("the finalizer that guards replicas is not a person's to take off [OB3]", () => {
    const plane = aPlane();
    plane.must(puttingDesired({ replicas: 2 }, { finalizers: ["x"] }));
    expect(plane.workload().meta.finalizers).toEqual([REPLICAS_FINALIZER, "x"]);
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    plane.must(puttingDesired({ replicas: 2 }, { finalizers: [] }));
    expect(plane.workload().meta.finalizers).toEqual([REPLICAS_FINALIZER]);
  });

  test("the plane takes its finalizer off, and the workload goes [OB3]", () => {
    const plane = aPlane();
    plane.must({ kind: "delete", key: WORKLOAD, expect: {} });
    plane.must(puttingDesired(), { role: "admit" });
    expect(plane.workload()).toBeUndefined();
  });
});

const said = (type: string) =>
  ({ type, status: "True", reason: "Ok", message: "", sinceMs: 0 }) as const;

describe("generations", () => {
  test("a changed spec raises the generation by one [OB6]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 2 });
    plane.putDesired({ replicas: 3 });
    expect(plane.workload().meta.generation).toBe(3);
  });

  test("the same spec again leaves the generation alone [OB6]", () => {
    const plane = aPlane();
    plane.putDesired();
    expect(plane.workload().meta.generation).toBe(1);
    expect(plane.workload().meta.revision).toBe(plane.ledger.revision);
  });

  test("a changed template becomes the template generation [OB6]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 2 });
    plane.putDesired({ replicas: 2, command: ["serve", "--v2"] });
    expect(plane.workload().meta.generation).toBe(3);
    expect(plane.workload().status.templateGeneration).toBe(3);
  });

  test("scaling leaves the template generation alone [OB6]", () => {
    const plane = aPlane();
    plane.putDesired({ replicas: 9 });
    expect(plane.workload().status.templateGeneration).toBe(1);
  });

  test("labels and finalizers leave both generations alone [OB6]", () => {
    const plane = aPlane();
    plane.must(puttingDesired({}, { labels: { team: "core" }, finalizers: ["x"] }));
    expect(plane.workload().meta).toMatchObject({ generation: 1, labels: { team: "core" } });
    expect(plane.workload().status.templateGeneration).toBe(1);
  });

  test("conditions of clients raise no generation, and a put without them leaves them [OB7]", () => {
    const plane = aPlane();
    plane.must({ ...puttingDesired(), conditions: [said("Reviewed")] });
    plane.putDesired({ replicas: 2 });
    expect(plane.workload().meta).toMatchObject({ generation: 2, conditions: [said("Reviewed")] });
    plane.must({ ...puttingDesired({ replicas: 2 }), conditions: [] });
    expect(plane.workload().meta).toMatchObject({ generation: 2, conditions: [] });
  });

  test.each([
    ["too many", Array.from({ length: 33 }, (_, at) => said(`T${at}`))],
    ["one type twice", [said("A"), said("A")]],
    ["no type", [said("")]],
  ])("%s of them are refused [OB7]", (_, conditions) => {
    expect(codeOf(aPlane().send({ ...puttingDesired(), conditions }))).toBe("bad-object");
  });

  test("a changed node spec raises its generation and keeps its health and session [OB6]", () => {
    const plane = aPlane();
    const spec = aNodeSpec({ cpuMillis: 2000 });
    plane.must(putting(nodeKey("a-1"), { kind: "Node", spec }));
    expect(plane.node()).toMatchObject({
      meta: { generation: 2 },
      status: { health: "ready", session: 1 },
    });
  });
});

const limitedTo = (cpuMillis: number): Put =>
  putting(quotaKey("payments"), { kind: "Quota", spec: aQuota({ cpuMillis }).spec });

describe("quota and ownership", () => {
  test("a quota made smaller than what is reserved and committed is overdrawn by the rest [QT3]", () => {
    const plane = aPlane({ desired: { cpuMillis: 300, replicas: 2 } });
    plane.bound({ index: 0 });
    plane.reserved(1);
    expect(codeOf(plane.send(limitedTo(599)))).toBe("committed");
    expect(plane.account()).toMatchObject({
      free: { cpuMillis: 0 },
      overdrawn: { cpuMillis: 1 },
      reserved: { cpuMillis: 300 },
      committed: { cpuMillis: 300 },
    });
    expect(codeOf(plane.send(limitedTo(600)))).toBe("committed");
    expect(plane.account().overdrawn.cpuMillis).toBe(0);
  });

  test("only people and the admitting controller write desired state [ST1]", () => {
    const plane = aPlane();
    for (const role of ["place", "agent", "node-health", "drain-node"] as const) {
      expect(plane.send(puttingDesired({ replicas: 2 }), { role })).toMatchObject({
        kind: "refused",
        code: "not-owner",
      });
    }
    expect(codeOf(plane.send(puttingDesired(), { role: "admit" }))).toBe("committed");
  });

  test("a node that no agent has spoken for begins unknown, so nothing is placed there [BD3]", () => {
    const plane = new Plane();
    plane.must(putting(nodeKey("a-1"), { kind: "Node", spec: aNodeSpec() }));
    expect(plane.node().status).toMatchObject({ health: "unknown", session: 0 });
  });

  test("a malformed desired is refused before its expectations are looked at [OB5]", () => {
    const plane = aPlane();
    const outcome = plane.send(puttingDesired({ replicas: -1 }, { expect: { revision: 0 } }));
    expect(outcome).toMatchObject({ kind: "refused", code: "bad-object", rule: "OB5" });
  });

  test("two tenants have separate workloads of the same name [OB1]", () => {
    const plane = aPlane();
    plane.tenant({}, "search");
    const key = workloadKey("search", "api");
    const put = putting(
      key,
      { kind: "Workload", spec: aWorkloadSpec() },
      { expect: { revision: 0 } },
    );
    expect(codeOf(plane.send(put))).toBe("committed");
    expect(plane.ledger.objects.all("Workload").size).toBe(2);
  });

  test("a larger quota is free at once [QT3]", () => {
    const plane = aPlane({ quota: { cpuMillis: 100 } });
    const limit = amounts({ cpuMillis: 700 });
    plane.must(putting(quotaKey("payments"), { kind: "Quota", spec: { limit } }));
    expect(plane.account().free.cpuMillis).toBe(700);
  });
});
