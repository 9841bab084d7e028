import { expect, test } from "vitest";
import type { AnyObject } from "../../../core/model/objects.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import { aLease, aNode, aReplica } from "../../../../test/builders/check/fixtures.ts";
import { perState } from "./per-state.ts";

const put = (objects: ObjectIndex, after: AnyObject): void => {
  objects.fold({ key: after.key, before: undefined, after });
};

/** Counts how often it had to look. */
function aCount() {
  let looks = 0;
  const nodes = perState((objects) => {
    looks += 1;
    return objects.all("Node").size;
  });
  return { nodes, looks: () => looks };
}

test("an answer is remembered until an object comes, changes or goes", () => {
  const objects = new ObjectIndex();
  const { nodes, looks } = aCount();
  put(objects, aNode());
  expect([nodes(objects), nodes(objects), looks()]).toEqual([1, 1, 1]);
  put(objects, aNode({ name: "node-2" }));
  expect([nodes(objects), looks()]).toEqual([2, 2]);
  put(objects, aNode({ status: { health: "fenced" } }));
  expect([nodes(objects), looks()]).toEqual([2, 3]);
  objects.fold({ key: aNode().key, before: undefined, after: undefined });
  expect([nodes(objects), looks()]).toEqual([1, 4]);
});

test("a renewed lease and a removal of what is not there change no answer", () => {
  const objects = new ObjectIndex();
  const { nodes, looks } = aCount();
  nodes(objects);
  put(objects, aLease());
  objects.fold({ key: aReplica().key, before: undefined, after: undefined });
  nodes(objects);
  expect(looks()).toBe(1);
});

test("two sides with as many changes behind them do not share an answer", () => {
  const one = new ObjectIndex();
  const other = new ObjectIndex();
  const { nodes } = aCount();
  put(one, aNode());
  put(other, aReplica());
  expect([nodes(one), nodes(other)]).toEqual([1, 0]);
});
