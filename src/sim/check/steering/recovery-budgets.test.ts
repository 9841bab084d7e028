import { describe, expect, test } from "vitest";
import { aPolicy, aRevision } from "../../../../test/builders/a-policy.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import {
  recoveryBudgetKey,
  type RecoveryBudgetSpec,
  type RecoveryRules,
} from "../../../core/model/recovery-budget.ts";
import { operationId } from "../../../core/model/ids.ts";
import type {
  AnyObject,
  RecoveryBudget,
  Override,
  Replica,
  Workload,
} from "../../../core/model/objects.ts";
import { overrideKey } from "../../../core/model/override.ts";
import { createRecoveryBudgetsChecker } from "./recovery-budgets.ts";
import { CheckerHarness } from "../../../../test/builders/check/checker-harness.ts";
import {
  aRecoveryBudget,
  amounts,
  aNode,
  aReplica,
  aReservation,
  aWorkload,
  bound,
  freed,
} from "../../../../test/builders/check/fixtures.ts";
import { createProgressChecker } from "../liveness/progress.ts";
import { STALL_MS } from "../liveness/unfinished.ts";

const UNTIL_MS = 10_000;

/** So many replicas' worth: each asks for 100m and 64Mi. */
const worth = (replicas: number): Amounts =>
  amounts({ cpuMillis: 100 * replicas, memoryMiB: 64 * replicas });

const granting = (replicas: number, name = "eu-1", untilMs = UNTIL_MS): RecoveryBudget =>
  aRecoveryBudget({
    name,
    spec: { amounts: worth(replicas) },
    status: { untilMs, owner: "harness" },
  });

const withdrawn = (budget: RecoveryBudget): RecoveryBudget => ({
  ...budget,
  meta: { ...budget.meta, deletingMs: 1 },
});

function aRaise(percent: number, untilMs = UNTIL_MS): Override {
  const key = overrideKey("more");
  const action = "raise-budget";
  const spec = { action, target: { region: "eu" }, reason: "why", ttlMs: 1, amount: percent };
  const status = { owner: "ana", sinceMs: 0, untilMs, extensions: 0 };
  return {
    kind: "Override",
    key,
    meta: { ...aNode().meta, name: "more" },
    spec,
    status,
  } as Override;
}

const terms = (replicas: number, of: Partial<RecoveryRules> = {}): readonly AnyObject[] => [
  aPolicy({ active: "r-1" }),
  aRevision("r-1", { recovery: { reserve: worth(replicas), ...of } }),
];

const UNDER = { beganMs: 0, lost: 2, stage: "queued", spentMs: {} } as const;
const since = { atMs: 0, epoch: 1 };

function recovering(isUnder = true): Workload {
  const recovery = { withinMs: 60_000, replicas: 2, regions: ["eu"] };
  const workload = aWorkload({ spec: { replicas: 2, recovery } });
  const status = { reached: 2, ...(isUnder ? { under: { ...UNDER, since } } : {}) };
  return { ...workload, status: { ...workload.status, recovery: status } };
}

const queued = (index: number): Replica =>
  aReplica({ spec: { index }, status: { stage: "queued" } });
const on = (budget: string | undefined, index = 0, node = "node-1"): Replica =>
  bound(queued(index), node, { budget });

const kept = (index: number) =>
  aReservation(aReplica(), {
    name: `api.recovery.${index}`,
    owner: recovering().key,
    ownerUid: recovering().meta.uid,
    for: "recovery",
    room: { node: "node-1", deviceIds: [], epoch: 1 },
  });

function aHarness(...put: readonly AnyObject[]): CheckerHarness {
  const harness = new CheckerHarness(createRecoveryBudgetsChecker());
  harness.commit({ put: [aNode(), recovering(), queued(0), queued(1), ...terms(4)] });
  harness.commit({ put });
  harness.found.length = 0;
  return harness;
}

const bind = (harness: CheckerHarness, ...put: readonly Replica[]): readonly string[] => {
  harness.commit({ command: "bind-all", role: "place", put });
  return harness.found;
};

/** Somebody's own word about a budget. */
function say(harness: CheckerHarness, by: string, of: Partial<Commit>): readonly string[] {
  const role = by === "expire-budget" || by === "grant-budget" ? by : "user";
  const commit = {
    ...harness.commits.at(-1)!,
    operation: operationId("o"),
    command: "put" as const,
  };
  const said = { ...commit, atMs: harness.nowMs, actor: { role, name: by } as const, ...of };
  harness.checker.beforeCommit?.(said, harness, harness.report);
  return harness.found;
}

const change = (before: RecoveryBudget | undefined, after: RecoveryBudget | undefined) => ({
  changes: [{ key: recoveryBudgetKey("eu-1"), before, after }],
});

/** What is found of a grant of three after the first end. */
const grantedThen = (...put: readonly AnyObject[]): readonly string[] => {
  const harness = aHarness(...put);
  harness.nowMs = UNTIL_MS;
  harness.commit({ put: [granting(3, "eu-2", 2 * UNTIL_MS)] });
  return harness.found;
};

/** Takes kept room. */
const taking = (harness: CheckerHarness, ...put: readonly Replica[]): readonly string[] => {
  harness.commit({ command: "bind", role: "place", put, remove: [kept(0).key] });
  return harness.found;
};

const ends = (by: string, budget: RecoveryBudget) =>
  say(aHarness(budget), by, { command: "delete", ...change(budget, withdrawn(budget)) });

const goes = (atMs: number, ...put: readonly AnyObject[]) => {
  const harness = aHarness(aRecoveryBudget(), ...put);
  harness.nowMs = atMs;
  return say(harness, "expire-budget", {
    command: "expire",
    ...change(aRecoveryBudget(), undefined),
  });
};

/** What is stuck for so long once the first end has passed. */
function stuckAfter(ms: number, ...put: readonly AnyObject[]): readonly string[] {
  const harness = new CheckerHarness(createProgressChecker());
  harness.commit({ put });
  harness.nowMs = UNTIL_MS;
  harness.commit({});
  harness.sample();
  harness.nowMs += ms;
  harness.commit({});
  harness.finish();
  return harness.found.filter((line) => /LIV6[23]/.test(line));
}

describe("what is granted", () => {
  test("up to the reserve breaks no rule; more does, and without a reserve all does [INV160]", () => {
    const harness = aHarness(aRecoveryBudget());
    harness.commit({ put: [granting(2, "eu-2")] });
    expect(harness.found).toEqual([]);
    const more = aHarness(aRecoveryBudget());
    more.commit({ put: [granting(3, "eu-2")], operation: "put" });
    expect(more.found[0]).toBe(
      "INV160 put left cpuMillis 500 granted or spent after 200, of a reserve of 400.",
    );
    const without = new CheckerHarness(createRecoveryBudgetsChecker());
    without.commit({ put: [aRecoveryBudget()] });
    expect(without.found).not.toEqual([]);
  });

  test("counts until it is ended by a commit, and then as long as it is spent [INV160]", () => {
    const ended = withdrawn(aRecoveryBudget());
    expect(grantedThen(ended)).toEqual([]);
    expect(grantedThen(ended, on("eu-1"))).toEqual([]);
    expect(grantedThen(ended, on("eu-1"), on("eu-1", 1))[0]).toContain("of a reserve of 400");
    expect(grantedThen(aRecoveryBudget())[0]).toContain("of a reserve of 400");
  });

  test("as it is raised, which is reported when that is too much [INV160]", () => {
    const raised = aHarness(aRecoveryBudget());
    raised.commit({ put: [aRaise(100)] });
    expect(raised.found).toEqual([]);
    const tooFar = aHarness(aRecoveryBudget());
    tooFar.commit({ put: [aRaise(101)] });
    expect(tooFar.found[0]).toContain("left cpuMillis 402 granted or spent after 200");
  });

  test("is not taken back by a smaller reserve [INV160]", () => {
    const harness = aHarness(aRecoveryBudget(), on("eu-1"));
    harness.commit({ command: "activate", put: terms(1) });
    harness.commit({ put: [freed(on("eu-1"))] });
    expect(harness.found).toEqual([]);
    harness.commit({ put: [granting(1, "eu-2")] });
    expect(harness.found[0]).toContain("of a reserve of 100");
  });
});

describe("what is spent", () => {
  test("grows up to what a budget grants, by all of one command together [INV160]", () => {
    expect(bind(aHarness(aRecoveryBudget()), on("eu-1"), on("eu-1", 1))).toEqual([]);
    const small = aHarness(granting(1));
    expect(bind(small, on("eu-1"), on("eu-1", 1))[0]).toContain(
      "left cpuMillis 200 spent of RecoveryBudget//eu-1 after 0, which grants 100",
    );
    const raised = aHarness(granting(1), aRaise(100));
    expect(bind(raised, on("eu-1"), on("eu-1", 1))).toEqual([]);
  });

  test("stays on its budget for as long as it holds its node [INV160]", () => {
    const harness = aHarness(aRecoveryBudget(), on("eu-1"));
    harness.commit({ command: "transition", put: [bound(queued(0))], operation: "t" });
    expect(harness.found).toEqual([
      "INV160 t moved Replica/payments/api.1.0 from budget eu-1 to none, though it holds node-1.",
    ]);
    const provisional = { override: "cut", sinceMs: 0, epoch: 1 };
    const apart = aHarness(
      aRecoveryBudget(),
      bound(queued(0), "node-1", { budget: "eu-1", provisional }),
    );
    apart.commit({ command: "confirm", put: [bound(queued(0))] });
    expect(apart.found).toEqual([]);
    const gone = aHarness(aRecoveryBudget(), on("eu-1"));
    gone.commit({ command: "release", put: [freed(on("eu-1"))] });
    expect(gone.found).toEqual([]);
  });
});

describe("a bind", () => {
  test("takes kept room on a budget only, while recoveries are budgeted [INV161]", () => {
    expect(taking(aHarness(aRecoveryBudget(), kept(0)), on("eu-1"))).toEqual([]);
    expect(taking(aHarness(aRecoveryBudget(), kept(0)), on(undefined))[0]).toContain(
      "took Reservation/payments/api.recovery.0 on no budget",
    );
    const [, revision] = terms(1);
    const before = aHarness(kept(0), { ...revision!, spec: { scoring: "best-fit" } } as AnyObject);
    expect(taking(before, on(undefined))).toEqual([]);
  });

  test.each([
    ["that is not there", on("eu-9"), {}, "which is not there"],
    ["of another region", on("eu-1"), { region: "us" }, "which is for us, on a node in eu"],
    ["of another tenant", on("eu-1"), { tenants: ["shop"] }, "which is not for payments"],
    ["of another class", on("eu-1"), { classes: ["high"] }, 'not for payments and class ""'],
  ])("on a budget %s is reported [INV161]", (_, replica, spec, found) => {
    expect(bind(aHarness(aRecoveryBudget({ spec })), replica)[0]).toContain(found);
  });

  test("on a budget that is over, or withdrawn, is reported [INV161]", () => {
    const harness = aHarness(aRecoveryBudget());
    harness.nowMs = UNTIL_MS + 5;
    expect(bind(harness, on("eu-1"))[0]).toContain("which was over 5 ms before");
    expect(bind(aHarness(withdrawn(aRecoveryBudget())), on("eu-1"))[0]).toContain(
      "which was withdrawn",
    );
  });

  test("on a budget for nothing that was lost, or one more than that, is reported [INV161]", () => {
    const calm = aHarness(aRecoveryBudget(), recovering(false));
    expect(bind(calm, on("eu-1"))[0]).toContain("though nothing of it was lost");
    const back = bound(queued(1), "node-1", { stage: "serving" });
    const one = aHarness(aRecoveryBudget(), back);
    expect(bind(one, on("eu-1"))).toEqual([]);
    expect(bind(one, on("eu-1", 2))[0]).toContain("although its recovery needs no more replicas");
  });

  test("alone puts a replica on a budget [INV161]", () => {
    const harness = aHarness(aRecoveryBudget());
    harness.commit({ command: "transition", role: "agent", put: [on("eu-1")] });
    expect(harness.found[0]).toBe(
      "INV161 Replica/payments/api.1.0 came to be on budget eu-1 by transition.",
    );
  });
});

describe("a budget", () => {
  const longer = aRecoveryBudget({
    spec: { ttlMs: 2 * UNTIL_MS },
    status: { untilMs: 2 * UNTIL_MS, extensions: 1 },
  });

  test("is extended only by its owner [INV163]", () => {
    expect(say(aHarness(aRecoveryBudget()), "ana", change(aRecoveryBudget(), longer))).toEqual([]);
    expect(say(aHarness(aRecoveryBudget()), "bob", change(aRecoveryBudget(), longer))).toEqual([
      "INV163 bob changed RecoveryBudget//eu-1, which is of ana.",
    ]);
    const late = aHarness(aRecoveryBudget());
    late.nowMs = UNTIL_MS;
    expect(say(late, "ana", change(aRecoveryBudget(), longer))[0]).toContain(
      "brought back RecoveryBudget//eu-1",
    );
  });

  test("stays what it grants, and whose it is [INV163]", () => {
    const wider = aRecoveryBudget({ spec: { tenants: ["shop"] } });
    expect(say(aHarness(aRecoveryBudget()), "ana", change(aRecoveryBudget(), wider))[0]).toContain(
      "made another of",
    );
    const given = aRecoveryBudget({ status: { owner: "bob" } });
    expect(say(aHarness(aRecoveryBudget()), "ana", change(aRecoveryBudget(), given))[0]).toContain(
      "made another of",
    );
  });

  test("is withdrawn by its owner, and one of the policy's by any person [INV163]", () => {
    expect(ends("ana", aRecoveryBudget())).toEqual([]);
    expect(ends("bob", aRecoveryBudget())[0]).toContain(
      "bob ended RecoveryBudget//eu-1 of ana early",
    );
    const grant = { policyRevision: "r-1", index: 0 };
    expect(ends("bob", aRecoveryBudget({ status: { grant } }))).toEqual([]);
    expect(ends("expire-budget", aRecoveryBudget({ status: { grant } }))).toHaveLength(1);
  });

  test("goes not before its end, and not while something is spent of it [INV163]", () => {
    expect(goes(UNTIL_MS)).toEqual([]);
    expect(goes(UNTIL_MS - 5)).toEqual([
      "INV163 expire-budget ended RecoveryBudget//eu-1 of ana 5 ms early.",
    ]);
    expect(goes(UNTIL_MS, on("eu-1"))[0]).toContain("of which 100m 64Mi are spent");
    expect(goes(UNTIL_MS, freed(on("eu-1")))).toEqual([]);
  });

  describe("of the policy's own", () => {
    const grants = [{ region: "eu", amounts: worth(2), ttlMs: UNTIL_MS }];
    const status = { owner: "grant-budget", grant: { policyRevision: "r-1", index: 0 } };
    const granted = (
      of: Partial<RecoveryBudgetSpec>,
      ...put: readonly AnyObject[]
    ): readonly string[] =>
      say(aHarness(...terms(4, { grants }), ...put), "grant-budget", {
        ...change(undefined, aRecoveryBudget({ spec: of, status })),
      });

    test("is as the grant says, while a workload recovers that it is for [INV163]", () => {
      expect(granted({})).toEqual([]);
      expect(granted({ amounts: worth(1) })[0]).toContain("the policy in force does not say");
      expect(granted({}, recovering(false))[0]).toContain("for which no workload recovers");
    });

    test("is there once [INV163]", () => {
      expect(granted({}, aRecoveryBudget({ status, name: "eu-0" }))[0]).toContain(
        "beside RecoveryBudget//eu-0",
      );
    });

    test("is granted only by its controller [INV163]", () => {
      const made = change(undefined, aRecoveryBudget());
      expect(say(aHarness(), "ana", made)).toEqual([]);
      expect(say(aHarness(), "bob", made)[0]).toContain(
        "granted RecoveryBudget//eu-1, which no policy says",
      );
    });
  });
});

describe("a healed world", () => {
  test("has no budget that is over and of which nothing is spent [LIV62]", () => {
    expect(stuckAfter(STALL_MS - 1, aRecoveryBudget())).toEqual([]);
    expect(stuckAfter(STALL_MS, aRecoveryBudget())[0]).toMatch(
      /^LIV62 RecoveryBudget\/\/eu-1 was for 10000 ms/,
    );
    expect(stuckAfter(STALL_MS, aRecoveryBudget(), aNode(), on("eu-1"))).toEqual([]);
  });

  test("grants a recovery what the policy says and the reserve allows [LIV63]", () => {
    const grants = [{ region: "eu", amounts: worth(2), ttlMs: 9 * UNTIL_MS }];
    const said = terms(4, { grants });
    expect(stuckAfter(STALL_MS, ...said, recovering())[0]).toMatch(
      /^LIV63 Workload\/payments\/api recovers, and what the policy grants it in eu is not granted/,
    );
    expect(stuckAfter(STALL_MS, ...said, recovering(false))).toEqual([]);
    const other = { policyRevision: "r-0", index: 3 };
    const until = { untilMs: 99 * STALL_MS };
    expect(
      stuckAfter(
        STALL_MS,
        ...said,
        recovering(),
        aRecoveryBudget({ status: { ...until, grant: other } }),
      ),
    ).toEqual([]);
    const full = aRecoveryBudget({
      spec: { amounts: worth(3), ttlMs: 9 * STALL_MS },
      status: until,
    });
    expect(stuckAfter(STALL_MS, ...said, recovering(), full)).toEqual([]);
  });

  test("has not stood still where a grant was made and ended between two looks [LIV63]", () => {
    const said = terms(4, { grants: [{ region: "eu", amounts: worth(2), ttlMs: UNTIL_MS }] });
    const harness = new CheckerHarness(createProgressChecker());
    harness.commit({ put: [...said, recovering()] });
    harness.sample();
    harness.nowMs += STALL_MS;
    const policy = aPolicy({ active: "r-1" });
    harness.commit({ put: [{ ...policy, status: { ...policy.status, granted: 7 } }] });
    harness.finish();
    expect(harness.found.filter((line) => line.startsWith("LIV63"))).toEqual([]);
  });
});
