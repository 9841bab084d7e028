import { expect, test } from "vitest";
import { CheckerBench } from "../../../test/builders/check/checker-bench.ts";
import {
  aLease,
  aNode,
  aReplica,
  bound,
  freed,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createStagesChecker } from "./stages.ts";

const newBench = (): CheckerBench => new CheckerBench(createStagesChecker());
const newNode = aNode({ status: { health: "unknown", session: 0 } });
const node = aNode();
const replica = aReplica();
const serving = bound(replica, "node-1", { stage: "serving" });

/** A bench on which the replica has come to serve on its node. */
function benchServing(): CheckerBench {
  const bench = newBench();
  bench.commit({ command: "put", role: "user", put: [newNode] });
  bench.commit({ command: "lease", role: "agent", put: [aLease(), node] });
  bench.commit({ command: "admit", role: "admit", put: [replica] });
  bench.commit({
    command: "transition",
    role: "admit",
    put: [withStatus(replica, { stage: "queued" })],
  });
  bench.commit({ command: "bind", role: "place", put: [bound(replica)] });
  bench.commit({ command: "report", role: "agent", put: [serving] });
  return bench;
}

test("the way from admitted to serving, unknown, released and the next life is fine [INV6]", () => {
  const bench = benchServing();
  const silent = aNode({ status: { health: "unknown" } });
  bench.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "suspect" } })],
  });
  bench.commit({
    command: "transition",
    role: "node-health",
    put: [silent, withStatus(serving, { stage: "unknown" })],
  });
  bench.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "fenced" } })],
  });
  bench.commit({ command: "release", role: "release-lost", put: [freed(serving)] });
  bench.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 2 } })],
  });
  bench.commit({ command: "admit", role: "admit", put: [withStatus(replica, { life: 2 })] });
  bench.commit({ command: "evict", role: "admit", put: [freed(replica, { life: 2 })] });
  bench.commit({ command: "delete", role: "admit", remove: [replica.key] });
  expect(bench.found).toEqual([]);
});

test("many slots may be queued and bound at once, by the same roles and from the same stages [INV6]", () => {
  const bench = newBench();
  const queued = withStatus(replica, { stage: "queued" });
  bench.commit({ command: "enqueue", role: "admit", put: [queued] });
  bench.commit({ command: "bind-all", role: "place", put: [bound(replica)] });
  bench.commit({ command: "release", role: "release-lost", put: [freed(bound(replica))] });
  const next = withStatus(replica, { stage: "queued", life: 2 });
  bench.commit({ command: "enqueue", role: "admit", put: [next] });
  expect(bench.found).toEqual([]);
  bench.commit({
    command: "bind-all",
    role: "admit",
    put: [bound(replica, "node-1", { life: 2 })],
  });
  bench.commit({
    command: "enqueue",
    role: "admit",
    put: [withStatus(replica, { stage: "queued", life: 3 })],
  });
  expect(bench.found).toHaveLength(2);
});

test("a stage change by another role or command is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({
    command: "report",
    role: "place",
    put: [withStatus(serving, { stage: "ready" })],
  });
  bench.commit({ command: "evict", role: "admit", put: [freed(serving)] });
  expect(bench.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from serving to ready by report of place bench.",
    "INV6 Replica/payments/api.1.0 went from ready to released by evict of admit bench.",
  ]);
});

test("a stage that is left out is reported [INV6]", () => {
  const bench = newBench();
  bench.commit({ command: "admit", role: "admit", put: [replica] });
  bench.commit({ command: "bind", role: "place", put: [bound(replica)] });
  expect(bench.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from admitted to bound by bind of place bench.",
  ]);
});

test("a life that skips one, or changes without admission, is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({ command: "report", role: "agent", put: [withStatus(serving, { life: 2 })] });
  bench.commit({ command: "report", role: "agent", put: [freed(serving, { life: 2 })] });
  bench.commit({ command: "admit", role: "admit", put: [withStatus(replica, { life: 4 })] });
  expect(bench.found).toEqual([
    "INV6 Replica/payments/api.1.0 went from life 1 to 2 while it stayed serving.",
    "INV6 Replica/payments/api.1.0 became admitted in life 4; life 3 was due.",
  ]);
});

test("a replica that becomes unknown without its node is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({
    command: "transition",
    role: "node-health",
    put: [
      aNode({ name: "node-2", status: { health: "unknown" } }),
      withStatus(serving, { stage: "unknown" }),
    ],
  });
  expect(bench.found).toContain(
    "INV6 Replica/payments/api.1.0 became unknown though node-1 did not fall silent with it.",
  );
});

test("a replica that is removed while it holds a node is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({ command: "delete", role: "admit", remove: [replica.key] });
  expect(bench.found).toEqual([
    "INV6 Replica/payments/api.1.0 was removed while serving by delete of admit bench.",
  ]);
});

test("a fenced node that is ready again in the same session is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({
    command: "transition",
    role: "node-health",
    put: [aNode({ status: { health: "fenced" } })],
  });
  bench.commit({ command: "lease", role: "agent", put: [aLease(), node] });
  expect(bench.found).toEqual([
    "INV6 Node//node-1 became ready in session 1, in which it was fenced.",
  ]);
});

test("a node that a user fences must be vouched for by a person [INV6]", () => {
  const bench = benchServing();
  const fenced = aNode({ status: { health: "fenced" } });
  const evidence = { kind: "person", name: "ada", statement: "It burnt." } as const;
  bench.commit({ command: "transition", role: "user", evidence, put: [fenced] });
  expect(bench.found).toEqual([]);
  bench.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 2 } })],
  });
  bench.commit({
    command: "transition",
    role: "user",
    put: [aNode({ status: { health: "fenced", session: 2 } })],
  });
  expect(bench.found).toEqual([
    "INV6 Node//node-1 was fenced by bench, who did not vouch for its end.",
  ]);
});

test("a session that goes back, or is changed by anybody but the agent, is reported [INV6]", () => {
  const bench = benchServing();
  bench.commit({
    command: "lease",
    role: "agent",
    put: [aLease(), aNode({ status: { session: 0 } })],
  });
  bench.commit({ command: "put", role: "user", put: [node] });
  expect(bench.found).toEqual([
    "INV6 Node//node-1 went from session 1 to 0 by lease of agent bench.",
    "INV6 Node//node-1 went from session 0 to 1 by put of user bench.",
  ]);
});
