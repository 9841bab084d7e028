import { describe, expect, test } from "vitest";
import { aMeta } from "../../../test/builders/a-meta.ts";
import { aNode } from "../../../test/builders/a-node.ts";
import { aRefusal } from "../../../test/builders/a-refusal.ts";
import { aReplica, type ReplicaParts } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Intent } from "../protocol/command.ts";
import type { Refusal } from "../protocol/outcome.ts";
import type { Decision } from "../protocol/decision.ts";
import { workloadKey } from "../model/ids.ts";
import type { AnyObject, PriorityClass, PriorityClassSpec, Replica } from "../model/objects.ts";
import { priorityClassKey } from "../model/preemption.ts";
import { preemptOperation } from "../protocol/operations.ts";
import { createPreempt } from "./preempt.ts";

const API = workloadKey("payments", "api");

const aClass = (name: string, spec: PriorityClassSpec): PriorityClass => {
  const key = priorityClassKey(name);
  return { kind: "PriorityClass", key, meta: aMeta(key), spec, status: {} };
};

const CLASSES = [
  aClass("low", { value: 10 }),
  aClass("middle", { value: 20 }),
  aClass("high", { value: 30 }),
];

const waiting = (of: ReplicaParts = {}): Replica =>
  aReplica({ stage: "queued", priorityClass: "high", cpuMillis: 500, ...of });

/** On `a-1` unless told otherwise, of the class `low`, and as large as half of it. */
const running = (workload: string, of: ReplicaParts = {}): Replica =>
  aReplica({
    workload,
    stage: "serving",
    node: "a-1",
    priorityClass: "low",
    cpuMillis: 500,
    memoryMiB: 1,
    ...of,
  });

function decide(
  objects: readonly AnyObject[],
  of: { readonly feedback?: readonly Refusal[]; readonly classes?: readonly AnyObject[] } = {},
): Decision {
  const controller = createPreempt();
  const all = [...(of.classes ?? CLASSES), ...objects];
  const view = aView(controller, all);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  return controller.reconcile(API, view, aLook(1_000, { feedback: of.feedback ?? [] }));
}

const asked = (decision: Decision): readonly string[] =>
  decision.kind !== "propose"
    ? [`${decision.kind}${decision.kind === "wait" ? ` ${decision.reason}` : ""}`]
    : decision.intents.map(described);

const described = (intent: Intent): string =>
  intent.kind === "preempt"
    ? `${intent.node}: ${intent.victims.map(({ replica }) => replica.split("/")[2]).join(" ")}`
    : intent.kind;

describe("a queued replica that no node can take", () => {
  test("gets room by one preemption, held for the longest grace and a minute [PE3] [PE7]", () => {
    const run = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 7_000 };
    const objects = [aNode(), running("a", { run }), running("b", { cpuMillis: 400 }), waiting()];
    expect(decide(objects)).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "preempt",
          operation: preemptOperation(waiting()),
          replica: waiting().key,
          incarnation: 1,
          node: "a-1",
          victims: [{ replica: running("a").key, incarnation: 1 }],
          holdMs: 67_000,
        },
      ],
    });
  });

  test("is left to the scheduler when some node could take it [PE9]", () => {
    expect(asked(decide([aNode(), waiting()]))).toEqual(["wait room-free"]);
  });

  test("waits with a reason when no replica there may be preempted [PE1] [RN6]", () => {
    const equal = running("a", { priorityClass: "high", cpuMillis: 1000 });
    const decision = decide([aNode(), equal, waiting()]);
    expect(decision).toMatchObject({
      kind: "wait",
      reason: "nothing-to-preempt",
      wakes: ["nodes", API],
      deadlineMs: 16_000,
    });
  });

  test("is no concern of it when its class never preempts, or it has none [PE1]", () => {
    const full = running("a", { cpuMillis: 1000 });
    const never = [aClass("high", { value: 30, preempts: "never" })];
    expect(asked(decide([aNode(), full, waiting()], { classes: never }))).toEqual(["settled"]);
    expect(asked(decide([aNode(), full, waiting({ priorityClass: "" })]))).toEqual(["settled"]);
  });

  test("does not make room where it may not be [BD6]", () => {
    const elsewhere = waiting({ regions: ["us"] });
    const full = running("a", { cpuMillis: 1000 });
    expect(asked(decide([aNode(), full, elsewhere]))).toEqual(["wait nothing-to-preempt"]);
  });

  test("never preempts a replica that it must be near [PE1]", () => {
    const near = running("a", { cpuMillis: 1000 });
    const company = { ...near, meta: { ...near.meta, labels: { app: "db" } } };
    const affinity = {
      required: [{ by: "node", labels: { app: "db" } }],
      preferred: [],
      antiRequired: [],
      antiPreferred: [],
    };
    expect(asked(decide([aNode(), company, waiting({ affinity })]))).toEqual([
      "wait nothing-to-preempt",
    ]);
  });

  test("waits for the room that is held for it, and says for whom [RN6]", () => {
    const room = { node: "a-1", deviceIds: [], epoch: 1 };
    const stopping = { reason: "preempted", sinceMs: 0 } as const;
    const objects = [
      aNode(),
      running("a", { cpuMillis: 1000, stopping }),
      waiting(),
      aReservation(waiting(), { for: "preemptor", room }),
    ];
    expect(decide(objects)).toMatchObject({
      reason: "room-held",
      because: { summary: "waits for room on a-1: 1 victim stopping" },
    });
  });

  test("waits a little when too many were preempted lately [PE5]", () => {
    const feedback = [aRefusal("preemption-rate", { field: "victims", revision: 99 })];
    const full = running("a", { cpuMillis: 1000 });
    expect(decide([aNode(), full, waiting()], { feedback })).toMatchObject({
      reason: "preemption-rate",
      deadlineMs: 6_000,
    });
  });
});

describe("several of one workload", () => {
  test("each get a node of their own, as far as there are nodes [PE9]", () => {
    const nodes = [aNode(), aNode({ name: "b-1" })];
    const full = [
      running("a", { cpuMillis: 1000 }),
      running("b", { cpuMillis: 1000, node: "b-1" }),
    ];
    const three = [0, 1, 2].map((index) => waiting({ index, cpuMillis: 1000 }));
    expect(asked(decide([...nodes, ...full, ...three]))).toEqual(["a-1: a.1.0", "b-1: b.1.0"]);
  });

  test("of a gang of which some are not queued get no room [GA4]", () => {
    const gang = aWorkload({ replicas: 2, gang: { deadlineMs: 60_000 } });
    const objects = [aNode(), running("a", { cpuMillis: 1000 }), gang, waiting()];
    const late = aReplica({ index: 1, stage: "admitted", priorityClass: "high" });
    expect(asked(decide([...objects, late]))).toEqual(["wait gang-incomplete"]);
  });

  test("of a gang get room together, or no replica is asked to leave [PE3] [GA4]", () => {
    const gang = aWorkload({ replicas: 2 });
    const desired = { ...gang, spec: { ...gang.spec, gang: { deadlineMs: 60_000 } } };
    const two = [0, 1].map((index) => waiting({ index, cpuMillis: 1000 }));
    const full = running("a", { cpuMillis: 1000 });
    expect(asked(decide([aNode(), full, ...two, desired]))).toEqual(["wait room-promised"]);
    const more = [aNode({ name: "b-1" }), running("b", { cpuMillis: 1000, node: "b-1" })];
    expect(asked(decide([aNode(), full, ...more, ...two, desired]))).toHaveLength(2);
  });
});

const bounded = (maxUnavailable: number): AnyObject => {
  const workload = aWorkload({ name: "a", replicas: 1 });
  return { ...workload, spec: { ...workload.spec, disruption: { maxUnavailable } } };
};

describe("the least disturbing", () => {
  const onB = (workload: string, of: ReplicaParts = {}): Replica =>
    running(workload, { node: "b-1", ...of });
  const nodes = [aNode(), aNode({ name: "b-1" })];

  test.each<{ title: string; a: readonly Replica[]; b: readonly Replica[]; chosen: string }>([
    {
      title: "has the lower of the highest values, however many they are [PE9]",
      a: [running("a", { cpuMillis: 1000, priorityClass: "middle" })],
      b: [0, 1].map((index) => onB("b", { index })),
      chosen: "b-1: b.1.1",
    },
    {
      title: "takes fewer [PE9]",
      a: [0, 1, 2, 3].map((index) => running("a", { index, cpuMillis: 250 })),
      b: [0, 1].map((index) => onB("b", { index })),
      chosen: "b-1: b.1.1",
    },
    {
      title: "takes who came last [PE9]",
      a: [running("a", { cpuMillis: 1000, stageSinceMs: 10 })],
      b: [onB("b", { cpuMillis: 1000, stageSinceMs: 20 })],
      chosen: "b-1: b.1.0",
    },
    {
      title: "is the first by name among equals [PE9]",
      a: [running("a", { cpuMillis: 1000 })],
      b: [onB("b", { cpuMillis: 1000 })],
      chosen: "a-1: a.1.0",
    },
    {
      title: "keeps the more important on a node and takes the less important [PE9]",
      a: [running("a"), running("c", { priorityClass: "middle" })],
      b: [onB("b", { cpuMillis: 1000, priorityClass: "high" })],
      chosen: "a-1: a.1.0",
    },
    {
      title: "takes one large rather than many small ones [PE9]",
      a: [running("a"), ...[0, 1].map((index) => running("c", { index, cpuMillis: 250 }))],
      b: [onB("b", { cpuMillis: 1000, priorityClass: "high" })],
      chosen: "a-1: a.1.0",
    },
  ])("choice $title", ({ a, b, chosen }) => {
    expect(asked(decide([...nodes, ...a, ...b, waiting()]))).toEqual([chosen]);
  });

  test("choice spares workloads that bound what is taken from them [PE9]", () => {
    const a = running("a", { cpuMillis: 1000, stageSinceMs: 99 });
    const b = onB("b", { cpuMillis: 1000 });
    expect(asked(decide([...nodes, bounded(1), a, b, waiting()]))).toEqual(["b-1: b.1.0"]);
  });

  test("choice passes over what its workload cannot spare, and says so when nothing else is left [PE4]", () => {
    const a = running("a", { cpuMillis: 1000 });
    expect(asked(decide([aNode(), bounded(0), a, waiting()]))).toEqual(["wait preemption-budget"]);
    expect(asked(decide([aNode(), bounded(1), a, waiting()]))).toEqual(["a-1: a.1.0"]);
  });
});

test("room of stopping replicas is reserved without a preemption [PE3]", () => {
  const stopping = { reason: "surplus", sinceMs: 0 } as const;
  const objects = [aNode(), running("a", { cpuMillis: 1000, stopping }), waiting()];
  expect(asked(decide(objects))).toEqual(["a-1: "]);
});

test("a node whose preemption was refused is left alone until the view shows why [RN4]", () => {
  const controller = createPreempt();
  const nodes = [aNode(), aNode({ name: "b-1" })];
  const full = [running("a", { cpuMillis: 1000 }), running("b", { cpuMillis: 1000, node: "b-1" })];
  const all = [...CLASSES, ...nodes, ...full, waiting()];
  const view = aView(controller, all);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  const first = controller.reconcile(API, view, aLook(1_000));
  expect(asked(first)).toEqual(["a-1: a.1.0"]);
  const feedback = [aRefusal("disruption-budget", { field: "Workload/payments/a", revision: 99 })];
  expect(asked(controller.reconcile(API, view, aLook(1_100, { feedback })))).toEqual([
    "b-1: b.1.0",
  ]);
});

test("whose conclusion a change may alter [RN1]", () => {
  const controller = createPreempt();
  const all = [...CLASSES, aNode(), waiting()];
  const view = aView(controller, all);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  const keys = (after: AnyObject): readonly string[] =>
    controller.keysFor({ key: after.key, before: undefined, after }, view);
  expect(keys(waiting())).toEqual([API]);
  expect(keys(aClass("low", { value: 1 }))).toEqual([API]);
  expect(
    keys(
      aReservation(waiting(), { for: "preemptor", room: { node: "a-1", deviceIds: [], epoch: 1 } }),
    ),
  ).toEqual([API]);
  expect(keys(running("a"))).toEqual([]);
  expect([...controller.allKeys(view)]).toEqual([API]);
});
