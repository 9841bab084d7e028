import { expect, test } from "vitest";
import { byIndex, countStages, KEPT_OF_REPLICA, oneOf, tallyGenerations } from "./replica-row.ts";

const aReplica = (generation: number, index: number, status: Readonly<Record<string, unknown>>) => {
  const name = `api.${generation}.${index}`;
  const object = {
    metadata: { name, namespace: "shop", resourceVersion: "7", uid: "long" },
    spec: { workload: "api", generation, index, run: { command: ["serve"] } },
    status: {
      stageSince: "2026-11-16T08:00:00.500Z",
      message: `${name} serves.`,
      incarnation: 1,
      failures: 0,
      ...status,
    },
  };
  return KEPT_OF_REPLICA.of(object);
};

test("only what is shown is kept of a replica, and what its watch goes on from", () => {
  const row = aReplica(2, 3, { stage: "serving", node: "n1", lastEnd: "exit code 3" });
  expect(row).toEqual({
    metadata: { name: "api.2.3", namespace: "shop", resourceVersion: "7" },
    generation: 2,
    index: 3,
    stage: "serving",
    sinceMs: Date.parse("2026-11-16T08:00:00.500Z"),
    node: "n1",
    incarnation: 1,
    failures: 0,
    says: "serves. Previous end: exit code 3",
    stopping: "",
    isReplaced: false,
  });
});

const ROWS = [
  aReplica(1, 10, { stage: "serving" }),
  aReplica(1, 2, { stage: "unknown", replacedSince: "2026-11-16T08:00:00Z" }),
  aReplica(2, 2, { stage: "queued" }),
  aReplica(1, 1, { stage: "failed" }),
];

test("stages are counted by generation without those that another stands for", () => {
  expect(tallyGenerations(ROWS)).toEqual([
    { generation: 2, stages: { queued: 1 } },
    { generation: 1, stages: { serving: 1, failed: 1 } },
  ]);
  expect(countStages(ROWS).map(({ value }) => value)).toEqual([
    "serving",
    "queued",
    "unknown",
    "failed",
  ]);
});

test("two replicas of an index stand together, the newer one first", () => {
  expect(byIndex(ROWS).map(({ metadata }) => metadata.name)).toEqual([
    "api.1.1",
    "api.2.2",
    "api.1.2",
    "api.1.10",
  ]);
});

const nameOf = (reason: Parameters<typeof oneOf>[0]["reason"], by: string) =>
  oneOf({ reason, by }, ROWS)?.metadata.name;

test("a reason leads to a replica that it keeps", () => {
  expect(nameOf("no-feasible-node", "place-2")).toBe("api.2.2");
  expect(nameOf("restart-backoff", "admit")).toBe("api.1.1");
  expect(nameOf("node-silent", "")).toBe("api.1.2");
  expect(nameOf("quota-exhausted", "admit")).toBeUndefined();
});
