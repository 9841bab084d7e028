/** From one kind of store to a file and on into the other kind, and what becomes of a file that was damaged. */
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { Snapshot } from "../../src/core/protocol/snapshot.ts";
import { BackupKept } from "../../src/host/backup/backup-kept.ts";
import { encodeBackup } from "../../src/host/backup/encode-backup.ts";
import type { KeptPart } from "../../src/host/backup/kept-log.ts";
import { restoreToEtcd } from "../../src/host/backup/restore-to-etcd.ts";
import { EPOCH_STEP, REVISION_LEAP } from "../../src/host/backup/restored-log.ts";
import { EtcdLog } from "../../src/host/store/etcd/etcd-log.ts";
import { LogLayout } from "../../src/host/store/etcd/log-layout.ts";
import { LogDamaged, type LogStore } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { aCommit } from "../builders/a-commit.ts";
import { aNode } from "../builders/a-node.ts";
import { type AgentHarness, anAgentWithProcess } from "../builders/an-agent.ts";
import { runCommand } from "../cli/a-served-plane.ts";
import { History } from "../contract/a-history.ts";
import { aLocalEtcd } from "../contract/a-local-etcd.ts";
import { chainIn, headOf } from "../contract/log-chain-contract.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { contentAt, contentIn, fill, gather, KEPT, linesOf } from "./a-stored-log.ts";

const folder = scratchFolder();
const etcd = aLocalEtcd();
const origin = { madeAt: "2026-01-01T00:00:00.000Z", by: "0.0.0", store: "sqlite" };
const data = join(folder, "source");
const file = join(folder, "backup");
let history: History;
let folders = 0;

const newFolder = (): string => join(folder, `data-${(folders += 1)}`);
const inFolder = (at: string): Promise<SqliteLog> =>
  SqliteLog.open(join(at, "log.db"), { thread: false });
const storeAt = (prefix: string): string => `etcd://${etcd.etcd.endpoints.join(",")}${prefix}`;

async function must(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, err } = await runCommand([...args, "--json"]);
  if (code !== 0) throw new Error(`berth ${args.join(" ")} left with ${code}: ${err}`);
  return JSON.parse(out) as Record<string, unknown>;
}

async function write(parts: AsyncIterable<KeptPart> | readonly KeptPart[], to: string) {
  const pieces: Uint8Array[] = [];
  for await (const piece of encodeBackup(parts, origin)) pieces.push(piece);
  writeFileSync(to, Buffer.concat(pieces));
}

/** A name that packs badly, so that its batch is too large for one value of etcd. */
const longWord = (): string =>
  Array.from({ length: 400_000 }, (_, at) => ((at * 2_654_435_761) >>> 0).toString(36)).join("");

beforeAll(async () => {
  mkdirSync(data);
  const log = await SqliteLog.open(join(data, "log.db"), { thread: false, keptRevisions: KEPT });
  history = await fill(log);
  const revision = history.revision + 1;
  const large = aNode({ name: "large", labels: { word: longWord() }, revision });
  const commit = aCommit({ revision, epoch: 1, put: [large] });
  await log.append(1, [commit]);
  history.land([commit]);
  await log.close();
});

/** Each restore adds a commit of its own, which says who did it [BK10]. */
function besideNotes(content: unknown, restores: number): unknown {
  const { revision, operations, ...rest } = content as Snapshot;
  const notes = operations.filter(([, { command }]) => command === "restore");
  expect(notes).toHaveLength(restores);
  return {
    ...rest,
    revision: revision - restores,
    operations: operations.filter(([, { command }]) => command !== "restore"),
  };
}

test("a backup holds all that the log keeps, is for its owner alone, and has no name before it is whole [BK1]", async () => {
  const told = await must("backup", "--data", data, "--out", file);
  expect(told).toMatchObject({
    file,
    revision: 53,
    epoch: 1,
    oldest: 30,
    objects: 4,
    commits: 23,
    snapshots: [30, 45],
    store: "sqlite",
    bytes: statSync(file).size,
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const log = await inFolder(data);
  const parts = await gather(log.copy());
  await log.close();
  expect(linesOf(await gather(new BackupKept(file).parts()))).toEqual(linesOf(parts));
  expect(parts.filter(({ kind }) => kind === "batch").length).toBeGreaterThan(5);
  const out = join(folder, "no-such-folder", "backup");
  expect(await runCommand(["backup", "--data", data, "--out", out])).toMatchObject({ code: 2 });
  expect(readdirSync(folder).filter((name) => name.includes("part"))).toEqual([]);
});

test("a copy is of one moment, however much is appended and compacted while it is read [BK1]", async () => {
  const at = newFolder();
  mkdirSync(at);
  const log = await SqliteLog.open(join(at, "log.db"), { keptRevisions: KEPT });
  const own = await fill(log);
  const content = contentAt(own);
  const seen: KeptPart[] = [];
  for await (const part of log.copy()) {
    seen.push(part);
    if (own.revision < 200) await log.append(1, own.next(1, 5));
    if (own.revision === 62) await log.compact(1, own.snapshot());
  }
  await log.close();
  const copied = join(folder, "under-load");
  await write(seen, copied);
  const to = newFolder();
  await must("restore", copied, "--data", to, "--move");
  expect(besideNotes((await contentIn(await inFolder(to))).content, 1)).toEqual(content);
});

describe("from SQLite to etcd and back", () => {
  const there = etcd.newPrefix();

  test("a restored log holds the same, and goes on at an epoch that no plane can have had [BK5]", async () => {
    const told = await must("restore", file, "--store", storeAt(there));
    expect(told).toMatchObject({
      revision: 53,
      objects: 4,
      goesOnAfterRevision: 53 + REVISION_LEAP,
      goesOnAfterEpoch: 1 + EPOCH_STEP,
    });
    const log = await EtcdLog.open(etcd.connect(), { prefix: there });
    const { epoch } = await log.claim();
    expect(epoch).toBe(2 + EPOCH_STEP);
    const next = aCommit({ revision: 54 + REVISION_LEAP, epoch, put: [] });
    expect(await log.append(epoch, [next])).toBe("durable");
    await expect(log.read(50, 10)).rejects.toThrow(/compacted up to 1000000052/);
    const { content } = await contentIn(log);
    // The operations of the backup are known, and those of the new leadership besides.
    const { objects, operations } = contentAt(history) as Snapshot;
    const known = expect.arrayContaining([...operations]) as unknown;
    expect(content).toMatchObject({ objects, operations: known, revision: next.revision, epoch });
  });

  test("moved, it keeps every revision, the history and both snapshots [BK6]", async () => {
    const prefix = etcd.newPrefix();
    await must("restore", file, "--store", storeAt(prefix), "--move");
    const parts = await etcd.client.range({ ...new LogLayout(prefix).allParts(), keysOnly: true });
    expect(parts.kvs.length).toBeGreaterThan(1);
    const second = join(folder, "second");
    const told = await must("backup", "--store", storeAt(prefix), "--out", second);
    expect(told).toMatchObject({
      revision: 54,
      oldest: 30,
      commits: 24,
      snapshots: [30, 45],
      store: "etcd",
    });
    const to = newFolder();
    await must("restore", second, "--data", to, "--move");
    expect(await must("store", "check", "--data", to)).toMatchObject({ isGood: true });
    const log = await inFolder(to);
    expect((await log.read(40, 100)).map(({ revision }) => revision)).toHaveLength(15);
    const { content, epoch } = await contentIn(log);
    expect(besideNotes(content, 2)).toEqual(contentAt(history));
    expect(epoch).toBe(2 + 2 * EPOCH_STEP);
  });

  test("the chain goes on over a restore, and a head that was kept before still fits [LG20]", async () => {
    const source = await inFolder(data);
    const kept = await headOf(source);
    await source.close();
    for (const move of [[], ["--move"]]) {
      const prefix = etcd.newPrefix();
      const to = newFolder();
      await must("restore", file, "--store", storeAt(prefix), ...move);
      await must("restore", file, "--data", to, ...move);
      const logs = [await EtcdLog.open(etcd.connect(), { prefix }), await inFolder(to)];
      for (const log of logs) {
        const { epoch, snapshot, commits } = await log.claim();
        const end = commits.at(-1)?.revision ?? snapshot?.revision ?? 0;
        for (const at of [1, 2]) {
          await log.append(epoch, [aCommit({ revision: end + at, epoch, put: [] })]);
        }
        const report = await chainIn(log, kept);
        expect(report).toMatchObject({ to: end + 2, gaps: [], kept: { outcome: "fits" } });
        expect(report.broken).toBeUndefined();
        expect(report.from).toBe(move.length === 0 ? end : 31);
        await log.close();
      }
    }
  });

  test("only an empty store is restored into, and a dry run writes nothing [BK4]", async () => {
    const to = newFolder();
    const dry = await runCommand(["restore", file, "--data", to, "--dry-run"]);
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringContaining("Would restore revision 53"),
    });
    expect(existsSync(to)).toBe(false);
    const prefix = etcd.newPrefix();
    await must("restore", file, "--store", storeAt(prefix), "--dry-run");
    expect(
      (await etcd.client.range({ key: Buffer.from(prefix), end: Buffer.from(`${prefix}~`) })).kvs,
    ).toEqual([]);
    for (const where of [
      ["--data", data],
      ["--store", storeAt(there)],
    ]) {
      for (const more of [[], ["--dry-run"], ["--move"]]) {
        const { code, err } = await runCommand(["restore", file, ...where, ...more]);
        expect([code, err]).toEqual([
          2,
          expect.stringMatching(/Nothing was changed.*\[store-not-empty\]/s),
        ]);
      }
    }
    expect((await contentIn(await inFolder(data))).content).toEqual(contentAt(history));
  });

  test("a restore that a plane gets in the way of leaves no log [BK4]", async () => {
    const prefix = etcd.newPrefix();
    let plane: LogStore | undefined;
    const api = etcd.connect();
    const restored = restoreToEtcd(api, new LogLayout(prefix), {
      bounds: { epoch: 9, oldest: 0, end: 1 },
      snapshots: [],
      async *batches() {
        plane = await EtcdLog.open(etcd.connect(), { prefix });
        await plane.claim();
        yield { first: 1, last: 1, epoch: 9, body: new Uint8Array(4) };
      },
    });
    await expect(restored).rejects.toThrow(/wrote under/);
    api.close();
    await plane!.close();
    const log = await EtcdLog.open(etcd.connect(), { prefix });
    expect(await log.claim()).toMatchObject({ epoch: 2, commits: [] });
    await log.close();
  });
});

/** It has heard of more than there is in the backup. */
const running = (): AgentHarness =>
  anAgentWithProcess().give({ kind: "watch", commits: [], to: 900_000, epoch: 40 });
const stopped = (harness: AgentHarness): number => harness.later(0).all("stop-process").length;

test("agents that are ahead of the backup take the restored plane for the newest, and stop what it does not know [BK5]", () => {
  // Where the log simply went on after the backup, the agent would see nothing of it.
  expect(stopped(running().listed([], 500, 3))).toBe(0);
  expect(stopped(running().listed([], 500, 41))).toBe(0);
  expect(stopped(running().listed([], 500 + REVISION_LEAP, 3 + EPOCH_STEP))).toBe(1);
});

describe("a backup that was damaged", () => {
  test("is refused whatever byte of it changed or is gone, and nothing is restored [BK2]", async () => {
    const small = join(folder, "small");
    const own = new History();
    const at = newFolder();
    mkdirSync(at);
    const log = await SqliteLog.open(join(at, "log.db"), { thread: false, keptRevisions: KEPT });
    await fill(log, own);
    await write(log.copy(), small);
    await log.close();
    const whole = readFileSync(small);
    const broken = join(folder, "broken");
    const isRefused = async (bytes: Uint8Array): Promise<boolean> => {
      writeFileSync(broken, bytes);
      const parts = await gather(new BackupKept(broken).parts());
      return parts.some(({ kind }) => kind === "flaw");
    };
    expect(await isRefused(whole)).toBe(false);
    await fc.assert(
      fc.asyncProperty(
        fc.nat(whole.length - 1),
        fc.integer({ min: 1, max: 255 }),
        async (place, by) => {
          const changed = Buffer.from(whole);
          changed[place]! ^= by;
          return (await isRefused(changed)) && (await isRefused(whole.subarray(0, place)));
        },
      ),
      { numRuns: 150 },
    );
    const to = newFolder();
    writeFileSync(broken, whole.subarray(0, whole.length - 10));
    const { code, err } = await runCommand(["restore", broken, "--data", to]);
    expect([code, err]).toEqual([2, expect.stringContaining("[backup-damaged]")]);
    expect(existsSync(to)).toBe(false);
    expect(await runCommand(["store", "check", broken])).toMatchObject({ code: 1 });
    expect(await runCommand(["store", "check", small])).toMatchObject({ code: 0 });
  });

  test("and one that is of another version or no backup at all says so [BK2] [LG22]", async () => {
    const other = join(folder, "other");
    writeFileSync(other, "BERTH BACKUP 99\n");
    expect(await runCommand(["restore", other])).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /it is written in format 99 by a newer version of Berth.*\. Run the version of Berth that wrote it, or a newer one/,
      ),
    });
    writeFileSync(other, "kind: Tenant\n");
    expect(await runCommand(["restore", other])).toMatchObject({
      code: 2,
      err: expect.stringContaining("not a Berth backup"),
    });
    expect(await runCommand(["restore", join(folder, "none")])).toMatchObject({ code: 2 });
  });
});

test("of a damaged log no backup is made, except of one whose other snapshot is good [BK3]", async () => {
  const log = await inFolder(data);
  const parts = await gather(log.copy());
  await log.close();
  const flaw = { where: "there", found: "it is broken" };
  const bad = [...parts, { kind: "flaw", flaw: { ...flaw, kind: "batches" } } as const];
  await expect(write(bad, join(folder, "bad"))).rejects.toThrow(LogDamaged);
  const first = parts.findIndex(({ kind }) => kind === "snapshot-end");
  const halfGood = parts.with(first, { kind: "snapshot-end", isWhole: false });
  const to = newFolder();
  await write(halfGood, join(folder, "half"));
  await must("restore", join(folder, "half"), "--data", to, "--move");
  expect(besideNotes((await contentIn(await inFolder(to))).content, 1)).toEqual(contentAt(history));
});
