import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aPlane, type Plane, putting } from "../../../test/builders/a-plane.ts";
import { RegionalPair } from "../../../test/builders/a-regional-pair.ts";
import { recoveryBudgetKey } from "../../core/model/recovery-budget.ts";
import { WRITTEN_DEFINITIONS } from "../../core/kinds/kind-definitions.ts";
import { keyOf, KINDS } from "../../core/model/ids.ts";
import type { Desired } from "../../core/protocol/command.ts";
import { toApiObject } from "../metadata.ts";
import { ALL_KINDS, kindByAnyName, kindByName, kindByPlural } from "./all-kinds.ts";

interface Node {
  readonly type?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: unknown;
  readonly items?: Node;
}

function* nodesOf(schema: Node, path: string): Generator<readonly [string, Node]> {
  yield [path, schema];
  for (const [name, each] of Object.entries(schema.properties ?? {})) {
    yield* nodesOf(each, `${path}.${name}`);
  }
  if (schema.items !== undefined) yield* nodesOf(schema.items, `${path}[]`);
}

/** A global plane and that of a region, which has taken over one version of a grant and not the next. */
function joinedPlanes(): readonly Plane[] {
  const pair = new RegionalPair();
  pair.exchange();
  expect(pair.lend(500).kind).toBe("committed");
  pair.exchange();
  expect(pair.lend(600).kind).toBe("committed");
  return [pair.global, pair.west];
}

function aBusyPlane(): Plane {
  const plane = aPlane({
    node: { deviceIds: ["gpu-0"], cordons: [{ holder: "ada", reason: "disk" }] },
    desired: { replicas: 3 },
  });
  plane.must({
    kind: "put",
    key: "Region//eu" as never,
    desired: { kind: "Region", spec: { zones: ["eu-a"] } },
    labels: { team: "core" },
    annotations: { note: "x" },
    managedFields: '[{"manager":"kubectl"}]',
    finalizers: ["example.com/hold"],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "PriorityClass//critical" as never,
    desired: { kind: "PriorityClass", spec: { value: 10 } },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "Policy//default" as never,
    desired: { kind: "Policy", spec: { scoring: "best-fit" } },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "PolicyRevision//default-1" as never,
    desired: { kind: "PolicyRevision", spec: { scoring: "best-fit" } },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "Slo//binds" as never,
    desired: {
      kind: "Slo",
      spec: { indicator: "fairness", threshold: 100_000, objective: 990_000, windowMs: 3_600_000 },
    },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "Override//shaky" as never,
    desired: {
      kind: "Override",
      spec: {
        action: "raise-budget",
        target: { tenant: "payments", workload: "api" },
        reason: "shaky power",
        ttlMs: 1_800_000,
        amount: 2,
        postcondition: { tenant: "payments", workload: "api", serving: 1 },
      },
    },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "Autoscaler/payments/api" as never,
    desired: {
      kind: "Autoscaler",
      spec: {
        workload: "api",
        min: 1,
        max: 9,
        target: { kind: "metric", name: "queue", value: 30 },
        readiness: 2,
        up: { windowMs: 30_000, replicas: 2 },
        down: { percent: 10, periodMs: 90_000 },
        manualHoldMs: 60_000,
      },
    },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.must({
    kind: "put",
    key: "NodePool//large" as never,
    desired: {
      kind: "NodePool",
      spec: {
        region: "eu",
        zone: "eu-a",
        capacity: { cpuMillis: 8_000, memoryMiB: 16_384, deviceMillis: 2_000 },
        pools: [{ class: "gpu", model: "A100", count: 2 }],
        labels: { disk: "ssd" },
        taints: [{ key: "gpu", value: "", effect: "no-schedule" }],
        maxReplicas: 20,
        provisioner: "cloud",
        maxNodes: 4,
        pace: { nodes: 2, periodMs: 60_000 },
        pendingForMs: 30_000,
        readyWithinMs: 300_000,
        idleAfterMs: 600_000,
      },
    },
    labels: {},
    finalizers: [],
    expect: {},
  });
  plane.joined("a-2");
  plane.reserved(0);
  const { key, status } = plane.bound({ index: 1, node: "a-2" });
  plane.must({
    kind: "report",
    replica: key,
    incarnation: 1,
    node: "a-2",
    session: status.session,
    stage: "serving",
    address: { host: "10.0.0.1", ports: { http: 8080 } },
  });
  plane.vouchedGone("a-1");
  const budget = recoveryBudgetKey("eu-ana");
  const amounts = { cpuMillis: 8_000, memoryMiB: 16_384, deviceMillis: 500 };
  plane.plant({
    kind: "RecoveryBudget",
    key: budget,
    meta: aMeta(budget),
    spec: { region: "eu", amounts, tenants: ["payments"], ttlMs: 60_000, reason: "lost" },
    status: {
      owner: "ana",
      sinceMs: 0,
      untilMs: 60_000,
      extensions: 1,
      grant: { policyRevision: "default-1", index: 0 },
    },
  });
  putExamples(plane);
  return plane;
}

/** Of each kind that has none yet and states an example in its definition. */
function putExamples(plane: Plane): void {
  for (const { kind, spec } of WRITTEN_DEFINITIONS) {
    if (spec === undefined || plane.ledger.objects.all(kind).size > 0) continue;
    const { name, namespace = "", spec: written } = spec.example;
    const desired = kindByName(kind)!.toDesired(written) as Desired;
    plane.must(putting(keyOf({ kind, namespace, name }), desired));
  }
}

describe("the list of kinds", () => {
  test("every kind of the core is there once", () => {
    expect(ALL_KINDS.map(({ kind }) => kind).toSorted()).toEqual([...KINDS].toSorted());
  });

  test("a kind is found by plural, by kind and by what a person types", () => {
    expect(kindByPlural("workloads")?.kind).toBe("Workload");
    expect(kindByPlural("wl")).toBeUndefined();
    expect(kindByName("Workload")?.plural).toBe("workloads");
    expect(kindByAnyName("WL")?.kind).toBe("Workload");
    expect(kindByAnyName("rp")?.kind).toBe("Replica");
    expect(kindByAnyName("quota")?.kind).toBe("Quota");
    expect(kindByAnyName("pods")).toBeUndefined();
  });

  test("no two kinds share a name", () => {
    const names = ALL_KINDS.flatMap(({ plural, singular, shortNames }) => [
      plural,
      singular,
      ...shortNames,
    ]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("only what people decide on can be written", () => {
    const others = ALL_KINDS.filter(({ isWritable }) => !isWritable).map(({ kind }) => kind);
    expect(others.toSorted()).toEqual(["Grant", "Lease", "Plane", "Replica", "Reservation"]);
    expect(kindByName("Replica")!.toDesired({})).toEqual([
      { field: "kind", message: "A Replica is written by the control plane only." },
    ]);
  });
});

describe("schemas", () => {
  test("every object is closed, all the way down", () => {
    for (const { kind, schema } of ALL_KINDS) {
      for (const [path, node] of nodesOf(schema, kind)) {
        if (node.properties === undefined) continue;
        expect([path, node.additionalProperties]).toEqual([path, false]);
      }
    }
  });

  test("every field of spec and status says what it is", () => {
    for (const { kind, schema } of ALL_KINDS) {
      for (const [path, node] of nodesOf(schema, kind)) {
        if (path.endsWith("[]") && node.properties === undefined) continue;
        expect([path, node.description ?? ""]).not.toEqual([path, ""]);
      }
    }
  });

  test("what is shown of every kind, status and all, matches its schema", () => {
    const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
    const all = [aBusyPlane(), ...joinedPlanes()].map(({ ledger }) => ledger.objects);
    for (const kind of ALL_KINDS) {
      const shown = all.flatMap((objects) =>
        [...objects.all(kind.kind).values()].map((object) => toApiObject(kind, object, objects)),
      );
      expect([kind.kind, shown.length > 0]).toEqual([kind.kind, true]);
      const validate = ajv.compile(kind.schema);
      for (const object of shown) {
        validate(JSON.parse(JSON.stringify(object)));
        expect([object.metadata.name, validate.errors]).toEqual([object.metadata.name, null]);
      }
    }
  });

  test("every cell and every selectable field of every kind can be read", () => {
    for (const { ledger } of [aBusyPlane(), ...joinedPlanes()]) {
      const { objects } = ledger;
      for (const kind of ALL_KINDS) {
        for (const object of objects.all(kind.kind).values()) {
          for (const column of kind.columns) {
            const isText = column.type === "string";
            expect(typeof column.cell(object, objects)).toBe(isText ? "string" : "number");
          }
          for (const read of Object.values(kind.selectableFields)) {
            expect(typeof read(object)).toBe("string");
          }
        }
      }
    }
  });
});
