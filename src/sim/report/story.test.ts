import { describe, expect, it } from "vitest";
import { type ObjectKey, quotaKey, replicaKey, type Uid } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Stage } from "../../core/model/stage.ts";
import { ruleSentence } from "../check/rule-sentences.ts";
import type { RunResult, TraceLine } from "./run-result.ts";
import { clockTime, tellStory } from "./story.ts";

const key = replicaKey({ tenant: "payments", workload: "risk-api", generation: 1, index: 1 });

function aReplica(stage: Stage, incarnation: number, node: string | undefined): Replica {
  return {
    kind: "Replica",
    key,
    meta: {
      namespace: "payments",
      name: "risk-api.1.1",
      uid: "u1" as Uid,
      generation: 1,
      revision: 40,
      createdMs: 0,
      labels: {},
      finalizers: [],
      deletingMs: undefined,
    },
    spec: {
      workload: "risk-api",
      workloadUid: "w1" as Uid,
      generation: 1,
      index: 1,
      type: "service",
      template: {
        ask: {
          amounts: { cpuMillis: 100, memoryMiB: 64, deviceMillis: 0 },
          regions: [],
          zones: [],
          nodeSelector: {},
          tolerations: [],
        },
        spread: [],
        priorityClass: "normal",
        onDisconnect: "stop",
        command: [],
      },
    },
    status: {
      stage,
      stageSinceMs: 0,
      incarnation,
      failures: 0,
      node,
      session: 1,
      deviceIds: [],
      stopping: undefined,
    },
  };
}

const line = (turn: number, component: string, text: string): TraceLine => ({
  turn,
  atMs: turn * 10,
  component,
  text,
});

function aResult(trace: readonly TraceLine[], about: ObjectKey | undefined = key): RunResult {
  return {
    seed: 17,
    events: 900,
    hash: "00",
    violation: { rule: "INV1", message: "Two bindings.", atMs: 61_250, revision: 44, key: about },
    fired: [{ fault: "lose-reply", to: "place-1", operation: "bind/x", attempt: 1 }],
    trace,
    endedMs: 61_250,
    beliefs: [
      {
        key,
        truth: aReplica("bound", 1, "a-1"),
        taken: undefined,
        revision: 44,
        epoch: 2,
        clients: [
          {
            name: "place-1",
            viewRevision: 40,
            epoch: 1,
            held: aReplica("queued", 1, undefined),
            taken: undefined,
          },
          {
            name: "place-2",
            viewRevision: 44,
            epoch: 2,
            held: aReplica("bound", 1, "a-1"),
            taken: undefined,
          },
          { name: "node-health", viewRevision: 44, epoch: 2, held: undefined, taken: undefined },
        ],
      },
    ],
  };
}

const tell = (result: RunResult): string =>
  tellStory({ result, sentenceOf: ruleSentence, command: "berth replay x.yaml" });

describe("tellStory()", () => {
  it("tells the rule, what happened, who believed what, and how to see it again", () => {
    const trace = [
      line(1, "admit", "admit/payments/risk-api.1.1/1 committed at revision 3"),
      line(2, "admit", "admit/payments/risk-api.1.10/1 committed at revision 4"),
      line(3, "place-1", `bind/${key}/1 sent (attempt 1)`),
      line(4, "plane-1", "crashed; back in 200 ms"),
      line(5, "user", "scales shop/web to 4"),
    ];
    expect(tell(aResult(trace))).toBe(
      [
        "INV1 was violated at 01:01.250, revision 44:",
        "  An index of a workload generation has at most one live binding.",
        "  Two bindings.",
        "  about Replica/payments/risk-api.1.1",
        "",
        "What happened (seed 17, 1 fault):",
        "    1. 00:00.010  admit    admit/payments/risk-api.1.1/1 committed at revision 3",
        "    2. 00:00.030  place-1  bind/Replica/payments/risk-api.1.1/1 sent (attempt 1)",
        "    3. 00:00.040  plane-1  crashed; back in 200 ms",
        "    4. 01:01.250  checker  INV1 is violated",
        "      (2 other lines left out)",
        "",
        "Views and committed state at 01:01.250:",
        "  Replica/payments/risk-api.1.1",
        "    who      revision  epoch  stage   node  incarnation  session  stopping",
        "    truth          44      2  bound   a-1   1            1        –",
        "    place-1        40      1  queued  –     1            1        –         differs: stage, node",
        "    place-2        44      2  bound   a-1   1            1        –",
        "",
        "To see it again:",
        "  berth replay x.yaml",
        "",
      ].join("\n"),
    );
  });

  it("keeps to a screenful: the beginning and the end, and says how much is left out", () => {
    const trace = Array.from({ length: 100 }, (_, turn) =>
      line(turn, "place-1", `${key} take ${turn}`),
    );
    const lines = tell(aResult(trace)).split("\n");
    const numbered = lines.filter((each) => /^ +\d+\. /.test(each));
    expect(numbered).toHaveLength(40);
    expect(numbered[9]).toContain(" 10. ");
    expect(numbered[10]).toContain(" 72. ");
    expect(lines).toContain("      … 61 lines left out");
  });

  it("tells the faults of a violation that is about no object", () => {
    const trace = [line(1, "plane-2", "claimed the log under epoch 2"), line(2, "admit", "lists")];
    const result = aResult(trace);
    const text = tell({
      ...result,
      violation: { ...result.violation!, key: undefined },
      beliefs: [],
    });
    expect(text).toContain("plane-2  claimed the log under epoch 2");
    expect(text).not.toContain("about Replica");
    expect(text).not.toContain("believed");
  });

  it("shows an object that exists only in the belief of a component", () => {
    const result = aResult([], quotaKey("payments"));
    const [first] = result.beliefs!;
    const text = tell({ ...result, beliefs: [{ ...first!, truth: undefined }] });
    expect(text).toContain("truth          44      2  –       –     –            –        –");
  });
});

describe("clockTime()", () => {
  it.each([
    [0, "00:00.000"],
    [1_250, "00:01.250"],
    [3_599_999, "59:59.999"],
    [6_000_000, "100:00.000"],
  ])("writes %d ms", (ms, text) => {
    expect(clockTime(ms)).toBe(text);
  });
});
