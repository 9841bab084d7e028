import { describe, expect, test } from "vitest";
import { aFleet } from "../../../../../test/builders/a-fleet.ts";
import { ONE } from "./fixed-point.ts";
import { KindPressure } from "./kind-pressure.ts";

const fleet = aFleet({
  few: { used: [0], kind: 0 },
  many: { used: [0, 0, 0], kind: 1 },
});

describe("the pressure on a kind", () => {
  test("is nothing when no workload names a kind", () => {
    const kinds = new KindPressure();
    kinds.learn(undefined, 1000);
    kinds.settle(1000);
    expect([...kinds.on(fleet)]).toEqual([0, 0]);
  });

  test("grows with the demand and with the scarcity of what is demanded", () => {
    const kinds = new KindPressure();
    kinds.learn(Uint8Array.of(1, 0), 1000);
    kinds.learn(Uint8Array.of(0, 1), 1000);
    kinds.settle(8000);
    expect([...kinds.on(fleet)]).toEqual([ONE / 2, Math.floor(ONE / 6)]);
  });

  test("is shared by all the kinds that will do", () => {
    const kinds = new KindPressure();
    kinds.learn(Uint8Array.of(1, 1), 1000);
    kinds.settle(4000);
    expect([...kinds.on(fleet)]).toEqual([ONE / 4, ONE / 4]);
  });

  test("is never more than all, and nothing of kinds that no node has", () => {
    const kinds = new KindPressure();
    kinds.learn(Uint8Array.of(1, 0), 1000);
    kinds.learn(Uint8Array.of(0, 0, 1), 1000);
    kinds.settle(2000);
    expect([...kinds.on(fleet)]).toEqual([ONE, 0]);
  });
});
