import { expect, test } from "vitest";
import type { Actor } from "../../../core/model/actor.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aLease, aNode, aReplica, aWorkload } from "../../../../test/builders/check/fixtures.ts";
import { createTrespassChecker } from "./trespass.ts";

const AGENT: Actor = { role: "agent", name: "agent:node-1" };
const MALLORY: Actor = { role: "user", name: "mallory" };
const on = (node: string) => aReplica({ status: { stage: "starting", node, session: 1 } });

/**
 * What is found when the actor writes the last of them, after somebody else has written the first.
 */
function found(actor: Actor, was: AnyObject, is: AnyObject): readonly string[] {
  const attacks = [{ by: "user:mallory", attack: "flood", atMs: 0, times: 1 }] as const;
  const harness = new CheckerHarness(createTrespassChecker(attacks));
  harness.commit({ put: [was], role: "place" });
  harness.commit({ put: [is], actor, command: "report" });
  return harness.found.map((text) => text.slice(0, 6));
}

test.each([
  { title: "its own lease", was: aLease(), is: aLease() },
  { title: "its own node's status", was: aNode(), is: aNode({ status: { session: 2 } }) },
  { title: "a replica that is bound to it", was: on("node-1"), is: on("node-1") },
])("[INV180] an agent may change $title", ({ was, is }) => {
  expect(found(AGENT, was, is)).toEqual([]);
});

test.each([
  { title: "another's lease", was: aLease("node-2"), is: aLease("node-2") },
  { title: "its own node's spec", was: aNode(), is: aNode({ spec: { zone: "eu-b" } }) },
  {
    title: "its own node's labels",
    was: aNode(),
    is: aNode({ meta: { labels: { disk: "ssd" } } }),
  },
  { title: "a replica that is bound to another", was: on("node-2"), is: on("node-2") },
  { title: "where its replica is", was: on("node-1"), is: on("node-2") },
  { title: "a workload", was: aWorkload(), is: aWorkload() },
])("[INV180] an agent may not change $title", ({ was, is }) => {
  expect(found(AGENT, was, is)).toContain("INV180");
});

test("[INV182] the user of a hostile tenant may not change what is another's", () => {
  const own = aWorkload({ meta: { namespace: "mallory" } });
  expect(found(MALLORY, aWorkload(), aWorkload())).toEqual(["INV182"]);
  const key = "Workload/mallory/api" as typeof own.key;
  expect(found(MALLORY, { ...own, key }, { ...own, key })).toEqual([]);
});

test("[INV183] what is given up on the word of a node was bound to that node", () => {
  const harness = new CheckerHarness(createTrespassChecker([]));
  const evidence = { kind: "session-ended", node: "node-1", session: 1 } as const;
  const released = aReplica({ status: { stage: "released", node: undefined } });
  harness.commit({ put: [on("node-1")], role: "place" });
  harness.commit({ put: [released], role: "release-lost", command: "release", evidence });
  expect(harness.found).toEqual([]);
  harness.commit({ put: [on("node-2")], role: "place" });
  harness.commit({ put: [released], role: "release-lost", command: "release", evidence });
  expect(harness.found).toEqual([expect.stringMatching(/^INV183 .* which is bound to node-2/)]);
});
