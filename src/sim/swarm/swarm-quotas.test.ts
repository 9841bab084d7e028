import { expect, test } from "vitest";
import { drawWorld } from "./swarm-world.ts";
import type { QuotaSharing } from "../world/world.ts";

test("over many seeds tenants share in every way there is, and limits are set below what others were", () => {
  const found = { groups: 0, borrow: 0, regions: 0, classes: 0, drain: 0, plain: 0, smaller: 0 };
  const note = (sharing: QuotaSharing | undefined): void => {
    if (sharing?.group !== undefined) found.groups += 1;
    if (sharing?.borrow !== undefined) found.borrow += 1;
    if (sharing?.regions !== undefined) found.regions += 1;
    if (sharing?.classes !== undefined) found.classes += 1;
    if (sharing?.shrink === "drain") found.drain += 1;
    if (sharing === undefined) found.plain += 1;
  };
  for (let seed = 1; seed <= 200; seed += 1) {
    const { tenants, timeline } = drawWorld(seed);
    for (const { sharing } of tenants) note(sharing);
    for (const { action } of timeline) {
      if (action.do !== "set-quota") continue;
      note(action.sharing);
      const before = tenants.find(({ name }) => name === action.tenant);
      if (before !== undefined && action.limit.cpuMillis < before.quota.cpuMillis)
        found.smaller += 1;
    }
  }
  for (const [what, count] of Object.entries(found)) {
    expect([what, count > 20]).toEqual([what, true]);
  }
});
