import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { replicaKind } from "./replica.ts";

const objects = new ObjectIndex();

test("a replica shows its stage, its node and what the stage means", () => {
  const replica = aReplica({
    stage: "serving",
    stageSinceMs: 1500,
    node: "a-1",
    session: 3,
    incarnation: 2,
    failures: 1,
    deviceIds: ["gpu-0"],
    address: { host: "10.0.0.1", ports: { http: 8080 } },
  });
  expect(replicaKind.toApi(replica, objects).status).toEqual({
    stage: "serving",
    stageSince: "1970-01-01T00:00:01.500Z",
    reason: "Serving",
    message: "api.1.0 serves.",
    incarnation: 2,
    failures: 1,
    node: "a-1",
    session: 3,
    devices: ["gpu-0"],
    address: { host: "10.0.0.1", ports: { http: 8080 } },
    evidence: {
      kind: "report",
      message: "The agent of a-1 reported it serving.",
      permits: "nothing",
      source: "agent:a-1",
      since: "1970-01-01T00:00:01.500Z",
    },
    conditions: [
      {
        type: "Scheduled",
        status: "True",
        reason: "Bound",
        message: "api.1.0 is bound to a-1.",
        lastTransitionTime: "1970-01-01T00:00:01Z",
      },
      {
        type: "Ready",
        status: "True",
        reason: "Serving",
        message: "api.1.0 serves.",
        lastTransitionTime: "1970-01-01T00:00:01Z",
      },
    ],
  });
});

test("a replica that has failed says how it ended", () => {
  const lastEnd = "There is no user web on this node.";
  const replica = aReplica({ stage: "failed", failures: 2, lastEnd });
  expect(replicaKind.toApi(replica, objects).status).toMatchObject({
    reason: "CrashLoop",
    message:
      "api.1.0 has failed 2 times in a row: There is no user web on this node; it restarts after a delay.",
    failures: 2,
    lastEnd,
  });
});

test("a replica that fails its probe shows the error, the count and since when [EV10]", () => {
  const said = "GET /healthz at 127.0.0.1:8080 is 503";
  const failingProbe = { said, times: 12, sinceMs: 5_000, toldMs: 11_000 };
  const replica = aReplica({ stage: "starting", node: "a-1", failingProbe });
  expect(replicaKind.toApi(replica, objects).status).toMatchObject({
    reason: "ProbeFailing",
    message: `api.1.0 is starting and not ready: its probe fails: ${said} (12 times in a row, since 1970-01-01T00:00:05Z).`,
    failingProbe: {
      error: said,
      times: 12,
      since: "1970-01-01T00:00:05.000Z",
      reported: "1970-01-01T00:00:11.000Z",
    },
  });
});

test("a replica that holds no node shows none", () => {
  const { status } = replicaKind.toApi(aReplica({ stage: "queued" }), objects);
  expect(status).not.toHaveProperty("node");
  expect(status).not.toHaveProperty("session");
});

test("a replica that was asked to stop says why, and is marked in the table", () => {
  const replica = aReplica({
    stage: "serving",
    node: "a-1",
    stopping: { reason: "drain", sinceMs: 2000 },
  });
  expect(replicaKind.toApi(replica, objects).status).toMatchObject({
    reason: "Draining",
    stopping: { reason: "drain", since: "1970-01-01T00:00:02.000Z" },
  });
  const stage = replicaKind.columns.find(({ name }) => name === "Stage")!;
  expect(stage.cell(replica, objects)).toBe("serving*");
});

test("a replica shows what it was made from as its workload was written", () => {
  const replica = aReplica({ cpuMillis: 1500, command: ["serve"], generation: 2, index: 1 });
  expect(replicaKind.toApi(replica, objects).spec).toMatchObject({
    workload: "api",
    generation: 2,
    index: 1,
    resources: { cpu: "1500m", memory: "100Mi" },
    run: { command: ["serve"] },
  });
});

test("replicas are selected by workload, node and stage", () => {
  const replica = aReplica({ stage: "bound", node: "a-1" });
  const { selectableFields } = replicaKind;
  expect(selectableFields["spec.workload"]!(replica)).toBe("api");
  expect(selectableFields["status.node"]!(replica)).toBe("a-1");
  expect(selectableFields["status.stage"]!(replica)).toBe("bound");
});
