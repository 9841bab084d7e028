import { describe, expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { Decision } from "../protocol/decision.ts";
import { nodeKey } from "../model/ids.ts";
import type { AnyObject, Node, Replica } from "../model/objects.ts";
import { evictOperation } from "../protocol/operations.ts";
import { createDrainNode } from "./drain-node.ts";

const controller = createDrainNode();
const STOPPING = { reason: "drain", sinceMs: 0 } as const;

const on = (of: Parameters<typeof aReplica>[0] = {}): Replica =>
  aReplica({ stage: "serving", node: "a-1", ...of });

const decide = (node: NodeParts, replicas: readonly Replica[], now = 0): Decision =>
  controller.reconcile(aNode().key, aView(controller, [aNode(node), ...replicas]), aLook(now));

const bounded = (maxUnavailable: number, replicas = 2): AnyObject => {
  const workload = aWorkload({ replicas });
  return { ...workload, spec: { ...workload.spec, disruption: { maxUnavailable } } };
};

const drain = (objects: readonly AnyObject[]): Decision =>
  controller.reconcile(
    aNode().key,
    aView(controller, [aNode({ draining: true }), ...objects]),
    aLook(1_000),
  );

describe("a draining node", () => {
  test("asks each of its replicas to stop, on the evidence of the drain [EV1]", () => {
    const replicas = [on({ index: 1, incarnation: 4 }), on({ index: 0 })];
    expect(decide({ draining: true }, replicas)).toMatchObject({
      kind: "propose",
      intents: [
        {
          kind: "evict",
          operation: evictOperation(on({ index: 0 }), "drain"),
          replica: on({ index: 0 }).key,
          incarnation: 1,
          evidence: { kind: "drain", node: "a-1" },
        },
        { kind: "evict", replica: on({ index: 1 }).key, incarnation: 4 },
      ],
    });
  });

  test("does not ask again a replica that is stopping [ST2]", () => {
    const replicas = [on({ index: 0, stopping: STOPPING }), on({ index: 1 })];
    const decision = decide({ draining: true }, replicas);
    expect(decision).toMatchObject({ intents: [{ replica: on({ index: 1 }).key }] });
    expect(decision.kind === "propose" && decision.intents).toHaveLength(1);
  });

  test("waits for the agent to stop the last of them, with a deadline [RN6]", () => {
    expect(decide({ draining: true }, [on({ stopping: STOPPING })], 1_000)).toMatchObject({
      kind: "wait",
      reason: "stopping",
      deadlineMs: 16_000,
    });
  });

  test("asks no more of a workload to stop than it can spare [PE4]", () => {
    const decision = drain([on({ index: 0 }), on({ index: 1 }), bounded(1)]);
    expect(decision).toMatchObject({
      kind: "propose",
      intents: [{ replica: on({ index: 0 }).key }],
    });
    expect(decision.kind === "propose" && decision.intents).toHaveLength(1);
  });

  test("waits until its workloads can spare the rest, and says which [PE4] [RN6]", () => {
    expect(drain([on({ index: 0 }), on({ index: 1 }), bounded(0)])).toMatchObject({
      kind: "wait",
      reason: "disruption-budget",
      wakes: ["Workload/payments/api"],
      deadlineMs: 16_000,
      because: {
        summary:
          "2 replicas stay on a-1 until the disruption budget of Workload/payments/api allows eviction",
      },
    });
  });

  test("takes one at a time of a service that states no budget [MT6]", () => {
    const workload = aWorkload({ replicas: 3 });
    const all = [on({ index: 0 }), on({ index: 1 }), on({ index: 2 })];
    const first = drain([...all, workload]);
    expect(first.kind === "propose" && first.intents).toHaveLength(1);
    const starting = on({ index: 0, node: "b-1", stage: "starting" });
    expect(drain([starting, ...all.slice(1), workload])).toMatchObject({
      kind: "wait",
      reason: "disruption-budget",
    });
    // A replica that never had a node may wait for quota for ever.
    const waiting = aReplica({ index: 0, stage: "queued" });
    expect(drain([waiting, ...all.slice(1), workload])).toMatchObject({ kind: "propose" });
  });

  test("takes all of a batch at once, whatever else is out [MT6]", () => {
    const jobs = [on({ index: 0, type: "batch" }), on({ index: 1, type: "batch" })];
    const decision = drain([...jobs, aWorkload({ type: "batch", replicas: 2 })]);
    expect(decision.kind === "propose" && decision.intents).toHaveLength(2);
  });

  test("does not wait for one that does not serve anyway [PE4]", () => {
    const starting = on({ index: 0, stage: "starting" });
    expect(drain([starting, bounded(0, 1)])).toMatchObject({ kind: "propose" });
  });

  test("is looked at again when a replica that did not serve is gone [MT6]", () => {
    const own = createDrainNode();
    const view = aView(own, [aNode({ draining: true })]);
    const node = aNode({ draining: true });
    own.follow?.({ key: node.key, before: undefined, after: node }, view);
    const starting = on({ node: "b-1", stage: "starting" });
    const gone = { key: starting.key, before: starting, after: undefined };
    expect(own.keysFor(gone, view)).toEqual([nodeKey("a-1")]);
  });

  test("is looked at again when any replica begins to serve elsewhere [PE4]", () => {
    const own = createDrainNode();
    const view = aView(own, [aNode({ draining: true })]);
    const after = aNode({ draining: true });
    own.follow?.({ key: after.key, before: undefined, after }, view);
    const starting = on({ node: "b-1", stage: "starting" });
    const serving = on({ node: "b-1" });
    const keys = own.keysFor({ key: serving.key, before: starting, after: serving }, view);
    expect(keys).toEqual([nodeKey("a-1")]);
  });

  test("is settled when it is empty", () => {
    const elsewhere = on({ node: "b-1" });
    expect(decide({ draining: true }, [elsewhere]).kind).toBe("settled");
  });
});

test("a node that is not draining, or is gone, asks no replica to stop [EV1]", () => {
  expect(decide({ draining: false }, [on()]).kind).toBe("settled");
  expect(controller.reconcile(aNode().key, aView(controller, [on()]), aLook()).kind).toBe(
    "settled",
  );
});

test("a changed node concerns itself, and a changed replica its node while that is draining", () => {
  const own = createDrainNode();
  const view = aView(own, [aNode()]);
  const keysOf = (after: Node | Replica) =>
    own.keysFor({ key: after.key, before: undefined, after }, view);
  expect(keysOf(aNode())).toEqual([aNode().key]);
  expect(keysOf(on({ stage: "starting" }))).toEqual([]);
  const after = aNode({ draining: true });
  own.follow?.({ key: after.key, before: undefined, after }, view);
  expect(keysOf(on({ stage: "starting" }))).toEqual([aNode().key]);
  expect(keysOf(aReplica({ stage: "queued" }))).toEqual([]);
  expect(own.allKeys(view)).toEqual([aNode().key]);
});

describe("a drain with a deadline", () => {
  const terms = { holder: "ada", reason: "", deadlineMs: 60_000 };
  const progress = { generation: 3, sinceMs: 5_000, epoch: 1 };
  const replica = on({ index: 0 });

  const look = (node: NodeParts, now: number, looking = createDrainNode()): Decision =>
    looking.reconcile(
      aNode().key,
      aView(looking, [
        aNode({ draining: true, terms, drain: progress, ...node }),
        bounded(0),
        replica,
      ]),
      aLook(now),
    );

  test("waits for workloads to spare theirs until it has passed by its own clock [MT3]", () => {
    const looking = createDrainNode();
    expect(look({}, 100_000, looking)).toMatchObject({ kind: "wait", reason: "disruption-budget" });
    // Two clocks may differ by two parts in a hundred.
    expect(look({}, 160_000, looking)).toMatchObject({ kind: "wait", deadlineMs: 161_200 });
    expect(look({}, 161_200, looking)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "drain-over", node: "a-1", generation: 3 }],
    });
  });

  test("counts anew when it is drained on other terms [MT3]", () => {
    const looking = createDrainNode();
    look({}, 0, looking);
    const again = { ...progress, generation: 4 };
    expect(look({ drain: again }, 70_000, looking)).toMatchObject({ kind: "wait" });
  });

  test("leaves those alone who remain when it stops there [MT4]", () => {
    expect(look({ drain: { ...progress, overMs: 65_000 } }, 0)).toEqual({ kind: "settled" });
  });

  test("asks those who remain by force when it says so [MT4]", () => {
    const forced = { ...terms, atDeadline: "force" as const };
    const over = { ...progress, overMs: 65_000 };
    expect(look({ terms: forced, drain: over }, 0)).toMatchObject({
      kind: "propose",
      intents: [{ kind: "evict", evidence: { kind: "drain-forced", node: "a-1" } }],
    });
  });
});
