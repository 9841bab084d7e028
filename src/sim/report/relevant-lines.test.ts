import { describe, expect, it } from "vitest";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import { type ObjectKey, operationId, replicaKey } from "../../core/model/ids.ts";
import { relevantLines } from "./relevant-lines.ts";
import type { TraceLine } from "./run-result.ts";

const replica = (index: number): ObjectKey =>
  replicaKey({ tenant: "shop", workload: "web", generation: 1, index });

const line = (component: string, text: string): TraceLine => ({
  turn: 1,
  atMs: 1,
  component,
  text,
});

function placed(index: number, node: string): TraceLine {
  const key = replica(index);
  const decision: DecisionRecord = {
    controller: "place",
    key,
    atMs: 1,
    viewRevision: 1,
    decision: {
      kind: "propose",
      intents: [
        {
          kind: "bind",
          operation: operationId(`bind/${key}/1`),
          replica: key,
          incarnation: 1,
          node,
          deviceIds: [],
        },
      ],
      because: { summary: "scores highest", chosen: node },
    },
  };
  return { ...line("place-1", `${key}: proposes bind/${key}/1`), decision };
}

const picked = (trace: readonly TraceLine[], message = "Too much on n1."): string[] =>
  relevantLines(trace, { key: replica(1), message }).map(
    ({ component, text }) => `${component} ${text}`,
  );

describe("relevantLines()", () => {
  it.each([
    "crashed; back in 100 ms",
    "claimed the log under epoch 2 at revision 7",
    "append 3 answered unknown; it landed",
    "watch-drop for 500 ms",
    "cannot reach plane-1 for 90 ms",
    "lease/n2/1.4 (attempt 1) sent to plane-1; the request was lost",
    "the node is paused for 900 ms",
  ])("keeps trouble: %s", (text) => {
    expect(picked([line("plane-1", text)])).toEqual([`plane-1 ${text}`]);
  });

  it("keeps what names the object, and not its namesakes", () => {
    const trace = [
      line("admit", `admit/${replica(1)}/1 sent`),
      line("admit", `admit/${replica(10)}/1 sent`),
      line("agent:n2", "lease/n2/1.4 (attempt 1) sent to plane-1"),
    ];
    expect(picked(trace)).toEqual([`admit admit/${replica(1)}/1 sent`]);
  });

  it("keeps news of the object only for those who act on it", () => {
    const news = `saw 1 commits up to revision 9: bind/${replica(1)}/1`;
    const trace = [line("place-1", news), line("drain-node", news), placed(1, "n1")];
    expect(picked(trace).filter((text) => text.includes("saw"))).toEqual([`place-1 ${news}`]);
  });

  it("keeps the first and the last of what is said over and over", () => {
    const trace = [4, 5, 6, 7].map((revision) =>
      line("place-1", `${replica(1)}: waits (quota-exhausted) on view revision ${revision}`),
    );
    expect(picked(trace)).toEqual(
      [4, 7].map((revision) => expect.stringMatching(`revision ${revision}$`)),
    );
  });

  it("keeps who else was placed on the node that the violation speaks of", () => {
    const trace = [
      placed(2, "n1"),
      line("plane-1", `bind/${replica(2)}/1 committed`),
      placed(3, "n10"),
      line("plane-1", `bind/${replica(3)}/1 committed`),
    ];
    expect(picked(trace)).toHaveLength(2);
    expect(picked(trace).join()).toContain(replica(2));
  });
});
