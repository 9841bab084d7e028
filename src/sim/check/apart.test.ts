import { expect, test } from "vitest";
import type { Affinity, AffinityTerm, Labels, Replica } from "../../core/model/objects.ts";
import { createApartChecker } from "./apart.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import { aNode, aReplica, aTemplate, bound } from "../../../test/builders/check/fixtures.ts";

const DB = { app: "db" };

const apart = (...antiRequired: readonly AffinityTerm[]): Affinity => ({
  required: [],
  preferred: [],
  antiRequired,
  antiPreferred: [],
});

const replica = (
  index: number,
  labels: Labels,
  of: Parameters<typeof aTemplate>[0] = {},
): Replica => aReplica({ meta: { labels }, spec: { index, template: aTemplate(of) } });

function harness(maxReplicas?: number): CheckerHarness {
  const made = new CheckerHarness(createApartChecker());
  const spec = maxReplicas === undefined ? {} : { maxReplicas };
  made.commit({ put: [aNode({ spec }), aNode({ name: "node-2" })] });
  return made;
}

function foundAfter(made: CheckerHarness, ...commits: (readonly Replica[])[]): readonly string[] {
  for (const put of commits) made.commit({ command: "bind", role: "place", put: [...put] });
  return made.found;
}

test("replicas that must be kept apart and are break no rule [INV22]", () => {
  const affinity = apart({ by: "node", labels: DB });
  const one = bound(replica(0, DB, { affinity }), "node-1");
  const other = bound(replica(1, DB, { affinity }), "node-2");
  expect(foundAfter(harness(), [one], [other])).toEqual([]);
});

test("a bind beside a replica that the newcomer may not be with is reported [INV22]", () => {
  const affinity = apart({ by: "zone", labels: DB });
  const there = bound(replica(0, DB), "node-1");
  const late = bound(replica(1, {}, { affinity }), "node-2");
  expect(foundAfter(harness(), [there], [late])).toEqual([
    "INV22 Replica/payments/api.1.1 was bound to node-2 and must be kept apart from Replica/payments/api.1.0 on node-1.",
  ]);
});

test("a bind beside a replica that may not be with the newcomer is reported [INV22]", () => {
  const guard = bound(replica(0, {}, { affinity: apart({ by: "zone", labels: DB }) }), "node-1");
  const late = bound(replica(1, DB), "node-2");
  expect(foundAfter(harness(), [guard], [late])).toHaveLength(1);
});

test("two in one commit that may not be together are reported [INV22]", () => {
  const affinity = apart({ by: "zone", labels: DB });
  const both = [
    bound(replica(0, DB, { affinity }), "node-1"),
    bound(replica(1, DB, { affinity }), "node-2"),
  ];
  expect(foundAfter(harness(), both)).toHaveLength(1);
});

test("a bind beyond the cap of the node or of the workload is reported [INV22]", () => {
  const plain = [0, 1].map((index) => [bound(replica(index, {}), "node-1")]);
  expect(foundAfter(harness(1), ...plain)).toEqual([
    "INV22 Replica/payments/api.1.1 was bound to node-1, which takes 1 replicas and has 1.",
  ]);
  const capped = [0, 1].map((index) => [bound(replica(index, {}, { maxPerNode: 1 }), "node-1")]);
  expect(foundAfter(harness(), ...capped)).toEqual([
    "INV22 Replica/payments/api.1.1 was bound to node-1, which has 1 of the workload's replicas, of which 1 may share a node.",
  ]);
});
