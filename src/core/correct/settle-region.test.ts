import { expect, test } from "vitest";
import {
  aPartitionedPlane,
  CONFIRM_MS,
  type PartitionedPlane,
} from "../../../test/builders/a-partitioned-plane.ts";
import { indexKey } from "../../../test/builders/a-plane.ts";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import type { Decision } from "../protocol/decision.ts";
import { NOTHING } from "../model/amounts.ts";
import { KINDS } from "../model/ids.ts";
import { overrideKey } from "../model/override.ts";
import type { AnyObject } from "../model/objects.ts";
import { createSettleRegion } from "./settle-region.ts";

/** One that has been looking since the times that are given, on the objects of the plane. */
function looks(plane: PartitionedPlane, ...times: readonly number[]): readonly Decision[] {
  const controller = createSettleRegion();
  const all = KINDS.flatMap((kind): AnyObject[] => [...plane.ledger.objects.all(kind).values()]);
  const view = aView(controller, all, plane.ledger.revision);
  for (const after of all) controller.follow?.({ key: after.key, before: undefined, after }, view);
  expect([...controller.allKeys(view)]).toEqual([indexKey(0)]);
  return times.map((now) => controller.reconcile(indexKey(0), view, aLook(now)));
}

const bound = (): PartitionedPlane => aPartitionedPlane().provisional();

test("what is provisional waits for the end of the mark, which wakes it, and for its own time [DG7]", () => {
  const [wait] = looks(bound(), 5_000);
  expect(wait).toMatchObject({
    kind: "wait",
    reason: "region-partitioned",
    wakes: [overrideKey("cut")],
    deadlineMs: 5_000 + CONFIRM_MS + 600,
    because: {
      summary: expect.stringMatching(
        /^Replica\/payments\/api\.1\.0 is provisional: override cut \(mark-partitioned by ana/,
      ),
    },
  });
});

test("once the region is back it is confirmed, or sent away with the rule [DG5]", () => {
  const plane = bound();
  plane.unmark();
  expect(looks(plane, 0)).toMatchObject([
    { kind: "propose", intents: [{ kind: "confirm", replica: indexKey(0), incarnation: 1 }] },
  ]);
  plane.quota({ limit: NOTHING });
  const evidence = { kind: "not-confirmed", region: "west", rule: "quota-exceeded" };
  expect(looks(plane, 0)).toMatchObject([
    { kind: "propose", intents: [{ kind: "evict", replica: indexKey(0), evidence }] },
  ]);
});

test("one whose node is silent waits, and goes when its time is over; asked too early, it is asked again [DG6]", () => {
  const plane = bound();
  plane.unmark();
  plane.vouchedGone("w-1");
  const evidence = { kind: "confirm-overdue", override: "cut" };
  const dueMs = CONFIRM_MS + 600;
  expect(looks(plane, 0, dueMs, dueMs + 1, dueMs + 5_000)).toMatchObject([
    { kind: "wait", reason: "disconnected" },
    { kind: "propose", intents: [{ kind: "evict", evidence }] },
    { kind: "wait" },
    { kind: "propose", intents: [{ kind: "evict", evidence }] },
  ]);
});
