import { expect, test } from "vitest";
import { appendFileSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { RefusalArchive } from "../audit/refusal-archive.ts";
import type { Caller } from "../http/caller.ts";
import { REFUSAL_LIMITS } from "./refusal-limits.ts";
import { Refusals } from "./refusals.ts";

const log = { warn: () => {} };
const caller = (name: string): Caller => ({ kind: "user", name, groups: [], how: "token" });
const request = { verb: "get", path: "/metrics" } as const;

test("a caller that is refused for days leaves the refusals of others in the audit [AZ48]", () => {
  let nowMs = 0;
  const refusals = new Refusals({ nowMs: () => nowMs, log });
  refusals.note(caller("ana"), request);
  for (let minute = 1; minute <= 5_000; minute += 1) {
    nowMs = minute * 60_000;
    refusals.note(caller("mallory"), request);
    refusals.note(caller("mallory"), request);
  }
  const all = refusals.all();
  expect(all.filter(({ user }) => user === "mallory")).toHaveLength(
    REFUSAL_LIMITS.refusalsPerCaller.value,
  );
  expect(all.at(-1)).toMatchObject({ user: "ana", count: 1, first: "get /metrics" });
  expect(all[0]).toMatchObject({ user: "mallory", count: 2 });
});

test("callers of any number fill no more than their bound [AZ48]", () => {
  const refusals = new Refusals({ nowMs: () => 0, log });
  for (let at = 0; at < 10_000; at += 1) refusals.note(caller(`user-${at}`), request);
  expect(refusals.all()).toHaveLength(REFUSAL_LIMITS.refusalsKept.value);
});

const folder = scratchFolder();
const onTrouble = (error: unknown): never => {
  throw error;
};
const bounds = {
  refusalsKept: 2_000,
  refusalsPerCaller: 100,
  refusalBytesPerCaller: 20_000,
  refusalBytes: 60_000,
  refusalsKeptMs: 1e12,
};
const kept = (name: string, nowMs = Date.now()) =>
  new RefusalArchive({ folder: join(folder, name), nowMs, limits: bounds, onTrouble });
const bytesIn = (name: string) =>
  readdirSync(join(folder, name))
    .map((file) => statSync(join(folder, name, file)).size)
    .reduce((sum, size) => sum + size, 0);

test("a flood of refusals with ever new credentials displaces nothing of another caller, on disk [AZ53]", async () => {
  let nowMs = 0;
  const archive = kept("flood");
  const refusals = new Refusals({ nowMs: () => nowMs, log, archive });
  refusals.note(caller("ana"), request);
  for (let at = 1; at <= 2_000; at += 1) {
    nowMs += 1_000;
    refusals.note({ ...caller("mallory"), credentialId: `jwt-${at}` }, request);
  }
  const { entries } = await refusals.newest({ limit: 10, user: "ana" });
  expect(entries).toMatchObject([{ user: "ana", count: 1, by: "default" }]);
  expect(bytesIn("flood")).toBeLessThan(bounds.refusalBytesPerCaller + 2_000);
  const all = await refusals.newest({ limit: 5 });
  expect(all.entries.map(({ user }) => user)).toEqual(Array.from({ length: 5 }, () => "mallory"));
  expect(all.next).toBe(all.entries[4]?.time);
  expect((await archive.verify()).broken).toBeUndefined();
  await refusals.close();
});

test("any number of callers fill no more than the bound of all [AZ53]", async () => {
  const refusals = new Refusals({ nowMs: () => 0, log, archive: kept("many") });
  for (let at = 0; at < 600; at += 1) refusals.note(caller(`user-${at}`), request);
  await refusals.close();
  expect(bytesIn("many")).toBeGreaterThan(bounds.refusalBytes / 2);
  expect(bytesIn("many")).toBeLessThan(bounds.refusalBytes + 2_000);
});

test("a refusal outlives the plane with its whole count, also after a line that was cut off [AZ53]", async () => {
  const first = new Refusals({ nowMs: () => 0, log, archive: kept("again") });
  for (let at = 0; at < 7; at += 1) first.note(caller("ana"), request);
  first.noteRule(caller("ana"), "PUT /apis/x", "AZ12");
  await first.close();
  const [file = ""] = readdirSync(join(folder, "again"));
  appendFileSync(join(folder, "again", file), '{"id":"cut');
  const archive = kept("again");
  const second = new Refusals({ nowMs: () => 60_000, log, archive });
  second.note(caller("ana"), request);
  const { entries } = await second.newest({ limit: 10 });
  expect(entries.map(({ by, count }) => [by, count])).toEqual([
    ["default", 1],
    ["AZ12", 1],
    ["default", 7],
  ]);
  expect(await archive.verify()).toEqual({ callers: 1, lines: 4 });
  await second.close();
});

test("a kept line that was changed or taken out is found [AZ53]", async () => {
  const refusals = new Refusals({ nowMs: () => 0, log, archive: kept("changed") });
  for (const by of ["AZ12", "AZ52", "ID3"]) refusals.noteRule(caller("ana"), "PUT /x", by);
  await refusals.close();
  const [name = ""] = readdirSync(join(folder, "changed"));
  const file = join(folder, "changed", name);
  const text = readFileSync(file, "utf8");
  writeFileSync(file, text.replace("AZ52", "AZ51"));
  expect((await kept("changed").verify()).broken).toMatch(/line 2$/);
  writeFileSync(file, text.split("\n").toSpliced(1, 1).join("\n"));
  expect((await kept("changed").verify()).broken).toMatch(/line 2$/);
  writeFileSync(file, text);
  expect((await kept("changed").verify()).broken).toBeUndefined();
});
