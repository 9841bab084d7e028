import { expect, test } from "vitest";
import { aNode } from "../../../test/builders/a-node.ts";
import { RunnerHarness } from "../../../test/builders/a-runner.ts";
import { proposing } from "../../../test/builders/a-scripted-controller.ts";
import { takeTurn } from "../protocol/decision.ts";
import type { Controller } from "./controller.ts";

/** The last node goes ahead of the others, and then all have their turn by name. */
const order: Controller["order"] = function* (due) {
  const keys = [...due].toSorted();
  yield { ahead: keys.at(-1)! };
  yield* keys;
};

test("a key whose look ahead finds nothing takes its turn in the same cycle, without a record [BU8]", () => {
  const harness = new RunnerHarness((key, _view, { isAhead }) =>
    isAhead === true ? takeTurn : proposing(key.replace("Node//", "")),
  );
  Object.assign(harness.controller, { order });
  harness.started().listed(["a-1", "b-1"].map((name) => aNode({ name })));
  expect(harness.lookedAt).toEqual(["b-1", "a-1", "b-1"]);
  const records = harness.effects.filter(({ kind }) => kind === "decision");
  expect(records).toMatchObject([
    { record: { key: "Node//a-1" } },
    { record: { key: "Node//b-1" } },
  ]);
});

test("a key whose look ahead used up the cycle stays due [BU8]", () => {
  const harness = new RunnerHarness((_key, _view, { isAhead }) =>
    isAhead === true ? takeTurn : proposing("a-1"),
  );
  Object.assign(harness.controller, {
    order: function* (due: ReadonlySet<string>) {
      if (harness.lookedAt.length === 0) yield { ahead: [...due].toSorted().at(-1)! };
      else yield* [...due].toSorted();
    },
  });
  harness.started().listed(["a-1", "b-1"].map((name) => aNode({ name })));
  expect(harness.lookedAt).toEqual(["b-1"]);
  harness.later(1);
  expect(harness.lookedAt).toEqual(["b-1", "a-1", "b-1"]);
});
