import { expect, test } from "vitest";
import { NODES_FACT } from "../core/observe/facts.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import { whyText } from "./why-text.ts";

const key = "Replica/payments/risk-api.1.0" as ObjectKey;

test("a wait is told with its reason, what ends it, and which rules turned away what", () => {
  const because = {
    summary: "no node of the view can take the replica",
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
  place-1 waits: no-feasible-node; looks again on nodes, and in 9 s at the latest
  place-1 waits (on revision 7): no node of the view can take the replica
    capacity turned 3 away, e.g. Node//a-1 cpuMillis: 100
`,
  );
});

test("nothing is said where nobody has concluded anything", () => {
  expect(whyText({ waits: [], decisions: [] })).toBe("");
});
