import { expect, test } from "vitest";
import type { ViewRow } from "../live/view-message.ts";
import { aFleetRow } from "./a-fleet-row.ts";
import { sumUpFleet } from "./fleet-summary.ts";

test("what is free on a node that is lost is counted, and told to be out of reach", () => {
  const rows = [
    aFleetRow("n1", { cpu: [4_000, 1_000, 0, 0, 0, 3_000] }),
    aFleetRow("n2", { health: "fenced", cpu: [4_000, 0, 0, 0, 0, 4_000] }),
  ] as unknown as readonly ViewRow[];
  const { hard, outOfReach, healths } = sumUpFleet(rows);
  expect(hard.cpu).toEqual([8_000, 1_000, 0, 0, 0, 7_000]);
  expect(outOfReach.cpu).toBe(4_000);
  expect([healths.ready, healths.fenced]).toEqual([1, 1]);
});
