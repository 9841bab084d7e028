import { expect, test } from "vitest";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aLease,
  aNode,
  aReplica,
  bound,
  freed,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createStagesChecker } from "./stages.ts";

const newHarness = (): CheckerHarness => new CheckerHarness(createStagesChecker());
const newNode = aNode({ status: { health: "unknown", session: 0 } });
const node = aNode();
const replica = aReplica();
const serving = bound(replica, "node-1", { stage: "serving" });

/** A harness on which the replica has come to serve on its node. */
function benchServing(): CheckerHarness {
  const harness = newHarness();
  harness.commit({ command: "put", role: "user", put: [newNode] });
  harness.commit({ command: "lease", role: "agent", put: [aLease(), node] });
  harness.commit({ command: "admit", role: "admit", put: [replica] });
  harness.commit({
    command: "transition",
    role: "admit",
    put: [withStatus(replica, { stage: "queued" })],
  });
  harness.commit({ command: "bind", role: "place", put: [bound(replica)] });
  harness.commit({ command: "report", role: "agent", put: [serving] });
  return harness;
}

test("the way from admitted to serving, unknown, released and the next incarnation is fine [INV6]", () => {
  const harness = benchServing();
  const silent = aNode({ status: { health: "unknown" } });
  harness.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "suspect" } })],
  });
  harness.commit({
    command: "transition",
    role: "node-health",
    put: [silent, withStatus(serving, { stage: "unknown" })],
  });
  harness.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "fenced" } })],
  });
  harness.commit({ command: "release", role: "release-lost", put: [freed(serving)] });
  harness.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 2 } })],
  });
  harness.commit({
    command: "admit",
    role: "admit",
    put: [withStatus(replica, { incarnation: 2 })],
  });
  harness.commit({ command: "evict", role: "admit", put: [freed(replica, { incarnation: 2 })] });
  harness.commit({ command: "delete", role: "admit", remove: [replica.key] });
  expect(harness.found).toEqual([]);
});

test("many indexes may be queued and bound at once, by the same roles and from the same stages [INV6]", () => {
  const harness = newHarness();
  const queued = withStatus(replica, { stage: "queued" });
  harness.commit({ command: "enqueue", role: "admit", put: [queued] });
  harness.commit({ command: "bind-all", role: "place", put: [bound(replica)] });
  harness.commit({ command: "release", role: "release-lost", put: [freed(bound(replica))] });
  const next = withStatus(replica, { stage: "queued", incarnation: 2 });
  harness.commit({ command: "enqueue", role: "admit", put: [next] });
  expect(harness.found).toEqual([]);
  harness.commit({
    command: "bind-all",
    role: "admit",
    put: [bound(replica, "node-1", { incarnation: 2 })],
  });
  harness.commit({
    command: "enqueue",
    role: "admit",
    put: [withStatus(replica, { stage: "queued", incarnation: 3 })],
  });
  expect(harness.found).toHaveLength(2);
});

test("a stage change by another role or command is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({
    command: "report",
    role: "place",
    put: [withStatus(serving, { stage: "ready" })],
  });
  harness.commit({ command: "evict", role: "admit", put: [freed(serving)] });
  expect(harness.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from serving to ready by report of place harness.",
    "INV6 Replica/payments/api.1.0 went from ready to released by evict of admit harness.",
  ]);
});

test("a stage that is left out is reported [INV6]", () => {
  const harness = newHarness();
  harness.commit({ command: "admit", role: "admit", put: [replica] });
  harness.commit({ command: "bind", role: "place", put: [bound(replica)] });
  expect(harness.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from admitted to bound by bind of place harness.",
  ]);
});

test("an incarnation that skips one, or changes without admission, is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({
    command: "report",
    role: "agent",
    put: [withStatus(serving, { incarnation: 2 })],
  });
  harness.commit({ command: "report", role: "agent", put: [freed(serving, { incarnation: 2 })] });
  harness.commit({
    command: "admit",
    role: "admit",
    put: [withStatus(replica, { incarnation: 4 })],
  });
  expect(harness.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from incarnation 1 to 2 while it stayed serving.",
    "INV6 Replica/payments/api.1.0 became admitted in incarnation 4; incarnation 3 was due.",
  ]);
});

test("a replica that becomes unknown without its node is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({
    command: "transition",
    role: "node-health",
    put: [
      aNode({ name: "node-2", status: { health: "unknown" } }),
      withStatus(serving, { stage: "unknown" }),
    ],
  });
  expect(harness.found).toContain(
    "INV6 Replica/payments/api.1.0 became unknown though node-1 did not fall silent with it.",
  );
});

test("a replica that is removed while it holds a node is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({ command: "delete", role: "admit", remove: [replica.key] });
  expect(harness.found).toEqual([
    "INV6 Replica/payments/api.1.0 was removed while serving by delete of admit harness.",
  ]);
});

test("a fenced node that is ready again in the same session is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "fenced" } })],
  });
  harness.commit({ command: "lease", role: "agent", put: [aLease(), node] });
  expect(harness.found).toEqual([
    "INV6 Node//node-1 became ready in session 1, in which it was fenced.",
  ]);
});

test("a node that a user fences must be vouched for by a person [INV6]", () => {
  const harness = benchServing();
  const fenced = aNode({ status: { health: "fenced" } });
  const evidence = { kind: "person", name: "ada", statement: "It burnt." } as const;
  harness.commit({ command: "transition", role: "user", evidence, put: [fenced] });
  expect(harness.found).toEqual([]);
  harness.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 2 } })],
  });
  harness.commit({
    command: "transition",
    role: "user",
    put: [aNode({ status: { health: "fenced", session: 2 } })],
  });
  expect(harness.found).toEqual([
    "INV6 Node//node-1 was fenced by harness, who did not vouch for its end.",
  ]);
});

test("a session that goes back, or that the agent did not change, is reported [INV6]", () => {
  const harness = benchServing();
  harness.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 0 } })],
  });
  harness.commit({ command: "put", role: "user", put: [node] });
  expect(harness.found).toEqual([
    "INV6 Node//node-1 went from session 1 to 0 by lease of agent harness.",
    "INV6 Node//node-1 went from session 0 to 1 by put of user harness.",
  ]);
});
