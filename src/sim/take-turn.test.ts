import { expect, test } from "vitest";
import { assert } from "../core/model/assert.ts";
import type { Component } from "../core/kernel/component.ts";
import { DriftingClock } from "./faults/clock.ts";
import { ComponentProcess } from "./hosts/component-process.ts";
import { Sim } from "./sim.ts";
import { standardWorld } from "./world/standard-world.ts";
import { takeTurn } from "./take-turn.ts";

class Fragile extends ComponentProcess {
  readonly component: Component<{ kind: "started" }, { kind: "list" }> = {
    receive: (_, { now }) => {
      assert(now < 0, "time is never negative");
      return [{ kind: "list" }];
    },
  };
}

test("a component that finds itself broken ends the run [INV0]", () => {
  const sim = new Sim({ world: standardWorld(), seed: 1, faults: { explicit: [], rates: {} } }, []);
  const process = new Fragile({ index: 0, name: "admit", clock: new DriftingClock(), seed: 1 });
  expect(takeTurn(sim, process, { kind: "started" })).toEqual([]);
  expect(sim.checks.violation).toMatchObject({
    rule: "INV0",
    message: "admit stopped: InvariantBroken: time is never negative",
  });
});
