/** What `berth store check` finds in a log that was damaged, and that it finds nothing in a good one. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { EtcdKept } from "../../src/host/backup/etcd-kept.ts";
import { LogMovedOn } from "../../src/host/backup/kept-log.ts";
import { keptInFile } from "../../src/host/backup/open-kept-file.ts";
import { checkLog } from "../../src/host/check/check-log.ts";
import type { LogLayout } from "../../src/host/store/etcd/log-layout.ts";
import { loadSqlite, type OpenDatabase } from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { runCommand } from "../cli/a-served-plane.ts";
import { aLocalEtcd, placeIn } from "../contract/a-local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { fill, gather, KEPT, linesOf } from "./a-stored-log.ts";

const folder = scratchFolder();
const etcd = aLocalEtcd();
let sqlite: OpenDatabase;
let folders = 0;
/** As many as the history leaves there. */
const NODES = 3;

interface Checked {
  readonly code: number;
  readonly isGood: boolean;
  readonly revision: number;
  readonly objects: number;
  /** The checks that found something, with the first thing they found. */
  readonly wrong: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<string, number>>;
}

interface ShownCheck {
  readonly name: string;
  readonly rule: string;
  readonly count: number;
  readonly findings: readonly { where: string; revision?: number; found: string; todo: string }[];
}

async function check(...args: readonly string[]): Promise<Checked> {
  const { code, out, err } = await runCommand(["store", "check", "--json", ...args]);
  if (err !== "") throw new Error(err);
  const { isGood, revision, objects, checks } = JSON.parse(out) as Checked & {
    readonly checks: readonly ShownCheck[];
  };
  const found = checks.filter(({ findings }) => findings.length > 0);
  const wrong = found.map(({ name, rule, findings }) => {
    const { where, revision: at, found: what } = findings[0]!;
    return [name, `${rule} ${where} @${at ?? "?"}: ${what}`] as const;
  });
  const counts = checks.map(({ name, count }) => [name, count] as const);
  return {
    code,
    isGood,
    revision,
    objects,
    wrong: Object.fromEntries(wrong),
    counts: Object.fromEntries(counts),
  };
}

const good = join(folder, "good");
beforeAll(async () => {
  sqlite = await loadSqlite();
  mkdirSync(good);
  const log = await SqliteLog.open(join(good, "log.db"), { thread: false, keptRevisions: KEPT });
  await fill(log);
  await log.close();
});

function copyOf(): { readonly data: string; readonly file: string } {
  const data = join(folder, `copy-${(folders += 1)}`);
  mkdirSync(data);
  const file = join(data, "log.db");
  copyFileSync(join(good, "log.db"), file);
  return { data, file };
}

function sql(file: string, statement: string): void {
  const db = sqlite(file, { timeout: 0 });
  db.exec(statement);
  db.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
}

const flipIn = (table: string, where: string): string =>
  `UPDATE ${table} SET body = CAST(replace(CAST(body AS TEXT), 'Node', 'Nade') AS BLOB) WHERE ${where}`;

describe("of a log in SQLite, berth store check", () => {
  test("finds nothing in a good one, says how much it looked at, and changes nothing [BK8]", async () => {
    const { data, file } = copyOf();
    const before = readFileSync(file);
    const checked = await check("--data", data);
    expect(checked).toMatchObject({
      code: 0,
      isGood: true,
      revision: 52,
      objects: NODES,
      wrong: {},
    });
    // From revision 30 on the two snapshots stand against each other, with all that lies between replayed.
    expect(checked.counts).toMatchObject({
      snapshots: 2,
      equality: 1,
      replay: 22,
      names: NODES,
      capacity: NODES,
    });
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test.each([
    [
      "a batch whose content changed",
      flipIn("log", "first = 51"),
      "batches",
      /LG9 log row 51 @51: the checksum/,
    ],
    [
      "a batch that is gone",
      "DELETE FROM log WHERE first = 50",
      "revisions",
      /LG4 log row 51 @51: after revision 49/,
    ],
    [
      "the newer snapshot broken",
      flipIn("chunk", "snapshot = (SELECT max(id) FROM snapshot)"),
      "snapshots",
      /LG7 snapshot \d+ @45: the checksum of piece 0/,
    ],
    [
      "the older snapshot broken",
      flipIn("chunk", "snapshot = (SELECT min(id) FROM snapshot)"),
      "snapshots",
      /LG7 snapshot \d+ @30/,
    ],
    [
      "a snapshot without a piece",
      "DELETE FROM chunk WHERE snapshot = (SELECT max(id) FROM snapshot)",
      "snapshots",
      /piece 0 of \d is missing/,
    ],
    ["the seal broken", "UPDATE meta SET epoch = 7", "bounds", /LG9 table meta/],
  ])("finds %s, and says it by its rule [BK8]", async (_, statement, name, found) => {
    const { data, file } = copyOf();
    sql(file, statement);
    const checked = await check("--data", data);
    expect(checked).toMatchObject({ code: 1, isGood: false });
    expect(Object.keys(checked.wrong)).toEqual([name]);
    expect(checked.wrong[name]).toMatch(found);
  });

  test("tells a person what is wrong, where, and what to do, and leaves with 1 [BK8]", async () => {
    const { data, file } = copyOf();
    sql(file, flipIn("log", "first = 51"));
    const { code, out } = await runCommand(["store", "check", "--data", data]);
    expect(code).toBe(1);
    expect(out).toMatch(
      /✗ LG9 {4}every batch is unchanged.*\n {4}log row 51, revision 51: .*\n {4}Stop every plane and restore/,
    );
    expect(out).toMatch(/✓ LG7 {4}every snapshot is complete \(2 snapshots\)/);
    expect(out).toMatch(/– INV4 {3}quota .* \(not checked\)/);
    expect(out).toMatch(/is damaged: revision 52, \? objects\.\n$/);
  });

  test("finds whatever byte of the file was changed, unless nothing lies there [BK8]", async () => {
    const { data, file } = copyOf();
    const whole = readFileSync(file);
    const contents = linesOf([...keptInFile(sqlite, file)]);
    const isNoticed = async (at: number, by: number): Promise<boolean> => {
      const changed = Buffer.from(whole);
      changed[at]! ^= by;
      writeFileSync(file, changed);
      const { isGood } = await checkLog(keptInFile(sqlite, file));
      if (!isGood) return true;
      return isDeepStrictEqual(linesOf([...keptInFile(sqlite, file)]), contents);
    };
    const place = fc.nat(whole.length - 1);
    const property = fc.asyncProperty(place, fc.integer({ min: 1, max: 255 }), isNoticed);
    await fc.assert(property, { numRuns: 30 });
    writeFileSync(file, whole);
    expect(await check("--data", data)).toMatchObject({ isGood: true });
  });

  test("leaves alone what a plane has open, and what is not there [BK8]", async () => {
    const { data, file } = copyOf();
    const log = await SqliteLog.open(file);
    const held = await runCommand(["store", "check", "--data", data]);
    await log.close();
    expect(held).toMatchObject({ code: 1, err: expect.stringContaining("has had it open") });
    expect(await runCommand(["store", "check", "--data", join(folder, "none")])).toMatchObject({
      code: 1,
      err: expect.stringContaining("it does not exist"),
    });
    expect(await runCommand(["store", "check", "x", "--data", data])).toMatchObject({ code: 2 });
  });
});

/** What is found in a log of which something was changed behind its back, and how far etcd moved on for it. */
async function broken(
  damage: (layout: LogLayout) => Promise<unknown>,
): Promise<Checked & { readonly moved: bigint }> {
  const place = placeIn(etcd, { keptRevisions: KEPT });
  const { layout } = place;
  const log = await place.open();
  await fill(log);
  await damage(layout);
  const { revision: before } = await etcd.client.range({ key: layout.meta });
  const where = `etcd://${etcd.etcd.endpoints.join(",")}${layout.prefix}`;
  // With its leader at work: nobody has to stop for it.
  const checked = await check("--store", where);
  const { revision: after } = await etcd.client.range({ key: layout.meta });
  await log.close();
  return { ...checked, moved: after - before };
}

const put = (key: Uint8Array, value: Uint8Array) =>
  etcd.client.txn({ compare: [], success: [{ kind: "put", key, value }] });
const flip = async (key: Uint8Array, end?: Uint8Array): Promise<void> => {
  const ask = end === undefined ? { key } : { key, end };
  const kv = (await etcd.client.range(ask)).kvs.at(-1)!;
  const value = Uint8Array.from(kv.value);
  value[value.length - 3]! ^= 1;
  await put(kv.key, value);
};

describe("of a log in a real etcd, berth store check", () => {
  test("finds nothing in a good one while its plane leads, and writes nothing [BK8]", async () => {
    const checked = await broken(() => Promise.resolve());
    expect(checked).toMatchObject({
      code: 0,
      isGood: true,
      revision: 52,
      objects: NODES,
      wrong: {},
    });
    expect(checked.counts).toMatchObject({ snapshots: 2, equality: 1, replay: 22 });
    expect(checked.moved).toBe(0n);
  });

  test.each<[string, (layout: LogLayout) => Promise<unknown>, string, RegExp]>([
    [
      "a batch with a byte changed",
      (at) => flip(at.batch(51)),
      "batches",
      /LG9 \S+ @51: the checksum/,
    ],
    [
      "a batch that is gone",
      (at) => etcd.client.txn({ compare: [], success: [{ kind: "delete", key: at.batch(50) }] }),
      "revisions",
      /LG4 \S+ @51: after revision 49/,
    ],
    [
      "a snapshot with a byte changed",
      (at) => flip(at.allPieces().key, at.allPieces().end),
      "snapshots",
      /LG7 \S+ @45: the checksum of \S*piece/,
    ],
    [
      "the end put elsewhere",
      (at) => put(at.head, Buffer.from('{"revision":51,"checksum":"x"}')),
      "bounds",
      /recorded as revision 51/,
    ],
    [
      "the beginning with a byte changed",
      (at) => flip(at.meta),
      "bounds",
      /meta @\?: the value is broken/,
    ],
  ])("finds %s, and says it by its rule [BK8]", async (_, damage, name, found) => {
    const checked = await broken(damage);
    expect(checked).toMatchObject({ code: 1, isGood: false });
    expect(checked.wrong[name]).toMatch(found);
  });

  test("begins anew when etcd has forgotten the moment it reads [BK8]", async () => {
    const place = placeIn(etcd, { keptRevisions: KEPT });
    const log = await place.open();
    await fill(log);
    const reading = new EtcdKept(etcd.client, place.layout).parts();
    await reading.next();
    await put(place.layout.restoring, Buffer.from("later"));
    await place.forgetChanges?.();
    await expect(gather(reading)).rejects.toThrow(LogMovedOn);
    await log.close();
  });

  test("says that there is no log where there is none [BK8]", async () => {
    const where = `etcd://${etcd.etcd.endpoints.join(",")}${etcd.newPrefix()}`;
    expect(await runCommand(["store", "check", "--store", where])).toMatchObject({
      code: 1,
      err: expect.stringContaining("Etcd has no log under"),
    });
  });
});
