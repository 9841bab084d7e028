/** Work that has to wait: for quota, for room, for certainty. It says why, and is woken when it may go on. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

function waitsAndBindsOnce(told: Told): void {
  const freedMs = told.timeOf(
    "plane-1",
    /^report\/Replica\/fraud\/model-fit.*succeeded.* committed/,
  );
  const reservedMs = told.timeOf("plane-1", /^reserve\/Replica\/fraud\/fraud-batch.* committed/);
  const readyMs = told.timeOf("plane-1", /^lease\/node-gpu-7\/1\.15 .* committed/);
  const boundMs = told.timeOf("plane-1", /^bind\/Replica\/fraud\/fraud-batch.* committed/);
  // The news of the quota is three seconds late, and ends the wait when it comes.
  expect(reservedMs - freedMs).toBeGreaterThan(2_000);
  expect(reservedMs).toBeLessThan(17_100);
  // Not while the node is in doubt, and as soon as it is not.
  expect(boundMs).toBeGreaterThan(readyMs);
  expect(boundMs - readyMs).toBeLessThan(100);
  expect(told.bindings()).toEqual([
    "model-fit.1.0 incarnation 1 on node-gpu-6",
    "fraud-batch.1.0 incarnation 1 on node-gpu-7",
  ]);
}

describe("a conservative binding with a slow quota", () => {
  const scenario = "conservative-gpu-binding-with-slow-quota";
  const workload = "Workload/fraud/fraud-batch";

  it("scenario: exclusive GPU, quota freed late, node silent: waits for a visible reason, binds once [RN6] [BD5] [QT1]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    waitsAndBindsOnce(told);
    const [forQuota] = told.waits("admit", workload, "quota-exhausted");
    expect(forQuota?.wakes).toContain("quota:fraud");
    expect(forQuota?.atMs).toBeLessThan(4_100);
    const forNode = told.waits("place-1", workload, "no-feasible-node");
    expect(forNode.length).toBeGreaterThan(0);
    const turnedAway = forNode[0]?.because.rejected ?? {};
    expect(turnedAway["schedulable"]).toEqual({ count: 1, example: "Node//node-gpu-7: suspect" });
    expect(told.replicasAtEnd()).toEqual([
      "fraud-batch.1.0 incarnation 1 succeeded",
      "model-fit.1.0 incarnation 1 succeeded",
    ]);
  });

  it("power: placement that does not look at a node's health binds to the silent one", async () => {
    const defect = "nobody-checks-cordons";
    expect(await power({ defect, scenario, prove: waitsAndBindsOnce })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV7: .*which is suspect/),
    });
  });

  it("power: freed quota without a wake-up is used late", async () => {
    const defect = "quota-release-wakes-nobody";
    const { withFaults } = await power({ defect, scenario, prove: waitsAndBindsOnce });
    expect(withFaults).toMatch(/^(INV18: |not proved)/);
  });
});

function listWakesIt(told: Told): void {
  const listedMs = told.timeOf("admit", /was given a list of 5 objects/);
  const reservedMs = told.timeOf("plane-1", /^reserve\/Replica\/web\/new-shop.* committed/);
  expect(reservedMs - listedMs).toBeLessThan(100);
}

describe("a lost wake-up on a quota release", () => {
  const scenario = "lost-wakeup-on-quota-release";

  it("scenario: the release of quota is lost on the watch: the wait ends with the next list [RN5] [RN6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    listWakesIt(told);
    // It had looked again in vain meanwhile, because its view could not know.
    const releasedMs = told.timeOf(
      "plane-1",
      /^report\/Replica\/web\/old-shop.*released.* committed/,
    );
    const inVain = told
      .waits("admit", "Workload/web/new-shop", "quota-exhausted")
      .filter(({ atMs }) => atMs > releasedMs);
    expect(inVain.length).toBeGreaterThanOrEqual(2);
    expect(told.replicasAtEnd()).toEqual(["new-shop.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a view that is never listed again waits for ever", async () => {
    const defect = "never-lists-again";
    expect(await power({ defect, scenario, prove: listWakesIt })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(LIV[14]|INV16): /),
    });
  });

  it("power: freed quota without a wake-up is not used even when it is seen", async () => {
    const defect = "quota-release-wakes-nobody";
    const { withFaults } = await power({ defect, scenario, prove: listWakesIt });
    expect(withFaults).toMatch(/^(INV18: |not proved)/);
  });
});

function oneAfterTheOther(told: Told): void {
  expect(told.bindings()).toEqual([
    "search.1.0 incarnation 1 on node-1",
    "shop.1.0 incarnation 1 on node-1",
  ]);
  const leftMs = told.timeOf("plane-1", /^report\/Replica\/docs\/search.*released.* committed/);
  const takenMs = told.timeOf("plane-1", /^bind\/Replica\/web\/shop.* from place-\d committed/);
  expect(takenMs).toBeGreaterThan(leftMs);
  expect(takenMs - leftMs).toBeLessThan(100);
}

describe("two schedulers, one last slot", () => {
  const scenario = "two-schedulers-one-last-slot";
  const shop = "Workload/web/shop";

  it("scenario: two schedulers promise the last slot to two replicas: one gets it, one waits its turn [BD1] [BD4] [RN6]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    oneAfterTheOther(told);
    // Each has promised node-1, to another replica and on a view that shows it free.
    // Until it is given up again; then both may find it at once.
    const promised = told
      .lines("place-1", /proposes bind\/.*shop.*: node-1 scores highest/)
      .filter(({ atMs }) => atMs < 15_000);
    const again = told.lines("place-2", /proposes bind\/.*search.*: node-1 scores highest/);
    expect([promised.length, again.length]).toEqual([1, 1]);
    const full = /^bind\/Replica\/web\/shop.* from place-1 conflict: node-full \[BD4\]/;
    expect(told.timeOf("plane-1", full)).toBeGreaterThan(again[0]!.atMs);
    for (const place of ["place-1", "place-2"]) {
      expect(told.waits(place, shop, "no-feasible-node").length).toBeGreaterThan(0);
    }
  });

  it("power: an authority that does not look at room gives the slot twice", async () => {
    const defect = "bind-without-capacity";
    expect(await power({ defect, scenario, prove: oneAfterTheOther })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV2: /),
    });
  });
});

function apart(told: Told): void {
  expect(told.bindings()).toEqual([
    "search.1.0 incarnation 1 on small",
    "shop.1.0 incarnation 1 on large",
  ]);
}

describe("two schedulers, and two that are kept apart", () => {
  const scenario = "two-schedulers-and-two-kept-apart";

  it("scenario: two schedulers promise one node to two that must be apart: one gets it, the other goes elsewhere [BD13] [INV22]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    apart(told);
    // Each has promised it on a view that shows nobody there.
    const promised = /proposes bind\/.*: small scores highest/;
    const promises = ["place-1", "place-2"].map((place) => told.lines(place, promised)[0]?.text);
    expect(promises).toEqual([
      expect.stringMatching(/^Workload\/web\/shop:/) as string,
      expect.stringMatching(/^Workload\/docs\/search:/) as string,
    ]);
    // It is the other that asked for the distance, and it holds for both.
    const refusedMs = told.timeOf(
      "plane-1",
      /^bind\/Replica\/web\/shop.* from place-1 conflict: kept-apart \[BD13\], Node\/\/small/,
    );
    const placedMs = told.timeOf("plane-1", /^bind\/Replica\/web\/shop.* committed/);
    expect(placedMs - refusedMs).toBeLessThan(200);
  });

  it("power: an authority that takes the scheduler's word for who is near puts them together", async () => {
    const defect = "anti-affinity-left-to-the-view";
    expect(await power({ defect, scenario, prove: apart })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV22: .*shop\.1\.0 was bound to small/),
    });
  });
});

function triedAgainSoon(told: Told): void {
  const openedMs = told.timeOf("plane-1", /^user\/8\/put\/Node\/\/node-1 .* committed/);
  const boundMs = told.timeOf("plane-1", /^bind\/.*\(attempt 2\).* committed/);
  expect(boundMs - openedMs).toBeLessThan(600);
}

describe("incident 6: a wake-up before parking", () => {
  const scenario = "incident-06-wake-up-before-parking";

  it("scenario: a node is opened after the look and before the refusal is heard: tried again at once [RN6] [BD3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    triedAgainSoon(told);
    const closedMs = told.timeOf("plane-1", /^user\/7\/put\/Node\/\/node-1 .* committed/);
    const refusedMs = told.timeOf("plane-1", /^bind\/.* conflict: node-not-schedulable/);
    const openedMs = told.timeOf("plane-1", /^user\/8\/put\/Node\/\/node-1 .* committed/);
    const triedMs = told.lines("place-1", /proposes bind\//).map(({ atMs }) => atMs);
    const order = [triedMs[0], closedMs, refusedMs, openedMs, triedMs[1]].map(Number);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(told.replicasAtEnd()).toEqual(["shop.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a key that is parked for news that came already is never looked at again", async () => {
    const defect = "refused-key-waits-for-news";
    expect(await power({ defect, scenario, prove: triedAgainSoon })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(INV14|LIV1): /),
    });
  });
});

function eachHasRoom(told: Told): void {
  expect(told.bindings()).toEqual([
    "first.1.0 incarnation 1 on small",
    "second.1.0 incarnation 1 on large",
  ]);
}

describe("incident 9: slow binds overcommit", () => {
  const scenario = "incident-09-slow-bind-overcommits";

  it("scenario: two binds are under way to the same room: the second to arrive is refused and goes elsewhere [BD4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    eachHasRoom(told);
    // Whoever has promised the room counts it; whoever has not does not.
    const second = /proposes bind\/Replica\/shop\/second.*: (small|large) scores/;
    const choices = ["place-1", "place-2"].map((place) => told.lines(place, second)[0]?.text);
    expect(choices.map((text) => second.exec(text ?? "")?.[1])).toEqual(["large", "small"]);
    const full =
      /^bind\/Replica\/shop\/second.* conflict: node-full \[BD4\], Node\/\/small cpuMillis is 0/;
    expect(told.lines("plane-1", full)).toHaveLength(1);
  });

  it("power: an authority that does not look at room overcommits the node", async () => {
    const defect = "bind-without-capacity";
    expect(await power({ defect, scenario, prove: eachHasRoom })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV2: /),
    });
  });
});

describe("two schedulers, and one fixed port", () => {
  const scenario = "two-schedulers-and-one-fixed-port";

  it("scenario: two schedulers promise one node to two with one fixed port: one gets it, the other goes elsewhere [BD90] [INV192]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    const refusedMs = told.timeOf(
      "plane-1",
      /^bind\/Replica\/web\/shop.* from place-1 conflict: port-taken \[BD90\], Node\/\/small/,
    );
    const placedMs = told.timeOf("plane-1", /^bind\/Replica\/web\/shop.* committed/);
    expect(placedMs).toBeGreaterThan(refusedMs);
  });
});
