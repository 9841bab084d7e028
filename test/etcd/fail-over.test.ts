/** Three members, of which one at a time is lost in the ways in which members are lost. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EtcdUnavailable, EtcdUnknown } from "../../src/host/etcd/etcd-api.ts";
import { EtcdCaller } from "../../src/host/etcd/etcd-caller.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdOperator } from "../../src/host/etcd/etcd-operator.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { bytes, put, texts, until } from "./etcd-words.ts";

const etcd = new LocalEtcd({ folder: scratchFolder(), members: 3 });
beforeAll(async () => {
  await etcd.start();
});
afterAll(async () => {
  await etcd.kill();
});

/** Far longer than an election takes on a busy machine: it only ends a hang. */
const PATIENT_MS = 60_000;
/** Of a call that is to be refused, again and again until then: longer than one answer takes on a busy machine. */
const REFUSED_MS = 3_000;

/** With this member first: that is the one it will use. */
const clientOn = (at: number, deadlineMs = PATIENT_MS): EtcdClient => {
  const { endpoints } = etcd;
  const ordered = [...endpoints.slice(at), ...endpoints.slice(0, at)];
  return new EtcdClient({ endpoints: ordered, deadlineMs });
};

async function findLeader(): Promise<number> {
  for (;;) {
    for (const [at, endpoint] of etcd.endpoints.entries()) {
      const caller = new EtcdCaller({ endpoints: [endpoint], deadlineMs: 1_000 });
      const status = await new EtcdOperator(caller).status().catch(() => undefined);
      caller.close();
      if (status?.isLeader === true) return at;
    }
  }
}

/** Writes a count, again and again, so that each number is written at most once; gives up never. */
async function count(
  client: EtcdClient,
  key: string,
  [from, to]: readonly [number, number],
): Promise<void> {
  for (let next = from; next <= to;) {
    const value = String(next);
    const [now] = (await readPatiently(client, key)).kvs;
    if (now !== undefined && Buffer.from(now.value).toString() === value) {
      next += 1;
      continue;
    }
    const compare = { key: bytes(key), modRevision: now?.modRevision ?? 0n };
    try {
      await client.txn({ compare: [compare], success: [put(key, value)] });
    } catch (error) {
      const isExpected = error instanceof EtcdUnknown || error instanceof EtcdUnavailable;
      if (!isExpected) throw error;
    }
  }
}

async function readPatiently(client: EtcdClient, key: string) {
  for (;;) {
    try {
      return await client.range({ key: bytes(key) });
    } catch (error) {
      if (!(error instanceof EtcdUnavailable)) throw error;
    }
  }
}

interface WentOn {
  /** What the watch has told. */
  readonly told: readonly string[];
  /** What was left of the lease when it was renewed without the member. */
  readonly leaseSeconds: number;
}

/** A watch, a writer and a lease go on over the loss of the member that all of them use. */
async function goOnWithout(at: number, lose: () => unknown, key: string): Promise<WentOn> {
  // Pings find out, not the deadline: a busy machine may take its time for an election.
  const client = clientOn(at);
  const told: string[] = [];
  const { revision } = await client.range({ key: bytes(key) });
  client.watch({
    key: bytes(key),
    from: revision + 1n,
    onEvents: (events) => told.push(...events.map(({ kv }) => Buffer.from(kv.value).toString())),
    onCompacted: () => told.push("compacted"),
  });
  const { id } = await client.grantLease(60);
  await count(client, key, [1, 3]);
  await until(() => told.length === 3);
  await lose();
  const [leaseSeconds] = await Promise.all([client.renewLease(id), count(client, key, [4, 6])]);
  await until(() => told.length >= 6);
  client.close();
  return { told, leaseSeconds };
}

const WENT_ON: WentOn = { told: ["1", "2", "3", "4", "5", "6"], leaseSeconds: 60 };

describe("the member in use is lost", () => {
  test("a leader that is killed: reads, writes, watches and leases go on with the others", async () => {
    const at = await findLeader();
    expect(await goOnWithout(at, () => etcd.member(at).kill(), "killed")).toEqual(WENT_ON);
    await etcd.member(at).restart();
    await etcd.healthy();
  });

  test("a leader that is paused and keeps its connections is left behind as well, and is welcome again", async () => {
    const at = await findLeader();
    const client = clientOn(at);
    expect(await goOnWithout(at, () => etcd.member(at).pause(), "paused")).toEqual(WENT_ON);
    // One that begins with the paused member gets no further than the connection, so nothing was sent to it.
    await client.txn({ compare: [], success: [put("elsewhere", "x")] });
    etcd.member(at).resume();
    await etcd.healthy();
    expect(texts(await client.range({ key: bytes("elsewhere") }))).toEqual(["elsewhere=x"]);
    client.close();
  });
});

describe("one member is left of three", () => {
  test("it has no leader: it says no to writes at once, ends watches, and all goes on when others are back", async () => {
    const client = clientOn(0, REFUSED_MS);
    const told: string[] = [];
    const notes: string[] = [];
    const watcher = new EtcdClient({
      endpoints: etcd.endpoints,
      deadlineMs: PATIENT_MS,
      onNote: (sentence) => notes.push(sentence),
    });
    const { revision } = await watcher.range({ key: bytes("alone") });
    watcher.watch({
      key: bytes("alone"),
      from: revision + 1n,
      onEvents: (events) => told.push(...events.map(({ kv }) => Buffer.from(kv.value).toString())),
      onCompacted: () => told.push("compacted"),
    });
    etcd.member(1).pause();
    etcd.member(2).pause();
    await until(() => notes.some((note) => note.includes("no leader")));
    const error: unknown = await client
      .txn({ compare: [], success: [put("alone", "too early")] })
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EtcdUnavailable);
    etcd.member(1).resume();
    etcd.member(2).resume();
    await etcd.healthy();
    await watcher.txn({ compare: [], success: [put("alone", "now")] });
    await until(() => told.length > 0);
    expect(told).toEqual(["now"]);
    watcher.close();
    client.close();
  });
});
