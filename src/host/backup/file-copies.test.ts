import { join } from "node:path";
import { expect, test } from "vitest";
import { scratchFolder } from "../../../test/contract/scratch-folder.ts";
import { loadSqlite, type OpenDatabase } from "../store/sqlite-database.ts";
import { SqliteLog } from "../store/sqlite-log.ts";
import { FileCopies } from "./file-copies.ts";

const folder = scratchFolder();

test("[FZ2] copies one after the other share one connection, and those at once have one each", async () => {
  const file = join(folder, "log.db");
  const log = await SqliteLog.open(file, { thread: false });
  const load = await loadSqlite();
  const opened: string[] = [];
  const open: OpenDatabase = (name, options) => {
    opened.push(name);
    return load(name, options);
  };
  const copies = new FileCopies(open, file);
  for (let number = 0; number < 20; number += 1) {
    // Half of them are left in the middle.
    expect(copies.next(number)).toMatchObject([{ kind: "log" }]);
    if (number % 2 === 0) copies.next(number);
    copies.end(number);
  }
  expect(opened).toHaveLength(1);
  copies.next(100);
  copies.next(101);
  expect(opened).toHaveLength(2);
  copies.close();
  await log.close();
});
