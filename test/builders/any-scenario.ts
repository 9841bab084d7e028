/** Any scenario that a file can describe: a world and every kind of fault, whether or not it could happen there. */
import * as fc from "fast-check";
import type { Scenario } from "../../src/scenario/scenario.ts";
import type { Fault } from "../../src/sim/faults/fault.ts";
import { namesInWorld } from "../../src/sim/faults/fault-target.ts";
import type { World } from "../../src/sim/world/world.ts";
import { anyWorld } from "./any-world.ts";

const ms = fc.nat({ max: 10_000_000 });

function aFault(world: World): fc.Arbitrary<Fault> {
  const { components, nodes } = namesInWorld(world);
  const who = fc.constantFrom(...components);
  const node = fc.constantFrom(...nodes);
  const message = { operation: fc.string(), attempt: fc.nat() };
  const process = { replica: fc.string(), incarnation: fc.nat() };
  const its = fc.constant;
  return fc.oneof<fc.Arbitrary<Fault>[]>(
    fc.record({ fault: its("lose-request"), from: who, ...message }),
    fc.record({ fault: its("lose-reply"), to: who, ...message }),
    fc.record({ fault: its("duplicate-request"), from: who, ...message, afterMs: ms }),
    fc.record({ fault: its("delay-request"), from: who, ...message, byMs: ms }),
    fc.record({ fault: its("delay-reply"), to: who, ...message, byMs: ms }),
    fc.record({ fault: its("append-unknown"), plane: who, append: fc.nat(), landed: fc.boolean() }),
    fc.record({ fault: its("watch-stall"), to: who, atMs: ms, forMs: ms }),
    fc.record({ fault: its("watch-drop"), to: who, atMs: ms, forMs: ms }),
    fc.record({ fault: its("watch-break"), to: who, atMs: ms }),
    fc.record({ fault: its("stale-list"), to: who, atMs: ms, forMs: ms, behind: fc.nat() }),
    fc.record({ fault: its("crash"), component: who, atMs: ms, downMs: ms }),
    fc.record({ fault: its("crash-after"), component: who, ...message, downMs: ms }),
    fc.record({ fault: its("restart-leader"), atMs: ms, downMs: ms }),
    fc.record({ fault: its("second-leader"), atMs: ms }),
    fc.record({ fault: its("partition"), from: who, to: who, atMs: ms, forMs: ms }),
    fc.record({
      fault: its("clock"),
      component: who,
      atMs: ms,
      offsetMs: fc.integer(),
      driftPerThousand: fc.integer(),
    }),
    fc.record({ fault: its("node-crash"), node, atMs: ms, downMs: ms }),
    fc.record({ fault: its("node-pause"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("hardware-loss"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("overload"), atMs: ms, forMs: ms }),
    fc.record({ fault: its("blind-agent"), node, atMs: ms, forMs: ms }),
    fc.record({ fault: its("slow-start"), ...process, byMs: ms }),
    fc.record({ fault: its("failing-probe"), ...process, times: fc.nat() }),
    fc.record({ fault: its("process-exit"), ...process, afterMs: ms }),
    fc.record({ fault: its("readiness-lapse"), ...process, afterMs: ms, times: fc.nat() }),
  );
}

export const anyScenario: fc.Arbitrary<Scenario> = anyWorld.chain((world) =>
  fc.record({
    name: fc.string(),
    about: fc.oneof(fc.string(), fc.constant("Two lines,\nand a: colon.\n")),
    world: fc.constant({ kind: "inline" as const, world }),
    seed: fc.nat(),
    expect: fc.constantFrom(
      { kind: "clean" as const },
      { kind: "violation" as const, rule: "INV1" },
    ),
    faults: fc.array(aFault(world), { maxLength: 12 }),
  }),
);
