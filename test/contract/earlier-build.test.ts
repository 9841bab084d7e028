/**
 * A log and a recording of an earlier build (`test/fixtures`), opened by this one. They are only looked at through
 * what every build has: the store, `berth store check`, `berth backup`, `berth restore` and `berth replay`.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import type { Claimed } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { FORMATS } from "../../src/host/formats.ts";
import { loadSqlite } from "../../src/host/store/sqlite-database.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";
import { aRecoveryBudget } from "../builders/check/fixtures.ts";
import { aReplica } from "../builders/a-replica.ts";
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { roomOf } from "../../src/core/model/reservation.ts";
import type { Override, RecoveryBudget } from "../../src/core/model/objects.ts";
import { runCommand } from "../cli/a-served-plane.ts";
import { contentOf, ledgerOf } from "./a-history.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";

const FIXTURES = join(import.meta.dirname, "../fixtures");
const FIXTURE = "build-0.1.0";
/** Its fields have other names, see `src/host/earlier-words.ts`. */
const CONTENTS_1 = "contents-1";
/** Three of its words have several meanings, see `src/host/split-words.ts`. */
const CONTENTS_2 = "contents-2";
const REVISION = 63;
const OBJECTS = 12;
const TURNS = 286;

const scratch = scratchFolder();
let folders = 0;

/** A data folder as the earlier build left it. */
function dataFolder(fixture = FIXTURE): string {
  const folder = join(scratch, `data-${(folders += 1)}`);
  mkdirSync(join(folder, "recording"), { recursive: true });
  for (const name of packed(fixture)) {
    const bytes = gunzipSync(readFileSync(join(FIXTURES, fixture, name)));
    writeFileSync(join(folder, name.replace(/\.gz$/, "")), bytes);
  }
  return folder;
}

const packed = (fixture: string): readonly string[] =>
  readdirSync(join(FIXTURES, fixture), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".gz"),
  );

const stateOf = (claimed: Claimed): unknown => contentOf(takeSnapshot(ledgerOf(claimed)));

async function checked(...args: readonly string[]): Promise<unknown> {
  const { out } = await runCommand(["store", "check", "--json", ...args]);
  const { isGood, revision, objects } = JSON.parse(out) as Record<string, unknown>;
  return { isGood, revision, objects };
}

describe("a log of build 0.1.0", () => {
  test("[LG21] passes every check of this build, and the check writes nothing", async () => {
    const folder = dataFolder();
    const before = readFileSync(join(folder, "log.db"));
    const good = { isGood: true, revision: REVISION, objects: OBJECTS };
    expect(await checked("--data", folder)).toEqual(good);
    expect(readFileSync(join(folder, "log.db")).equals(before)).toBe(true);
  });

  test("[LG21] is claimed, appended to and opened again, with nothing lost", async () => {
    const folder = dataFolder();
    const file = join(folder, "log.db");
    const log = await SqliteLog.open(file);
    const claimed = await log.claim();
    const ledger = ledgerOf(claimed);
    expect([ledger.revision, ledger.objects.size]).toEqual([REVISION, OBJECTS]);
    const node = aNode({ name: "n2" });
    const commit = aCommit({ revision: REVISION + 1, epoch: claimed.epoch, put: [node] });
    expect(await log.append(claimed.epoch, [commit])).toBe("durable");
    await log.close();
    ledger.fold(commit);

    const again = await SqliteLog.open(file, { thread: false });
    const reread = await again.claim();
    expect(reread.epoch).toBe(claimed.epoch + 1);
    expect(stateOf(reread)).toEqual(contentOf(takeSnapshot(ledger)));
    expect(await again.read(0, 1_000)).toHaveLength(REVISION + 1);
    await again.close();
  });

  test("[LG21] [LG22] is taken over by a later format, which this build then refuses untouched", async () => {
    const folder = dataFolder();
    const file = join(folder, "log.db");
    const { written, oldest } = FORMATS.logFile;
    const later = { written: written + 1, oldest };
    const log = await SqliteLog.open(file, { thread: false, format: later });
    const before = stateOf(await log.claim());
    await log.close();
    const raised = readFileSync(file);

    const refusal = await SqliteLog.open(file, { thread: false }).catch((error: unknown) =>
      String(error),
    );
    expect(refusal).toContain(
      `it is written in format ${written + 1} by a newer version of Berth, and this version`,
    );
    expect(refusal).toContain("Run the version of Berth that wrote it, or a newer one.");
    const { code, err, out } = await runCommand(["store", "check", "--data", folder]);
    expect([code, err + out]).toEqual([
      expect.any(Number),
      expect.stringContaining("by a newer version of Berth"),
    ]);
    expect(code).not.toBe(0);
    expect(readFileSync(file).equals(raised)).toBe(true);

    const open = await SqliteLog.open(file, { thread: false, format: later });
    expect(stateOf(await open.claim())).toEqual(before);
    await open.close();
  });

  test("[LG21] a log that a later format has opened and not claimed keeps its number", async () => {
    const file = join(dataFolder(), "log.db");
    const { written, oldest } = FORMATS.logFile;
    const log = await SqliteLog.open(file, {
      thread: false,
      format: { written: written + 1, oldest },
    });
    await log.close();
    const sqlite = await loadSqlite();
    const db = sqlite(file, { timeout: 0, readOnly: true });
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: 3 });
    db.close();
  });

  test("[LG21] is backed up and restored", async () => {
    const backup = join(scratch, "of-0.1.0.backup");
    expect(await runCommand(["backup", "--data", dataFolder(), "--out", backup])).toMatchObject({
      code: 0,
    });
    expect(await checked(backup)).toMatchObject({ isGood: true, revision: REVISION });
    const to = join(scratch, "restored");
    expect(await runCommand(["restore", backup, "--data", to])).toMatchObject({ code: 0 });
    expect(await checked("--data", to)).toMatchObject({ isGood: true, objects: OBJECTS });
  });
});

describe("a recording of build 0.1.0", () => {
  test("[RC1] [LG21] replays as it was recorded", async () => {
    const { code, out } = await runCommand(["replay", dataFolder(), "--json"]);
    expect([code, JSON.parse(out)]).toEqual([
      0,
      { turns: TURNS, diverged: false, firstDivergence: null },
    ]);
  });

  test("[RC2] a turn that comes out differently is shown field by field, though only a digest is kept", async () => {
    const folder = dataFolder();
    const file = join(folder, "recording/chapter-000001.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    const arrival = lines.findIndex((line) => line.includes('"from":"controllers"'));
    const turn = arrival - 1;
    lines[turn] = (lines[turn] ?? "").replace(/,\d+\]$/, ",1]");
    lines[arrival] = (lines[arrival] ?? "").replace('"generation":1', '"generation":9');
    writeFileSync(file, lines.join("\n"));
    const { code, out } = await runCommand(["replay", folder]);
    expect([code, out]).toEqual([1, expect.stringContaining(`Diverged at turn ${turn}.`)]);
    expect(out).toMatch(/ {2}request\.command\.intent\.kind +enqueue +enqueue\n/);
    expect(out).toMatch(/ {2}request\.command\.intent\.generation +9 +≠ 1\n/);
    expect(out).toMatch(/ {2}atMs +\(not recorded\) +\d+\n/);
  });

  test("[LG22] one of a later format is refused with what to do", async () => {
    const folder = dataFolder();
    const file = join(folder, "recording/chapter-000001.jsonl");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('"berthRecording":2', '"berthRecording":99'));
    const { code, err } = await runCommand(["replay", folder]);
    expect([code, err]).toEqual([2, expect.stringContaining("in format 99 by a newer version")]);
    expect(err).toContain("Run the version of Berth that wrote it, or a newer one.");
  });
});

/** The names of all fields, wherever they stand; what users named is told by its value. */
function fieldsOf(value: unknown, into = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return into;
  for (const [name, field] of Object.entries(value)) {
    if (!Array.isArray(value)) into.add(name);
    if (!["labels", "annotations", "ports"].includes(name)) fieldsOf(field, into);
  }
  return into;
}

describe("a log and a recording of contents of format 1", () => {
  const good = { isGood: true, revision: 88, objects: 17 };

  test("[LG21] the log passes every check, also after a backup and a restore", async () => {
    const folder = dataFolder(CONTENTS_1);
    expect(await checked("--data", folder)).toEqual(good);
    const backup = join(scratch, "of-contents-1.backup");
    const made = await runCommand(["backup", "--data", folder, "--out", backup]);
    expect(made).toMatchObject({ code: 0 });
    const to = join(scratch, "restored-contents-1");
    expect(await runCommand(["restore", backup, "--data", to])).toMatchObject({ code: 0 });
    expect(await checked("--data", to)).toMatchObject({ isGood: true, objects: 17 });
  });

  test("[LG21] its fields have today's names, and what users named keeps its name", async () => {
    const log = await SqliteLog.open(join(dataFolder(CONTENTS_1), "log.db"), { thread: false });
    const claimed = await log.claim();
    const commits = await log.read(0, 1_000);
    await log.close();
    for (const word of ["life", "slot", "slots", "slotLives"]) {
      expect([word, fieldsOf(commits).has(word)]).toEqual([word, false]);
    }
    const { objects } = ledgerOf(claimed);
    const replica = objects.replica("Replica/shop/web.2.1" as ObjectKey);
    expect(replica?.spec).toMatchObject({ index: 1, generation: 2 });
    expect(replica?.spec.template.command).toEqual(["sh", "-c", "echo life; exec sleep 1000"]);
    expect(replica?.status).toMatchObject({ incarnation: 1, failures: 0 });
    expect(Object.keys(replica?.status.address?.ports ?? {})).toEqual(["slot"]);
    expect(replica?.meta.labels).toEqual({ app: "web", slot: "one", life: "two" });
    const retried = objects.replica("Replica/shop/sums.1.1" as ObjectKey);
    expect([retried?.spec.index, retried?.status.incarnation]).toEqual([1, 5]);
    const mark = objects.get("Override//cut-off-eu" as ObjectKey) as Override;
    expect(mark.spec).toMatchObject({ action: "mark-partitioned", reason: "cut off for a drill" });
    const tenant = objects.get("Tenant//shop" as ObjectKey);
    expect(tenant?.meta.annotations).toMatchObject({ slot: "user text about a slot and a life" });
    const rolled = commits.flatMap(({ changes }) =>
      changes.flatMap(({ after }) =>
        after?.kind === "Workload" ? (after.status.rollout?.old ?? []) : [],
      ),
    );
    expect(rolled.length).toBeGreaterThan(0);
    for (const { indexes } of rolled) expect(indexes).toEqual(expect.any(Array));
  });

  test("[LG21] the log is appended to in the new format and read again with the old part", async () => {
    const file = join(dataFolder(CONTENTS_1), "log.db");
    const log = await SqliteLog.open(file, { thread: false });
    const claimed = await log.claim();
    const ledger = ledgerOf(claimed);
    const commit = aCommit({
      revision: 89,
      epoch: claimed.epoch,
      put: [aReplica({ index: 4, incarnation: 7 })],
    });
    expect(await log.append(claimed.epoch, [commit])).toBe("durable");
    await log.close();
    ledger.fold(commit);
    const again = await SqliteLog.open(file, { thread: false });
    expect(stateOf(await again.claim())).toEqual(contentOf(takeSnapshot(ledger)));
    await again.close();
  });

  test("[RC1] [LG21] the recording replays as it was recorded", async () => {
    const { code, out } = await runCommand(["replay", dataFolder(CONTENTS_1), "--json"]);
    const report = { turns: 384, diverged: false, firstDivergence: null };
    expect([code, JSON.parse(out)]).toEqual([0, report]);
  });

  test("[RC2] a turn that comes out differently is shown in today's words on both sides", async () => {
    const folder = dataFolder(CONTENTS_1);
    const file = join(folder, "recording/chapter-000001.jsonl");
    const lines = readFileSync(file, "utf8").split("\n");
    const arrival = lines.findIndex((line) => line.includes('"kind":"enqueue"'));
    lines[arrival] = (lines[arrival] ?? "").replace('"life":1', '"life":9');
    writeFileSync(file, lines.join("\n"));
    const { code, out } = await runCommand(["replay", folder]);
    expect([code, out]).toEqual([1, expect.stringContaining("Diverged at turn")]);
    expect(out).not.toMatch(/\.(?:life|slot)\b/);
  });
});

describe("a log and a recording of contents of format 2", () => {
  const good = { isGood: true, revision: 112, objects: 21 };
  const KEYS = ["RecoveryBudget//eu-west-1", "RecoveryBudget//eu-west-ana"];
  const EXPIRED = ["Override//avoid-zone-eu-central-a", "RecoveryBudget//brief"];

  test("[LG21] the log passes every check, also after a backup and a restore", async () => {
    const folder = dataFolder(CONTENTS_2);
    expect(await checked("--data", folder)).toEqual(good);
    const backup = join(scratch, "of-contents-2.backup");
    const made = await runCommand(["backup", "--data", folder, "--out", backup]);
    expect(made).toMatchObject({ code: 0 });
    const to = join(scratch, "restored-contents-2");
    expect(await runCommand(["restore", backup, "--data", to])).toMatchObject({ code: 0 });
    expect(await checked("--data", to)).toMatchObject({ isGood: true, objects: 21 });
  });

  test("[LG21] its words are split, and the texts of users stay", async () => {
    const log = await SqliteLog.open(join(dataFolder(CONTENTS_2), "log.db"), { thread: false });
    const { objects } = ledgerOf(await log.claim());
    const commits = await log.read(0, 1_000);
    await log.close();
    expect([...objects.all("RecoveryBudget").keys()].toSorted()).toEqual(KEYS);
    const spends = [...objects.all("Replica").values()].map(({ status }) => status.budget);
    expect(spends.filter((name) => name !== undefined)).toEqual(["eu-west-ana", "eu-west-1"]);
    const ids = commits.map(({ operation }) => operation);
    expect(ids.filter((id) => id.includes("Budget//")).length).toBeGreaterThan(5);
    expect(ids.filter((id) => /(?<!Recovery)Budget/.test(id))).toEqual([]);
    const tenant = objects.get("Tenant//payments" as ObjectKey);
    expect(tenant?.meta.labels).toEqual({ kind: "Budget" });
    expect(tenant?.meta.annotations).toMatchObject({ note: "Budget//x and release" });
    const filler = objects.replica("Replica/payments/filler.1.0" as ObjectKey);
    expect(filler?.spec.template.command[2]).toContain("Budget//x release");
    const made = commits.flatMap(({ changes }) => changes.flatMap(({ after }) => after ?? []));
    const brief = made.find(({ key }) => key === "RecoveryBudget//brief") as RecoveryBudget;
    expect(brief.spec.reason).toBe("Budget//x is no key");
    const held = made.flatMap((each) => (each.kind === "Reservation" ? [each.spec] : []));
    const kept = held.map((spec) => [spec.for, roomOf(spec)?.node]);
    expect(kept).toEqual([
      ["recovery", "w-1"],
      ["recovery", "w-1"],
      ["preemptor", "w-1"],
    ]);
    const byCommand = (name: string) =>
      commits.flatMap(({ command, changes: [first] }) => (command === name ? [first?.key] : []));
    expect(byCommand("release").every((key) => key?.startsWith("Replica/"))).toBe(true);
    expect(byCommand("release")).toHaveLength(3);
    expect(byCommand("expire")).toEqual(EXPIRED);
    expect(held.filter((spec) => "purpose" in (roomOf(spec) ?? {}))).toEqual([]);
  });

  test("[LG21] the log is appended to in the new format and read again with the old part", async () => {
    const file = join(dataFolder(CONTENTS_2), "log.db");
    const log = await SqliteLog.open(file, { thread: false });
    const claimed = await log.claim();
    const ledger = ledgerOf(claimed);
    const put = [aRecoveryBudget({ name: "eu-9" })];
    const commit = aCommit({ revision: 113, epoch: claimed.epoch, put });
    expect(await log.append(claimed.epoch, [commit])).toBe("durable");
    await log.close();
    ledger.fold(commit);
    const again = await SqliteLog.open(file, { thread: false });
    expect(stateOf(await again.claim())).toEqual(contentOf(takeSnapshot(ledger)));
    await again.close();
  });

  test("[RC1] [LG21] the recording replays as it was recorded", async () => {
    const { code, out } = await runCommand(["replay", dataFolder(CONTENTS_2), "--json"]);
    const report = { turns: 521, diverged: false, firstDivergence: null };
    expect([code, JSON.parse(out)]).toEqual([0, report]);
  });

  test("[RC2] a turn that comes out differently is shown with today's keys on both sides", async () => {
    const folder = dataFolder(CONTENTS_2);
    const file = join(folder, "recording/chapter-000001.jsonl");
    const text = readFileSync(file, "utf8");
    const recorded = /"operation":"expire\/Budget\/\/brief\/[^"]*\/over"\}/;
    expect(text).toMatch(recorded);
    const other = '"operation":"expire/Budget//other"}';
    writeFileSync(file, text.replace(recorded, other));
    const { code, out } = await runCommand(["replay", folder]);
    expect([code, out]).toEqual([1, expect.stringContaining("Diverged at turn")]);
    expect(out).toMatch(
      /operation +expire\/RecoveryBudget\/\/other +≠ expire\/RecoveryBudget\/\/brief/,
    );
  });
});

test.each([FIXTURE, CONTENTS_1, CONTENTS_2])(
  "[RC3] the fixtures of %s hold no token, no path of a machine and no environment in the clear",
  (fixture) => {
    for (const name of packed(fixture)) {
      const text = gunzipSync(readFileSync(join(FIXTURES, fixture, name))).toString("latin1");
      // A token is 64 hexadecimal digits; so are the hash that each batch begins with, and the zeros and the
      // seal of the row that says where the log begins.
      const hashes = /"link":"[0-9a-f]{64}"|0{32}[0-9a-f]{32}/g;
      const digits = text.replaceAll(hashes, "").match(/[0-9a-f]{64}/g);
      expect([name, digits]).toEqual([name, null]);
      expect([name, /\/(?:home|root|tmp|work|usr|var|etc|Users)\//.exec(text)]).toEqual([
        name,
        null,
      ]);
      const values = [...text.matchAll(/"env":\{([^}]+)\}/g)].map(([, each = ""]) => each);
      expect(values.filter((each) => !/:"redacted:/.test(each))).toEqual([]);
    }
  },
);
