/**
 * `npm run bench:store [-- --json] [--store etcd] [--members N] [--seconds N] [--objects N] [--dir
 * PATH]`: how fast the log takes changes, in SQLite or in an etcd on this machine, how long it
 * holds up the event loop, and how long a restart takes.
 *
 * Disks differ by factors of ten, so every speed is also given as a ratio to the plainest thing
 * that is durable at all, measured in the same run: writing the same bytes to a file and calling
 * fdatasync.
 */
import { rounded } from "../measure/latencies.ts";
import {
  closeSync,
  fdatasyncSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { restoreLedger, takeSnapshot } from "../../src/core/commit/snapshot.ts";
import type { Snapshot } from "../../src/core/protocol/snapshot.ts";
import { Ledger } from "../../src/core/commit/ledger.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { encodeBatch } from "../../src/host/store/batch-encoding.ts";
import { EtcdLog } from "../../src/host/store/etcd/etcd-log.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { SqliteLog } from "../../src/host/store/sqlite-log.ts";
import { aCommit } from "../../test/builders/a-commit.ts";
import { aReplica } from "../../test/builders/a-replica.ts";

const BATCH_SIZES = [1, 64, 512] as const;
/**
 * Commits after the snapshot: what a plane that takes one every 50,000 revisions has on average.
 */
const TAIL = 25_000;

/** One replica moves on: by far the most frequent change. */
const change = (revision: number, objects: number): Commit =>
  aCommit({
    revision,
    epoch: 1,
    command: "report",
    put: [
      aReplica({ workload: `app-${(revision % objects) >> 3}`, index: revision % 8, revision }),
    ],
  });

/** Made beforehand and given new revisions, because making them is no part of storing them. */
const changes = Array.from({ length: 512 }, (_, at) => change(at, 512));

const batchAfter = (end: number, size: number): Commit[] =>
  changes.slice(0, size).map((commit, at) => ({ ...commit, revision: end + 1 + at }));

interface Speed {
  readonly kind: string;
  readonly batchSize: number;
  readonly changesPerSecond: number;
  readonly rawChangesPerSecond: number;
  readonly ratioToRaw: number;
  readonly bytesPerChange: number;
  readonly loopDelayP99Ms: number;
  readonly loopDelayMaxMs: number;
}

/**
 * Writes the bytes of such batches to a plain file, each made durable, and answers changes per
 * second.
 */
function rawSpeed(
  file: number,
  of: { bytes: Uint8Array; batchSize: number; forMs: number },
): number {
  const began = performance.now();
  let written = 0;
  while (performance.now() - began < of.forMs) {
    writeSync(file, of.bytes);
    fdatasyncSync(file);
    written += of.batchSize;
  }
  return (written / (performance.now() - began)) * 1000;
}

/** A way to keep a log, and how large one has become. */
interface Store {
  readonly kind: string;
  /** The log of this name; the same again is a restart. */
  open(name: string): Promise<LogStore>;
  bytes(name: string): Promise<number>;
}

const inSqlite = (folder: string, thread: boolean): Store => ({
  kind: thread ? "on a thread" : "without",
  open: (name) => SqliteLog.open(join(folder, `${name}-${thread}`), { thread }),
  bytes: (name) => Promise.resolve(statSync(join(folder, `${name}-${thread}`)).size),
});

/** Each log under a prefix of its own; the size is that of all that is there. */
const inEtcd = (etcd: LocalEtcd): Store => ({
  kind: `etcd of ${etcd.endpoints.length}`,
  open: (name) =>
    EtcdLog.open(new EtcdClient({ endpoints: etcd.endpoints }), { prefix: `/${name}/` }),
  bytes: async (name) => {
    const client = new EtcdClient({ endpoints: etcd.endpoints });
    const end = Buffer.from(`/${name}0`);
    const { kvs } = await client.range({ key: Buffer.from(`/${name}/`), end });
    client.close();
    return kvs.reduce((sum, { key, value }) => sum + key.length + value.length, 0);
  },
});

/** Takes turns with the plain file, so that both meet the same moods of the disk. */
const TURNS = 10;

async function measure(
  folder: string,
  of: { batchSize: number; seconds: number; store: Store },
): Promise<Speed> {
  const { batchSize, seconds, store } = of;
  const raw = openSync(join(folder, "raw"), "w");
  const bytes = encodeBatch(batchAfter(0, batchSize));
  const log = await store.open(`log-${batchSize}`);
  const { epoch } = await log.claim();
  let end = 0;
  const run = async (forMs: number): Promise<number> => {
    const began = performance.now();
    const from = end;
    while (performance.now() - began < forMs) {
      const result = await log.append(epoch, batchAfter(end, batchSize));
      if (result !== "durable") throw new Error(`An append was answered ${result}.`);
      end += batchSize;
      // A plane's loop turns between two batches; without a thread nothing else would let it.
      await nextTurn();
    }
    return ((end - from) / (performance.now() - began)) * 1000;
  };
  await run(300);
  const speeds: { raw: number; log: number }[] = [];
  const p99s: number[] = [];
  const maxima: number[] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    const forMs = (seconds * 1000) / TURNS;
    const plain = rawSpeed(raw, { bytes, batchSize, forMs });
    await nextTurn();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    speeds.push({ raw: plain, log: await run(forMs) });
    delay.disable();
    p99s.push(delay.percentile(99) / 1e6);
    maxima.push(delay.max / 1e6);
  }
  await log.close();
  closeSync(raw);
  const changesPerSecond = middle(speeds.map((speed) => speed.log));
  const rawChangesPerSecond = middle(speeds.map((speed) => speed.raw));
  return {
    kind: store.kind,
    batchSize,
    changesPerSecond: Math.round(changesPerSecond),
    rawChangesPerSecond: Math.round(rawChangesPerSecond),
    ratioToRaw: rounded(middle(speeds.map((speed) => speed.log / speed.raw))),
    bytesPerChange: Math.round(bytes.length / batchSize),
    loopDelayP99Ms: rounded(middle(p99s)),
    loopDelayMaxMs: rounded(Math.max(...maxima)),
  };
}

const middle = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

interface Restart {
  readonly objects: number;
  readonly tailCommits: number;
  readonly mebibytes: number;
  readonly compactSeconds: number;
  readonly compactLoopDelayMaxMs: number;
  /** Opening, checking, reading, decoding. */
  readonly storeSeconds: number;
  /** Folding what was read into a ledger: the authority's part. */
  readonly ledgerSeconds: number;
  readonly rawReadSeconds: number;
  readonly ratioToRaw: number;
}

async function restart(store: Store, objects: number): Promise<Restart> {
  const ledger = new Ledger();
  let log = await store.open("restart");
  const { epoch } = await log.claim();
  const grow = async (to: number): Promise<void> => {
    while (ledger.revision < to) {
      const batch = Array.from({ length: Math.min(512, to - ledger.revision) }, (_, at) =>
        change(ledger.revision + 1 + at, objects),
      );
      for (const commit of batch) ledger.fold(commit);
      await log.append(epoch, batch);
    }
  };
  await grow(objects);
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const snapshot = takeSnapshot(ledger);
  delay.enable();
  const compactSeconds = await timed(() => log.compact(epoch, snapshot));
  delay.disable();
  await grow(objects + TAIL);
  await log.close();

  let read: { snapshot: Snapshot | undefined; commits: readonly Commit[] } | undefined;
  const storeSeconds = await timed(async () => {
    log = await store.open("restart");
    read = await log.claim();
  });
  const ledgerSeconds = await timed(() => {
    const again = read?.snapshot ? restoreLedger(read.snapshot) : new Ledger();
    for (const commit of read?.commits ?? []) again.fold(commit);
    if (again.revision !== ledger.revision) throw new Error("The log came back incomplete.");
  });
  await log.close();
  // The least any JSON store has to do: parse as many bytes of the same objects.
  const texts = snapshot.objects.map((object) => JSON.stringify(object));
  const rawReadSeconds = await timed(() => texts.forEach((text) => void JSON.parse(text)));
  return {
    objects: snapshot.objects.length,
    tailCommits: TAIL,
    mebibytes: Math.round((await store.bytes("restart")) / 2 ** 20),
    compactSeconds: rounded(compactSeconds),
    compactLoopDelayMaxMs: rounded(delay.max / 1e6),
    storeSeconds: rounded(storeSeconds),
    ledgerSeconds: rounded(ledgerSeconds),
    rawReadSeconds: rounded(rawReadSeconds),
    ratioToRaw: rounded(storeSeconds / rawReadSeconds),
  };
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      store: { type: "string", default: "sqlite" },
      members: { type: "string", default: "3" },
      seconds: { type: "string", default: "2" },
      objects: { type: "string", default: "200000" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = mkdtempSync(join(values.dir, "berth-bench-"));
  const members = Number(values.members);
  const etcd = new LocalEtcd({ folder: join(folder, "etcd"), members });
  try {
    const stores =
      values.store === "etcd"
        ? [inEtcd(await etcd.start())]
        : [inSqlite(folder, true), inSqlite(folder, false)];
    const report = await reportOn(folder, stores, values);
    process.stdout.write(values.json ? `${JSON.stringify(report)}\n` : table(report));
  } finally {
    await etcd.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function reportOn(
  folder: string,
  stores: readonly Store[],
  values: { readonly seconds: string; readonly objects: string },
): Promise<Report> {
  const speeds: Speed[] = [];
  for (const store of stores) {
    for (const batchSize of BATCH_SIZES) {
      speeds.push(await measure(folder, { batchSize, seconds: Number(values.seconds), store }));
    }
  }
  const again = await restart(stores[0] as Store, Number(values.objects));
  return { node: process.version, speeds, restart: again };
}

interface Report {
  readonly node: string;
  readonly speeds: readonly Speed[];
  readonly restart: Restart;
}

const row = (speed: Speed): string =>
  `${speed.kind.padEnd(12)} ${String(speed.batchSize).padStart(5)} ${String(speed.changesPerSecond).padStart(12)} ${speed.ratioToRaw.toFixed(2).padStart(8)} ${speed.loopDelayP99Ms.toFixed(1).padStart(12)} ${speed.loopDelayMaxMs.toFixed(1).padStart(12)}\n`;

function table(report: Report): string {
  const { restart: again } = report;
  return [
    "             batch    changes/s   to raw  loop p99 ms  loop max ms\n",
    ...report.speeds.map(row),
    `restart with ${again.objects} objects and ${again.tailCommits} commits after the snapshot: store ${again.storeSeconds} s (${again.ratioToRaw} × parsing alone), ledger ${again.ledgerSeconds} s\n`,
    `snapshot and compaction: ${again.compactSeconds} s beside other work, loop held at most ${again.compactLoopDelayMaxMs} ms; ${again.mebibytes} MiB\n`,
  ].join("");
}

// The log's thread runs this same bundle.
if (isMainThread) await main();
