import { describe, expect, test } from "vitest";
import { type ObjectKey, operationId } from "../../../core/model/ids.ts";
import type { Replica, Reservation, Workload } from "../../../core/model/objects.ts";
import type { Recovering, RecoveryStatus } from "../../../core/model/recovery.ts";
import { View } from "../../../core/observe/view.ts";
import { type Conclusion, propose, wait } from "../../../core/protocol/decision.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aNode,
  aReplica,
  aReservation,
  aWorkload,
  bound,
} from "../../../../test/builders/check/fixtures.ts";
import { createRecoveriesChecker } from "./recoveries.ts";
import { recoveryNotKept } from "../liveness/recovery-progress.ts";

const UNDER: Recovering = {
  beganMs: 0,
  lost: 1,
  stage: "queued",
  since: { atMs: 0, epoch: 1 },
  spentMs: {},
};
const LAST = { beganMs: 0, tookMs: 30_000, lost: 1, spentMs: { queued: 30_000 } };

const api = (
  recovery: RecoveryStatus = { reached: 2 },
  of: Partial<Workload["spec"]> = {},
): Workload => {
  const objective = { withinMs: 60_000, replicas: 2, regions: ["us"] };
  const workload = aWorkload({ spec: { replicas: 2, recovery: objective, ...of } });
  return { ...workload, status: { ...workload.status, recovery } };
};

const away = aNode({ name: "away-1", spec: { region: "us" } });
const home = aNode({ name: "home-1" });

const serving = (index: number, node = "home-1"): Replica =>
  bound(aReplica({ spec: { index } }), node, { stage: "serving" });

const queued = (index: number): Replica =>
  aReplica({ spec: { index }, status: { stage: "queued" } });

const spare = (
  number: number,
  node = "away-1",
  of: Partial<Reservation["spec"]> = {},
): Reservation => {
  const { key: owner, meta } = api();
  const room = { node, deviceIds: [], epoch: 1 };
  const its = { owner, ownerUid: meta.uid, incarnation: number, for: "recovery", room } as const;
  const spec = { ...its, ...of } as Partial<Reservation["spec"]>;
  return aReservation(aReplica(), { name: `api.recovery.${number}`, ...spec });
};

function aHarness(...put: readonly (Workload | Replica | Reservation)[]): CheckerHarness {
  const harness = new CheckerHarness(createRecoveriesChecker());
  harness.commit({ put: [home, away, ...put] });
  return harness;
}

const keep = (harness: CheckerHarness, ...put: readonly (Workload | Reservation)[]): string[] => {
  harness.commit({ command: "hold-recovery", role: "keep-recovery", put });
  return harness.found;
};

const tell = (harness: CheckerHarness, recovery: RecoveryStatus): string[] => {
  harness.commit({ command: "recover", role: "keep-recovery", put: [api(recovery)] });
  return harness.found;
};

const wrong = (name: string, ...put: readonly Replica[]): string | undefined =>
  keep(aHarness(api(), serving(0), serving(1), ...put), api(), spare(1, name))[0];

const taken = (recovery: RecoveryStatus, by: Replica): string[] => {
  const harness = aHarness(api(recovery), queued(0), spare(1));
  harness.commit({ command: "bind", role: "place", put: [by], remove: [spare(1).key] });
  return harness.found;
};

const lacking = (...put: readonly (Workload | Replica | Reservation)[]): readonly string[] => {
  const harness = aHarness(...put);
  const workload = harness.objects.workload("Workload/payments/api" as ObjectKey)!;
  return [...recoveryNotKept(workload, harness, 1)].map(
    ({ rule, message }) => `${rule} ${message}`,
  );
};

describe("room kept for recovery", () => {
  test("as much as is asked for and does not run there breaks no rule; more does [INV110]", () => {
    expect(keep(aHarness(api(), serving(0), serving(1)), api(), spare(1), spare(2))).toEqual([]);
    const one = aHarness(api(), serving(0), serving(1, "away-1"));
    expect(keep(one, api(), spare(1), spare(2))).toEqual([
      "INV110 2 rooms are kept for Workload/payments/api, which needs 1.",
    ]);
  });

  test("on a node that is closed, elsewhere, or full is reported [INV110]", () => {
    expect(wrong("home-1")).toContain("is kept on a node that is in region eu");
    expect(wrong("gone-1")).toContain("is kept on a node that is not there");
    const big = aReplica({ spec: { workload: "big" } });
    const { template } = big.spec;
    const amounts = { cpuMillis: 950, memoryMiB: 1, deviceMillis: 0 };
    const ask = { ...template.ask, amounts };
    const full = bound({ ...big, spec: { ...big.spec, template: { ...template, ask } } }, "away-1");
    expect(wrong("away-1", full)).toContain("has no room for it");
  });

  test("taken for what was lost breaks no rule; taken for nothing, or by another, does [INV110]", () => {
    const here = bound(aReplica(), "away-1");
    expect(taken({ reached: 2, under: UNDER }, here)).toEqual([]);
    expect(taken({ reached: 2 }, here)[0]).toContain("and Workload/payments/api has lost nothing");
    const elsewhere = bound(aReplica(), "home-1");
    expect(taken({ reached: 2, under: UNDER }, elsewhere)[0]).toContain(
      "and bound no replica there for it",
    );
  });

  test("in a place that is too far ahead of an open one is reported [INV110]", () => {
    const { template } = api().spec;
    const spread = [{ by: "zone", maxSkew: 1 }];
    const even = api({ reached: 2 }, { template: { ...template, spread } });
    const other = aNode({ name: "away-2", spec: { region: "us", zone: "other" } });
    const made = (...nodes: readonly string[]): string[] => {
      const harness = aHarness(even, serving(0), serving(1));
      harness.commit({ put: [other] });
      return keep(harness, even, ...nodes.map((node, at) => spare(at + 1, node)));
    };
    expect(made("away-1", "away-2")).toEqual([]);
    expect(made("away-1", "away-1")[0]).toMatch(
      /^INV110 .*recovery\.1 is kept in zone .*, 2 ahead of other, where 1 may be\.$/,
    );
  });

  test("for a workload that is gone is reported [INV110]", () => {
    const harness = aHarness(spare(1));
    harness.sample();
    expect(harness.found[0]).toBe(
      "INV110 Reservation/payments/api.recovery.1 keeps room for Workload/payments/api, which is gone.",
    );
  });

  test("is in the capacity of its region [INV112]", () => {
    const harness = aHarness(api(), serving(0), spare(1));
    harness.sample();
    expect(harness.found).toEqual([]);
  });
});

describe("a recovery", () => {
  test("begins when fewer serve than did, and not before [INV111]", () => {
    expect(tell(aHarness(api(), serving(0)), { reached: 2, under: UNDER })).toEqual([]);
    expect(tell(aHarness(api(), serving(0), serving(1)), { reached: 2, under: UNDER })).toEqual([
      "INV111 Workload/payments/api recovers, and 2 of 2 serve.",
    ]);
  });

  test("is missed when its time is over, and not before [INV111]", () => {
    for (const [atMs, found] of [
      [60_000, 0],
      [30_000, 1],
    ] as const) {
      const harness = aHarness(api(), serving(0));
      tell(harness, { reached: 2, under: UNDER });
      harness.nowMs = atMs;
      expect(tell(harness, { reached: 2, under: { ...UNDER, missed: "queued" } })).toHaveLength(
        found,
      );
    }
  });

  test("is over when as many serve, took no longer than it did, and is told [INV111]", () => {
    const over = (serves: readonly Replica[], last: RecoveryStatus): string[] => {
      const harness = aHarness(api(), serving(0));
      tell(harness, { reached: 2, under: UNDER });
      harness.nowMs = 30_000;
      harness.commit({ put: serves });
      return tell(harness, { reached: 2, ...last });
    };
    expect(over([serving(1)], { last: LAST })).toEqual([]);
    expect(over([], { last: LAST })[0]).toContain("is said to be back with 1 of 2");
    expect(over([serving(1)], {})[0]).toContain("nothing is said of how it went");
    expect(over([serving(1)], { last: { ...LAST, tookMs: 90_000 } })[0]).toContain(
      "90000 ms are told",
    );
  });
});

/** Of two that served one is left and noted as lost; then `put` happens. */
const lostOne = (...put: readonly Replica[]): CheckerHarness => {
  const harness = aHarness(api(), serving(0), serving(1));
  harness.commit({ put: [queued(1)] });
  tell(harness, { reached: 2, under: UNDER });
  harness.commit({ put });
  return harness;
};

const decided = (harness: CheckerHarness, decision: Conclusion): string[] => {
  const view = new View({ kinds: new Set(), node: undefined });
  view.replace(
    [harness.objects.workload(api().key)!, ...harness.objects.all("Replica").values()],
    1,
    1,
  );
  const record = { controller: "keep-recovery", key: api().key, atMs: 0, viewRevision: 1 };
  harness.checker.decided?.([{ ...record, decision }], view, harness, harness.report);
  return harness.found;
};

const intent = {
  kind: "recover",
  operation: operationId("recover"),
  workload: api().key,
} as const;

const answered = (harness: CheckerHarness, revision: number): string[] => {
  const { checker, report } = harness;
  const { key } = api();
  const answer = { kind: "conflict", code: "recovery-not-due", rule: "RV6", revision } as const;
  const outcome = { ...answer, field: key, expected: "", actual: "" };
  checker.replied?.("", intent.operation, { kind: "outcome", outcome, epoch: 1 }, harness, report);
  return harness.found;
};

describe("the losses of a recovery", () => {
  const waiting = wait({
    reason: "recovering",
    wakes: [],
    deadlineMs: 1,
    because: { summary: "" },
  });

  test("that grow are noted by the next report [INV111]", () => {
    expect(tell(lostOne(queued(0)), { reached: 2, under: { ...UNDER, lost: 2 } })).toEqual([]);
    expect(tell(lostOne(queued(0)), { reached: 2, under: { ...UNDER, stage: "lost" } })).toEqual([
      "INV111 Workload/payments/api: 0 of 2 serve, and its recovery notes a loss of 1.",
    ]);
  });

  test("that its controller sees grow are reported at once [INV111]", () => {
    expect(decided(lostOne(), waiting)).toEqual([]);
    expect(decided(lostOne(queued(0)), propose([intent], { summary: "" }))).toEqual([]);
    expect(decided(lostOne(queued(0)), waiting)).toEqual([
      "INV111 keep-recovery lets Workload/payments/api be, and in its view 0 of 2 serve, and its recovery notes a loss of 1.",
    ]);
  });

  test("that the authority knows of are news to it [INV111]", () => {
    const noted = { reached: 2, under: { ...UNDER, lost: 2 } };
    const known = lostOne(queued(0));
    const at = known.commits.at(-1)?.revision ?? 0;
    tell(known, noted);
    // Before the loss, and once it is noted, there is nothing new.
    expect(answered(known, at - 1)).toEqual([]);
    expect(answered(known, at + 1)).toEqual([]);
    expect(answered(known, at)).toEqual([
      `INV111 The authority has no news of Workload/payments/api at ${at}: 0 of 2 serve, and its recovery notes a loss of 1.`,
    ]);
  });

  test("are all noted before long in a healed world [LIV40]", () => {
    expect(lacking(api({ reached: 2, under: UNDER }), spare(1), spare(2))).toEqual([
      "LIV40 Workload/payments/api: 0 of 2 serve, and its recovery notes a loss of 1.",
    ]);
    const noted = api({ reached: 2, under: { ...UNDER, lost: 2 } });
    expect(lacking(noted, spare(1), spare(2))).toEqual([]);
  });
});

describe("a healed world", () => {
  test("keeps what is asked for where there is room, no more, and not on closed nodes [LIV40]", () => {
    const up = [serving(0), serving(1)];
    expect(lacking(api(), ...up, spare(1), spare(2))).toEqual([]);
    expect(lacking(api(), ...up, spare(1))).toEqual([
      "LIV40 Workload/payments/api: 1 of 2 rooms are kept, and away-1 has room.",
    ]);
    expect(lacking(api(), ...up, spare(1), spare(2), spare(3))[0]).toContain("3 rooms are kept");
    expect(lacking(api(), ...up, spare(1), spare(2, "gone"))[0]).toContain("a node that is gone");
  });

  test("says what was lost, and that it is back [LIV40]", () => {
    expect(lacking(api(), serving(0), spare(1), spare(2))[0]).toContain(
      "no controller has reported it",
    );
    const under = api({ reached: 2, under: UNDER });
    expect(lacking(under, serving(0), serving(1), spare(1), spare(2))[0]).toContain(
      "it is said to recover",
    );
  });
});
