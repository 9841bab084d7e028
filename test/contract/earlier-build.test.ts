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
import { runCommand } from "../cli/a-served-plane.ts";
import { contentOf, ledgerOf } from "./a-history.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";

const FIXTURE = join(import.meta.dirname, "../fixtures/build-0.1.0");
const REVISION = 63;
const OBJECTS = 12;
const TURNS = 286;

const scratch = scratchFolder();
let folders = 0;

/** A data folder as the earlier build left it. */
function dataFolder(): string {
  const folder = join(scratch, `data-${(folders += 1)}`);
  mkdirSync(join(folder, "recording"), { recursive: true });
  for (const name of packed()) {
    const bytes = gunzipSync(readFileSync(join(FIXTURE, name)));
    writeFileSync(join(folder, name.replace(/\.gz$/, "")), bytes);
  }
  return folder;
}

const packed = (): readonly string[] =>
  readdirSync(FIXTURE, { recursive: true, encoding: "utf8" }).filter((name) =>
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

test("[RC3] the fixtures hold no token, no path of a machine and no environment in the clear", () => {
  for (const name of packed()) {
    const text = gunzipSync(readFileSync(join(FIXTURE, name))).toString("latin1");
    // A token is 64 hexadecimal digits; so are the hash that each batch begins with, and the zeros and the
    // seal of the row that says where the log begins.
    const hashes = /"link":"[0-9a-f]{64}"|0{32}[0-9a-f]{32}/g;
    const digits = text.replaceAll(hashes, "").match(/[0-9a-f]{64}/g);
    expect([name, digits]).toEqual([name, null]);
    expect([name, /\/(?:home|root|tmp|work|usr|var|etc|Users)\//.exec(text)]).toEqual([name, null]);
    const values = [...text.matchAll(/"env":\{([^}]+)\}/g)].map(([, each = ""]) => each);
    expect(values.filter((each) => !/:"redacted:/.test(each))).toEqual([]);
  }
});
