/** A log in etcd that somebody has damaged: what is found, who is told, and what is done instead. */
import { Buffer } from "node:buffer";
import { describe, expect, test, vi } from "vitest";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import type { EtcdLogOptions } from "../../src/host/store/etcd/etcd-log.ts";
import { EtcdKept } from "../../src/host/backup/etcd-kept.ts";
import { LogDamaged, LogOfOtherFormat } from "../../src/host/store/log-store.ts";
import { contentOf, History, ledgerOf } from "./a-history.ts";
import { aLocalEtcd, placeIn } from "./a-local-etcd.ts";
import { gather } from "../backup/a-stored-log.ts";
import { Heard } from "./shared-log-contract.ts";

const etcd = aLocalEtcd();
/** It ends a hang and measures nothing. */
const PATIENCE = { timeout: 120_000, interval: 10 };

/** One that writes, and another that finds what became of it. */
async function begin(options: EtcdLogOptions = {}) {
  const place = placeIn(etcd, options);
  const log = await place.open();
  const other = await place.open();
  const close = () => Promise.all([log.close(), other.close()]);
  return { place, log, other, history: new History(), close };
}

const spoil = async (key: Uint8Array, change: (value: Buffer) => Buffer | undefined) => {
  const { kvs } = await etcd.client.range({ key });
  const value = change(Buffer.from(kvs[0]!.value));
  const operation = value
    ? ({ kind: "put", key, value } as const)
    : ({ kind: "delete", key } as const);
  await etcd.client.txn({ compare: [], success: [operation] });
};
const flip = (value: Buffer): Buffer => {
  value.writeUInt8(value.readUInt8(value.length - 2) ^ 1, value.length - 2);
  return value;
};

describe("a log with damage", () => {
  const damages: readonly {
    readonly what: string;
    readonly says: RegExp;
    readonly at: number | "head" | "meta" | "epoch";
    readonly change: (value: Buffer) => Buffer | undefined;
  }[] = [
    {
      what: "[LG9] a batch that was changed",
      says: /log\/0+3 the checksum of revisions 3 to 4 is wrong/,
      at: 3,
      change: flip,
    },
    {
      what: "[LG9] a batch that is missing",
      says: /a batch of 5 to 6 comes after revision 2/,
      at: 3,
      change: () => undefined,
    },
    {
      what: "[LG9] the last batch missing",
      says: /end of the log is recorded as revision 6 .* ends at 4/,
      at: 5,
      change: () => undefined,
    },
    {
      what: "[LG9] the end missing",
      says: /meta, head or epoch is missing/,
      at: "head",
      change: () => undefined,
    },
    {
      what: "[LG9] the beginning moved",
      says: /meta the record of the start of the log is damaged/,
      at: "meta",
      change: (value) => Buffer.from(value.toString().replace('"oldest":0', '"oldest":1')),
    },
    {
      what: "[LG9] an epoch that was turned back",
      says: /is of epoch 2, but the newest is 1/,
      at: "epoch",
      change: () => Buffer.from('{"epoch":1}'),
    },
  ];
  test("[LG22] a newer format is refused with what to do, and nothing is written", async () => {
    const { place, log, other, history, close } = await begin();
    await log.claim();
    await log.append(1, history.next(1, 2));
    await spoil(place.layout.meta, (value) =>
      Buffer.from(value.toString().replace('"format":3', '"format":7')),
    );
    const all = async () => (await etcd.client.range(place.layout.everything())).kvs;
    const before = await all();
    const says =
      /meta it is written in format 7 by a newer version of Berth, and this version \(\S+\) reads the formats 1 to 3\. Run the version of Berth that wrote it, or a newer one\. Nothing was changed\.$/;
    const refusals = [
      await other.claim().catch((error: unknown) => error),
      await place.open().catch((error: unknown) => error),
      await gather(new EtcdKept(etcd.client, place.layout).parts()).catch(
        (error: unknown) => error,
      ),
    ];
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(LogOfOtherFormat);
      expect(String(refusal)).toMatch(says);
    }
    expect(await all()).toEqual(before);
    await close();
  });
  for (const { what, says, at, change } of damages) {
    test(`${what} is found, and nothing is loaded`, async () => {
      const { place, log, other, history, close } = await begin();
      await log.claim();
      await log.claim();
      for (let batch = 0; batch < 3; batch += 1) await log.append(2, history.next(2, 2));
      await spoil(typeof at === "number" ? place.layout.batch(at) : place.layout[at], change);
      const refusal: unknown = await other.claim().catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(LogDamaged);
      expect(String(refusal)).toMatch(says);
      expect(String(refusal)).toContain("restore the newest backup");
      await close();
    });
  }

  test("[LG9] a follower tells what was found instead of it, and nothing after that", async () => {
    const { place, log, other, history, close } = await begin();
    await log.claim();
    for (let batch = 0; batch < 3; batch += 1) await log.append(1, history.next(1, 2));
    await spoil(place.layout.batch(3), flip);
    const heard = new Heard();
    other.follow(undefined, heard.tell);
    await vi.waitFor(() => expect(heard.news).toHaveLength(1), PATIENCE);
    const [news] = heard.news;
    expect(news?.kind === "damaged" && news.error).toBeInstanceOf(LogDamaged);
    await log.append(1, history.next(1, 2));
    expect(await other.end()).toBe(8);
    expect(heard.news).toHaveLength(1);
    await close();
  });

  test("[LG7] a snapshot gone bad is passed over, and a note says so", async () => {
    const notes: string[] = [];
    const options = { keptRevisions: 2, onNote: (text: string) => notes.push(text) };
    const { place, log, other, history, close } = await begin(options);
    await log.claim();
    await log.append(1, history.next(1, 6));
    await log.compact(1, history.snapshot());
    await log.append(1, history.next(1, 6));
    await log.compact(1, history.snapshot());
    const { kvs } = await etcd.client.range(place.layout.allPieces());
    await spoil(kvs.at(-1)!.key, flip);
    const claimed = await other.claim();
    expect(claimed.snapshot?.revision).toBe(6);
    expect(contentOf(takeSnapshot(ledgerOf(claimed)))).toEqual(contentOf(history.snapshot()));
    expect(notes.join()).toMatch(
      /snapshot at .*snapshot\/0+c is damaged: loaded that of 6 instead/,
    );
    await close();
  });
});
