import { describe, expect, it } from "vitest";
import { standardWorld } from "../../sim/world/standard-world.ts";
import { drawSwarm } from "../../sim/swarm/swarm.ts";
import { UserError } from "../../shell/errors.ts";
import {
  planArguments,
  type PlanOptions,
  planSimulation,
  runOptionsFor,
} from "./simulation-plan.ts";

function mistakeIn(options: PlanOptions): string {
  try {
    planSimulation(options);
  } catch (error) {
    if (error instanceof UserError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "none";
}

describe("planSimulation()", () => {
  it("draws a world and faults for each seed when nothing else is asked for", () => {
    const plan = planSimulation({ seeds: "3..5" });
    expect(plan.seeds).toEqual({ first: 3, last: 5 });
    const { world, rates } = drawSwarm(4);
    expect(runOptionsFor(plan, 4)).toEqual({ world, seed: 4, faults: { explicit: [], rates } });
  });

  it("takes the standard world and switches off all faults", () => {
    const plan = planSimulation({ world: "standard", seed: "7", faults: "none" });
    expect(runOptionsFor(plan, 7)).toEqual({
      world: standardWorld(),
      seed: 7,
      faults: { explicit: [], rates: {} },
    });
  });

  it("switches on the faults that are named", () => {
    const plan = planSimulation({ seed: "7", faults: "lose-reply,crash" });
    const { rates } = runOptionsFor(plan, 7).faults;
    expect(Object.keys(rates)).toEqual(["lose-reply", "crash"]);
    expect(rates["lose-reply"]).toBeGreaterThan(0);
  });

  it("draws what a world loses from the seed, and of the swarm only the kinds that it names", () => {
    const world = "examples/risk-api-recovery.yaml";
    const plan = planSimulation({ world, seeds: "1..2" });
    const [first, second] = [1, 2].map((seed) => runOptionsFor(plan, seed).faults);
    const lost = first!.explicit.map((fault) => fault.fault === "node-crash" && fault.node);
    expect(lost).toEqual(
      ["a", "b"].flatMap((zone) => [1, 2, 3].map((at) => `central-${zone}-${at}`)),
    );
    expect(second!.explicit).not.toEqual(first!.explicit);
    expect(runOptionsFor(plan, 1).faults).toEqual(first);
    for (const name of Object.keys(first!.rates)) expect(plan.world?.faults).toContain(name);

    // Whoever asks for other faults still has the loss: it is what the world is about.
    const asked = runOptionsFor(planSimulation({ world, seed: "1", faults: "clock" }), 1).faults;
    expect(asked.explicit).toEqual(first!.explicit);
    expect(Object.keys(asked.rates)).toEqual(["clock"]);
    const all = runOptionsFor(planSimulation({ world, seed: "1", faults: "swarm" }), 1).faults;
    expect(all.rates).toEqual(drawSwarm(1).rates);
  });

  it.each<[string, PlanOptions, RegExp]>([
    [
      "an unknown fault",
      { faults: "lose-reply,lose-replies" },
      /--faults: found "lose-replies", expected swarm, none, or a list of lose-request, .*process-exit.*\. Did you mean "lose-reply"\?/,
    ],
    ["a seed that is no number", { seed: "one" }, /--seed: found "one", expected a whole number/],
    ["a seed that is too large", { seed: "4294967296" }, /--seed: found "4294967296"/],
    [
      "a range that is none",
      { seeds: "5" },
      /--seeds: found "5", expected a range such as 1\.\.300/,
    ],
    ["a range that goes back", { seeds: "5..1" }, /--seeds: found "5\.\.1"/],
    ["seed and seeds", { seed: "1", seeds: "1..2" }, /--seed and --seeds cannot be used together/],
    [
      "a scenario and seeds",
      { scenario: "x.yaml", seeds: "1..2" },
      /--scenario and --seeds cannot be used together/,
    ],
  ])("refuses %s", (_, options, message) => {
    expect(mistakeIn(options)).toMatch(/^bad-usage: /);
    expect(mistakeIn(options)).toMatch(message);
  });

  it("says which file a world could not be read from", () => {
    expect(mistakeIn({ world: "no-such-world.yaml" })).toMatch(/^unreadable-file: .*no-such-world/);
  });
});

describe("planArguments()", () => {
  it("repeats what leads to the same run", () => {
    expect(planArguments({ seeds: "1..9", world: "standard", faults: "crash" }, 4)).toBe(
      "--seed 4 --world standard --faults crash",
    );
    expect(planArguments({ scenario: "x.yaml" }, 4)).toBe("--scenario x.yaml");
  });
});
