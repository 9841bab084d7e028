/** What a client may say of a write whose answer it did not get. The network and etcd's quota are the adversaries. */
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { EtcdAlarm, EtcdUnavailable, EtcdUnknown } from "../../src/host/etcd/etcd-api.ts";
import { EtcdCaller } from "../../src/host/etcd/etcd-caller.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdOperator } from "../../src/host/etcd/etcd-operator.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { bytes, put, texts, until } from "./etcd-words.ts";
import { TcpProxy } from "./tcp-proxy.ts";

/** Etcd refuses to grow past this; its smallest database takes a few pages. */
const QUOTA_BYTES = 16 * 1024 * 1024;

/** Of a call that comes through: it only ends a hang. */
const PATIENT = { deadlineMs: 60_000 };

const etcd = new LocalEtcd({ folder: scratchFolder(), members: 1, quotaBytes: QUOTA_BYTES });
let proxy: TcpProxy;
let straight: EtcdClient;
const clients: EtcdClient[] = [];

beforeAll(async () => {
  await etcd.start();
  proxy = await TcpProxy.open(etcd.endpoints[0]!);
  straight = new EtcdClient({ endpoints: etcd.endpoints, ...PATIENT });
});
afterEach(() => {
  proxy.heal();
  for (const client of clients.splice(0)) client.close();
});
afterAll(async () => {
  straight.close();
  await proxy.close();
  await etcd.kill();
});

/** Through the proxy, and connected. */
async function connected(deadlineMs = 300): Promise<EtcdClient> {
  const client = new EtcdClient({ endpoints: [proxy.endpoint], deadlineMs });
  clients.push(client);
  // On a busy machine the deadline may pass before there is an answer; then once more.
  for (;;) {
    const answer = await client.range({ key: bytes("any") }).catch(() => undefined);
    if (answer !== undefined) return client;
  }
}

const write = (client: EtcdClient, key: string): Promise<unknown> =>
  client.txn({ compare: [], success: [put(key, "x")] });

const isThere = async (key: string): Promise<boolean> =>
  texts(await straight.range({ key: bytes(key) })).length === 1;

describe("a network that breaks", () => {
  test("an answer that is swallowed leaves the outcome unknown, and the write has happened", async () => {
    const client = await connected();
    proxy.swallowAnswers();
    await expect(write(client, "swallowed")).rejects.toThrow(EtcdUnknown);
    // Etcd has it, and takes the time it needs; the test's own limit ends a wait in vain.
    while (!(await isThere("swallowed")));
  });

  test("a connection that is reset before the answer leaves the outcome unknown", async () => {
    const client = await connected();
    proxy.swallowAnswers();
    const before = proxy.requestBytes;
    const outcome = write(client, "reset").catch((error: unknown) => error);
    await until(() => proxy.requestBytes > before);
    proxy.cut();
    expect(await outcome).toBeInstanceOf(EtcdUnknown);
  });

  test("a request that is lost on the way leaves the outcome unknown too: the client cannot tell", async () => {
    const client = await connected();
    proxy.freeze();
    await expect(write(client, "frozen")).rejects.toThrow(EtcdUnknown);
    expect(await isThere("frozen")).toBe(false);
  });

  test("where no member can be connected to, nothing has happened, and the client says that", async () => {
    const client = await connected();
    proxy.cut();
    // The connection that it had is gone when the next call is made.
    await expect(client.range({ key: bytes("any") })).rejects.toThrow(EtcdUnavailable);
    const error: unknown = await write(client, "unreachable").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(EtcdUnavailable);
    expect(String(error)).toContain(`cannot connect to ${proxy.endpoint}`);
    expect(await isThere("unreachable")).toBe(false);
  });

  test("a read is tried again until it comes through, and a write that was never sent too", async () => {
    const client = await connected(PATIENT.deadlineMs);
    proxy.cut();
    const read = client.range({ key: bytes("any") });
    const written = write(client, "patient").catch((error: unknown) => error);
    setTimeout(() => proxy.heal(), 300);
    await expect(read).resolves.toMatchObject({ kvs: [] });
    // It went out before the cut was noticed, or when all was well again: never is it told wrongly.
    const end = await written;
    const isToldRight = end instanceof Error ? end instanceof EtcdUnknown : isThere("patient");
    expect(await isToldRight).toBe(true);
  });

  test("an answer that is late but within the deadline is an answer", async () => {
    const client = await connected(PATIENT.deadlineMs);
    proxy.delay(700);
    await write(client, "late");
    expect(await isThere("late")).toBe(true);
  });

  test("a compaction and a lease's end whose answers were lost are asked for again, and found to be done", async () => {
    const client = new EtcdClient({ endpoints: [proxy.endpoint, ...etcd.endpoints], ...PATIENT });
    clients.push(client);
    const { id } = await client.grantLease(60);
    const { revision } = await straight.range({ key: bytes("any") });
    proxy.swallowAnswers();
    await Promise.all([client.compact(revision), client.revokeLease(id)]);
    expect(await straight.renewLease(id)).toBe(0);
    await expect(straight.range({ key: bytes("any"), revision: revision - 1n })).rejects.toThrow(
      "compacted",
    );
  });

  test("a lease that cannot be renewed is said to be out of reach, not gone", async () => {
    const client = await connected();
    const { id } = await straight.grantLease(60);
    proxy.swallowAnswers();
    await expect(client.renewLease(id)).rejects.toThrow(EtcdUnknown);
    expect(await straight.renewLease(id)).toBe(60);
  });

  test("a watch on a connection that has gone silent goes on with another member", async () => {
    const told: string[] = [];
    const client = new EtcdClient({ endpoints: [proxy.endpoint, ...etcd.endpoints], ...PATIENT });
    clients.push(client);
    const { revision } = await client.range({ key: bytes("silent") });
    client.watch({
      key: bytes("silent"),
      from: revision + 1n,
      onEvents: (events) => told.push(...events.map(({ kv }) => String(kv.version))),
      onCompacted: () => told.push("compacted"),
    });
    await write(straight, "silent");
    await until(() => told.length === 1);
    // Nothing else is asked of this client, so only the watch itself can notice.
    proxy.freeze();
    await write(straight, "silent");
    await until(() => told.length === 2);
    expect(told).toEqual(["1", "2"]);
  });

  test("a watch that was cut off for longer than etcd keeps history says so when it is back, and is over", async () => {
    const told: string[] = [];
    const client = await connected();
    const { revision } = await straight.range({ key: bytes("cut off") });
    client.watch({
      key: bytes("cut off"),
      from: revision + 1n,
      onEvents: (events) => told.push(...events.map(({ kv }) => String(kv.version))),
      onCompacted: (at) => told.push(`compacted ${at - revision}`),
    });
    await write(straight, "cut off");
    await until(() => told.length === 1);
    proxy.cut();
    for (const _ of [2, 3]) await write(straight, "cut off");
    await straight.compact(revision + 3n);
    proxy.heal();
    await until(() => told.length === 2);
    await write(straight, "cut off");
    expect(told).toEqual(["1", "compacted 3"]);
  });

  test("something that listens and is no etcd is not waited for when another member is", async () => {
    const other = createServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    other.listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    const endpoints = [`127.0.0.1:${port}`, proxy.endpoint];
    const client = new EtcdClient({ endpoints, ...PATIENT });
    clients.push(client);
    await write(client, "not lost");
    expect(await isThere("not lost")).toBe(true);
    other.close();
  });
});

/** Until etcd says no to some of those that are under way together. */
async function fill(client: EtcdClient): Promise<{ heard: string[]; reasons: unknown[] }> {
  const value = Buffer.alloc(1_000_000);
  const heard: string[] = [];
  for (let at = 0; ; at += 1) {
    const keys = [0, 1, 2, 3].map((lane) => `fill/${at}/${lane}`);
    const writes = keys.map((key) =>
      client.txn({ compare: [], success: [{ kind: "put", key: bytes(key), value }] }),
    );
    const ends = await Promise.allSettled(writes);
    heard.push(...keys.filter((_, lane) => ends[lane]!.status === "fulfilled"));
    const reasons = ends.flatMap((end): unknown[] => ("reason" in end ? [end.reason] : []));
    if (reasons.length > 0) return { heard, reasons };
  }
}

describe("a database that is full", () => {
  test("what crosses the quota has an unknown outcome, later writes are alarms that say what to do, and deleting works", async () => {
    const client = new EtcdClient({ endpoints: etcd.endpoints, ...PATIENT });
    clients.push(client);
    const { heard, reasons } = await fill(client);
    for (const reason of reasons) {
      expect(reason).toBeInstanceOf(EtcdUnknown);
      expect(String(reason)).toContain("etcdctl alarm disarm");
    }
    expect(await Promise.all(heard.map(isThere))).not.toContain(false);
    const second: unknown = await write(client, "full").catch((error: unknown) => error);
    expect(second).toBeInstanceOf(EtcdAlarm);
    expect(String(second)).toContain("etcdctl defrag");
    expect(await isThere("full")).toBe(false);
    await expect(client.grantLease(5)).rejects.toThrow(EtcdAlarm);
    expect((await client.range({ key: bytes("late") })).kvs).toHaveLength(1);

    const { revision } = await client.txn({
      compare: [],
      success: [{ kind: "delete", key: bytes("fill/"), end: bytes("fill0") }],
    });
    await client.compact(revision);
    const caller = new EtcdCaller({ endpoints: etcd.endpoints });
    const operator = new EtcdOperator(caller);
    // Compaction goes on in the background; only what it has freed already is given back.
    do await operator.defragment();
    while ((await operator.status()).databaseBytes > QUOTA_BYTES / 4);
    for (const alarm of await operator.alarms()) await operator.disarm(alarm);
    caller.close();
    await write(client, "room again");
    expect(await isThere("room again")).toBe(true);
  });
});
