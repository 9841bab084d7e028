import { expect, test } from "vitest";
import type { Command } from "../../../core/protocol/command.ts";
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Actor } from "../../../core/model/actor.ts";
import { nodeKey, operationId } from "../../../core/model/ids.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { createOperationOwnersChecker } from "./operation-owners.ts";

const OPERATION = operationId("some/operation");
const place = (name: string): Actor => ({ role: "place", name });
const agent = (node: string): Actor => ({ role: "agent", name: `agent:${node}` });
const mallory: Actor = { role: "user", name: "mallory" };

const duplicate: Reply = {
  kind: "outcome",
  outcome: { kind: "duplicate", first: { kind: "committed", revision: 1 }, asOf: 1 },
  epoch: 1,
};

const REUSED = {
  kind: "outcome",
  outcome: {
    kind: "refused",
    code: "operation-reused",
    rule: "OP2",
    field: "",
    expected: "",
    actual: "",
    revision: 1,
  },
  epoch: 1,
} as const satisfies Reply;

/** One has used the operation, the other asks under it and is told this. */
function told(first: Actor, second: Actor, reply: Reply, isHostile = false): readonly string[] {
  const checker = createOperationOwnersChecker();
  const harness = new CheckerHarness(checker);
  harness.commit({ operation: OPERATION, actor: first });
  const intent = { kind: "delete", operation: OPERATION, key: nodeKey("a"), expect: {} } as const;
  const command: Command = { intent, epoch: 1, basis: 0, actor: second };
  const request = { kind: "command", command, attempt: 1 } as const;
  if (isHostile) {
    checker.attacked?.("x", request, harness, harness.report);
    checker.attackAnswered?.("x", OPERATION, reply, harness, harness.report);
  } else {
    checker.requested?.("x", OPERATION, 1, harness, harness.report, request);
    checker.replied?.("x", OPERATION, reply, harness, harness.report);
  }
  return harness.found.map((text) => text.slice(0, 6));
}

test("[INV181] two schedulers meet the same outcome, and a sender its own", () => {
  expect(told(place("place-1"), place("place-2"), duplicate)).toEqual([]);
  expect(told(agent("a"), agent("a"), duplicate)).toEqual([]);
  expect(told(agent("a"), agent("a"), REUSED)).toEqual([]);
});

test("[INV181] no sender is told of, or refused for, the operation of another", () => {
  expect(told(agent("b"), agent("a"), duplicate)).toEqual(["INV181"]);
  expect(told(mallory, place("place-1"), REUSED)).toEqual(["INV181"]);
  expect(told(place("place-1"), mallory, duplicate, true)).toEqual(["INV181"]);
  const found = { kind: "found", first: { kind: "committed", revision: 1 }, asOf: 1, epoch: 1 };
  expect(told(agent("b"), mallory, found as Reply, true)).toEqual(["INV181"]);
});
