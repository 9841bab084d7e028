import { expect, test } from "vitest";
import type { Request } from "../../../core/kernel/component.ts";
import { operationId } from "../../../core/model/ids.ts";
import { createBlindRetriesChecker } from "./blind-retries.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import { aReplica } from "../../../../test/builders/check/fixtures.ts";

const FIRST = "bind/Replica/payments/api.1.0/u7/1";

class Line {
  readonly harness = new CheckerHarness(createBlindRetriesChecker());

  bind(operation = FIRST, from = "place-1"): this {
    const intent = {
      kind: "bind",
      operation: operationId(operation),
      replica: aReplica().key,
      incarnation: 1,
      node: "node-1",
      deviceIds: [],
    } as const;
    const command = { intent, epoch: 1, basis: 0, actor: { role: "place", name: from } } as const;
    return this.send(from, operation, { kind: "command", command, attempt: 1 });
  }

  ask(operation = FIRST): this {
    return this.send("place-1", operation, {
      kind: "lookup",
      operation: operationId(operation),
      attempt: 1,
    });
  }

  hear(operation = FIRST): this {
    const { harness } = this;
    harness.checker.replied?.(
      "place-1",
      operationId(operation),
      { kind: "unavailable" },
      harness,
      harness.report,
    );
    return this;
  }

  private send(from: string, operation: string, request: Request): this {
    const { harness } = this;
    harness.checker.requested?.(from, operationId(operation), 1, harness, harness.report, request);
    return this;
  }
}

test("a retry after an answer, or after asking for the outcome, is fine [INV17]", () => {
  expect(new Line().bind().hear().bind().harness.found).toEqual([]);
  expect(new Line().bind().ask().bind().harness.found).toEqual([]);
  expect(new Line().bind().bind(FIRST, "place-2").harness.found).toEqual([]);
});

test("a retry that neither heard nor asked is reported [INV17]", () => {
  expect(new Line().bind().bind().harness.found).toEqual([
    `INV17 place-1 sent ${FIRST} again (attempt 1) without having heard of the try before or asked for its outcome.`,
  ]);
});

test("one intent under two operations is reported, unless it is of a namesake [INV17]", () => {
  const other = "bind/Replica/payments/api.1.0/u7/1/again";
  expect(new Line().bind().bind(other).harness.found).toHaveLength(1);
  expect(new Line().bind().bind("bind/Replica/payments/api.1.0/u99/1").harness.found).toEqual([]);
});
