import { describe, expect, it } from "vitest";
import { divided, originalName } from "./scenario.ts";
import { SCENARIOS } from "./scenarios.ts";

const CPU_A_NODE = 4_000;
const cpuMillis = (cpu: string): number =>
  cpu.endsWith("m") ? Number(cpu.slice(0, -1)) : Number(cpu) * 1_000;

describe("the scenarios of berth bench perf", () => {
  it("have names of their own, and originals of their own", () => {
    expect(new Set(SCENARIOS.map(({ name }) => name)).size).toBe(SCENARIOS.length);
    const originals = SCENARIOS.map(({ original }) => originalName(original));
    expect(new Set(originals).size).toBe(SCENARIOS.length);
    expect(originals).toContain("default_preemption/Unschedulable/5kNodes/20kInit/10kPods");
  });

  it.each(SCENARIOS)(
    "$name asks for as many nodes and pods as its original",
    ({ params, stage }) => {
      const { fleet, before, measured } = stage(params);
      expect(fleet.nodes).toBe(params["initNodes"]);
      for (const { workloads, each } of before) expect(workloads * each).toBe(params["initPods"]);
      const { measurePods = 0, initPodGroups = 0, podsPerGroup = 0 } = params;
      expect(measured.workloads * measured.each).toBe(measurePods + initPodGroups * podsPerGroup);
    },
  );

  it.each(SCENARIOS)("$name finds room for what has no one to push away", ({ params, stage }) => {
    const { fleet, before, measured } = stage(params);
    const fitting = [...before, measured].filter(({ of }) => of.more?.["priorityClass"] !== "high");
    const asked = fitting.reduce(
      (sum, { workloads, each, of }) => sum + workloads * each * cpuMillis(of.resources.cpu),
      0,
    );
    expect(asked).toBeLessThanOrEqual(fleet.nodes * CPU_A_NODE);
  });
});

describe("divided()", () => {
  it("makes everything smaller, and nothing disappear", () => {
    expect(divided({ initNodes: 5_000, initPods: 100, podsPerGroup: 3 }, 500)).toEqual({
      initNodes: 10,
      initPods: 1,
      podsPerGroup: 1,
    });
  });
});
