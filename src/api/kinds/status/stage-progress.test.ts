import { expect, test } from "vitest";
import { aPlane, type Plane } from "../../../../test/builders/a-plane.ts";
import { writeWorkloadStatus } from "./workload-status.ts";

const statusOf = (plane: Plane) => writeWorkloadStatus(plane.workload(), plane.ledger.objects);
const available = (plane: Plane): string => statusOf(plane).conditions[0]!.message;

test("each stage has its count, its oldest, who moves it on and where it is", () => {
  const plane = aPlane({ desired: { replicas: 5 } });
  plane.serving({ index: 0 });
  plane.nowMs = 10_000;
  plane.bound({ index: 1 });
  plane.nowMs = 20_000;
  plane.queued(2);
  plane.nowMs = 30_000;
  plane.queued(3);
  expect(statusOf(plane).progress).toMatchObject([
    { stage: "missing", replicas: 1, owner: "admit" },
    { stage: "queued", replicas: 2, oldest: "1970-01-01T00:00:20.000Z", owner: "place" },
    { stage: "bound", replicas: 1, owner: "agent:a-1", nodes: ["a-1"] },
    { stage: "serving", replicas: 1, owner: "", nodes: ["a-1"] },
  ]);
  expect(available(plane)).toBe(
    "1 of 5 replicas are ready; 1 missing since 1970-01-01T00:00:00Z, 2 queued since 1970-01-01T00:00:20Z, 1 bound on a-1 since 1970-01-01T00:00:10Z.",
  );
});

test("who was asked to stop is counted apart, with when its process is killed", () => {
  const run = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 7_000 };
  const plane = aPlane({ desired: { replicas: 1, run } });
  plane.serving();
  plane.putDesired({ replicas: 0, run });
  plane.nowMs = 1_000;
  const { key: replica, status } = plane.replica();
  const workload = plane.workload().key;
  plane.must({
    kind: "evict",
    replica,
    incarnation: status.incarnation,
    evidence: { kind: "surplus", workload },
  });
  expect(statusOf(plane).progress).toMatchObject([
    {
      stage: "stopping",
      replicas: 1,
      oldest: "1970-01-01T00:00:01.000Z",
      owner: "agent:a-1",
      deadline: "1970-01-01T00:00:08.000Z",
      atDeadline: "its process is killed",
    },
  ]);
});

test("members of a gang say until when they hold their quota", () => {
  const plane = aPlane({ desired: { replicas: 2, gang: { deadlineMs: 60_000 } } });
  plane.nowMs = 5_000;
  plane.queued(0);
  plane.queued(1);
  expect(statusOf(plane).progress).toMatchObject([
    { stage: "queued", replicas: 2, deadline: "1970-01-01T00:01:05.000Z" },
  ]);
});

test("a replica that may still run says who finds out", () => {
  const plane = aPlane({ desired: { replaceAfterMs: 120_000 } });
  plane.serving();
  plane.fallenSilent();
  expect(statusOf(plane).progress).toMatchObject([
    { stage: "unknown", owner: "node-health, then release-lost", deadline: expect.any(String) },
  ]);
  expect(available(plane)).toMatch(/^0 of 1 replica is ready; 1 unknown on a-1 since /);
});
