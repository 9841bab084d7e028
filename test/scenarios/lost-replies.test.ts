/** Commands that take effect although nobody hears of it, and commands that do not. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

describe("duplicate reservation after a time-out", () => {
  const scenario = "duplicate-reservation-after-timeout";
  const reserve = /^reserve\/Replica\/payments\/risk-api\.1\.0\//;

  function oneReservation(told: Told): void {
    expect(told.committed(reserve)).toHaveLength(1);
    expect(told.made("Reservation")).toHaveLength(1);
    expect(told.bindings()).toEqual(["risk-api.1.0 incarnation 1 on node-1"]);
  }

  it("scenario: reserve commits, reply lost, reserver and leader restart, stale list: one reservation [OP1] [RS1]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    oneReservation(told);
    // It was asked for twice: by a reserver that died of it, and by one that knew nothing of it.
    expect(told.lines("admit", /proposes reserve\/.* on view revision 11:/)).toHaveLength(2);
    const repeated = told.lines("plane-1", /^reserve\/.* had already committed at revision 12$/);
    expect(repeated).toHaveLength(1);
    expect(told.timeOf("plane-1", /claimed the log under epoch 2/)).toBeLessThan(repeated[0]!.atMs);
    expect(told.replicasAtEnd()).toEqual(["risk-api.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a leader that does not know its predecessor's operations reserves twice", async () => {
    const defect = "new-leader-forgets-reservations";
    expect(await power({ defect, scenario, prove: oneReservation })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV(5|10): /),
    });
  });
});

function bindingIsKept(told: Told): void {
  // The second replica avoids the doubtful node, the first is left where it is.
  expect(told.bindings()).toEqual([
    "risk-api.1.0 incarnation 1 on node-b7",
    "risk-api.1.1 incarnation 1 on node-b8",
  ]);
  expect(told.committed(/^release\//)).toEqual([]);
}

describe("binding during a node failure", () => {
  const scenario = "binding-during-node-failure";

  it("scenario: bind commits, reply lost, its node falls silent: one binding, kept and found again [RN2] [BD3] [LS4]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    bindingIsKept(told);
    const asked =
      /^lookup:bind\/Replica\/payments\/risk-api\.1\.0\/.* had committed at revision 11$/;
    expect(told.timeOf("plane-1", asked)).toBeGreaterThan(4_000);
    expect(told.healthOf("node-b7")).toEqual(["unknown", "ready", "suspect", "unknown", "ready"]);
    expect(told.replicasAtEnd()).toEqual([
      "risk-api.1.0 incarnation 1 serving on node-b7",
      "risk-api.1.1 incarnation 1 serving on node-b8",
    ]);
  });

  it("power: repair that takes silence for death replaces the replica", async () => {
    const defect = "replacement-on-unknown";
    expect(await power({ defect, scenario, prove: bindingIsKept })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV12: /),
    });
  });

  it("power: placement that does not look at a node's health goes to the silent one", async () => {
    const defect = "nobody-checks-cordons";
    expect(await power({ defect, scenario, prove: bindingIsKept })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV7: .*which is suspect/),
    });
  });
});

function placedSoon(told: Told): void {
  const placedMs = told.timeOf("plane-1", /^bind\/.*\(attempt 2\).* committed at revision 11/);
  expect(placedMs).toBeLessThan(6_000);
  expect(told.bindings()).toEqual(["cart.1.0 incarnation 1 on node-1"]);
}

describe("incident 7: the error path fails too", () => {
  const scenario = "incident-07-error-path-fails-too";

  it("scenario: bind lost, question lost, bind's reply lost, answer lost: one binding, and soon [RN2] [RN3]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    placedSoon(told);
    expect(told.lines("place-1", /^lookup:bind\/.* sent to/)).toHaveLength(2);
    expect(told.replicasAtEnd()).toEqual(["cart.1.0 incarnation 1 serving on node-1"]);
  });

  it("power: a runner that gives up when its question is not answered never places it", async () => {
    const defect = "failed-question-forgets-key";
    expect(await power({ defect, scenario, prove: placedSoon })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(LIV1|INV19): /),
    });
  });
});

function bothPlacedOnce(told: Told): void {
  expect(told.bindings()).toEqual([
    "cart.1.0 incarnation 1 on node-1",
    "search.1.0 incarnation 1 on node-1",
  ]);
  const landed = told.lines("plane-1", /^lookup:bind\/.*cart.* had committed at revision 11$/);
  const lost = told.lines("plane-1", /^lookup:bind\/.*search.* is not known$/);
  expect([landed.length, lost.length]).toEqual([1, 1]);
  // The one that did not land is tried again at once, not at the next resync.
  const placedMs = told.timeOf("plane-1", /^bind\/.*search.* committed at revision/);
  expect(placedMs - lost[0]!.atMs).toBeLessThan(500);
}

describe("incident 8: a bind of unknown outcome", () => {
  const scenario = "incident-08-bind-outcome-unknown";

  it("scenario: append of a bind answers unknown, once landed and once not: each is bound once [EP5] [RN2]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    bothPlacedOnce(told);
    expect(told.lines("plane-1", /claimed the log under epoch [23] /)).toHaveLength(2);
    expect(told.replicasAtEnd()).toEqual([
      "cart.1.0 incarnation 1 serving on node-1",
      "search.1.0 incarnation 1 serving on node-1",
    ]);
  });

  it("power: a runner that takes silence for a yes leaves it unplaced", async () => {
    const defect = "timeout-is-success";
    expect(await power({ defect, scenario, prove: bothPlacedOnce })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^(INV17: |not proved)/),
    });
  });

  it("power: an authority that takes an unknown append for durable promises what is not there", async () => {
    const defect = "unknown-append-acknowledged";
    expect(await power({ defect, scenario, prove: bothPlacedOnce })).toEqual({
      withoutFaults: "clean",
      withFaults: expect.stringMatching(/^INV11: /),
    });
  });
});
