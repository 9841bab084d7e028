/** The rows of docs/failure-matrix.md that have no story elsewhere. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { FAULT_NAMES } from "../../src/scenario/fault-fields.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

describe("a client that times out after its write", () => {
  const scenario = "client-times-out-after-its-write";
  const first = /^user\/7\/put\/Workload\/web\/shop/;

  function lastDesiredStateStands(told: Told): void {
    expect(told.committed(first)).toHaveLength(1);
    const workload = told.atEnd().get("Workload/web/shop");
    expect(workload?.kind === "Workload" && workload.spec.replicas).toBe(2);
    expect(told.replicasAtEnd().map((text) => text.split(" on ")[0])).toEqual([
      "shop.1.0 incarnation 1 serving",
      "shop.1.1 incarnation 1 serving",
    ]);
  }

  it("scenario: write commits, reply lost, leader restarts, an old copy arrives late: one effect, and the last desired stands [OP1] [EP4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    lastDesiredStateStands(told);
    const repeated = told.lines("plane-1", /^user\/7\/put\/.* had already committed at revision/);
    const restartedMs = told.timeOf("plane-1", /^claimed the log under epoch 2/);
    const changedMs = told.timeOf("plane-1", /^user\/8\/put\/.* committed at revision/);
    expect(repeated).toHaveLength(2);
    expect(repeated[0]!.atMs).toBeGreaterThan(restartedMs);
    expect(repeated[1]!.atMs).toBeGreaterThan(changedMs);
  });

  it("power: a plane that carries out every copy brings the old desired back", async () => {
    const defect = "puts-are-not-remembered";
    expect(await power({ defect, scenario, prove: lastDesiredStateStands })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV10: /),
    });
  });
});

function truthDecides(told: Told): void {
  expect(told.bindings()).toEqual(["search.1.0 incarnation 1 on node-3"]);
}

describe("a stale scheduler cache", () => {
  const scenario = "stale-scheduler-cache";

  it("scenario: scheduler blind while its first choice closes and its second goes: each bind names its view, the truth decides [BD3] [OB1] [RN4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    truthDecides(told);
    // All four on one and the same view, which every decision record names.
    const decided = told.result.trace.flatMap(({ decision }) =>
      decision?.controller === "place-1" && decision.decision.kind === "propose" ? [decision] : [],
    );
    expect(decided).toHaveLength(4);
    expect(new Set(decided.map(({ viewRevision }) => viewRevision)).size).toBe(1);
    const refused = told.lines("plane-1", /^bind\/.* conflict: /).map(({ text }) => text);
    expect(refused).toEqual([
      expect.stringMatching(/node-not-schedulable \[BD3\], Node\/\/node-1/) as string,
      expect.stringMatching(/no-such-object \[OB1\], Node\/\/node-2/) as string,
    ]);
  });

  it("power: an authority that takes the scheduler's word binds to the closed node", async () => {
    const defect = "bind-without-capacity";
    expect(await power({ defect, scenario, prove: truthDecides })).toEqual({
      withoutFaults: expect.any(String) as string,
      withFaults: expect.stringMatching(/^INV7: .*which is cordoned/),
    });
  });
});

function recoversElsewhere(told: Told): void {
  const fencedMs = told.lines("plane-1", /^health\/central-.*\/fenced .* committed/)[0]!.atMs;
  const movedMs = told
    .lines("plane-1", /^bind\/Replica\/payments\/risk-api.*\/2 .* from place-\d committed/)
    .map(({ atMs }) => atMs);
  // Two minutes of doubt, and then at once.
  expect(fencedMs).toBeGreaterThan(125_000);
  expect(movedMs).toHaveLength(4);
  expect(Math.max(...movedMs) - fencedMs).toBeLessThan(10_000);
}

describe("a region that loses its capacity", () => {
  const scenario = "region-loses-capacity";

  it("scenario: a whole region dies: doubt first, then four critical replicas recover elsewhere in place of idle ones, and the rest says what it waits for [EV4] [PE1] [BD6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    recoversElsewhere(told);
    const again = told.bindings().filter((text) => /^risk-api\S* incarnation 2/.test(text));
    for (const text of again) expect(text).toMatch(/on west-[12]$/);
    // Nothing was taken from anybody while it was not sure.
    const preemptedMs = told.lines("plane-1", /^preempt\/.* committed/).map(({ atMs }) => atMs);
    expect(Math.min(...preemptedMs)).toBeGreaterThan(125_000);
    // What may run nowhere else waits, and is where it was when the region is back.
    const waits = told.waits("place-1", "Workload/payments/register", "no-feasible-node");
    expect(waits.length).toBeGreaterThan(0);
    expect(told.replicasAtEnd().find((text) => text.startsWith("register"))).toMatch(
      /^register\.1\.0 incarnation 2 serving on central-/,
    );
  });

  it("power: silence that is taken for death at once does not wait for the region", async () => {
    const defect = "correlated-silence-ignored";
    expect(await power({ defect, scenario, prove: recoversElsewhere })).toEqual({
      withoutFaults: expect.any(String) as string,
      withFaults: expect.stringMatching(/^INV13: /),
    });
  });
});

function onlyTheLeakGoes(told: Told): void {
  expect(told.committed(/^reclaim\//).map(({ operation }) => operation.split("/")[2])).toEqual([
    "hasty",
  ]);
  expect(told.committed(/^reserve\/Replica\/web\/shop/)).toHaveLength(1);
  expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 1 serving on node-1"]);
}

describe("repair during an incident", () => {
  const scenario = "repair-during-an-incident";

  it("scenario: a leaked and a useful reservation grow old together, sweeper and leader restart: the leak goes, the other is used [RS2] [RS3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    onlyTheLeakGoes(told);
    const sweptMs = told.timeOf("plane-1", /^reclaim\/.* committed/);
    const usedMs = told.timeOf("plane-1", /^queue\/Replica\/web\/shop.* committed/);
    expect([sweptMs > 12_000, usedMs > 25_000]).toEqual([true, true]);
  });

  it("power: repair by age takes a reservation that a controller still uses", async () => {
    const defect = "repair-by-age";
    const { withFaults } = await power({ defect, scenario, prove: onlyTheLeakGoes });
    expect(withFaults).toMatch(/^(INV12|INV5): /);
  });
});

describe("docs/failure-matrix.md", () => {
  const root = path.resolve(import.meta.dirname, "../..");
  const text = readFileSync(path.join(root, "docs/failure-matrix.md"), "utf8");
  const named = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name!);

  it("names only files that are there", () => {
    const scenarios = named(/(?:scenarios\/|`)([a-z0-9-]+\.yaml)/g);
    const others = named(/(test\/[a-z0-9/-]+(?:\.test\.ts)?)(?=[ `:])/g);
    expect([scenarios.length > 20, others.length > 10]).toEqual([true, true]);
    const missing = [
      ...scenarios.filter((name) => !existsSync(path.join(import.meta.dirname, name))),
      ...others.filter((name) => !existsSync(path.join(root, name))),
    ];
    expect(missing).toEqual([]);
  });

  it("names only faults that the simulator knows", () => {
    const faults = named(/simulate[^`]* --faults ([a-z,-]+)/g).flatMap((list) => list.split(","));
    expect(faults.length).toBeGreaterThan(10);
    expect(faults.filter((name) => !FAULT_NAMES.some((known) => known === name))).toEqual([]);
  });
});
