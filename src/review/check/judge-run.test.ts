import { describe, expect, test } from "vitest";
import { aWorkload } from "../../../test/builders/a-workload.ts";
import type { CommitmentSpec } from "../../core/model/commitment.ts";
import { workloadKey } from "../../core/model/ids.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import type { TwinRecovery, TwinRun } from "../../twin/twin-run.ts";
import { judgeRun } from "./judge-run.ts";

const API = workloadKey("payments", "api");
const MINUTE = 60_000;

function judged(spec: CommitmentSpec, run: Partial<TwinRun>) {
  const objects = new ObjectIndex();
  const workload = aWorkload({ replicas: 4 });
  objects.fold({ key: workload.key, before: undefined, after: workload });
  const whole: TwinRun = {
    seed: 1,
    events: 100,
    hash: "0",
    recoveries: [],
    waits: [],
    drains: [],
    violations: [],
    ...run,
  };
  return judgeRun(whole, { namespace: "payments", name: "p", spec }, objects);
}

const recovery = (of: Partial<TwinRecovery>): Partial<TwinRun> => ({
  recoveries: [
    {
      workload: API,
      before: 4,
      least: 2,
      stages: {},
      ...(of.recoveredMs === undefined ? NOT_BACK : backAt(of.recoveredMs)),
      ...of,
    },
  ],
});

/** The last replica was bound, and started, a while before. */
const backAt = (backMs: number) => ({
  absences: [
    { lostMs: 0, backMs, region: "west", stages: { lost: backMs - 4_000, starting: 4_000 } },
  ],
});

const NOT_BACK = {
  absences: [
    { lostMs: 0, backMs: 20_000, region: "west", stages: { lost: 20_000 } },
    { lostMs: 0, stages: { lost: 40_000, queued: 80_000 }, open: "queued" },
  ],
};

const at = (atMs: number, west: number, east: number) => ({ atMs, in: { west, east } });

test("a run in which an invariant broke keeps no promise", () => {
  const run = { violations: ["INV1: two replicas"], ...recovery({ recoveredMs: 1 }) };
  expect(judged({ recover: { workload: "api", withinMs: MINUTE } }, run)).toEqual({
    is: "broken",
    isViolated: true,
    why: "an invariant of Berth broke: INV1: two replicas",
  });
});

const recover = (more: object = {}) => ({
  recover: { workload: "api", withinMs: MINUTE, ...more },
});

describe("a recovery", () => {
  test("is kept at its deadline, and broken a millisecond later, with its slowest stage", () => {
    expect(judged(recover(), recovery({ recoveredMs: MINUTE }))).toEqual({
      is: "kept",
      ms: MINUTE,
      slowest: "lost",
    });
    expect(judged(recover(), recovery({ recoveredMs: MINUTE + 1 }))).toMatchObject({
      is: "broken",
      ms: MINUTE + 1,
      why: "detecting and fencing the loss took 56.1 s, and it was back after 1 min 0.1 s",
    });
  });

  test("that did not end is broken without a time", () => {
    const found = judged(recover(), recovery({}));
    expect(found).toMatchObject({ is: "broken" });
    expect(found).not.toHaveProperty("ms");
    expect(found.why).toBe(
      "waiting for a place was not over after 1 min 20 s, when the watch ended",
    );
  });

  test("is told by the replica that made it enough, not by one that was slower", () => {
    const absences = [
      { lostMs: 0, backMs: 50_000, region: "west", stages: { lost: 40_000, queued: 10_000 } },
      { lostMs: 0, backMs: 70_000, region: "west", stages: { lost: 15_000, queued: 55_000 } },
      { lostMs: 0, backMs: 70_000, region: "east", stages: { lost: 70_000 } },
      { lostMs: 0, stages: { lost: 360_000 }, open: "lost" },
    ];
    const serving = [at(0, 1, 0), at(50_000, 2, 0), at(70_000, 3, 1)];
    const run = recovery({ serving, absences });
    expect(judged(recover({ replicas: 3, in: ["west"] }), run)).toEqual({
      is: "broken",
      ms: 70_000,
      slowest: "queued",
      why: "waiting for a place took 55 s, and it was back after 1 min 10 s",
    });
    expect(judged(recover({ replicas: 2 }), run)).toEqual({
      is: "kept",
      ms: 50_000,
      slowest: "lost",
    });
    expect(judged(recover({ replicas: 2, in: ["east"] }), run)).toMatchObject({
      why: "detecting and fencing the loss was not over after 6 min, when the watch ended",
    });
    const all = recovery({ serving, absences: absences.slice(0, 3) });
    expect(judged(recover({ replicas: 2, in: ["east"] }), all)).toMatchObject({
      is: "broken",
      why: "only 1 of 2 replicas served in east when the watch ended",
    });
  });

  test("counts only the regions and the number that are promised", () => {
    const serving = [at(0, 2, 0), at(10_000, 2, 2), at(50_000, 4, 0)];
    const run = recovery({ serving, recoveredMs: 10_000 });
    expect(judged(recover({ replicas: 4 }), run)).toMatchObject({ is: "kept", ms: 10_000 });
    expect(judged(recover({ replicas: 4, in: ["west"] }), run)).toMatchObject({ ms: 50_000 });
    expect(judged(recover({ replicas: 4, in: ["east"] }), run)).toMatchObject({ is: "broken" });
    expect(judged(recover({ replicas: 3, in: ["west"] }), run)).toMatchObject({ ms: 50_000 });
  });

  test("begins anew where replicas stop again", () => {
    const serving = [at(0, 2, 0), at(10_000, 4, 0), at(20_000, 3, 0), at(55_000, 4, 0)];
    const run = recovery({ serving, recoveredMs: 55_000 });
    expect(judged(recover({ replicas: 4 }), run)).toMatchObject({ is: "kept", ms: 55_000 });
  });

  test("in regions is not known where a run does not say who serves where", () => {
    expect(judged(recover({ in: ["west"] }), recovery({ recoveredMs: 1 }))).toMatchObject({
      is: "unknown",
    });
    expect(judged(recover({ replicas: 3 }), recovery({}))).toMatchObject({ is: "unknown" });
  });
});

const serving = (atLeast: number) => ({ keepServing: { workload: "api", atLeast } });

test("a workload keeps serving while its fewest replicas are as many as promised", () => {
  expect(judged(serving(2), recovery({ least: 2 }))).toEqual({
    is: "kept",
    use: { is: 2, most: 2, unit: "replicas" },
  });
  expect(judged(serving(3), recovery({ least: 2 }))).toEqual({
    is: "broken",
    why: "only 2 of 4 replicas served",
  });
});

describe("waits", () => {
  const waits = [{ workload: API, ms: 5_000 }, { workload: API, ms: 90_000 }, { workload: API }];

  test("are broken by one that is too long or has no end, and a share may be", () => {
    expect(judged({ wait: { withinMs: MINUTE } }, { waits: waits.slice(0, 1) })).toMatchObject({
      is: "kept",
      ms: 5_000,
    });
    expect(judged({ wait: { withinMs: MINUTE } }, { waits: waits.slice(0, 2) })).toMatchObject({
      is: "broken",
      ms: 90_000,
    });
    const open = judged({ wait: { withinMs: MINUTE } }, { waits });
    expect(open).not.toHaveProperty("ms");
    expect(open.why).toMatch(/still waited for a place at the end, and 2 of 3 waits were too long/);
    const half = { wait: { withinMs: MINUTE, share: 500_000 } };
    expect(judged(half, { waits: waits.slice(0, 2) })).toMatchObject({ is: "kept" });
    expect(judged(half, { waits })).toMatchObject({ is: "broken" });
  });

  test("of other tenants and of other classes do not count", () => {
    const ads = [{ workload: workloadKey("ads", "train") }];
    expect(judged({ wait: { withinMs: 1 } }, { waits: ads })).toMatchObject({ is: "kept" });
    const high = { wait: { withinMs: 1, priorityClass: "high" } };
    expect(judged(high, { waits })).toMatchObject({ is: "kept" });
  });
});

test("a tenant is isolated while none of its own replicas stop", () => {
  const other = [{ ...recovery({}).recoveries?.[0], workload: workloadKey("ads", "train") }];
  expect(judged({ isolation: {} }, { recoveries: other as TwinRun["recoveries"] })).toEqual({
    is: "kept",
  });
  expect(judged({ isolation: {} }, recovery({ least: 1 }))).toEqual({
    is: "broken",
    why: "3 of 4 replicas of payments/api stopped",
  });
});

test("drains are kept when each node is empty in time, and unknown where none is told", () => {
  const spec = { drains: { withinMs: MINUTE } };
  expect(judged(spec, { drains: [{ node: "a", emptyMs: MINUTE }] })).toMatchObject({ is: "kept" });
  expect(judged(spec, { drains: [{ node: "a", emptyMs: MINUTE + 1 }] }).why).toMatch(
    /^the drain of a took/,
  );
  expect(judged(spec, { drains: [{ node: "a", waitsFor: "its budget" }] })).toMatchObject({
    is: "broken",
    why: "its budget, and the drain of a did not end",
  });
  expect(judged(spec, {})).toMatchObject({ is: "unknown" });
});

const most = (count: number) => ({ mostCommands: { controller: "place", about: API, count } });

test("a storm is more commands about one object than promised", () => {
  const spec = { noStorm: { commandsPerCause: 5 } };
  expect(judged(spec, most(5))).toEqual({
    is: "kept",
    use: { is: 5, most: 5, unit: "commands" },
  });
  expect(judged(spec, most(6))).toMatchObject({
    is: "broken",
    why: "place sent 6 commands about workload api",
  });
  expect(judged(spec, { events: 0 })).toMatchObject({ is: "unknown" });
});

describe("an override", () => {
  const spec = { overrideEnds: { withinMs: 1_000 } };
  const one = { name: "o", overMs: 80_000, lateMs: 1_000, isGone: true };

  test("ends when its object is gone in time and nothing waits for it", () => {
    expect(judged(spec, { overrides: [{ ...one, lateMs: 3 }, one] })).toEqual({
      is: "kept",
      ms: 1_000,
    });
    expect(judged(spec, { overrides: [{ ...one, lateMs: 1_001 }] })).toMatchObject({
      is: "broken",
      ms: 1_001,
    });
    expect(judged(spec, { overrides: [{ ...one, stillWait: [API] }] })).toEqual({
      is: "broken",
      why: "workload api still waited for override o at the end",
    });
  });

  test("that is still there is broken only once its time is over", () => {
    const still = { ...one, isGone: false };
    expect(judged(spec, { overrides: [{ ...still, lateMs: 1_001 }] }).is).toBe("broken");
    expect(judged(spec, { overrides: [still] }).is).toBe("unknown");
    expect(judged(spec, { overrides: [] }).is).toBe("unknown");
    expect(judged(spec, {}).is).toBe("unknown");
  });
});

test("where replicas are is not for a run to say", () => {
  const invariant = { labels: {}, per: "node", atMost: 1 } as const;
  expect(judged({ invariant }, {})).toMatchObject({ is: "unknown" });
});
