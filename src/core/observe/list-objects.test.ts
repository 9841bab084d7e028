import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import { listObjects } from "./list-objects.ts";
import { ObjectIndex } from "./object-index.ts";

function anIndex(): ObjectIndex {
  const index = new ObjectIndex();
  const here = aReplica({ index: 0, stage: "bound", node: "a-1" });
  const there = aReplica({ index: 1, stage: "bound", node: "b-1" });
  for (const after of [aNode(), aWorkload(), here, there, aReplica({ index: 2 })]) {
    index.fold({ key: after.key, before: undefined, after });
  }
  return index;
}

test("a controller is listed every object of its kinds and no other", () => {
  const listed = listObjects(anIndex(), {
    kinds: new Set(["Node", "Replica"]),
    node: undefined,
  });
  expect(listed.map(({ kind }) => kind)).toEqual(["Node", "Replica", "Replica", "Replica"]);
});

test("an agent is listed the replicas on its node", () => {
  const listed = listObjects(anIndex(), { kinds: new Set(["Replica"]), node: "a-1" });
  expect(listed.map(({ key }) => key)).toEqual([aReplica({ index: 0 }).key]);
  expect(listObjects(anIndex(), { kinds: new Set(["Node"]), node: "a-1" })).toEqual([]);
});
