/** The chain of batches in a SQLite file, and what it finds of what somebody did to the file behind the log's back. */
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { keptInFile } from "../../src/host/backup/open-kept-file.ts";
import { resultOf } from "../../src/api/audit/verify-chain.ts";
import { checkLog } from "../../src/host/check/check-log.ts";
import { ChainCheck, type ChainReport } from "../../src/host/check/chain-check.ts";
import { encodeBatch } from "../../src/host/store/batch-encoding.ts";
import { type ChainHead, hashOf, linked } from "../../src/host/store/chain-link.ts";
import {
  type Database,
  loadSqlite,
  type OpenDatabase,
} from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { batchChecksum, type BatchRow } from "../../src/host/store/sqlite-schema.ts";
import { History } from "./a-history.ts";
import { FaultyDisk } from "./faulty-database.ts";
import { chainIn, headOf, logChainContract } from "./log-chain-contract.ts";
import { scratchFolder } from "./scratch-folder.ts";

const folder = scratchFolder();
let files = 0;
const newFile = (): string => join(folder, `chain-${(files += 1)}`);

let sqlite: OpenDatabase;
const good = newFile();
let kept: ChainHead;
beforeAll(async () => {
  sqlite = await loadSqlite();
  const log = await SqliteLog.open(good, { thread: false });
  const { epoch } = await log.claim();
  const history = new History();
  for (const size of [2, 1, 3, 1, 1]) await log.append(epoch, history.next(epoch, size));
  kept = await headOf(log);
  await log.close();
});

describe("SqliteLog [LG19]", () => {
  logChainContract("SqliteLog", (of) => {
    const file = newFile();
    return { open: () => SqliteLog.open(file, { ...of, thread: false, lock: false }) };
  });
});

type Row = Omit<BatchRow, "checksum">;

/** A copy of the good log whose rows were changed by somebody who has the file. */
function changed(change: (rows: Row[]) => Row[], { mended }: { mended: boolean }): string {
  const file = newFile();
  copyFileSync(good, file);
  const db = sqlite(file, { timeout: 0 });
  const rows = db.prepare("SELECT * FROM log ORDER BY first").all() as BatchRow[];
  const checksums = new Map(rows.map(({ first, checksum }) => [first, checksum]));
  let previous = anchorOf(db);
  db.exec("DELETE FROM log");
  for (const row of change(rows)) {
    const stood = checksums.get(row.first) ?? "";
    previous = mended ? batchChecksum(previous, row) : stood;
    const { first, last, epoch, body } = row;
    db.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?)").run(first, last, epoch, previous, body);
  }
  db.close();
  return file;
}

const anchorOf = (db: Database): string =>
  (db.prepare("SELECT anchor FROM meta").get() as { readonly anchor: string }).anchor;

function chainOf(file: string, head?: ChainHead): ChainReport {
  const check = new ChainCheck(head);
  for (const part of keptInFile(sqlite, file)) check.add(part);
  return check.report();
}

/** Another size for a node, as JSON has it: the batch can be read as before. */
const oneByte = (row: Row): Row => {
  const text = Buffer.from(row.body)
    .toString()
    .replace(/"atMs":(\d)/, (_, digit: string) => `"atMs":${(Number(digit) % 8) + 1}`);
  return { ...row, body: Buffer.from(text) };
};
const at = (first: number, change: (row: Row) => Row) => (rows: Row[]) =>
  rows.map((row) => (row.first === first ? change(row) : row));

/** As somebody does who knows how it works: every link after the change is made anew. */
function relinked(rows: Row[]): Row[] {
  let link = "0".repeat(64);
  return rows.map((row) => {
    const bare = Buffer.from(
      `{${Buffer.from(row.body)
        .toString()
        .slice('{"link":"",'.length + 64)}`,
    );
    const body = linked(link, bare);
    link = hashOf(body);
    return { ...row, body };
  });
}

const without = (rows: Row[]): Row[] => rows.filter(({ first }) => first !== 4);
const swapped = (rows: Row[]): Row[] => {
  const [third, seventh] = [rows[1]!, rows[3]!];
  return at(3, () => ({ ...seventh, first: 3, last: 3 }))(
    at(7, () => ({ ...third, first: 7, last: 7 }))(rows),
  );
};

describe("in a file that was changed behind the log's back", () => {
  test("[LG19] nothing is found where nothing was changed", () => {
    for (const mended of [false, true]) {
      const report = chainOf(
        changed((rows) => rows, { mended }),
        kept,
      );
      expect(report).toMatchObject({ from: 1, to: 8, batches: 5, head: kept, gaps: [] });
      expect(report.broken).toBeUndefined();
      expect(report.kept?.outcome).toBe("fits");
    }
    expect(chainOf(changed(relinked, { mended: true }), kept).kept?.outcome).toBe("fits");
  });

  test("[LG19] a byte of one batch is found, and also when the checksums were made to fit", () => {
    const change = at(4, oneByte);
    const plain = chainOf(changed(change, { mended: false }));
    expect(plain.broken).toMatchObject({ revision: 4, found: expect.stringContaining("checksum") });
    // The batch after it says what this one came to.
    const { broken } = chainOf(changed(change, { mended: true }));
    expect(broken).toMatchObject({
      revision: 7,
      found: expect.stringMatching(/^its previous hash is /),
    });
  });

  test("[LG19] berth store check finds what only the chain shows, by its rule", async () => {
    const intact = await checkLog(keptInFile(sqlite, good));
    expect(intact.lines.find(({ name }) => name === "chain")).toMatchObject({ count: 5 });
    expect(intact.isGood).toBe(true);
    const file = changed(at(4, oneByte), { mended: true });
    const { isGood, lines } = await checkLog(keptInFile(sqlite, file));
    expect(isGood).toBe(false);
    const found = lines.filter(({ findings }) => findings.length > 0);
    expect(found.map(({ name, rule }) => `${name} ${rule}`)).toEqual(["chain LG19"]);
    expect(found[0]?.findings).toMatchObject([{ revision: 7 }]);
  });

  test("[LG19] a batch that was taken out and batches that changed places are found", () => {
    expect(chainOf(changed(without, { mended: true })).broken).toMatchObject({ revision: 7 });
    expect(chainOf(changed(swapped, { mended: true })).broken).toMatchObject({ revision: 3 });
  });

  test("[LG19] a tail that was cut off, and a chain that was made anew, are found by a head that was kept", () => {
    const cut = changed((rows) => rows.slice(0, -1), { mended: true });
    expect(chainOf(cut).broken).toBeUndefined();
    expect(chainOf(cut, kept).kept?.outcome).toBe("missing");
    const rewritten = changed((rows) => relinked(at(4, oneByte)(rows)), { mended: true });
    expect(chainOf(rewritten).broken).toBeUndefined();
    expect(chainOf(rewritten, kept).kept?.outcome).toBe("differs");
    // One whose links were taken away looks like one of an earlier version; the head does not.
    const bare = changed((rows) => relinked(rows).map(unlinked), { mended: true });
    expect(chainOf(bare)).toMatchObject({ from: 8, gaps: [] });
    expect(chainOf(bare, kept).kept?.outcome).toBe("differs");
  });
});

const unlinked = (row: Row): Row => ({
  ...row,
  body: Buffer.from(
    `{${Buffer.from(row.body)
      .toString()
      .slice('{"link":"",'.length + 64)}`,
  ),
});

test("[LG19] a log of an earlier version goes on, and the chain begins with its last batch; one in between is told", async () => {
  const file = newFile();
  const history = new History();
  const writeBare = (epoch: number): void => {
    const db = sqlite(file, { timeout: 0 });
    const end = db.prepare("SELECT checksum FROM log ORDER BY first DESC LIMIT 1").get();
    const { checksum } = (end ?? { checksum: anchorOf(db) }) as { checksum: string };
    const commits = history.next(epoch, 2);
    const [first, last] = [commits[0]!.revision, commits[1]!.revision];
    const row = { first, last, epoch, body: encodeBatch(commits) };
    const sum = batchChecksum(checksum, row);
    db.prepare("INSERT INTO log VALUES (?, ?, ?, ?, ?)").run(first, last, epoch, sum, row.body);
    db.close();
  };
  const writeLinked = async (): Promise<ChainReport> => {
    const log = await SqliteLog.open(file, { thread: false });
    const { epoch, commits } = await log.claim();
    expect(commits).toEqual(history.commits);
    await log.append(epoch, history.next(epoch));
    const report = await chainIn(log);
    await log.close();
    return report;
  };
  const made = await SqliteLog.open(file, { thread: false });
  await made.claim();
  await made.close();
  for (let twice = 0; twice < 2; twice += 1) writeBare(1);
  expect(await writeLinked()).toMatchObject({ from: 3, to: 5, batches: 3, gaps: [] });
  for (let twice = 0; twice < 2; twice += 1) writeBare(2);
  const report = await writeLinked();
  expect(report).toMatchObject({ from: 8, to: 10, gaps: [6] });
  expect(report.broken).toBeUndefined();
  expect(resultOf(report)).toMatchObject({
    isGood: true,
    says: expect.stringMatching(
      /^Verified from revision 8 to 10 .*Revisions before 8 are not verified: from revision 6 on/,
    ),
  });
});

test("[LG19] every opener of the log is told its head with every snapshot", async () => {
  const told: ChainHead[] = [];
  const log = await SqliteLog.open(newFile(), { thread: false, onHead: (head) => told.push(head) });
  const { epoch } = await log.claim();
  const history = new History();
  for (const size of [3, 2]) {
    await log.append(epoch, history.next(epoch, size));
    await log.compact(epoch, history.snapshot());
    expect(told.at(-1)).toEqual(await headOf(log));
  }
  expect(told.map(({ revision }) => revision)).toEqual([3, 5]);
  await log.close();
});

test("property: whatever becomes of appends, the chain is unbroken and its head is that of the file [LG19]", async () => {
  const step = fc.record({
    size: fc.integer({ min: 1, max: 3 }),
    fault: fc.constantFrom(undefined, undefined, "landed-unknown", "lost-unknown", "unavailable"),
    next: fc.constantFrom("go on", "snapshot", "restart"),
  });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
    const disk = new FaultyDisk();
    const file = newFile();
    const options = { thread: false, database: disk.over(sqlite), keptRevisions: 2 };
    const history = new History();
    let log = await SqliteLog.open(file, options);
    let { epoch } = await log.claim();
    const heads: ChainHead[] = [];
    for (const { size, fault, next } of steps) {
      const batch = history.propose(epoch, size);
      if (fault !== undefined) disk.orderFault(fault);
      const result = await log.append(epoch, batch).catch(() => "unavailable");
      if (result === "durable" || fault === "landed-unknown") history.land(batch);
      if (next === "restart") {
        await log.close();
        log = await SqliteLog.open(file, options);
      }
      if (result !== "durable" || next === "restart") ({ epoch } = await log.claim());
      else if (next === "snapshot") await log.compact(epoch, history.snapshot());
      heads.push(await headOf(log));
    }
    for (const head of heads) {
      const report = await chainIn(log, head);
      expect(report).toMatchObject({ to: history.revision, gaps: [] });
      expect(report.broken).toBeUndefined();
      expect(["fits", "dropped"]).toContain(report.kept?.outcome);
      expect(report.head).toEqual(heads.at(-1));
    }
    await log.close();
  });
  await fc.assert(property, { numRuns: 15 });
});
