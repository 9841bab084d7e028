import { expect, test } from "vitest";
import { joinedKey, splitKey, withSplitWords } from "./split-words.ts";

test("[LG21] a budget becomes a recovery budget: as an object, in keys and in operation ids", () => {
  const stored = {
    operation: "expire/Budget//b-1/uid/1/over",
    evidence: { kind: "budget-over", budget: "Budget//b-1", untilMs: 5 },
    changes: [{ key: "Budget//b-1", after: { kind: "Budget", key: "Budget//b-1" } }],
    outcome: { kind: "refused", field: "Budget//b-1 cpuMillis", actual: "Budget//b-2" },
  };
  expect(withSplitWords(stored)).toEqual({
    operation: "expire/RecoveryBudget//b-1/uid/1/over",
    evidence: { kind: "budget-over", budget: "RecoveryBudget//b-1", untilMs: 5 },
    changes: [
      { key: "RecoveryBudget//b-1", after: { kind: "RecoveryBudget", key: "RecoveryBudget//b-1" } },
    ],
    outcome: {
      kind: "refused",
      field: "RecoveryBudget//b-1 cpuMillis",
      actual: "RecoveryBudget//b-2",
    },
  });
  const kept = { operations: [["put/Budget//b-1/x", { revision: 3, command: "put" }]] };
  expect(withSplitWords(kept)).toEqual({
    operations: [["put/RecoveryBudget//b-1/x", { revision: 3, command: "put" }]],
  });
});

const held = (spec: object) => ({ kind: "Reservation", spec: { tenant: "t", ...spec } });

test("[LG21] a reservation says what it is for", () => {
  const at = { node: "n1", deviceIds: [], epoch: 1 };
  expect(withSplitWords(held({}))).toEqual(held({ for: "quota" }));
  const taken = held({ room: at, policyRevision: "r-1" });
  const preemptor = held({ for: "preemptor", room: at, policyRevision: "r-1" });
  expect(withSplitWords(taken)).toEqual(preemptor);
  const kept = held({ room: { ...at, purpose: "recovery" } });
  expect(withSplitWords(kept)).toEqual(held({ for: "recovery", room: at }));
  expect(withSplitWords(preemptor)).toEqual(preemptor);
});

const COMMANDS = [
  ["Replica/t/api.1.0", "release/Replica/t/api.1.0/u/1", "release"],
  ["Replica/t/api.1.0", "replace/Replica/t/api.1.0/u/1/2", "release"],
  ["Reservation/t/api.1.0.1", "reclaim/Reservation/t/api.1.0.1/u", "unreserve"],
  ["Reservation/t/api.1.0.1", "unwind/Reservation/t/api.1.0.1/u", "unreserve"],
  ["Override//o-1", "expire/Override//o-1/u/1", "expire"],
  ["Lease//n1", "release/Lease//n1/u", "expire"],
  ["Node//n1", "steady/n1/u/1.5", "expire"],
  ["Node//n1", "give-up/Node//n1/u", "expire"],
] as const;

test.each(COMMANDS)(
  "[LG21] what released %s by %s is the command %s",
  (key, operation, command) => {
    const evidence = { kind: "node-fenced" };
    const intent = { kind: "release", operation, key, incarnation: 1, evidence };
    expect(withSplitWords({ intent })).toEqual({ intent: { ...intent, kind: command } });
    const commit = { operation, command: "release", changes: [{ key }] };
    expect(withSplitWords({ commits: [commit] })).toEqual({ commits: [{ ...commit, command }] });
    const kept = { operations: [[operation, { revision: 3, command: "release" }]] };
    expect(withSplitWords(kept)).toEqual({ operations: [[operation, { revision: 3, command }]] });
  },
);

test("[LG21] texts and maps of users keep the word", () => {
  const stored = {
    meta: { name: "Budget", labels: { kind: "Budget" }, annotations: { key: "Budget//x" } },
    spec: {
      reason: "Budget//x",
      template: { command: ["Budget//x"], run: { env: { key: "Budget//x" } } },
    },
    status: { budget: "eu-1" },
  };
  expect(withSplitWords(stored)).toEqual(stored);
});

test("[RC1] a key is the same again after both ways, and today's stays", () => {
  for (const text of ["Budget//a", "put/Budget//a/1", "Budget//a#3", "Policy//Budget//a"]) {
    expect(joinedKey(splitKey(text))).toBe(text);
  }
  expect(splitKey("expire/RecoveryBudget//a")).toBe("expire/RecoveryBudget//a");
});
