import { expect, test } from "vitest";
import type { Request } from "../../../core/kernel/component.ts";
import { operationId } from "../../../core/model/ids.ts";
import { createAmplificationChecker } from "./amplification.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";

const command = (name: string, operation: string): Request => ({
  kind: "command",
  attempt: 1,
  command: {
    intent: {
      kind: "delete",
      operation: operationId(operation),
      key: "Node//n1" as never,
      expect: {},
    },
    epoch: 1,
    basis: 1,
    actor: { role: "place", name },
  },
});

class Harness extends CheckerHarness {
  constructor() {
    super(createAmplificationChecker());
  }

  send(operation: string, from = "place-1", name = from): void {
    const id = operationId(operation);
    this.checker.requested?.(from, id, 1, this, this.report, command(name, operation));
  }

  answer(operation: string, from = "place-1"): void {
    const reply = { kind: "not-found", epoch: 1 } as const;
    this.checker.replied?.(from, operationId(operation), reply, this, this.report);
  }

  turnAway(operation: string, from = "place-1"): void {
    const id = operationId(operation);
    this.checker.replied?.(from, id, { kind: "unavailable" }, this, this.report);
  }
}

const times = (count: number, act: (at: number) => void): void => {
  for (let at = 0; at < count; at += 1) act(at);
};

test("any number of first attempts is fine, answered or not [INV60]", () => {
  const harness = new Harness();
  times(10_000, (at) => harness.send(`bind/${at}`));
  expect(harness.found).toEqual([]);
});

test("a few retries are fine, and the first beyond them is reported [INV60]", () => {
  const harness = new Harness();
  times(30, (at) => harness.send(`bind/${at}`));
  // Twenty-one, and three for the thirty first attempts.
  times(24, (at) => {
    harness.turnAway(`bind/${at}`);
    harness.send(`bind/${at}`);
  });
  expect(harness.found).toEqual([]);
  harness.send("bind/29");
  expect(harness.found).toHaveLength(1);
  expect(harness.found[0]).toMatch(/^INV60 place-1 sent 25 retries within 10000 ms/);
});

test("each answer allows for two more, and time for the rest [INV60]", () => {
  const harness = new Harness();
  times(60, (at) => harness.send(`bind/${at}`));
  times(10, (at) => harness.answer(`bind/${50 + at}`));
  times(47, (at) => harness.send(`bind/${at}`));
  expect(harness.found).toEqual([]);
  harness.nowMs += 10_001;
  times(21, (at) => harness.send(`bind/${at}`));
  expect(harness.found).toEqual([]);
});

test("controllers of one process are counted each alone and all together [INV60]", () => {
  const harness = new Harness();
  const names = ["admit", "place-1", "drain-node"];
  for (const name of names) times(20, (at) => harness.send(`${name}/${at}`, "controllers", name));
  for (const name of names) times(15, (at) => harness.send(`${name}/${at}`, "controllers", name));
  expect(harness.found).toEqual([]);
  times(3, (at) => harness.send(`admit/${15 + at}`, "controllers", "admit"));
  expect(harness.found[0]).toMatch(/^INV60 controllers sent 48 retries/);
});

test("a restarted sender begins with nothing on its account [INV60]", () => {
  const harness = new Harness();
  times(60, (at) => harness.send(`bind/${at}`));
  harness.checker.clientStopped?.("place-1");
  times(60, (at) => harness.send(`bind/${at}`));
  expect(harness.found).toEqual([]);
});

test("what another of the same process asks for under the same name is no retry [INV60]", () => {
  const harness = new Harness();
  // Three schedulers come to the same binds, each for the first time.
  for (const name of ["place-1", "place-2", "place-3"]) {
    times(60, (at) => harness.send(`bind/${at}`, "controllers", name));
  }
  expect(harness.found).toEqual([]);
});

test("one operation that is sent on and on is reported, whatever it is answered [INV60]", () => {
  const harness = new Harness();
  const onAndOn = (count: number): void =>
    times(count, () => {
      harness.send("bind/1");
      harness.answer("bind/1");
    });
  // Six attempts, and six after a resync.
  onAndOn(12);
  // Something changed, which may be what the sender has waited for.
  harness.commit({});
  onAndOn(6);
  expect(harness.found).toEqual([]);
  harness.send("bind/1");
  expect(harness.found).toEqual(["INV60 place-1 sent bind/1 19 times within 10000 ms."]);
});
