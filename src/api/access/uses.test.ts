import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import type { Caller } from "../http/caller.ts";
import { USE_LIMITS } from "./use-limits.ts";
import { Uses } from "./uses.ts";

const DAY_MS = 86_400_000;
const FIRST = Date.UTC(2030, 0, 1);
const folder = scratchFolder();
const caller = (name: string, kind: Caller["kind"] = "user"): Caller => ({
  kind,
  name,
  groups: ["devs"],
  how: "token",
});
const reading = (resource: string, namespace = "shop", name?: string) => ({
  verb: "get" as const,
  group: "berth.dev",
  resource,
  namespace,
  ...(name === undefined ? {} : { name }),
});
const onTrouble = (error: unknown): never => {
  throw error;
};
const opened = (name: string, nowMs: () => number) =>
  new Uses({ folder: join(folder, name), nowMs, onTrouble });

test("a right that was used is remembered by day with some names, over restarts [AZ54]", async () => {
  let nowMs = FIRST;
  const first = opened("days", () => nowMs);
  for (let at = 0; at < 20; at += 1)
    first.note(caller("ana"), reading("workloads", "shop", `w${at}`));
  nowMs += DAY_MS;
  first.note(caller("ana"), { verb: "get", path: "/metrics" });
  await first.close();
  const second = opened("days", () => nowMs);
  await second.since("2030-01-01");
  second.note(caller("ana"), { verb: "get", path: "/metrics" });
  const uses = await second.since("2030-01-01");
  expect(uses).toMatchObject([
    { day: "2030-01-01", user: "ana", groups: ["devs", "system:authenticated"], count: 20 },
    { day: "2030-01-02", request: { verb: "get", path: "/metrics" }, names: [], count: 2 },
  ]);
  expect(uses[0]?.names).toHaveLength(USE_LIMITS.useNames.value);
  expect(await second.since("2030-01-02")).toHaveLength(1);
  await second.close();
});

test("a caller of many namespaces uses up its own share alone [AZ54]", async () => {
  const uses = new Uses({ nowMs: () => FIRST, onTrouble });
  uses.note(caller("ana"), reading("workloads"));
  for (let at = 0; at < 5_000; at += 1) uses.note(caller("eve"), reading("workloads", `t${at}`));
  const all = await uses.since("2030-01-01");
  expect(all.filter(({ user }) => user === "eve")).toHaveLength(USE_LIMITS.usesPerCaller.value);
  expect(all.filter(({ user }) => user === "ana")).toHaveLength(1);
  await uses.close();
});

test("all callers together fill no more than the bound of a day [AZ54]", async () => {
  const uses = new Uses({ nowMs: () => FIRST, onTrouble });
  uses.note(caller("ana"), reading("workloads"));
  for (let at = 0; at < USE_LIMITS.usesPerDay.value / 100 + 20; at += 1) {
    for (let of = 0; of < 100; of += 1) uses.note(caller(`u${at}`), reading("nodes", `t${of}`));
  }
  const all = await uses.since("2030-01-01");
  expect(all).toHaveLength(USE_LIMITS.usesPerDay.value);
  expect(all.some(({ user }) => user === "ana")).toBe(true);
  await uses.close();
});

test("what no role gives is not remembered, and old days go [AZ54]", async () => {
  let nowMs = FIRST;
  const uses = opened("old", () => nowMs);
  uses.note(caller("n1", "agent"), reading("nodes"));
  uses.note(caller("root", "local"), reading("nodes"));
  expect(await uses.since("2030-01-01")).toEqual([]);
  for (let at = 0; at < USE_LIMITS.useDays.value; at += 1) {
    const day = new Date(FIRST - (at + 1) * DAY_MS).toISOString().slice(0, 10);
    writeFileSync(join(folder, "old", `${day}.json`), "[]");
  }
  nowMs += 1;
  uses.note(caller("ana"), reading("nodes"));
  await uses.close();
  const days = readdirSync(join(folder, "old")).toSorted();
  expect([days.length, days.at(-1)]).toEqual([USE_LIMITS.useDays.value, "2030-01-01.json"]);
});
