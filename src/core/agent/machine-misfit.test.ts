import { describe, expect, test } from "vitest";
import { type AgentHarness, anAgent, onNode } from "../../../test/builders/an-agent.ts";
import type { Request } from "../kernel/component.ts";
import { NOTHING } from "../model/amounts.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Machine } from "../model/node/machine.ts";
import type { Replica } from "../model/objects.ts";
import { machineMisfit } from "./machine-misfit.ts";

const MACHINE = {
  capacity: { cpuMillis: 2_000, memoryMiB: 1_024 },
  deviceIds: ["g-1", "g-0"],
  notes: [],
};

const misfit = (of: Parameters<typeof onNode>[0], taken = {}): string | undefined =>
  machineMisfit(onNode(of), MACHINE, { ...NOTHING, ...taken });

describe("machineMisfit()", () => {
  test("finds nothing wrong with what just fits [AG6]", () => {
    const all = { cpuMillis: 1_500, memoryMiB: 1_000, deviceIds: ["g-0", "g-1"] };
    expect(misfit(all, { cpuMillis: 500, memoryMiB: 24 })).toBeUndefined();
  });

  test("names the device that is not there [AG6]", () => {
    expect(misfit({ deviceIds: ["g-9", "g-0", "g-7"] })).toBe(
      "its node has no device g-7, g-9: its agent was started with g-0, g-1",
    );
    const bare = { ...MACHINE, deviceIds: [] };
    expect(machineMisfit(onNode({ deviceIds: ["g-0"] }), bare, NOTHING)).toContain("with none");
  });

  test("counts what runs there already [AG6]", () => {
    expect(misfit({ cpuMillis: 1_501 }, { cpuMillis: 500 })).toBe(
      "it requests 1501m of CPU, and its node has 1500m free of 2000m",
    );
    expect(misfit({ memoryMiB: 1_025 })).toBe(
      "it requests 1025Mi of memory, and its node has 1024Mi free of 1024Mi",
    );
  });
});

const SMALL = { capacity: { cpuMillis: 150, memoryMiB: 1_024 } };
const asking = (of: Parameters<typeof onNode>[0]) => onNode({ cpuMillis: 100, ...of });

/** An agent that has claimed each of these; the claims are committed one after the other. */
function claimed(replicas: readonly Replica[], machine: Partial<Machine>): AgentHarness {
  const harness = anAgent(replicas, machine);
  for (const [at, { key, status, spec, meta }] of replicas.entries()) {
    const claim = harness.all("request").filter(({ request }) => isReportOf(request, key))[0]!;
    const revision = 12 + at;
    const outcome = { kind: "committed", revision } as const;
    harness.give({
      kind: "reply",
      call: claim.call,
      reply: { kind: "outcome", outcome, epoch: 1 },
    });
    const stage = "starting" as const;
    harness.saw({ kind: "Replica", key, meta, spec, status: { ...status, stage } }, revision);
  }
  return harness;
}

const isReportOf = (request: Request, replica: ObjectKey): boolean =>
  request.kind === "command" &&
  request.command.intent.kind === "report" &&
  request.command.intent.replica === replica;

const started = (harness: AgentHarness) =>
  harness.all("start-process").map(({ replica }) => replica);

describe("an agent whose machine cannot take a replica", () => {
  test("reports it failed at once, with the reason, and starts nothing [AG6]", () => {
    const harness = claimed([onNode({ deviceIds: ["g-0"] })], { deviceIds: [] });
    expect(harness.reports).toEqual(["starting", "failed"]);
    expect(harness.lastReport?.reason).toContain("no device g-0");
    expect(harness.lastReport?.rejected).toBe(true);
    harness.reportLanded(13).later(60_000);
    expect(started(harness)).toEqual([]);
  });

  test("claims it first, so that its word can never meet a process of a later agent [AG6]", () => {
    const harness = anAgent([onNode({ deviceIds: ["g-0"] })], { deviceIds: [] });
    expect(harness.reports).toEqual(["starting"]);
  });

  test("says it again when the word was lost, and still starts nothing [AG6]", () => {
    const harness = claimed([onNode({ deviceIds: ["g-0"] })], { deviceIds: [] });
    const { call } = harness.all("request").at(-1)!;
    harness.give({ kind: "reply", call, reply: { kind: "unavailable" } }).later(1_000);
    expect(harness.reports).toEqual(["starting", "failed", "failed"]);
    expect(started(harness)).toEqual([]);
  });

  test("counts what it has started [AG6]", () => {
    const both = [asking({ index: 0 }), asking({ index: 1 })];
    const small = claimed(both, SMALL);
    expect(started(small)).toEqual([both[0]!.key]);
    expect(small.reports).toEqual(["starting", "starting", "failed"]);
    const roomy = { capacity: { ...SMALL.capacity, cpuMillis: 200 } };
    expect(started(claimed(both, roomy))).toHaveLength(2);
  });

  test("waits instead while something is on its way out [AG6]", () => {
    const stopping = { reason: "surplus", sinceMs: 0 } as const;
    const harness = claimed([asking({ index: 0 })], SMALL)
      .saw(asking({ index: 0, stage: "starting", stopping }), 20)
      .saw(asking({ index: 1 }), 21)
      .reportLanded(22)
      .saw(asking({ index: 1, stage: "starting" }), 22);
    expect(harness.reports).toEqual(["starting", "starting"]);
    expect(harness.agent.owed().map(({ reason }) => reason)).toEqual(["stopping", "stopping"]);
    harness.exited(143, asking({ index: 0 }).key).later(5_000);
    expect(started(harness)).toHaveLength(2);
  });

  test("takes what fits beside it [AG6]", () => {
    const harness = claimed([onNode({ deviceIds: ["g-7"] }), onNode({ index: 1 })], {});
    expect(started(harness)).toEqual([onNode({ index: 1 }).key]);
  });
});
