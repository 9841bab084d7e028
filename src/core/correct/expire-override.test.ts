import { expect, test } from "vitest";
import { aLook } from "../../../test/builders/a-turn.ts";
import { aView } from "../../../test/builders/a-view.ts";
import { anOverride } from "../../../test/builders/an-override.ts";
import { createExpireOverride } from "./expire-override.ts";

const HOLDS = anOverride({ ttlMs: 60_000, status: { sinceMs: 1_000_000, untilMs: 1_060_000 } });

test("an override is removed at its end, with the time as evidence [OV4]", () => {
  const controller = createExpireOverride();
  const view = aView(controller, [HOLDS]);
  const early = controller.reconcile(HOLDS.key, view, aLook(1_000_000));
  expect(early).toMatchObject({ kind: "wait", reason: "override", deadlineMs: 1_060_000 });
  expect(controller.reconcile(HOLDS.key, view, aLook(1_060_000))).toMatchObject({
    kind: "propose",
    intents: [
      {
        kind: "expire",
        key: HOLDS.key,
        incarnation: 1,
        evidence: { kind: "override-over", override: HOLDS.key, untilMs: 1_060_000 },
      },
    ],
  });
});

test("asked too early by a clock that is ahead, it asks again, but not all the time [OV4]", () => {
  const controller = createExpireOverride();
  const view = aView(controller, [HOLDS]);
  const look = (now: number) => controller.reconcile(HOLDS.key, view, aLook(now)).kind;
  expect(look(2_000_000)).toBe("propose");
  expect(look(2_000_100)).toBe("wait");
  expect(look(2_005_000)).toBe("propose");
});

test("a clock that is behind keeps it no longer than it was to last, and drift [OV4]", () => {
  const controller = createExpireOverride();
  const view = aView(controller, [HOLDS]);
  const wait = controller.reconcile(HOLDS.key, view, aLook(5_000));
  expect(wait).toMatchObject({ kind: "wait", deadlineMs: 5_000 + 60_000 + 1_200 });
  expect(controller.reconcile(HOLDS.key, aView(controller, [], 11), aLook(6_000))).toEqual({
    kind: "settled",
  });
});
