/**
 * A log is loaded whole or refused. Each case breaks a good file in one way; the last one breaks it in any
 * way whatever and asks only for one of the two.
 */
import { strict as assert } from "node:assert";
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import { LogDamaged, LogUnavailable } from "../../src/host/store/log-store.ts";
import { loadSqlite, type OpenDatabase } from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";
import { scratchFolder } from "./scratch-folder.ts";

const folder = scratchFolder();
const good = join(folder, "good");
const crashed = join(folder, "crashed");
const history = new History();
let sqlite: OpenDatabase;
let files = 0;

beforeAll(async () => {
  sqlite = await loadSqlite();
  const log = await SqliteLog.open(good, { thread: false, keptRevisions: 10 });
  const { epoch } = await log.claim();
  for (let round = 0; round < 3; round += 1) {
    for (const size of [1, 3, 9, 2]) await log.append(epoch, history.next(epoch, size));
    await log.compact(epoch, history.snapshot());
  }
  for (const size of [4, 1, 2]) await log.append(epoch, history.next(epoch, size));
  // What a crash at this moment would leave: the write-ahead file beside the log.
  for (const suffix of ["", "-wal"]) copyFileSync(good + suffix, crashed + suffix);
  await log.close();
});

function copyOf(original: string): string {
  const file = join(folder, `copy-${(files += 1)}`);
  for (const suffix of ["", "-wal"]) {
    if (existsSync(original + suffix)) copyFileSync(original + suffix, file + suffix);
  }
  return file;
}

const sql =
  (statement: string) =>
  (file: string): void => {
    const db = sqlite(file, { timeout: 0 });
    db.exec(statement);
    db.close();
  };

async function load(file: string): Promise<unknown> {
  const notes: string[] = [];
  const onNote = (note: string) => notes.push(note);
  const log = await SqliteLog.open(file, { thread: false, onNote });
  try {
    const claimed = await log.claim();
    return { content: contentOf(takeSnapshot(ledgerOf(claimed))), notes };
  } finally {
    await log.close();
  }
}

const refusalOf = async (file: string): Promise<Error> =>
  load(file).then(
    () => new Error("It was loaded."),
    (error: unknown) => error as Error,
  );

const flipIn = (table: string, where: string): string =>
  `UPDATE ${table} SET body = CAST(replace(CAST(body AS TEXT), 'Node', 'Nade') AS BLOB) WHERE ${where}`;

const LAST = "first = (SELECT max(first) FROM log)";

const CASES: readonly { title: string; damage: (file: string) => void; found: RegExp }[] = [
  {
    title: "a batch whose content changed",
    damage: sql(flipIn("log", LAST)),
    found: /the checksum of revisions 51 to 52 is wrong/,
  },
  {
    title: "an old batch whose content changed, though a snapshot covers it",
    damage: sql(flipIn("log", "first = (SELECT min(first) FROM log)")),
    found: /the checksum of revisions \d+ to \d+ is wrong/,
  },
  {
    title: "a batch that is missing",
    damage: sql("DELETE FROM log WHERE first = 50"),
    found: /after revision 49 comes a batch of 51 to 52/,
  },
  {
    title: "two batches that changed places",
    damage: sql(
      "UPDATE log SET body = (SELECT b.body FROM log b WHERE b.first = 50), checksum = (SELECT b.checksum FROM log b WHERE b.first = 50) WHERE first = 51",
    ),
    found: /the checksum of revisions 51 to 52 is wrong/,
  },
  {
    title: "a batch of an epoch that was never claimed",
    damage: sql("UPDATE log SET epoch = 9 WHERE first = 51"),
    found: /the checksum of revisions 51 to 52 is wrong/,
  },
  {
    title: "an epoch set back by hand",
    damage: sql("UPDATE meta SET epoch = 0"),
    found: /the row with the epoch is damaged/,
  },
  {
    title: "snapshots that are broken, with the commits before them dropped",
    damage: sql(flipIn("chunk", "1")),
    found:
      /the snapshot of revision 45 and 30 is damaged, and the commits up to \d+ were compacted/,
  },
  {
    title: "a log that ends before its snapshot",
    damage: sql("DELETE FROM log WHERE first > 33"),
    found: /it ends at revision \d+, before its snapshot of 45/,
  },
  {
    title: "[LG22] a newer format",
    damage: sql("PRAGMA user_version = 6"),
    found:
      /written in format 6 by a newer version of Berth, and this version \(\S+\) reads the formats 3 to 5\. Run the version of Berth that wrote it, or a newer one\. Nothing was changed\.$/,
  },
  {
    title: "[LG22] an older format than this build reads",
    damage: sql("PRAGMA user_version = 2"),
    found:
      /written in format 2 by an older version of Berth, .* reads the formats 3 to 5\. Run the version/,
  },
  {
    title: "another program's database",
    damage: sql("PRAGMA application_id = 7"),
    found: /a SQLite database, but not a Berth log/,
  },
  {
    title: "a file cut in half",
    damage: (file) => truncateSync(file, 4096 * 5),
    found: /SQLite reports damage/,
  },
  {
    title: "a file cut to nothing",
    damage: (file) => truncateSync(file, 0),
    found: /the file is empty/,
  },
  {
    title: "a file that is no database",
    damage: (file) => writeFileSync(file, "not a database\n".repeat(1_000)),
    found: /file is not a database/,
  },
  {
    title: "a file that is gone while its write-ahead file is there",
    damage: (file) => {
      writeFileSync(`${file}-wal`, "left over");
      rmSync(file);
    },
    found: /the file is missing, but .*-wal exists/,
  },
];

describe("[LG9] a damaged log is refused whole, with what was found, where, and what to do", () => {
  test.each(CASES)("$title", async ({ damage, found }) => {
    const file = copyOf(good);
    damage(file);
    const refusal = await refusalOf(file);
    expect(refusal).toBeInstanceOf(LogDamaged);
    expect(refusal.message).toMatch(found);
    expect(refusal.message).toContain(file);
    expect(refusal.message).toMatch(/put the newest backup in its place|Run the version of Berth/);
  });

  test("a write-ahead file broken before its end, which SQLite would take for its end", async () => {
    expect(await load(copyOf(crashed))).toEqual({
      content: contentOf(history.snapshot()),
      notes: [],
    });
    const file = copyOf(crashed);
    const bytes = readFileSync(`${file}-wal`);
    bytes[Math.floor(bytes.length / 2)]! ^= 1;
    writeFileSync(`${file}-wal`, bytes);
    const refusal = await refusalOf(file);
    expect(refusal).toBeInstanceOf(LogDamaged);
    expect(refusal.message).toMatch(/frame \d+ of .*-wal is broken, though frame \d+/);
    bytes[20]! ^= 1;
    writeFileSync(`${file}-wal`, bytes);
    expect((await refusalOf(file)).message).toMatch(/the header of .*-wal is broken/);
  });

  test("a write-ahead file that ends in the middle of a transaction is what a crash leaves", async () => {
    const file = copyOf(crashed);
    truncateSync(`${file}-wal`, readFileSync(`${file}-wal`).length - 1_000);
    const shorter = new History();
    shorter.land(history.commits.slice(0, -2));
    expect(await load(file)).toEqual({ content: contentOf(shorter.snapshot()), notes: [] });
  });

  test("property: whatever byte changes, the log is refused or nothing is missing [LG9]", async () => {
    const whole = readFileSync(good);
    const { content } = (await load(copyOf(good))) as { content: unknown };
    const seen = { refused: 0, loaded: 0 };
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const file = join(folder, `flipped-${(files += 1)}`);
          const bytes = Buffer.from(whole);
          bytes[at]! ^= flip;
          writeFileSync(file, bytes);
          const found = await load(file).catch((error: unknown) => error);
          if (found instanceof LogDamaged) seen.refused += 1;
          else if (found instanceof Error) throw found;
          else {
            assert.deepEqual((found as { content: unknown }).content, content);
            seen.loaded += 1;
          }
          for (const suffix of ["", "-wal", "-shm", "-lock"])
            rmSync(file + suffix, { force: true });
        },
      ),
      { numRuns: 500, seed: 20_260_701 },
    );
    expect(seen.refused).toBeGreaterThan(0);
    expect(seen.loaded).toBeGreaterThan(0);
  });
});

test("[LG7] a damaged snapshot is passed over for the one before, and the operator is told", async () => {
  const file = copyOf(good);
  sql(flipIn("chunk", "snapshot = (SELECT max(id) FROM snapshot)"))(file);
  expect(await load(file)).toEqual({
    content: contentOf(history.snapshot()),
    notes: [expect.stringMatching(/snapshot of revision 45 is damaged: loaded that of 30/)],
  });
});

test("a folder that is not there is no damage, and the message says what to look at", async () => {
  const refusal = await refusalOf(join(folder, "nowhere", "log"));
  expect(refusal).toBeInstanceOf(LogUnavailable);
  expect(refusal.message).toContain("Check that the directory exists");
});
