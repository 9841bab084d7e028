import { expect, test } from "vitest";
import type { ObjectKey } from "../../core/model/ids.ts";
import { type Pushed, SamplePushers } from "./sample-pushers.ts";

test("[ID9] who pushes samples is told once for each object, metric and window; agents are not", () => {
  const told: Pushed[] = [];
  const pushers = new SamplePushers((said) => told.push(said));
  const of = "Workload/shop/api" as ObjectKey;
  const ana = { kind: "user", name: "ana", token: "0a1b2c3d" } as const;
  for (let atMs = 1e6; atMs < 1e6 + 600_000; atMs += 1_000) {
    pushers.note(ana, { of, metric: "rps" }, atMs);
    pushers.note({ kind: "agent", name: "a-1" }, { of, metric: "cpu" }, atMs);
  }
  expect(told).toEqual([{ caller: "ana", kind: "user", token: "0a1b2c3d", of, metric: "rps" }]);
  pushers.note(ana, { of, metric: "rps" }, 1e6 + 600_000);
  expect(told).toHaveLength(2);
});
