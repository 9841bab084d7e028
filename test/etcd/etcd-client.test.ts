/** Every call against a real etcd, compared with etcd's own client where that can tell. */
import { execFileSync } from "node:child_process";
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { EtcdCaller } from "../../src/host/etcd/etcd-caller.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdOperator } from "../../src/host/etcd/etcd-operator.ts";
import { EtcdRefused } from "../../src/host/etcd/etcd-refused.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { bytes, put, texts, until } from "./etcd-words.ts";

const etcd = new LocalEtcd({ folder: scratchFolder(), members: 1 });
let client: EtcdClient;

beforeAll(async () => {
  await etcd.start();
  client = new EtcdClient({ endpoints: etcd.endpoints });
});
afterAll(async () => {
  client.close();
  await etcd.kill();
});

const etcdctl = (...args: readonly string[]): string =>
  execFileSync("etcdctl", [`--endpoints=${etcd.endpoints[0]}`, ...args], {
    encoding: "utf8",
    env: { ...process.env, ETCDCTL_API: "3" },
  });

interface CtlKeyValue {
  readonly key: string;
  readonly create_revision: string;
  readonly mod_revision: string;
  readonly version: string;
  readonly value?: string;
  readonly lease?: string;
}

/** Numbers become texts before they are parsed: they may have 64 bits. */
const parseWide = (json: string): { readonly kvs?: readonly CtlKeyValue[] } =>
  JSON.parse(json.replace(/:(\d+)/g, ':"$1"')) as { kvs?: readonly CtlKeyValue[] };

describe("keys and values", () => {
  test("property: what is written by transactions is what etcd's own client reads, every field of it", async () => {
    const lease = await client.grantLease(600);
    expect(lease.id).toBeGreaterThan(2n ** 53n);
    const entries = fc.uniqueArray(
      fc.record({
        key: fc.uint8Array({ minLength: 1, maxLength: 40 }),
        value: fc.uint8Array({ maxLength: 300 }),
        leased: fc.boolean(),
      }),
      { minLength: 1, maxLength: 20, selector: ({ key }) => Buffer.from(key).toString("hex") },
    );
    await fc.assert(
      fc.asyncProperty(entries, async (drawn) => {
        await client.txn({
          compare: [],
          success: drawn.map(({ key, value, leased }) => ({
            kind: "put",
            key: Buffer.concat([bytes("p/"), key]),
            value,
            ...(leased ? { lease: lease.id } : {}),
          })),
        });
      }),
      { numRuns: 40 },
    );
    const seen = await client.range({ key: bytes("p/"), end: bytes("p0") });
    const { kvs = [] } = parseWide(etcdctl("get", "--prefix", "p/", "-w", "json"));
    const told = kvs.map((kv) => ({
      key: Buffer.from(kv.key, "base64").toString("hex"),
      value: Buffer.from(kv.value ?? "", "base64").toString("hex"),
      createRevision: BigInt(kv.create_revision),
      modRevision: BigInt(kv.mod_revision),
      version: BigInt(kv.version),
      lease: BigInt(kv.lease ?? "0"),
    }));
    const read = seen.kvs.map((kv) => ({
      ...kv,
      key: Buffer.from(kv.key).toString("hex"),
      value: Buffer.from(kv.value).toString("hex"),
    }));
    expect(read.length).toBeGreaterThan(40);
    expect(read).toEqual(told);
  });

  test("what etcd's own client writes is read, in either order, limited, by keys only, and as of a revision", async () => {
    for (const name of ["a", "b", "c"]) etcdctl("put", `r/${name}`, `value of ${name}`);
    const all = { key: bytes("r/"), end: bytes("r0") };
    const now = await client.range(all);
    expect(texts(now)).toEqual(["r/a=value of a", "r/b=value of b", "r/c=value of c"]);
    expect(texts(await client.range({ ...all, order: "descending" }))).toEqual(
      texts(now).toReversed(),
    );
    const two = await client.range({ ...all, limit: 2, keysOnly: true });
    expect(texts(two)).toEqual(["r/a=", "r/b="]);
    expect([now.more, two.more]).toEqual([false, true]);
    etcdctl("put", "r/b", "another value");
    expect(texts(await client.range({ ...all, revision: now.revision }))).toEqual(texts(now));
    expect(texts(await client.range({ key: bytes("r/b") }))).toEqual(["r/b=another value"]);
  });

  test("a transaction does all of one side, by each kind of comparison", async () => {
    const { id } = await client.grantLease(600);
    const key = bytes("t/a");
    await client.txn({ compare: [], success: [{ kind: "put", key, value: bytes(""), lease: id }] });
    const [kv] = (await client.range({ key })).kvs;
    const holds = async (compare: Parameters<EtcdClient["txn"]>[0]["compare"][number]) =>
      (await client.txn({ compare: [compare], success: [] })).succeeded;
    expect(await holds({ key, value: bytes("") })).toBe(true);
    expect(await holds({ key, value: bytes("x") })).toBe(false);
    expect(await holds({ key, createRevision: kv!.createRevision })).toBe(true);
    expect(await holds({ key, createRevision: 0n })).toBe(false);
    expect(await holds({ key: bytes("t/none"), createRevision: 0n })).toBe(true);
    expect(await holds({ key, modRevision: kv!.modRevision })).toBe(true);
    expect(await holds({ key, modRevision: kv!.modRevision + 1n })).toBe(false);
    expect(await holds({ key, lease: id })).toBe(true);
    expect(await holds({ key, lease: id - 1n })).toBe(false);
    const one = await client.txn({
      compare: [{ key, value: bytes("x") }],
      success: [put("t/b", "yes")],
      failure: [put("t/c", "no"), { kind: "range", key: bytes("t/"), end: bytes("t0") }],
    });
    expect(one.ranges.map(texts)).toEqual([["t/a=", "t/c=no"]]);
    const gone = await client.txn({
      compare: [],
      success: [{ kind: "delete", key: bytes("t/"), end: bytes("t0") }],
    });
    expect(gone.succeeded && gone.revision > one.revision).toBe(true);
    expect(etcdctl("get", "--prefix", "t/")).toBe("");
  });

  test("a value as large as a request may be goes there and back, and a larger one is surely not written", async () => {
    const value = Buffer.alloc(1_500_000, 7);
    const key = bytes("large");
    await client.txn({ compare: [], success: [{ kind: "put", key, value }] });
    expect(Buffer.compare((await client.range({ key })).kvs[0]!.value, value)).toBe(0);
    for (const tooMuch of [1_600_000, 5_000_000]) {
      const larger = { kind: "put", key: bytes("larger"), value: Buffer.alloc(tooMuch) } as const;
      await expect(client.txn({ compare: [], success: [larger] })).rejects.toThrow(EtcdRefused);
    }
    expect((await client.range({ key: bytes("larger") })).kvs).toEqual([]);
  });

  test("a put under a lease that is gone is refused and writes nothing", async () => {
    const doomed = { ...put("leaseless", "x"), lease: 12_345n };
    await expect(client.txn({ compare: [], success: [put("other", "y"), doomed] })).rejects.toThrow(
      "requested lease not found",
    );
    expect((await client.range({ key: bytes("other") })).kvs).toEqual([]);
  });

  test("a hundred calls at once all get their own answers", async () => {
    const names = Array.from({ length: 100 }, (_, at) => `many/${at}`);
    await Promise.all(names.map((name) => client.txn({ compare: [], success: [put(name, name)] })));
    const read = await Promise.all(names.map((name) => client.range({ key: bytes(name) })));
    expect(read.flatMap(texts)).toEqual(names.map((name) => `${name}=${name}`));
  });
});

describe("leases", () => {
  test("one is granted, renewed and revoked, its keys go with it, and etcd's own client agrees", async () => {
    const { id, ttlSeconds } = await client.grantLease(60);
    expect(ttlSeconds).toBe(60);
    await client.txn({ compare: [], success: [{ ...put("leased", "x"), lease: id }] });
    expect(etcdctl("lease", "timetolive", "--keys", id.toString(16))).toContain("keys([leased])");
    expect(await client.renewLease(id)).toBe(60);
    await client.revokeLease(id);
    expect((await client.range({ key: bytes("leased") })).kvs).toEqual([]);
    expect(await client.renewLease(id)).toBe(0);
    // Once more is as good as once.
    await client.revokeLease(id);
  });
});

describe("watches", () => {
  test("whole revisions come in order, also when etcd has to cut them, and deletions without a value", async () => {
    const told: string[] = [];
    const { revision } = await client.range({ key: bytes("w/") });
    const watching = client.watch({
      key: bytes("w/"),
      end: bytes("w0"),
      from: revision + 1n,
      onEvents: (events, at) =>
        told.push(
          `${at - revision}: ${events.map(({ kind, kv }) => `${kind} ${Buffer.from(kv.key).toString()} ${kv.value.length}`).join(", ")}`,
        ),
      onCompacted: (at) => told.push(`compacted ${at}`),
    });
    await client.txn({ compare: [], success: [put("w/a", "1"), put("w/b", "22")] });
    await client.txn({ compare: [], success: [put("elsewhere", "")] });
    await client.txn({ compare: [], success: [{ kind: "delete", key: bytes("w/a") }] });
    await until(() => told.length === 2);
    watching.stop();
    expect(told).toEqual(["1: put w/a 1, put w/b 2", "3: delete w/a 0"]);
    // 13 keys of 100 kB are written in one revision twice over; more than one message may hold.
    const large = Buffer.alloc(100_000);
    for (const turn of [0, 1]) {
      const keys = Array.from({ length: 13 }, (_, at) => bytes(`w/${turn}${at}`));
      await client.txn({
        compare: [],
        success: keys.map((key) => ({ kind: "put", key, value: large })),
      });
    }
    const sizes: number[] = [];
    const again = client.watch({
      key: bytes("w/"),
      end: bytes("w0"),
      from: revision + 4n,
      onEvents: (events) => sizes.push(events.length),
      onCompacted: () => sizes.push(-1),
    });
    await until(() => sizes.length === 2);
    again.stop();
    expect(sizes).toEqual([13, 13]);
  });

  test("a watch from what was compacted says so once and is over; a read from there is refused", async () => {
    const { revision } = await client.txn({ compare: [], success: [put("x", "1")] });
    const { revision: last } = await client.txn({ compare: [], success: [put("x", "2")] });
    await client.compact(last);
    // Somebody may have done it already; that is as good.
    await client.compact(last);
    const compacted: bigint[] = [];
    client.watch({
      key: bytes("x"),
      from: revision,
      onEvents: () => compacted.push(-1n),
      onCompacted: (at) => compacted.push(at),
    });
    await until(() => compacted.length > 0);
    await expect(client.range({ key: bytes("x"), revision })).rejects.toThrow("compacted");
    expect(compacted).toEqual([last]);
    await expect(client.compact(last + 1_000n)).rejects.toThrow("future revision");
  });
});

describe("looking after etcd", () => {
  test("status, alarms and defragmenting work", async () => {
    const caller = new EtcdCaller({ endpoints: etcd.endpoints });
    const operator = new EtcdOperator(caller);
    const status = await operator.status();
    expect(status).toMatchObject({ isLeader: true });
    expect(etcdctl("endpoint", "status")).toContain(status.version);
    expect(status.revision).toBe((await client.range({ key: bytes("x") })).revision);
    expect(status.databaseBytes).toBeGreaterThanOrEqual(status.databaseBytesInUse);
    expect(await operator.alarms()).toEqual([]);
    await operator.defragment();
    caller.close();
  });

  test("a closed client refuses everything at once", async () => {
    // Longer than the test may take: nothing may wait for it.
    const closed = new EtcdClient({ endpoints: etcd.endpoints, deadlineMs: 600_000 });
    closed.close();
    await expect(closed.txn({ compare: [], success: [put("z", "")] })).rejects.toThrow("closed");
  });
});
