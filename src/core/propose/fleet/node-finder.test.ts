import { describe, expect, test } from "vitest";
import { aCommit, type CommitParts } from "../../../../test/builders/a-commit.ts";
import { aNode } from "../../../../test/builders/a-node.ts";
import { aReplica, type ReplicaParts } from "../../../../test/builders/a-replica.ts";
import type { AnyObject, Replica } from "../../model/objects.ts";
import { View } from "../../observe/view.ts";
import { createBestFit } from "../policies/best-fit.ts";
import { NodeFinder } from "./node-finder.ts";

const queued = (of: ReplicaParts = {}): Replica => aReplica({ stage: "queued", ...of });

/** A finder on a view that tests move by commits, folded together and followed one by one. */
class FinderHarness {
  readonly view = new View({ kinds: new Set(["Node", "Replica"]), node: undefined });
  readonly finder = new NodeFinder(this.view, createBestFit());

  constructor(...objects: readonly AnyObject[]) {
    this.fold({ revision: 1, put: objects });
  }

  fold(...commits: readonly CommitParts[]): void {
    const to = commits.at(-1)?.revision ?? 0;
    for (const change of this.view.follow(commits.map(aCommit), to, 1)) this.finder.follow(change);
  }

  put(...objects: readonly AnyObject[]): void {
    this.fold({ revision: this.view.revision + 1, put: objects });
  }

  /** The name of the node it finds. */
  find(replica: Replica = queued({ index: 9 })): string | undefined {
    return this.finder.find(replica)?.node;
  }

  /** Finds a node for it and counts on getting it. */
  take(replica: Replica, nowMs = 0): string {
    const found = this.finder.find(replica)!;
    this.finder.assume(replica, found, nowMs);
    return found.node;
  }
}

describe("room that was asked for", () => {
  const whole = { cpuMillis: 1000, memoryMiB: 10 };

  test("is not offered to the next replica, and is free again when the ask is given up", () => {
    const harness = new FinderHarness(aNode());
    const replica = queued(whole);
    expect(harness.take(replica)).toBe("a-1");
    expect(harness.finder.hasAssumed).toBe(true);
    expect(harness.find(queued({ ...whole, index: 1 }))).toBeUndefined();
    harness.finder.forget(replica.key);
    expect(harness.finder.hasAssumed).toBe(false);
    expect(harness.find(queued({ ...whole, index: 1 }))).toBe("a-1");
  });

  test("is counted once when the view shows that it was granted", () => {
    const harness = new FinderHarness(aNode(), queued({ cpuMillis: 400 }));
    harness.take(queued({ cpuMillis: 400 }));
    harness.put(aReplica({ cpuMillis: 400, stage: "bound", node: "a-1" }));
    expect(harness.finder.hasAssumed).toBe(false);
    expect(harness.find(queued({ index: 1, cpuMillis: 600 }))).toBe("a-1");
    expect(harness.find(queued({ index: 1, cpuMillis: 601 }))).toBeUndefined();
  });

  test("is free when the view shows that the replica went elsewhere", () => {
    const harness = new FinderHarness(aNode({ name: "a-1" }), queued(whole));
    harness.take(queued(whole));
    harness.put(aNode({ name: "b-1" }), aReplica({ ...whole, stage: "bound", node: "b-1" }));
    expect(harness.find(queued({ ...whole, index: 1 }))).toBe("a-1");
  });

  test("stays taken while the replica is queued in the same incarnation, and no longer", () => {
    const harness = new FinderHarness(aNode(), queued(whole));
    harness.take(queued(whole));
    harness.put(queued({ ...whole, revision: 2 }));
    expect(harness.find(queued({ ...whole, index: 1 }))).toBeUndefined();
    harness.put(aReplica({ ...whole, stage: "released" }));
    expect(harness.find(queued({ ...whole, index: 1 }))).toBe("a-1");
  });

  test("is free when the answer must have been lost", () => {
    const harness = new FinderHarness(aNode());
    harness.take(queued(whole), 1_000);
    harness.finder.forgetOverdue(3_999);
    expect(harness.find(queued({ ...whole, index: 1 }))).toBeUndefined();
    harness.finder.forgetOverdue(4_000);
    expect(harness.find(queued({ ...whole, index: 1 }))).toBe("a-1");
  });

  test("keeps a workload spread before the view shows any of it", () => {
    const spread = [{ by: "zone", maxSkew: 1 }];
    const nodes = ["eu-a", "eu-b"].map((zone) => aNode({ name: zone, zone }));
    const harness = new FinderHarness(...nodes);
    const took = [0, 1, 2, 3].map((index) => harness.take(queued({ index, spread })));
    expect(took).toEqual(["eu-a", "eu-b", "eu-a", "eu-b"]);
  });
});

describe("changes folded together", () => {
  test("a node that changed and a replica that took it: its room is taken once", () => {
    const harness = new FinderHarness(aNode());
    expect(harness.find()).toBe("a-1");
    const taker = aReplica({ stage: "bound", node: "a-1", cpuMillis: 600 });
    harness.fold({ revision: 2, put: [aNode({ cpuMillis: 1200 })] }, { revision: 3, put: [taker] });
    expect(harness.find(queued({ index: 1, cpuMillis: 600 }))).toBe("a-1");
    expect(harness.find(queued({ index: 1, cpuMillis: 601 }))).toBeUndefined();
  });

  test("a node that was cordoned, and one that came: the open one is found", () => {
    const harness = new FinderHarness(aNode({ name: "a-1" }));
    expect(harness.find()).toBe("a-1");
    const cordons = [{ holder: "ops", reason: "disk" }];
    harness.put(aNode({ name: "a-1", cordons }));
    expect(harness.find()).toBeUndefined();
    harness.put(aNode({ name: "b-1" }));
    expect(harness.find()).toBe("b-1");
    harness.fold({ revision: 9, gone: [aNode({ name: "b-1" })] });
    expect(harness.find()).toBeUndefined();
  });
});

test("amounts beyond 32 bits are amounts like others", () => {
  const harness = new FinderHarness(aNode({ cpuMillis: 3_000_000_000, memoryMiB: 6_000_000_000 }));
  expect(harness.find(queued({ cpuMillis: 2_900_000_000 }))).toBe("a-1");
  expect(harness.find(queued({ cpuMillis: 3_000_000_001 }))).toBeUndefined();
});

test("a device that hangs on the node no longer still counts as held, as it does for the authority [BD4]", () => {
  const owner = aReplica({ devices: 1, deviceIds: ["g1"], stage: "serving", node: "a-1" });
  const harness = new FinderHarness(aNode({ deviceIds: ["g0"] }), owner);
  expect(harness.find(queued({ index: 1, devices: 1 }))).toBeUndefined();
  harness.put(aReplica({ stage: "released" }));
  expect(harness.find(queued({ index: 1, devices: 1 }))).toBe("a-1");
});

describe("a node that was refused lately", () => {
  test("is left alone until the view has caught up [RN4]", () => {
    const harness = new FinderHarness(aNode({ name: "a-1" }), aNode({ name: "b-1" }));
    harness.finder.shun("a-1", 3);
    expect(harness.find()).toBe("b-1");
    harness.put(aNode({ name: "c-1", cordons: [{ holder: "ops", reason: "new" }] }));
    harness.finder.liftShunned();
    expect(harness.find()).toBe("b-1");
    harness.put(aNode({ name: "c-1" }));
    harness.finder.liftShunned();
    expect(harness.find()).toBe("a-1");
  });

  test("is still a place that others are spread against [RN4]", () => {
    const nodes = ["eu-a", "eu-b"].map((zone) => aNode({ name: zone, zone }));
    const spread = [{ by: "zone", maxSkew: 1 }];
    const harness = new FinderHarness(...nodes, aReplica({ spread, stage: "bound", node: "eu-a" }));
    harness.finder.shun("eu-b", 9);
    expect(harness.find(queued({ index: 1, spread }))).toBeUndefined();
  });
});

describe("rules about single nodes that look at all of them", () => {
  const near = {
    required: [{ by: "node", labels: {} }],
    preferred: [],
    antiRequired: [],
    antiPreferred: [],
  };

  test("the second of its kind follows the first, and a first may begin anywhere again", () => {
    const harness = new FinderHarness(
      aNode({ name: "a-1", cpuMillis: 150 }),
      aNode({ name: "b-1" }),
    );
    const first = queued({ affinity: near });
    expect(harness.find(first)).toBe("a-1");
    harness.take(first);
    // There is no room beside the first, and the other node has nobody to be near.
    expect(harness.find(queued({ affinity: near, index: 1 }))).toBeUndefined();
    harness.finder.forget(first.key);
    expect(harness.find(queued({ affinity: near, index: 1 }))).toBe("a-1");
  });

  test("the emptiest node decides for all, and a policy that changed its mind does not hide it", () => {
    const nodes = ["a-1", "b-1"].map((name) => aNode({ name, cpuMillis: 1000 }));
    const harness = new FinderHarness(...nodes);
    const spread = [{ by: "node", maxSkew: 1 }];
    const took = [0, 1, 2, 3].map((index) => harness.take(queued({ index, spread })));
    expect(took.toSorted()).toEqual(["a-1", "a-1", "b-1", "b-1"]);
  });
});

test("a class counts on live neighbours however many selectors there are", () => {
  const zones = ["eu-a", "eu-b"].map((zone) => aNode({ name: zone, zone, cpuMillis: 9_000 }));
  const harness = new FinderHarness(...zones);
  const spread = [{ by: "zone", maxSkew: 1 }];
  const others = (from: number, to: number): void => {
    for (let at = from; at < to; at += 1) harness.find(queued({ workload: `w${at}`, spread }));
  };
  harness.find(queued({ spread }));
  others(0, 4_050);
  // The class is made anew on counts that are nearly the oldest, and they go before it does.
  harness.find(queued({ spread }));
  others(4_050, 4_200);
  const took = [0, 1, 2, 3].map((index) => harness.take(queued({ index, spread })));
  expect(took).toEqual(["eu-a", "eu-b", "eu-a", "eu-b"]);
});

test("the next best places are told in order", () => {
  const nodes = [100, 200, 300, 400].map((cpuMillis) =>
    aNode({ name: `n-${cpuMillis}`, cpuMillis }),
  );
  const harness = new FinderHarness(...nodes);
  const next = harness.finder.alternatives(queued(), 3);
  expect(next.map(({ name }) => name)).toEqual(["n-100", "n-200", "n-300"]);
});
