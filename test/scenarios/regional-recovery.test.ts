/** The worked example: a region is lost, and a service comes back in another, on a budget, step by step. */
import { describe, expect, it } from "vitest";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import type { RecoveryBudget, Replica, Workload } from "../../src/core/model/objects.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const scenario = "risk-api-recovers-within-its-budget";
const BUDGET = "RecoveryBudget//eu-west-1";
const MINUTE_MS = 60_000;

const replicasIn = ({ changes }: Commit): readonly Replica[] =>
  changes.flatMap(({ after }) => (after?.kind === "Replica" ? [after] : []));

const recoveriesOf = (told: Told): readonly NonNullable<Workload["status"]["recovery"]>[] =>
  told
    .committed(/^recover\//)
    .flatMap(({ changes }) =>
      changes.flatMap(({ after }) =>
        after?.kind === "Workload" ? (after.status.recovery ?? []) : [],
      ),
    );

/** Every state of a budget that was ever committed; the last is undefined once it has gone. */
const statesOf = (told: Told, key: string): readonly (RecoveryBudget | undefined)[] =>
  told.commits.flatMap(({ changes }) =>
    changes
      .filter((change) => change.key === key)
      .map(({ after }) => (after?.kind === "RecoveryBudget" ? after : undefined)),
  );

/** Granted once, as the revision in force says, although whoever granted it heard nothing and died. */
function isGranted(told: Told): void {
  expect(told.committed(/^grant\//)).toHaveLength(1);
  const [granted] = statesOf(told, BUDGET);
  expect(granted?.spec).toMatchObject({
    region: "eu-west",
    amounts: { cpuMillis: 6_000, memoryMiB: 6_144, deviceMillis: 0 },
    tenants: ["payments"],
    classes: ["critical"],
  });
  expect(granted?.status.grant).toMatchObject({ policyRevision: "default-2" });
}

/** Four in eu-west, all on the budget, none where somebody wants nothing new. */
function areBoundOnIt(told: Told): void {
  const bound = told
    .committed(/^bind.*payments\/risk-api/)
    .flatMap(replicasIn)
    .filter(({ status }) => status.incarnation === 2 && status.node?.startsWith("west-"));
  expect(bound.map(({ meta, status }) => `${meta.name} on ${status.budget}`)).toEqual(
    [0, 1, 2, 3].map((index) => `risk-api.1.${index} on eu-west-1`),
  );
  for (const { status } of bound) expect(status.node).toMatch(/^west-[ab]$/);
}

function itsWindowEnds(told: Told): void {
  const under = recoveriesOf(told).flatMap((each) => each.under ?? []);
  expect(under.at(-1)).toMatchObject({ inTurn: true });
}

describe("a region that is lost while recoveries are budgeted", () => {
  const told = tell(scenario);

  it("scenario: eu-central dark, a budget granted, a zone avoided, a policy taken back: four serve in eu-west within five minutes [BU3] [BU5] [OV5] [RV6]", () => {
    expect(told.surprises).toEqual([]);
    isGranted(told);
    areBoundOnIt(told);
    const last = recoveriesOf(told).findLast((each) => each.last !== undefined)?.last;
    expect(last).toMatchObject({ lost: 4 });
    expect(last?.missed).toBeUndefined();
    expect(last?.tookMs).toBeLessThan(5 * MINUTE_MS);
    expect(told.result.recoveries?.timed).toMatchObject([{ isOver: true }]);
    expect(told.result.recoveries?.timed[0]?.tookMs).toBeLessThan(5 * MINUTE_MS);
  });

  it("scenario: the rollback keeps what is bound and what is granted, and what is bound later names the revision in force [PY7] [BU2]", () => {
    const [rolledBack] = told.committed(/activate\/Policy\/\/default$/);
    const policy = rolledBack?.changes[0]?.after;
    const move = policy?.kind === "Policy" ? policy.status.history?.at(-1) : undefined;
    expect(move).toMatchObject({
      from: "default-2",
      to: "default-1",
      rollback: { bindings: "preserve", reservations: "preserve" },
      budgetsKept: 1,
    });
    // Nobody is asked to move for it, and the budget stays as it was granted, larger than the whole reserve now is.
    expect(told.committed(/^evict\/.*\/policy$/)).toEqual([]);
    const kept = statesOf(told, BUDGET).filter((state) => state !== undefined);
    expect(new Set(kept.map(({ spec }) => spec.amounts.cpuMillis))).toEqual(new Set([6_000]));
    const bound = told.committed(/^bind-all\/Workload\/payments\/risk-api.*0-3\.2$/);
    const revisions = bound.flatMap(replicasIn).map(({ status }) => status.policyRevision);
    expect(revisions).toEqual(["default-1", "default-1", "default-1", "default-1"]);
    // Beside it nothing is granted meanwhile.
    const refused = told.lines(
      "plane-1",
      /put\/RecoveryBudget\/\/more .*conflict: budget-reserve \[BU2\]/,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(told.made("RecoveryBudget")).toEqual([BUDGET, "RecoveryBudget//drill"]);
  });

  it("scenario: others get their turn as soon as the four are placed, and the window is over before the last of them serves [BU8]", () => {
    const [four] = told.committed(/^bind-all\/Workload\/payments\/risk-api.*0-3\.2$/);
    const [sweep] = told
      .committed(/^bind.*lab\/sweep/)
      .filter(({ revision }) => revision > (four?.revision ?? 0));
    // What was kept and is not needed any more: by its share the other tenant is before the rest of risk-api.
    expect(sweep?.changes.length).toBeGreaterThan(0);
    expect((sweep?.atMs ?? 0) - (four?.atMs ?? 0)).toBeLessThan(1_000);
    const rest = told.bindings().filter((text) => /^risk-api\.1\.[45] incarnation 2 on/.test(text));
    expect(rest).toHaveLength(2);
    for (const text of rest) expect(text).toMatch(/ on central-/);
    itsWindowEnds(told);
  });

  it("scenario: after its end the budget holds what is spent of it, and the rest can be granted again [BU2] [BU6] [BU7]", () => {
    const [granted] = statesOf(told, BUDGET);
    const [over] = told.committed(/^expire\/RecoveryBudget\/\/eu-west-1\//);
    expect(over).toMatchObject({ evidence: { kind: "budget-over" } });
    expect(over?.atMs).toBeGreaterThanOrEqual(granted?.status.untilMs ?? Number.POSITIVE_INFINITY);
    // Four of five CPUs are spent of it for as long as those four are bound: one more is free, two are not.
    const refused = told.lines(
      "plane-1",
      /put\/RecoveryBudget\/\/too-much .*: budget-reserve \[BU2\]/,
    );
    expect(refused.length).toBeGreaterThan(0);
    const [drill] = told.committed(/put\/RecoveryBudget\/\/drill$/);
    expect(drill?.revision).toBeGreaterThan(over?.revision ?? Number.POSITIVE_INFINITY);
    const end = told.atEnd();
    expect(end.get(BUDGET)?.meta.deletingMs).toBeDefined();
    expect(end.has("RecoveryBudget//drill")).toBe(false);
    expect(told.result.recoveries?.budgets).toMatchObject([
      { name: "eu-west-1", mostSpent: { cpuMillis: 4_000 }, isGone: false },
      { name: "drill", mostSpent: { cpuMillis: 0 }, isGone: true },
    ]);
  });

  it("power: where many are bound at once, an avoided zone must be looked at for each of them", async () => {
    const defect = "avoided-zone-is-forgotten-by-bind-all";
    const { withFaults } = await power({ defect, scenario, prove: areBoundOnIt });
    expect(withFaults).toMatch(/^(INV\d+: .*west-c|not proved)/);
  });

  it("power: a reserve that forgets what is still spent is granted twice", async () => {
    const defect = "reserve-forgets-what-is-spent";
    const { withoutFaults, withFaults } = await power({ defect, scenario, prove: isGranted });
    expect(withoutFaults).toBe("clean");
    expect(withFaults).toMatch(/^INV160: /);
  });
});
