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

test("[ID9] a caller that pushes under thousands of names hides no other", () => {
  const told: Pushed[] = [];
  const pushers = new SamplePushers((said) => told.push(said));
  const push = (name: string, kind: "user" | "local", at: number): void =>
    pushers.note({ kind, name }, { of: `Workload/x/w${at}` as ObjectKey, metric: "rps" }, 1e6);
  for (let at = 0; at < 3_000; at += 1) push("mallory", "user", at);
  // Names that a caller of the plane's own machine gives itself are one caller's.
  for (let at = 0; at < 3_000; at += 1) push(`name-${at}`, "local", at);
  push("ana", "user", 0);
  expect(told.filter(({ kind }) => kind === "local")).toHaveLength(1_000);
  expect(told.filter(({ caller }) => caller === "mallory")).toHaveLength(1_000);
  expect(told.at(-1)).toMatchObject({ caller: "ana" });
});
