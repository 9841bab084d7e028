import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { beforeAll, describe, expect, test } from "vitest";
import { LogHeld, LogUnavailable } from "../../src/host/store/log-store.ts";
import { loadSqlite, type OpenDatabase } from "../../src/host/store/sqlite-database.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { LogThread } from "../../src/host/store/sqlite-worker.ts";
import { aNode } from "../builders/a-node.ts";
import { aCommit } from "../builders/a-commit.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";
import { buildWriter } from "./build-writer.ts";
import { FaultyDisk } from "./faulty-database.ts";
import { logStoreContract } from "./log-store-contract.ts";
import { scratchFolder } from "./scratch-folder.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";

const folder = scratchFolder();
let files = 0;
const newFile = (): string => join(folder, `log-${(files += 1)}`);

let sqlite: OpenDatabase;
let program = "";
beforeAll(async () => {
  sqlite = await loadSqlite();
  program = await buildWriter("fenced-writer");
});

describe("SqliteLog [LG1] [LG2] [LG3] [LG4] [LG5] [LG6] [LG7]", () => {
  for (const thread of [false, true]) {
    logStoreContract(`SqliteLog ${thread ? "on a thread" : "without a thread"}`, (of) => {
      const file = newFile();
      // The contract opens one log twice, which the lock is there to prevent.
      return { open: () => SqliteLog.open(file, { ...of, thread, lock: false }) };
    });
  }
});

/** A log whose disk fails on order. */
async function onFaultyDisk() {
  const disk = new FaultyDisk();
  const history = new History();
  const options = { thread: false, database: disk.over(sqlite) };
  const log = await SqliteLog.open(newFile(), options);
  const { epoch } = await log.claim();
  await log.append(epoch, history.next(epoch, 2));
  return { disk, history, log, epoch };
}

describe("a disk that fails during a commit", () => {
  test("[LG8] the batch may be there: it is, and the next claim says so", async () => {
    const { disk, history, log, epoch } = await onFaultyDisk();
    disk.orderFault("landed-unknown");
    expect(await log.append(epoch, history.next(epoch, 3))).toBe("unknown");
    expect((await log.claim()).commits).toEqual(history.commits);
    expect(await log.append(epoch, history.propose(epoch))).toBe("fenced");
    await log.close();
  });

  test("[LG8] the batch may be there: it is not, and the next claim says so", async () => {
    const { disk, history, log, epoch } = await onFaultyDisk();
    disk.orderFault("lost-unknown");
    expect(await log.append(epoch, history.propose(epoch, 3))).toBe("unknown");
    expect((await log.claim()).commits).toEqual(history.commits);
    expect(await log.append(epoch + 1, history.next(epoch + 1))).toBe("durable");
    await log.close();
  });

  test("[LG8] a claim that may be there is not taken for one", async () => {
    const { disk, history, log, epoch } = await onFaultyDisk();
    disk.orderFault("landed-unknown");
    await expect(log.claim()).rejects.toThrow(LogUnavailable);
    expect((await log.claim()).epoch).toBe(epoch + 2);
    expect(await log.append(epoch, history.propose(epoch))).toBe("fenced");
    await log.close();
  });
});

/** More nodes than one piece of a snapshot holds. */
const many = (epoch: number) =>
  Array.from({ length: 1_200 }, (_, at) =>
    aCommit({ revision: at + 1, epoch, put: [aNode({ name: `n-${at}`, revision: at + 1 })] }),
  );

describe("a snapshot", () => {
  test("[LG7] an unfinished one counts for nothing and is cleared away", async () => {
    const { disk, history, log, epoch } = await onFaultyDisk();
    const batch = many(epoch).map((commit) => ({ ...commit, revision: commit.revision + 2 }));
    history.land(batch);
    await log.append(epoch, batch);
    disk.orderFault("unavailable");
    await expect(log.compact(epoch, history.snapshot())).rejects.toThrow("disk is full");
    expect((await log.claim()).snapshot).toBeUndefined();
    expect(await log.compact(epoch + 1, history.snapshot())).toBe("durable");
    const claimed = await log.claim();
    expect(claimed.commits).toEqual([]);
    expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    await log.close();
  });

  test("[LG7] two at a time do not mix, and appends go on meanwhile", async () => {
    const log = await SqliteLog.open(newFile(), { thread: false });
    const { epoch } = await log.claim();
    const history = new History();
    history.land(many(epoch));
    await log.append(epoch, history.commits);
    const first = log.compact(epoch, history.snapshot());
    const appended = log.append(epoch, history.next(epoch));
    expect(await Promise.race([first.then(() => "snapshot"), appended])).toBe("durable");
    const second = log.compact(epoch, history.snapshot());
    expect(await Promise.all([first, second])).toEqual(["durable", "durable"]);
    const claimed = await log.claim();
    expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    await log.close();
  });
});

describe("who has the log open", () => {
  test("[LG11] a second one is told who has it, and gets it when the first lets go", async () => {
    const file = newFile();
    const first = await SqliteLog.open(file, { thread: false });
    const refusal: unknown = await SqliteLog.open(file).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(LogHeld);
    expect(String(refusal)).toContain(`process ${process.pid} on `);
    expect(String(refusal)).toContain("Stop that process first");
    await first.close();
    await (await SqliteLog.open(file, { thread: false })).close();
  });

  test("[LG11] the lock of a process that is killed ends with it", async () => {
    const file = newFile();
    const child = spawn(process.execPath, [program, file], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    await once(child.stdout, "data");
    const refusal: unknown = await SqliteLog.open(file, { thread: false }).catch(
      (error: unknown) => error,
    );
    expect(String(refusal)).toContain(`process ${child.pid} on `);
    const gone = once(child, "close");
    child.kill("SIGKILL");
    await gone;
    const log = await SqliteLog.open(file, { thread: false });
    expect((await log.claim()).epoch).toBe(2);
    await log.close();
  });

  test("[LG3] a process that writes without pause is fenced by another's claim", async () => {
    const file = newFile();
    const child = spawn(process.execPath, [program, file, "--no-lock"], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    const gone = once(child, "close");
    await once(child.stdout, "data");
    const log = await SqliteLog.open(file, { thread: false, lock: false });
    const claimed = await log.claim();
    await gone;
    const lines = said.trim().split("\n");
    expect(lines.at(-1)).toBe("fenced");
    // Whatever it was told is durable was so before the claim, and nothing came after.
    const ledger = ledgerOf(claimed);
    const told = lines.filter((line) => line.startsWith("1/")).map((line) => line.split(" "));
    for (const [, revision] of told) expect(Number(revision)).toBeLessThanOrEqual(ledger.revision);
    expect(await log.read(ledger.revision, 10)).toEqual([]);
    await log.close();
  });
});

describe("the thread of a log", () => {
  test("[LG8] that ends in the middle of an append leaves it unknown, and refuses what comes later", async () => {
    const dying = "require('node:worker_threads').parentPort.on('message', () => process.exit(1))";
    const log = new SqliteLog(new LogThread(new Worker(dying, { eval: true })));
    const history = new History();
    expect(await log.append(1, history.propose(1))).toBe("unknown");
    const later: unknown = await log.append(1, history.propose(1)).catch((error: unknown) => error);
    expect(later).toBeInstanceOf(LogUnavailable);
    expect(String(later)).toContain("Restart the plane");
  });

  test("ends when the log is closed", async () => {
    const log = await SqliteLog.open(newFile());
    const { epoch } = await log.claim();
    const history = new History();
    await log.append(epoch, history.next(epoch));
    await log.close();
    await log.close();
    await expect(log.append(epoch, history.propose(epoch))).rejects.toThrow(LogUnavailable);
  });
});
