import { expect, test } from "vitest";
import type { ShownObject } from "../../steering/api-object.ts";
import { behindText, progressText } from "./stage-text.ts";
import type { Why } from "./why-text.ts";

const at = (seconds: number): string => new Date(seconds * 1000).toISOString();

const WORKLOAD: ShownObject = {
  metadata: { name: "api", namespace: "shop" },
  status: {
    progress: [
      { stage: "queued", replicas: 1, oldest: at(60), owner: "place", message: "waits" },
      {
        stage: "starting",
        replicas: 1,
        oldest: at(88),
        owner: "agent:n3",
        message: "starts",
        nodes: ["n3"],
      },
      { stage: "serving", replicas: 2, oldest: at(1), owner: "", message: "serves", nodes: ["n1"] },
      {
        stage: "stopping",
        replicas: 1,
        oldest: at(95),
        owner: "agent:n1",
        message: "is asked to stop",
        nodes: ["n1"],
        deadline: at(105),
        atDeadline: "its process is killed",
      },
    ],
  },
};

const WHY = {
  waits: [
    { controller: "place-1", key: "", reason: "no-feasible-node", wakes: [], deadlineInMs: 9_000 },
  ],
  decisions: [
    {
      controller: "place-1",
      decision: {
        kind: "wait",
        because: { summary: "", rejected: { capacity: { count: 6, example: "" } } },
      },
    },
  ],
} as unknown as Why;

test("nothing is behind without where it stopped, for how long and why", () => {
  expect(behindText(WORKLOAD, 100_000, WHY)).toBe(
    "1 queued for 40s (no-feasible-node: capacity rejected 6 nodes), 1 starting for 12s on n3, 1 stopping for 5s on n1",
  );
  expect(behindText({ metadata: { name: "old" } }, 0)).toBe("");
});

test("the table has a row for each stage, with who is next and until when", () => {
  expect(progressText(WORKLOAD, 100_000, WHY).split("\n")).toEqual([
    "Progress: [SSsq] 2 serving; 1 queued for 40s (no-feasible-node: capacity rejected 6 nodes), 1 starting for 12s on n3, 1 stopping for 5s on n1",
    "      STAGE      REPLICAS   OLDEST   NEXT BY    DEADLINE                       NODES   WHAT",
    "  q   queued     1          40s      place      retries in 9s                          each waits",
    "  s   starting   1          12s      agent:n3   -                              n3      each starts",
    "  S   serving    2          99s      -          -                              n1      each serves",
    "  -   stopping   1          5s       agent:n1   in 5s: its process is killed   n1      each is asked to stop",
    "",
  ]);
});
