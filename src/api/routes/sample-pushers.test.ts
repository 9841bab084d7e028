import { expect, test } from "vitest";
import { type ObjectKey, workloadKey } from "../../core/model/ids.ts";
import { PUSHER_LIMITS } from "./pusher-limits.ts";
import { type Pushed, SamplePushers } from "./sample-pushers.ts";

test("[ID9] who pushes samples is told once for each object, metric and window; agents are not", () => {
  const told: Pushed[] = [];
  const pushers = new SamplePushers((said) => told.push(said));
  const of = "Workload/shop/api" as ObjectKey;
  const ana = { kind: "user", name: "ana", groups: [], credentialId: "0a1b2c3d" } as const;
  for (let atMs = 1e6; atMs < 1e6 + 600_000; atMs += 1_000) {
    pushers.note(ana, of, "rps", atMs);
    pushers.note({ kind: "agent", name: "a-1", groups: [] }, of, "cpu", atMs);
  }
  expect(told).toEqual([{ caller: "ana", kind: "user", token: "0a1b2c3d", of, metric: "rps" }]);
  pushers.note(ana, of, "rps", 1e6 + 600_000);
  expect(told).toHaveLength(2);
});

test("[ID9] who pushes for more objects than are told hides no other caller, and is told of as one who does", () => {
  const told: Pushed[] = [];
  const pushers = new SamplePushers((said) => told.push(said));
  const most = PUSHER_LIMITS.toldPerCaller.value;
  const eve = { kind: "user", name: "eve", groups: [] } as const;
  const of = workloadKey("shop", "api");
  for (let at = 0; at < 2 * most; at += 1) {
    pushers.note(eve, workloadKey("eve", `w${at}`), "rps", 1e6);
  }
  expect(told).toHaveLength(most + 1);
  expect(told.at(-1)).toEqual({ caller: "eve", kind: "user", moreThan: most });
  pushers.note({ kind: "user", name: "ana", groups: [] }, of, "rps", 1e6);
  expect(told.at(-1)).toEqual({ caller: "ana", kind: "user", of, metric: "rps" });
  // A local caller names itself: what it pushes under another name takes the same share.
  for (let at = 0; at < 2 * most; at += 1) {
    pushers.note({ kind: "local", name: `name-${at}`, groups: [] }, of, "rps", 1e6);
  }
  expect(told).toHaveLength(2 * (most + 1) + 1);
});
