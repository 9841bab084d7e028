import { expect, test } from "vitest";
import { NODES_FACT } from "../../core/observe/facts.ts";
import type { QueuePlace } from "../../core/protocol/decision.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import { restartLines, whyText } from "./why-text.ts";

const key = "Replica/payments/risk-api.1.0" as ObjectKey;

test("a wait is told with its reason, what ends it, and which rules turned away what", () => {
  const because = {
    summary: "no node fits this replica",
    rejected: { capacity: { count: 3, example: "Node//a-1 cpuMillis: 100" } },
  };
  const wait = { reason: "no-feasible-node", wakes: [NODES_FACT], deadlineMs: 9_000 } as const;
  const text = whyText({
    waits: [{ ...wait, key, sinceRevision: 7, controller: "place-1", deadlineInMs: 8_400 }],
    decisions: [
      {
        controller: "place-1",
        key,
        atMs: 5,
        viewRevision: 7,
        decision: { kind: "wait", ...wait, because },
      },
    ],
  });
  expect(text).toBe(
    `Why:
  place-1 waits: no-feasible-node; retries on nodes, or within 9 s
  place-1 waits (on revision 7): no node fits this replica
    capacity rejected 3 nodes, e.g. Node//a-1 cpuMillis: 100
`,
  );
});

test("nothing is said where no controller has concluded anything", () => {
  expect(whyText({ waits: [], decisions: [] })).toBe("");
});

test("a failed replica is told with its next incarnation and how often it failed", () => {
  const api = "Workload/payments/api" as ObjectKey;
  const wait = { reason: "restart-backoff", wakes: [], deadlineMs: 13_000 } as const;
  const restarts = [
    { replica: "api.1.0", failures: 1, dueMs: 13_000 },
    { replica: "api.1.1", failures: 4, dueMs: 20_001 },
  ];
  const why = {
    waits: [{ ...wait, key: api, sinceRevision: 7, controller: "admit", deadlineInMs: 900 }],
    decisions: [
      {
        controller: "admit",
        key: api,
        atMs: 5,
        viewRevision: 7,
        decision: { kind: "wait", ...wait, because: { summary: "2 failed", restarts } },
      } as const,
    ],
  };
  expect(restartLines(why)).toEqual([
    "  api.1.0 restarts in 1 s after 1 failure",
    "  api.1.1 restarts in 8 s after 4 failures",
  ]);
  expect(restartLines(why, "api.1.1")).toHaveLength(1);
  expect(restartLines({ ...why, waits: [] })).toEqual([]);
  expect(restartLines(why, "api.1.0")).toEqual(["  api.1.0 restarts in 1 s after 1 failure"]);
});

const told = (queue: QueuePlace): string => {
  const because = { summary: "full", queue };
  const wait = { reason: "no-feasible-node", wakes: [], deadlineMs: 1, because } as const;
  const decision = { kind: "wait", ...wait } as const;
  const record = { controller: "place-1", key, atMs: 5, viewRevision: 7, decision };
  return whyText({ waits: [], decisions: [record] }).split("\n")[2] ?? "";
};

test("a wait for room is told with the place in the queue and the estimate", () => {
  const basis = "12 replicas left a node in the last 10 min, and 1 are ahead of it";
  const known = { position: 3, of: 12, replicasAhead: 1, estimateMs: 99_100, basis };
  expect(told(known)).toBe(`    position 3 of 12, 1 replica ahead; about 100 s: ${basis}`);
  expect(told({ ...known, upToMs: 240_000 })).toBe(
    `    position 3 of 12, 1 replica ahead; about 100 s, 9 of 10 within 240 s: ${basis}`,
  );
  const none = { position: 1, of: 1, replicasAhead: 0, basis: "nothing left" };
  expect(told(none)).toBe("    position 1 of 1, 0 replicas ahead; no estimate: nothing left");
  const far = { of: 4_000, basis: "more than 1000 workloads are ahead of it" };
  expect(told(far)).toBe("    one of 4000 waiting; more than 1000 workloads are ahead of it");
});
