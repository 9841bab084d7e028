import { expect, test } from "vitest";
import type { Request } from "../../../core/kernel/component.ts";
import { operationId } from "../../../core/model/ids.ts";
import { createAmplificationChecker } from "./amplification.ts";
import { CheckerBench } from "../../../../test/builders/check/checker-bench.ts";

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

class Bench extends CheckerBench {
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
  const bench = new Bench();
  times(10_000, (at) => bench.send(`bind/${at}`));
  expect(bench.found).toEqual([]);
});

test("a few retries are fine, and the first beyond them is reported [INV60]", () => {
  const bench = new Bench();
  times(30, (at) => bench.send(`bind/${at}`));
  // Twenty-one, and three for the thirty first attempts.
  times(24, (at) => {
    bench.turnAway(`bind/${at}`);
    bench.send(`bind/${at}`);
  });
  expect(bench.found).toEqual([]);
  bench.send("bind/29");
  expect(bench.found).toHaveLength(1);
  expect(bench.found[0]).toMatch(/^INV60 place-1 sent 25 retries within 10000 ms/);
});

test("each answer allows for two more, and time for the rest [INV60]", () => {
  const bench = new Bench();
  times(60, (at) => bench.send(`bind/${at}`));
  times(10, (at) => bench.answer(`bind/${50 + at}`));
  times(47, (at) => bench.send(`bind/${at}`));
  expect(bench.found).toEqual([]);
  bench.nowMs += 10_001;
  times(21, (at) => bench.send(`bind/${at}`));
  expect(bench.found).toEqual([]);
});

test("controllers of one process are counted each alone and all together [INV60]", () => {
  const bench = new Bench();
  const names = ["admit", "place-1", "drain-node"];
  for (const name of names) times(20, (at) => bench.send(`${name}/${at}`, "controllers", name));
  for (const name of names) times(15, (at) => bench.send(`${name}/${at}`, "controllers", name));
  expect(bench.found).toEqual([]);
  times(3, (at) => bench.send(`admit/${15 + at}`, "controllers", "admit"));
  expect(bench.found[0]).toMatch(/^INV60 controllers sent 48 retries/);
});

test("a restarted sender begins with nothing on its account [INV60]", () => {
  const bench = new Bench();
  times(60, (at) => bench.send(`bind/${at}`));
  bench.checker.clientStopped?.("place-1");
  times(60, (at) => bench.send(`bind/${at}`));
  expect(bench.found).toEqual([]);
});

test("what another of the same process asks for under the same name is no retry [INV60]", () => {
  const bench = new Bench();
  // Three schedulers come to the same binds, each for the first time.
  for (const name of ["place-1", "place-2", "place-3"]) {
    times(60, (at) => bench.send(`bind/${at}`, "controllers", name));
  }
  expect(bench.found).toEqual([]);
});

test("one operation that is sent on and on is reported, whatever it is answered [INV60]", () => {
  const bench = new Bench();
  const onAndOn = (count: number): void =>
    times(count, () => {
      bench.send("bind/1");
      bench.answer("bind/1");
    });
  // Six attempts, and six after a resync.
  onAndOn(12);
  // Something changed, which may be what the sender has waited for.
  bench.commit({});
  onAndOn(6);
  expect(bench.found).toEqual([]);
  bench.send("bind/1");
  expect(bench.found).toEqual(["INV60 place-1 sent bind/1 19 times within 10000 ms."]);
});
