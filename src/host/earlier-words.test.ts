import { expect, test } from "vitest";
import { inEarlierWords, inTodaysWords } from "./earlier-words.ts";

const EARLIER = {
  kind: "Replica",
  meta: { name: "slot", labels: { slot: "life" }, annotations: { life: "slots" } },
  spec: { slot: 3, template: { command: ["life", "slot"], run: { env: { slot: "1" } } } },
  status: { life: 2, slotLives: 4, address: { ports: { life: 80 } } },
};
const TODAY = {
  kind: "Replica",
  meta: { name: "slot", labels: { slot: "life" }, annotations: { life: "slots" } },
  spec: { index: 3, template: { command: ["life", "slot"], run: { env: { slot: "1" } } } },
  status: { incarnation: 2, indexIncarnations: 4, address: { ports: { life: 80 } } },
};

test("[LG21] fields get today's names, and what users named or wrote stays", () => {
  expect(inTodaysWords(EARLIER)).toEqual(TODAY);
  expect(inEarlierWords(TODAY)).toEqual(EARLIER);
  expect(inTodaysWords(TODAY)).toEqual(TODAY);
});

test("[LG21] a quota's regions and classes are users' names, a rollout's lists are not", () => {
  const quota = { regions: { slot: { cpuMillis: 1 } }, classes: { life: { cpuMillis: 1 } } };
  expect(inTodaysWords(quota)).toEqual(quota);
  const old = [{ generation: 1, slots: [0, 2] }];
  expect(inTodaysWords({ rollout: { old } })).toEqual({
    rollout: { old: [{ generation: 1, indexes: [0, 2] }] },
  });
});

test("[LG21] values that only Berth writes are renamed in their own fields", () => {
  const stored = {
    intent: { kind: "retire", node: "burst-1" },
    commits: [{ command: "retire", evidence: { kind: "not-confirmed", rule: "region-cut-off" } }],
    spec: { action: "cut-off", reason: "cut-off" },
    provision: { retiring: { atMs: 1, epoch: 1 } },
    outcome: { kind: "conflict", code: "wrong-life", field: "retire" },
  };
  expect(inTodaysWords(stored)).toEqual({
    intent: { kind: "scale-down", node: "burst-1" },
    commits: [
      { command: "scale-down", evidence: { kind: "not-confirmed", rule: "region-partitioned" } },
    ],
    spec: { action: "mark-partitioned", reason: "cut-off" },
    provision: { scalingDown: { atMs: 1, epoch: 1 } },
    outcome: { kind: "conflict", code: "wrong-incarnation", field: "retire" },
  });
});
