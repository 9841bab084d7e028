import { expect, test } from "vitest";
import type { Replica } from "../../../core/model/objects.ts";
import { ObjectIndex } from "../../../core/observe/object-index.ts";
import {
  aNode,
  aReplica,
  aReservation,
  aTemplate,
} from "../../../../test/builders/check/fixtures.ts";
import { perLike } from "./per-like.ts";

const template = aTemplate();
const labels = { app: "api" };
const of = (index: number, other: Partial<Replica["spec"]> = {}): Replica =>
  aReplica({ meta: { labels }, spec: { index, template, ...other }, status: { stage: "queued" } });

/** Answers with whom it was asked about in earnest. */
const whoWasAsked = () => perLike((_objects, replica) => replica.key);

test("replicas that are alike get the answer that the first of them got", () => {
  const objects = new ObjectIndex();
  const asked = whoWasAsked();
  expect([asked(objects, of(0)), asked(objects, of(1))]).toEqual([of(0).key, of(0).key]);
});

test("the answer is not remembered beyond the next change", () => {
  const objects = new ObjectIndex();
  const asked = whoWasAsked();
  asked(objects, of(0));
  objects.fold({ key: aNode().key, before: undefined, after: aNode() });
  expect(asked(objects, of(1))).toBe(of(1).key);
});

test.each([
  { title: "another template", other: of(1, { template: aTemplate() }) },
  { title: "another generation", other: of(1, { generation: 2 }) },
  { title: "other labels", other: { ...of(1), meta: { ...of(1).meta, labels: {} } } },
  { title: "another tenant", other: { ...of(1), meta: { ...of(1).meta, namespace: "search" } } },
])("a replica with $title is asked about by itself", ({ other }) => {
  const objects = new ObjectIndex();
  const asked = whoWasAsked();
  asked(objects, of(0));
  expect(asked(objects, other)).toBe(other.key);
});

test("one with reserved room is unlike all others", () => {
  const objects = new ObjectIndex();
  const asked = whoWasAsked();
  const hold = aReservation(of(1), {
    name: "api.1.1.1.room",
    for: "preemptor",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });
  objects.fold({ key: hold.key, before: undefined, after: hold });
  asked(objects, of(0));
  expect(asked(objects, of(1))).toBe(of(1).key);
});
