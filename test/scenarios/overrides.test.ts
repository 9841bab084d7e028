/** What people hold back for a while, and how it goes on when they let go. */
import { describe, expect, it } from "vitest";
import { CALM_RETURN_MS } from "../../src/core/rules/override/calm-delay.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const RISK_API = "Workload/payments/risk-api";
const TTL_MS = 80_000;

/** True time of the commit by which something goes, and of the first bind after it. */
function endOf(told: Told): number {
  const [made] = told.committed(/put\/Override\/\/shaky-power$/);
  const [ended] = told.committed(/^expire\/Override\/\/shaky-power\//);
  expect(ended).toMatchObject({ evidence: { kind: "override-over" } });
  expect(ended!.atMs - made!.atMs).toBeGreaterThanOrEqual(TTL_MS);
  return ended!.atMs;
}

function waitsByName(told: Told): void {
  const waits = told.waits("place-1", RISK_API, "override");
  const example = waits[0]?.because.rejected?.["override"]?.example ?? "";
  expect(example).toMatch(/^Node\/\/b-1: override shaky-power \(avoid-zone by ana until .+Z\)$/);
  const frozen = told.waits("admit", "Workload/web/shop", "override");
  expect(frozen[0]?.because.summary).toMatch(/held back by override audit \(freeze-tenant by bob/);
}

function isNotRepaired(told: Told): void {
  const [made] = told.committed(/put\/Override\/\/hands-off$/);
  const released = told.committed(/^release\/Replica\/payments\/risk-api/);
  expect(released).toHaveLength(4);
  for (const { atMs } of released) expect(atMs - made!.atMs).toBeGreaterThanOrEqual(50_000);
  const waits = told.waits("release-lost", "Node//a-1", "override");
  expect(waits[0]?.because.summary).toMatch(
    /held back by override hands-off \(pause-repair by bob/,
  );
  // That it is gone was found out all the same, in the time that it takes.
  expect(told.healthOf("a-1").slice(0, 5)).toContain("fenced");
}

function comesBackCalmly(told: Told): void {
  const endMs = endOf(told);
  const there = told.commits.filter(
    ({ command, changes }) =>
      command.startsWith("bind") &&
      changes.some(({ after }) => after?.kind === "Replica" && after.status.node === "b-1"),
  );
  expect(there.length).toBeGreaterThan(0);
  for (const { atMs } of there) expect(atMs).toBeGreaterThanOrEqual(endMs);
  expect(there[0]!.atMs).toBeLessThanOrEqual(endMs + CALM_RETURN_MS + 2_000);
}

describe("an override that ends in mid-recovery", () => {
  const scenario = "override-ends-in-mid-recovery";

  it("scenario: what was lost waits for it by name, and recovers when its time is over [OV2] [OV4] [OV5] [OV7] [OV11] [OV12]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    const refused = told.lines(
      "plane-1",
      /delete\/Override\/\/shaky-power .*refused: override-owned/,
    );
    expect(refused).toHaveLength(1);
    waitsByName(told);
    isNotRepaired(told);
    comesBackCalmly(told);
    const onB = told.replicasAtEnd().filter((line) => line.endsWith("serving on b-1"));
    expect(onB).toHaveLength(5);
  });

  it("power: an authority that does not check the owner lets another end it", async () => {
    const defect = "anybody-releases-an-override";
    const told = await power({ defect, scenario, prove: endOf });
    expect(told.withFaults).toMatch(/^INV135: /);
  });
});

/** When each was asked to leave, after the drain began. */
function leavesAfter(told: Told): Readonly<Record<string, number>> {
  const [drained] = told.committed(/put\/Node\/\/old$/).slice(-1);
  return Object.fromEntries(
    told
      .committed(/^evict\//)
      .flatMap(({ changes, atMs }) =>
        changes.map(({ key }) => [key.split("/")[2] ?? key, atMs - drained!.atMs] as const),
      ),
  );
}

function drainsAsSteered(told: Told): void {
  const left = leavesAfter(told);
  expect(Object.keys(left).toSorted()).toEqual(["pinned.1.0", "raised.1.0"]);
  // The pin was made five seconds before the drain, and its end is followed within a window.
  expect(left["pinned.1.0"]).toBeGreaterThanOrEqual(24_000);
  expect(left["raised.1.0"]).toBeLessThan(5_000);
}

describe("a drain that people steer", () => {
  const scenario = "people-steer-a-drain";

  it("scenario: what is pinned leaves later, what may be spared at once, the rest not at all [OV8] [OV9]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    drainsAsSteered(told);
    const waits = told.waits("drain-node", "Node//old", "override");
    expect(waits[0]?.because.summary).toMatch(/1 replica stays on old: held back by override stay/);
  });

  it("power: a raised budget that holds for all workloads empties the machine", async () => {
    const defect = "raised-budget-is-everybodys";
    const told = await power({ defect, scenario, prove: drainsAsSteered });
    expect(told.withFaults).toMatch(/^INV42: /);
  });
});
