import { describe, expect, test } from "vitest";
import { nodeKey, policyKey, policyRevisionKey } from "../../../core/model/ids.ts";
import {
  nodePoolKey,
  type NodePoolSpec,
  type Provision,
} from "../../../core/model/node/node-pool.ts";
import type { Lease, Node, NodePool, Replica } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aReservation,
  aWorkload,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { createNodePoolsChecker } from "./node-pools.ts";
import { poolsNotDone } from "../liveness/pool-progress.ts";

const SPEC: NodePoolSpec = {
  region: "eu",
  zone: "eu-a",
  capacity: { cpuMillis: 1_000, memoryMiB: 1_000, deviceMillis: 0 },
  provisioner: "cloud",
  maxNodes: 2,
  pace: { nodes: 2, periodMs: 60_000 },
  pendingForMs: 10_000,
  readyWithinMs: 30_000,
  idleAfterMs: 20_000,
};
const NAME = "burst-1";
const WORKLOAD = aWorkload({ spec: { replicas: 4 } });

const pool = (of: Partial<NodePoolSpec> = {}): NodePool => ({
  kind: "NodePool",
  key: nodePoolKey("burst"),
  meta: { ...aNode().meta, name: "burst" },
  spec: { ...SPEC, ...of },
  status: {},
});

interface NodeOf {
  readonly name?: string;
  readonly hard?: boolean;
  readonly provision?: Partial<Provision>;
}

function ofPool({ name = NAME, hard = false, provision = {} }: NodeOf = {}): Node {
  const { spec, status, meta } = aNode();
  const asked = { atMs: 100_000, epoch: 1 };
  return {
    ...aNode(),
    key: nodeKey(name),
    meta: { ...meta, name },
    spec: {
      ...spec,
      region: "eu",
      zone: "eu-a",
      capacity: SPEC.capacity,
      pool: "burst",
      ...(hard ? {} : { supply: "soft" as const }),
    },
    status: {
      ...status,
      health: hard ? "ready" : "unknown",
      provision: { asked, workload: WORKLOAD.key, ...provision },
    },
  };
}

const asks = (cpuMillis: number): Replica["spec"]["template"] => {
  const { template } = aReplica().spec;
  return {
    ...template,
    ask: { ...template.ask, amounts: { cpuMillis, memoryMiB: 1, deviceMillis: 0 } },
  };
};

/** In the queue, and too large for anything but a node of the pool. */
const waiting = (index: number): Replica =>
  aReplica({ spec: { index, template: asks(900) }, status: { stage: "queued" } });

class PoolHarness extends CheckerHarness {
  constructor(of: Partial<NodePoolSpec> = {}, replicas = 2) {
    super(createNodePoolsChecker());
    this.commit({ command: "lead" });
    const small = { cpuMillis: 100, memoryMiB: 100, deviceMillis: 0 };
    const full = aNode({ spec: { ...aNode().spec, capacity: small } });
    this.commit({ put: [pool(of), WORKLOAD, full] });
    for (let index = 0; index < replicas; index += 1) {
      this.commit({ command: "enqueue", put: [waiting(index)] });
    }
    this.nowMs = 100_000;
  }
  ask(name = NAME, of: NodeOf = {}): this {
    this.commit({
      command: "provision",
      role: "provision",
      put: [ofPool({ name, ...of })],
    });
    return this;
  }
  later(ms: number): this {
    this.nowMs += ms;
    return this;
  }
  arrive(name = NAME): this {
    const meta = { ...aNode().meta, name };
    const lease = { kind: "Lease", key: `Lease//${name}`, meta, spec: { node: name } };
    const put = [ofPool({ name, hard: true }), lease as unknown as Lease];
    this.commit({ command: "lease", role: "agent", put });
    return this;
  }
  scaleDown(): this {
    const scalingDown = { atMs: this.nowMs, epoch: 1 };
    const put = [ofPool({ hard: true, provision: { scalingDown } })];
    this.commit({ command: "scale-down", role: "retire-idle", put });
    return this;
  }
}

const rulesOf = ({ found }: CheckerHarness): readonly string[] =>
  found.map((each) => each.slice(0, 6));

describe("the checker of node pools", () => {
  test("accepts machines for who waits, their arrival and their return [INV165] [INV166] [INV167] [INV168]", () => {
    const harness = new PoolHarness().ask().later(1_000).ask("burst-2").arrive().arrive("burst-2");
    harness.commit({ command: "bind", put: [bound(waiting(0), NAME)] });
    harness.later(5_000).commit({ command: "report", put: [waiting(0)] });
    harness.later(20_000).scaleDown();
    harness.commit({ command: "provisioned", remove: [nodeKey(NAME)] });
    expect(harness.found).toEqual([]);
  });

  test("rejects more nodes than a pool may have, and faster [INV165]", () => {
    const more = new PoolHarness({ maxNodes: 1 }, 4).ask().ask("burst-2");
    expect(more.found).toContain(
      "INV165 NodePool//burst was given a node beyond the 1 that it may have.",
    );
    const faster = new PoolHarness({ pace: { nodes: 1, periodMs: 60_000 } }, 4).ask();
    faster.later(59_999).ask("burst-2");
    expect(faster.found).toContain("INV165 NodePool//burst was given a node beyond its pace.");
    const sooner = new PoolHarness({}, 4).ask();
    sooner.commit({ command: "provisioned", put: [ofPool({ provision: { failed: "no" } })] });
    sooner.later(9_999).ask("burst-2");
    expect(sooner.found[0]).toContain("beyond the 10000 ms that it waits after 1 failures");
  });

  test("rejects more of them than the policy of their region says [INV165]", () => {
    const harness = new PoolHarness({}, 4);
    const meta = { ...aNode().meta, name: "default" };
    const spec = { scoring: "best-fit", provisioning: { maxNodes: 0, nodes: 1, periodMs: 60_000 } };
    const policy = {
      kind: "Policy",
      key: policyKey("default"),
      meta,
      spec: { active: "p-1" },
      status: {},
    };
    const revision = {
      kind: "PolicyRevision",
      key: policyRevisionKey("p-1"),
      meta: { ...meta, name: "p-1" },
      spec,
      status: {},
    };
    harness.commit({ put: [policy, revision] as never });
    harness.ask();
    expect(harness.found[0]).toContain("beyond the 0 of eu");
  });

  test("rejects a machine that no replica has waited for, or that helps none [INV166]", () => {
    const nobody = new PoolHarness({}, 0).ask();
    expect(rulesOf(nobody)).toEqual(["INV166"]);
    const early = new PoolHarness({}, 0);
    early.commit({ command: "enqueue", put: [waiting(0)] });
    early.later(9_999).ask();
    expect(rulesOf(early)).toEqual(["INV166"]);
    const roomy = new PoolHarness();
    roomy.commit({ put: [aNode({ spec: { ...aNode().spec, capacity: SPEC.capacity } })] });
    expect(rulesOf(roomy.ask())).toEqual(["INV166"]);
    const elsewhere = new PoolHarness({ capacity: { ...SPEC.capacity, cpuMillis: 800 } });
    expect(rulesOf(elsewhere.ask())).toEqual(["INV166"]);
  });

  test("rejects a machine for what those that are provisioning cover [INV166]", () => {
    const harness = new PoolHarness({}, 1).ask().ask("burst-2");
    expect(harness.found).toEqual([
      "INV166 NodePool//burst was given a node for Workload/payments/api, all of which fits on what was asked for before.",
    ]);
  });

  test("rejects what is on a provisioning node, and one that is there on another's word [INV167]", () => {
    const held = new PoolHarness().ask();
    held.commit({ command: "bind", put: [bound(waiting(0), NAME)] });
    expect(rulesOf(held)).toEqual(["INV167"]);
    const put = new PoolHarness().ask();
    put.commit({ put: [ofPool({ hard: true })] });
    expect(put.found).toEqual(["INV167 Node//burst-1 was said to be there by put."]);
    const made = new PoolHarness();
    made.commit({ put: [ofPool({ hard: true })] });
    expect(rulesOf(made)).toEqual(["INV167"]);
  });

  test("rejects a return of what is used, or was a moment ago [INV168]", () => {
    const used = new PoolHarness().ask().arrive();
    used.commit({ command: "bind", put: [bound(waiting(0), NAME)] });
    expect(used.later(60_000).scaleDown().found[0]).toContain("with 1 replicas and 0 rooms on it");
    const held = new PoolHarness().ask().arrive();
    const room = { node: NAME, deviceIds: [], epoch: 1 };
    held.commit({
      command: "preempt",
      put: [aReservation(waiting(1), { for: "preemptor", room })],
    });
    expect(held.later(60_000).scaleDown().found[0]).toContain("with 0 replicas and 1 rooms on it");
    const early = new PoolHarness().ask().arrive().later(19_999).scaleDown();
    expect(early.found[0]).toContain("given back after 19999 of 20000 ms");
    const lost = new PoolHarness().ask().arrive();
    lost.commit({ command: "provisioned", remove: [nodeKey(NAME)] });
    expect(lost.found[0]).toContain("and was not given back");
  });

  test("rejects giving up what may still come [INV168]", () => {
    const harness = new PoolHarness().ask().later(29_999);
    harness.commit({ command: "expire", remove: [nodeKey(NAME)] });
    expect(harness.found[0]).toContain("given up after 29999 of 30000 ms");
  });
});

const left = (harness: CheckerHarness): readonly string[] =>
  [...poolsNotDone(harness, 1_000)].map(({ rule, key }) => `${rule} ${key}`);

test("who waits for room that a pool has is not left alone [LIV64]", () => {
  const { key } = pool();
  expect(left(new PoolHarness())).toEqual([`LIV64 ${key}`]);
  expect(left(new PoolHarness({ maxNodes: 0 }))).toEqual([]);
  expect(left(new PoolHarness({}, 0))).toEqual([]);
});

test("a provisioning node, idle or given back does not stay so [LIV65]", () => {
  expect(left(new PoolHarness().ask())).toEqual([`LIV65 ${nodeKey(NAME)}`]);
  const idle = new PoolHarness({}, 0).ask().arrive();
  expect(left(idle)).toEqual([`LIV65 ${nodeKey(NAME)}`]);
  idle.commit({ command: "bind", put: [bound(waiting(0), NAME)] });
  expect(left(idle)).toEqual([]);
  const scalingDown = new PoolHarness({}, 0).ask().arrive().later(60_000).scaleDown();
  expect(left(scalingDown)).toEqual([`LIV65 ${nodeKey(NAME)}`]);
});
