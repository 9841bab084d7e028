import { expect, test } from "vitest";
import { aNode, type NodeParts } from "../../../../test/builders/a-node.ts";
import { aReplica } from "../../../../test/builders/a-replica.ts";
import type { Replica } from "../../../core/model/objects.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import { drainCondition, drainStatus } from "./drain-status.ts";

const TERMS = { holder: "ada", reason: "new disk", deadlineMs: 60_000 };
const BEGUN = { generation: 2, sinceMs: 5_000, epoch: 1 };
const OVER = { ...BEGUN, overMs: 65_000 };

const on = (index: number, of: object = {}): Replica =>
  aReplica({ index, stage: "serving", node: "a-1", ...of });
const LEAVING = on(0, { stopping: { reason: "drain", sinceMs: 0 } });

function told(of: NodeParts, ...replicas: readonly Replica[]): string {
  const objects = new ObjectIndex();
  for (const after of replicas) objects.fold({ key: after.key, before: undefined, after });
  const [condition] = drainCondition(aNode({ draining: true, ...of }), objects);
  return `${condition?.status} ${condition?.reason}: ${condition?.message}`;
}

test("a drain says who leaves, who is waited for, and what happens at the deadline [MT3] [MT4]", () => {
  expect(told({}, LEAVING, on(1), on(2))).toBe(
    "False Draining: 1 being stopped, 2 staying: until the disruption budget of payments/api allows it.",
  );
  expect(told({ terms: TERMS, drain: BEGUN }, on(1))).toBe(
    "False Draining: 1 staying: until the disruption budget of payments/api allows it; at 1970-01-01T00:01:05.000Z the remaining replicas stay.",
  );
  const forced = { ...TERMS, atDeadline: "force" as const };
  expect(told({ terms: forced, drain: BEGUN }, on(1))).toMatch(/all are stopped\.$/);
  expect(told({ terms: forced, drain: OVER }, LEAVING)).toBe(
    "False Draining: 1 being stopped; the deadline has passed.",
  );
});

test("a drain that stopped with replicas left is incomplete, and an empty node is drained [MT4]", () => {
  expect(told({ terms: TERMS, drain: OVER }, on(1))).toBe(
    "False DrainIncomplete: The deadline has passed, and no more replicas are stopped; 1 staying: the disruption budget of payments/api did not allow it by the deadline.",
  );
  expect(told({ terms: TERMS, drain: OVER })).toBe("True Empty: Nothing is left on the node.");
});

test("a node that is not drained has nothing to say of it", () => {
  const node = aNode();
  expect(drainCondition(node, new ObjectIndex())).toEqual([]);
  expect(drainStatus(node, new ObjectIndex())).toEqual({});
});
