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
    ports: [],
    incarnation: 1,
    failures: 0,
    says: "serves. Previous end: exit code 3",
    stopping: "",
    isReplaced: false,
  });
});

test("a port has a link where it speaks HTTP, by its name or by the probe", () => {
  const ports = { http: 8_080, admin: 9_000, "https-api": 8_443, grpc: 7_000, httpd: 80 };
  const row = aReplica(1, 0, { stage: "serving", address: { host: "10.0.0.7", ports } });
  expect(row.ports.map(({ name, text, href }) => [name, text, href])).toEqual([
    ["http", "10.0.0.7:8080", "http://10.0.0.7:8080/"],
    ["admin", "10.0.0.7:9000", undefined],
    ["https-api", "10.0.0.7:8443", "https://10.0.0.7:8443/"],
    ["grpc", "10.0.0.7:7000", undefined],
    ["httpd", "10.0.0.7:80", undefined],
  ]);
  const address = { host: "::1", ports: { web: 80 } };
  const probed = KEPT_OF_REPLICA.of({
    metadata: { name: "api.1.0" },
    spec: { generation: 1, index: 0, probes: { ready: { http: {} } } },
    status: { address },
  } as never);
  expect(probed.ports).toEqual([{ name: "web", text: "[::1]:80", href: "http://[::1]:80/" }]);
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
