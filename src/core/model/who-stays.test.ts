import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import type { Reconcile } from "./disconnect.ts";
import type { Stage, Stopping } from "./stage.ts";
import { type Standing, whoStays } from "./who-stays.ts";

const on = (stage: Stage, reconcile: Reconcile, stopping?: Stopping) =>
  aReplica({ stage, node: "a-1", reconcile, stopping });

const stays = (reconcile: Reconcile, original: Stage, replacement: Stage): Standing =>
  whoStays(on(original, reconcile), on(replacement, reconcile));

test.each([
  ["best", "serving", "serving", "original"],
  ["best", "starting", "serving", "replacement"],
  ["best", "starting", "starting", "original"],
  ["best", "unknown", "serving", "nobody-yet"],
  ["best", "ready", "serving", "nobody-yet"],
  ["best", "unknown", "starting", "original"],
  ["keep-original", "serving", "serving", "original"],
  ["keep-original", "starting", "serving", "nobody-yet"],
  ["keep-original", "starting", "starting", "original"],
  ["keep-replacement", "serving", "serving", "replacement"],
  ["keep-replacement", "serving", "starting", "nobody-yet"],
  ["keep-replacement", "unknown", "starting", "replacement"],
] as const)(
  "whoStays() with %s, an original that is %s and a replacement that is %s: %s [DC5]",
  (reconcile, original, replacement, expected) => {
    expect(stays(reconcile, original, replacement)).toBe(expected);
  },
);

test.each(["queued", "unknown", "failed"] as const)(
  "whoStays() lets a replacement go that is %s, whatever was said [DC5]",
  (stage) => {
    expect(stays("keep-replacement", "unknown", stage)).toBe("original");
  },
);

test("whoStays() does not keep an original that was asked to stop for another reason [DC5]", () => {
  const stopping = { reason: "drain", sinceMs: 0 } as const;
  const original = on("serving", "keep-original", stopping);
  expect(whoStays(original, on("serving", "keep-original"))).toBe("replacement");
});
