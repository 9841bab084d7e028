import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aCommit, type CommitParts } from "../../../test/builders/a-commit.ts";
import type { Actor } from "../../core/model/actor.ts";
import type { ArchiveLimits } from "./audit-archive.ts";
import { AuditArchive } from "./audit-archive.ts";

const LIMITS = { auditBytesPerCaller: 8_000, auditBytes: 64_000, auditKeptMs: 1e12 };
const by = (kind: "user" | "controller", name: string): Actor => ({
  role: kind === "user" ? "user" : "admit",
  name,
  by: { kind, token: "0a1b2c3d" },
});
const ALL = { limit: 1_000, words: [], fits: () => true };

let folder = "";
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), "berth-audit-")), "audit");
});
afterEach(() => rmSync(join(folder, ".."), { recursive: true }));

const open = (limits: ArchiveLimits = LIMITS): Promise<AuditArchive> =>
  AuditArchive.open({
    folder,
    nowMs: Date.now(),
    limits,
    gatherMs: 0,
    onTrouble: (error) => {
      throw error;
    },
  });

const commit = (revision: number, actor: Actor, of: Partial<CommitParts> = {}) =>
  aCommit({ revision, actor, ...of });

describe("the audit archive", () => {
  test("keeps what people and tokens did and what was destroyed, and nothing else [ID8]", async () => {
    const archive = await open();
    const place: Actor = { role: "place", name: "place-1" };
    await archive.add([
      commit(1, by("user", "ana")),
      commit(2, place, { command: "bind" }),
      commit(3, by("controller", "scaler"), { command: "observe" }),
      commit(4, { role: "agent", name: "agent:a-1" }, { command: "report" }),
      commit(5, place, {
        command: "evict",
        evidence: { kind: "person", name: "x", statement: "" },
      }),
    ]);
    const kept = await archive.before(99, ALL);
    expect(kept.map(({ revision }) => revision)).toEqual([5, 3, 1]);
    expect(kept[1]?.actor).toMatchObject({ name: "scaler", by: { token: "0a1b2c3d" } });
    expect((await archive.before(5, { ...ALL, limit: 1 })).map((one) => one.revision)).toEqual([3]);
  });

  test("a flood of one caller drops nothing of another's, and stays within its share [ID8]", async () => {
    const archive = await open();
    await archive.add([commit(1, by("user", "ana"))]);
    for (let at = 2; at < 300; at += 1) await archive.add([commit(at, by("user", "eve"))]);
    const kept = await archive.before(999, ALL);
    expect(kept.at(-1)).toMatchObject({ revision: 1, actor: { name: "ana" } });
    expect(kept[0]).toMatchObject({ revision: 299 });
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(LIMITS.auditBytesPerCaller * 2);
  });

  test("goes on after a crash in the middle of a line, and keeps nothing twice [ID8]", async () => {
    const first = await open();
    await first.add([commit(1, by("user", "ana"))]);
    appendFileSync(join(folder, readdirSync(folder)[0]!), '{"revision":2,"epo');
    const again = await open();
    expect(again.lacks(commit(1, by("user", "ana")))).toBe(false);
    await again.add([1, 2, 3].map((at) => commit(at, by("user", "ana"))));
    const kept = await again.before(99, ALL);
    expect(kept.map(({ revision }) => revision)).toEqual([3, 2, 1]);
  });

  test("is for the plane's own user alone [ID8]", async () => {
    const archive = await open();
    await archive.add([commit(1, by("user", "ana"))]);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
  });
});
