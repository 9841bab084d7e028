import { describe, expect, it } from "vitest";
import {
  aGrant,
  aPlane,
  aRegion,
  RealmHarness,
  regional,
} from "../../../../test/builders/check/realm-harness.ts";
import { amounts, aQuota, aReplica } from "../../../../test/builders/check/fixtures.ts";
import type { RegionReport, RegionTerms } from "../../../core/protocol/region-exchange.ts";
import { ConservationChecker } from "./conservation.ts";
import { ExchangeChecker } from "./exchange.ts";
import { LearningChecker } from "./learning.ts";
import { SettlingChecker } from "./settling.ts";
import { SpendingChecker } from "./spending.ts";

const cpu = (cpuMillis: number) => amounts({ cpuMillis });
const quota = (cpuMillis: number) => aQuota({ cpuMillis });
const rights = (cpuMillis: number) => aQuota(cpu(cpuMillis));
const queued = (index: number) => aReplica({ spec: { index }, status: { stage: "queued" } });
const lent = (version: number, cpuMillis: number, region = "west") =>
  aGrant(
    "lent",
    { version, amounts: cpu(cpuMillis), region },
    { pending: [{ version, amounts: cpu(cpuMillis) }] },
  );

const conserving = (): RealmHarness => {
  const realm = new RealmHarness(new ConservationChecker());
  realm.commit("global", { put: [quota(1_000)] });
  for (const name of ["west", "east"] as const) {
    realm.commit(name, { put: [regional({ region: name })] });
  }
  return realm;
};

const terms = (version: number): RegionTerms => ({
  global: 1,
  region: "west",
  incarnation: 1,
  heard: { epoch: 1, revision: 1 },
  asked: { epoch: 1, ms: 0 },
  termMs: 60_000,
  grants: [{ tenant: "payments", version, amounts: cpu(5), quota: {} }],
  objects: [],
  objectsFrom: 0,
  objectsTo: 1,
});

const settled = (): { realm: RealmHarness; checker: SettlingChecker } => {
  const checker = new SettlingChecker();
  const realm = new RealmHarness(checker);
  const term = { askedMs: 0, untilMs: 60_000, epoch: 1 };
  realm.commit("global", { put: [aPlane({ role: "global", incarnation: 1 }), quota(1_000)] });
  realm.commit("west", { put: [regional({ term }), quota(600)] });
  realm.commit("east", { put: [regional({ region: "east", term }), quota(400)] });
  return { realm, checker };
};

const stuck = ({ realm, checker }: ReturnType<typeof settled>): readonly string[] => {
  realm.at(1_000_000);
  checker.sampled(realm.realm);
  realm.at(1_200_000);
  checker.atEnd(realm.realm, realm.report);
  return realm.found.map((text) => text.split(" ")[0] ?? "");
};

describe("conservation across planes", () => {
  it("accepts rights within the limit, also while they are on their way [INV220]", () => {
    const realm = conserving();
    realm.commit("global", { put: [lent(1, 600)] });
    realm.commit("global", { put: [lent(1, 400, "east")] });
    realm.commit("west", {
      put: [rights(600), aGrant("accepted", { version: 1, amounts: cpu(600) })],
    });
    expect(realm.found).toEqual([]);
  });

  it("reports two regions that may hold more than the limit together [INV220]", () => {
    const realm = conserving();
    realm.commit("global", { put: [lent(1, 600)] });
    realm.commit("global", { put: [lent(1, 500, "east")] });
    expect(realm.found).toEqual([
      expect.stringMatching(/^INV220 payments may hold 1100 cpuMillis/),
    ]);
  });

  it("accepts what was lent before the limit was made smaller, and no more than that [INV220]", () => {
    const realm = conserving();
    realm.commit("global", { put: [lent(1, 1_000)] });
    realm.commit("global", { put: [quota(500)] });
    expect(realm.found).toEqual([]);
    realm.commit("global", { put: [lent(1, 200, "east")] });
    expect(realm.found).toHaveLength(1);
  });

  it("reports a region that holds more than the global plane counts [INV221]", () => {
    const realm = conserving();
    const known = aGrant(
      "lent",
      { version: 1, amounts: cpu(100) },
      { reported: 1, held: cpu(100) },
    );
    realm.commit("global", { put: [aRegion(), known] });
    realm.commit("west", {
      put: [rights(300), aGrant("accepted", { version: 1, amounts: cpu(300) })],
    });
    expect(realm.found.some((text) => text.startsWith("INV221"))).toBe(true);
  });
});

describe("spending in a term", () => {
  const asked = { epoch: 1, askedMs: 500 } as RegionReport;
  const start = (): RealmHarness => {
    const checker = new SpendingChecker();
    const realm = new RealmHarness(checker);
    realm.at(1_000);
    checker.reported(asked, realm.west, realm.realm);
    const term = { askedMs: 500, untilMs: 60_500, epoch: 1 };
    realm.commit("west", { command: "take-terms", put: [regional({ term })] });
    return realm;
  };

  it("accepts new work while the term lasts, and what replaces a loss afterwards [INV222]", () => {
    const realm = start();
    realm.at(30_000);
    realm.commit("west", { put: [queued(0)] });
    realm.at(70_000);
    realm.commit("west", { remove: [queued(0).key] });
    realm.commit("west", { put: [queued(1)] });
    expect(realm.found).toEqual([]);
  });

  it("reports new work after the end [INV222]", () => {
    const realm = start();
    realm.at(70_000);
    realm.commit("west", { command: "enqueue", put: [queued(0)] });
    expect(realm.found).toEqual([
      expect.stringMatching(/^INV222 west charges payments .* by enqueue/),
    ]);
  });

  it("reports new work in the term of an earlier leadership [INV222]", () => {
    const realm = start();
    realm.at(10_000);
    realm.commit("west", { command: "lead", epoch: 2, changes: [] });
    realm.commit("west", { command: "enqueue", epoch: 2, put: [queued(0)] });
    expect(realm.found).toHaveLength(1);
  });

  it("reports a term that the region never asked for [INV222]", () => {
    const realm = start();
    const term = { askedMs: 900, untilMs: 60_900, epoch: 1 };
    realm.commit("west", { command: "take-terms", put: [regional({ term })] });
    expect(realm.found).toEqual([expect.stringMatching(/never asked for/)]);
  });
});

describe("learning after a restore", () => {
  const learning = { epoch: 1, sinceMs: 0 };

  it("reports new work while the region learns, and a process that it has not learned of [INV223]", () => {
    const realm = new RealmHarness(new LearningChecker());
    realm.commit("west", { put: [regional({ learning })] });
    realm.commit("west", { command: "enqueue", put: [queued(0)] });
    expect(realm.found).toEqual([expect.stringMatching(/^INV223 west learns, and charges/)]);
    const { key } = aReplica({ spec: { index: 7 } });
    realm.west.work = [{ tenant: "payments", replica: key, incarnation: 1, asked: cpu(1) }];
    realm.commit("west", { command: "end-learning", put: [regional()] });
    expect(realm.found[1]).toMatch(/^INV223 west has learned, and .* runs/);
  });

  it("reports a restored lender that does not wait for a region [INV224]", () => {
    const realm = new RealmHarness(new LearningChecker());
    realm.commit("west", { put: [regional()] });
    realm.commit("global", { command: "lend", put: [lent(1, 1, "east")] });
    expect(realm.found).toEqual([]);
    realm.global.incarnation = 2;
    realm.commit("global", { command: "lend", put: [lent(2, 1, "east")] });
    expect(realm.found).toEqual([expect.stringMatching(/^INV224 .* west obeys incarnation 1/)]);
    realm.commit("west", { put: [regional({ global: 2 })] });
    realm.commit("global", { command: "lend", put: [lent(3, 1, "east")] });
    expect(realm.found).toHaveLength(1);
  });
});

describe("the exchange between planes", () => {
  it("reports an answer that is not durable, and a position that goes back [INV225]", () => {
    const checker = new ExchangeChecker();
    const realm = new RealmHarness(checker);
    realm.commit("global", { put: [aRegion({ revision: 5 }), lent(1, 5)] });
    checker.answered(terms(1), realm.realm, realm.report);
    expect(realm.found).toEqual([]);
    checker.answered(terms(2), realm.realm, realm.report);
    expect(realm.found).toEqual([expect.stringMatching(/^INV225 Version 2 for payments/)]);
    realm.commit("global", { put: [aRegion({ revision: 4 })] });
    expect(realm.found[1]).toMatch(/^INV225 .* goes back to revision 4/);
  });

  it("reports a version that was never lent, and one that is older [INV226]", () => {
    const realm = new RealmHarness(new ExchangeChecker());
    realm.commit("west", { put: [regional()] });
    realm.commit("global", { put: [lent(1, 5)] });
    realm.commit("global", { put: [lent(2, 7)] });
    realm.commit("west", { put: [aGrant("accepted", { version: 2, amounts: cpu(7) })] });
    expect(realm.found).toEqual([]);
    realm.commit("west", { put: [aGrant("accepted", { version: 1, amounts: cpu(5) })] });
    realm.commit("west", { put: [aGrant("accepted", { version: 3, amounts: cpu(9) })] });
    realm.commit("west", { put: [regional({ global: 0 })] });
    expect(realm.found.map((text) => text.slice(0, 40))).toEqual([
      "INV226 west goes back to version 1 for p",
      "INV226 west takes over version 3 for pay",
      "INV226 west obeys incarnation 0 of the g",
    ]);
  });
});

describe("a healed world with several planes", () => {
  it("accepts planes that are settled, and reports a version without an answer [LIV90]", () => {
    expect(stuck(settled())).toEqual([]);
    const open = settled();
    open.realm.commit("global", { put: [lent(1, 600)] });
    expect(stuck(open)).toEqual(["LIV90"]);
  });

  it("reports a region without a term [LIV91]", () => {
    const late = settled();
    late.realm.commit("west", { put: [regional({ ended: true })] });
    expect(stuck(late)).toEqual(["LIV91"]);
  });

  it("reports work that waits for rights that another region does not use [LIV92]", () => {
    const starving = settled();
    starving.realm.commit("west", { put: [aReplica()] });
    expect(stuck(starving)).toEqual(["LIV92"]);
  });
});
