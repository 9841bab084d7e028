/** What a recovery may spend, who is asked, and for how long it goes before everybody else. */
import { describe, expect, it } from "vitest";
import type { Change } from "../../src/core/protocol/commit-record.ts";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const RISK_API = "Workload/payments/risk-api";

/** Who was bound in its second incarnation, and on what. */
const boundAgain = (told: Told): readonly string[] =>
  told.committed(/^bind/).flatMap(({ changes }) =>
    changes.flatMap(({ after }) => {
      if (after?.kind !== "Replica" || after.status.incarnation === 1) return [];
      return [`${after.meta.name} on ${after.status.budget ?? "no budget"}`];
    }),
  );

const changesOf = (told: Told, key: string): readonly Change[] =>
  told.commits.flatMap(({ changes }) => changes.filter((change) => change.key === key));

function comesBackInTwoParts(told: Told): void {
  const bound = boundAgain(told);
  expect(bound.filter((line) => line.endsWith(" on eu-west-1"))).toHaveLength(2);
  expect(bound.filter((line) => line.endsWith(" on the-rest"))).toHaveLength(2);
  expect(bound).toHaveLength(4);
  // One grant of the policy, though who made it did not hear of it and died.
  expect(told.made("RecoveryBudget").filter((key) => key.includes("eu-west-"))).toHaveLength(1);
}

function staysWithinTheReserve(told: Told): void {
  expect(told.made("RecoveryBudget")).toEqual([
    "RecoveryBudget//brief",
    "RecoveryBudget//eu-west-1",
    "RecoveryBudget//the-rest",
    "RecoveryBudget//in-time",
  ]);
  for (const name of ["too-much", "too-soon"]) {
    const refused = told.lines("plane-1", new RegExp(`RecoveryBudget//${name} .*budget-reserve`));
    expect(refused.length).toBeGreaterThan(0);
  }
}

function takesItsTurn(told: Told): void {
  const [first, second] = told
    .committed(/^bind/)
    .filter(({ changes }) =>
      changes.some(({ after }) => after?.kind === "Replica" && after.status.node === "west-b"),
    );
  const placed = [first, second].flatMap((commit) => commit?.changes.map(({ key }) => key));
  expect(placed.filter((key) => key?.includes("shop/cart"))).toHaveLength(4);
  expect(boundAgain(told)[0]).toMatch(/^risk-api\.1\.\d on no budget$/);
}

/** The second to come back does so on what was raised, and nobody waits for a time of its own first. */
function goesOnAtOnce(told: Told): void {
  const [raised] = told.committed(/put\/Override\/\/more$/);
  const binds = told
    .committed(/^bind/)
    .filter(({ changes }) =>
      changes.some(({ after }) => after?.kind === "Replica" && after.status.budget !== undefined),
    );
  expect(boundAgain(told)).toEqual(["risk-api.1.0 on eu-west-1", "risk-api.1.1 on eu-west-1"]);
  // As long as a commit takes to be heard of and the next to be made.
  expect(binds[1]!.atMs - raised!.atMs).toBeLessThan(500);
  expect(binds[1]!.atMs).toBeGreaterThanOrEqual(raised!.atMs);
}

describe("a budget that runs out in mid-recovery", () => {
  const scenario = "budget-runs-out-in-mid-recovery";
  let ran: Told | undefined;
  const asItIs = (): Told => (ran ??= tell(scenario));

  it("scenario: two come back, two wait beside room that is theirs, and go on with the next grant [BU2] [BU3] [BU4] [BU5]", () => {
    const told = asItIs();
    expect(told.surprises).toEqual([]);
    comesBackInTwoParts(told);
    staysWithinTheReserve(told);
    const [wait] = told.waits("place-1", RISK_API, "recovery-budget");
    expect(wait?.because.summary).toMatch(
      /^no recovery budget in eu-west covers it; the recovery reserve on west-./,
    );
    expect(told.lines("plane-1", /delete\/RecoveryBudget\/\/the-rest .*budget-owned/)).toHaveLength(
      1,
    );
    // One that was over was named in vain, and those whom another pays for did not wait until somebody said so.
    expect(told.lines("plane-1", /^bind.*budget-over .*RecoveryBudget\/\/brief/)).not.toEqual([]);
    const [said] = told.committed(/^expire\/RecoveryBudget\/\/brief\//);
    const first = told
      .committed(/^bind/)
      .find(({ changes }) =>
        changes.some(
          ({ after }) => after?.kind === "Replica" && after.status.budget === "eu-west-1",
        ),
      );
    expect(first?.revision).toBeLessThan(said?.revision ?? 0);
  });

  it("scenario: one that is over stays while it is spent, and goes with the last who spent it [BU6] [BU7]", () => {
    const told = asItIs();
    const [made, over, gone] = changesOf(told, "RecoveryBudget//the-rest").map(
      ({ after }) => after,
    );
    expect(made?.meta.deletingMs).toBeUndefined();
    expect(over?.meta.deletingMs).toBeGreaterThan(0);
    expect(gone).toBeUndefined();
    // One replica is left, and what it is on is left with it.
    expect([...told.atEnd().keys()].filter((key) => key.startsWith("RecoveryBudget/"))).toEqual([
      "RecoveryBudget//eu-west-1",
    ]);
  });

  it("power: a reserve that forgets what is still spent is granted twice", async () => {
    const defect = "reserve-forgets-what-is-spent";
    const told = await power({ defect, scenario, prove: staysWithinTheReserve });
    expect(told.withFaults).toMatch(/^INV160: /);
  });
});

describe("a recovery that lasts longer than its fairness window", () => {
  const scenario = "recovery-after-its-window";

  it("scenario: who has less is placed first, and the rest is taken on no budget [BU8]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    takesItsTurn(told);
    const inTurn = changesOf(told, RISK_API).filter(
      ({ after }) => after?.kind === "Workload" && after.status.recovery?.under?.inTurn === true,
    );
    expect(inTurn.length).toBeGreaterThan(0);
    const looks = told.result.trace.flatMap(({ decision, atMs }) =>
      decision?.controller === "place-1" && decision.decision.kind === "propose" && atMs > 80_000
        ? [decision.key]
        : [],
    );
    expect(looks.slice(0, 2)).toEqual(["Workload/shop/cart", RISK_API]);
  });

  it("power: a window that never ends keeps the others waiting", async () => {
    const defect = "window-never-ends";
    const told = await power({ defect, scenario, prove: takesItsTurn });
    expect(told.withFaults).toMatch(/^INV162: /);
  });
});

describe("a budget that is raised in mid-recovery", () => {
  const scenario = "budget-raised-in-mid-recovery";

  it("scenario: who waits for one is bound at once on what it grants now [BU9] [OV12]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    goesOnAtOnce(told);
  });

  it("power: who is given a time of its own waits beside room that is paid for", async () => {
    const defect = "raised-budget-wakes-late";
    const told = await power({ defect, scenario, prove: goesOnAtOnce });
    expect(told.withFaults).toMatch(/^INV18: /);
  });
});
