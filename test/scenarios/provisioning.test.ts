/** Who is given a machine, among others who wait for something else. */
import { describe, expect, it } from "vitest";
import { power, tell } from "./tell.ts";
import type { Told } from "./told.ts";

const POOL = "NodePool//more";

/** One machine, for the one who lacks room, and no other. */
function asksForOne(told: Told): void {
  const asked = told.committed(/^provision\/NodePool/);
  expect(asked.map(({ operation }) => operation.split("/").at(-1))).toEqual(["more-1"]);
}

describe("a node pool", () => {
  const scenario = "machine-only-for-who-lacks-room";

  it("scenario: who waits for quota or for a view that is behind asks for no machine, who lacks room does [PN2] [PN7] [INV166]", () => {
    const told = tell(scenario);
    expect(told.surprises).toEqual([]);
    asksForOne(told);
    const said = ["pool-steady", "node-provisioning", "pool-bound"].flatMap((reason) =>
      told.waits("provision", POOL, reason as "pool-steady").map(({ because }) => because.summary),
    );
    expect(said.some((text) => text.includes("2 wait for quota: a new node does not help"))).toBe(
      true,
    );
    expect(said.some((text) => text.includes("1 fit on an existing node"))).toBe(true);
    const serving = told.replicasAtEnd().filter((line) => line.includes("serving"));
    expect(serving).toHaveLength(6);
    expect(serving.filter((line) => line.includes("more-1"))).toHaveLength(2);
  });

  it("power: one that takes every queued replica for one that lacks room asks for more", async () => {
    const defect = "machine-for-who-has-room";
    const told = await power({ defect, scenario, prove: asksForOne });
    expect(told.withFaults).toMatch(/^INV166: /);
  });
});
