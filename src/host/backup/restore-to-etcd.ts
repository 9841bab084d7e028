/**
 * Writes a log into an etcd that has nothing under its prefix. What makes it a log, its bounds, is
 * written last and only if no plane has taken the place meanwhile: until then no plane takes what
 * is there for one.
 */
import type { EtcdApi, TxnOperation } from "../etcd/etcd-api.ts";
import { CHAIN_START } from "../store/checksum.ts";
import { encodeValue, lineOf, PART_BYTES, splitBody } from "../store/etcd/batch-value.ts";
import { pack } from "../store/etcd/compression.ts";
import type { LogLayout } from "../store/etcd/log-layout.ts";
import { piecesOf } from "../store/etcd/snapshot-stream.ts";
import {
  epochValue,
  type Head,
  headValue,
  metaValue,
  snapshotMarkValue,
  valueOf,
} from "../store/etcd/stored-values.ts";
import { snapshotChunks } from "../store/snapshot-chunks.ts";
import type { KeptBatch } from "./kept-log.ts";
import { type RestoredLog, StoreNotEmpty } from "./restored-log.ts";

/** Below the 128 operations and the 1.5 MiB that etcd takes at once. */
const OPERATIONS_AT_ONCE = 100;
const NO_BODY = new Uint8Array();

/** Throws StoreNotEmpty when there is any key under the prefix. */
export async function assertEmptyEtcd(api: EtcdApi, layout: LogLayout): Promise<void> {
  const { kvs } = await api.range({ ...layout.everything(), limit: 1, keysOnly: true });
  const found = kvs[0];
  if (found === undefined) return;
  throw new StoreNotEmpty(
    `Etcd has the key ${layout.text(found.key)}. Nothing was changed. Restore under another prefix (etcd://HOST:PORT/PREFIX), or stop every plane and remove the old keys: etcdctl del --prefix ${layout.prefix}`,
  );
}

export async function restoreToEtcd(
  api: EtcdApi,
  layout: LogLayout,
  log: RestoredLog,
): Promise<void> {
  await assertEmptyEtcd(api, layout);
  await new EtcdRestore(api, layout, log).run();
}

class EtcdRestore {
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private readonly log: RestoredLog;
  private waiting: TxnOperation[] = [];
  private waitingBytes = 0;
  private end: Head;

  constructor(api: EtcdApi, layout: LogLayout, log: RestoredLog) {
    this.api = api;
    this.layout = layout;
    this.log = log;
    this.end = { revision: log.bounds.oldest, checksum: CHAIN_START };
  }

  async run(): Promise<void> {
    const { layout } = this;
    const { epoch, oldest } = this.log.bounds;
    // A concurrent restore finds this and gives up.
    await this.claimPlace();
    const marks = await this.writeSnapshots();
    for await (const batch of this.log.batches()) await this.writeBatch(batch);
    await this.flush();
    const { succeeded } = await this.api.txn({
      compare: this.nobodyCame(),
      success: [
        ...marks,
        { kind: "put", key: layout.meta, value: metaValue({ oldest, anchor: CHAIN_START }) },
        { kind: "put", key: layout.head, value: headValue(this.end) },
        { kind: "put", key: layout.epoch, value: epochValue(epoch) },
        { kind: "delete", key: layout.restoring },
      ],
    });
    if (!succeeded) throw this.taken();
  }

  private async claimPlace(): Promise<void> {
    const { restoring } = this.layout;
    const { succeeded } = await this.api.txn({
      compare: [...this.nobodyCame(), { key: restoring, createRevision: 0n }],
      success: [{ kind: "put", key: restoring, value: valueOf(this.log.bounds) }],
    });
    if (!succeeded) throw this.taken();
  }

  private nobodyCame() {
    const { leader, epoch, head, meta } = this.layout;
    return [leader, epoch, head, meta].map((key) => ({ key, createRevision: 0n }));
  }

  private taken(): StoreNotEmpty {
    const { prefix } = this.layout;
    return new StoreNotEmpty(
      `A plane or another restore wrote under ${prefix} meanwhile. Stop every plane, remove its keys (etcdctl del --prefix ${prefix}) and restore again.`,
    );
  }

  private async writeSnapshots(): Promise<TxnOperation[]> {
    const marks: TxnOperation[] = [];
    for (const [at, snapshot] of this.log.snapshots.entries()) {
      const { revision, epoch, leadSinceMs } = snapshot;
      const attempt = { epoch: this.log.bounds.epoch, attempt: at + 1 };
      let pieces = 0;
      let checksum = CHAIN_START;
      for await (const piece of piecesOf(snapshotChunks(snapshot))) {
        await this.put(this.layout.piece({ revision, ...attempt }, pieces), piece.value);
        pieces += 1;
        ({ checksum } = piece);
      }
      const { link, bounds } = this.log;
      const saysLink = link !== undefined && revision === bounds.oldest;
      const mark = {
        revision,
        epoch,
        leadSinceMs,
        at: attempt,
        pieces,
        checksum,
        ...(saysLink ? { link } : {}),
      };
      marks.push({
        kind: "put",
        key: this.layout.snapshot(revision),
        value: snapshotMarkValue(mark),
      });
    }
    return marks;
  }

  private async writeBatch({ first, last, epoch, body }: KeptBatch): Promise<void> {
    const packed = await pack(body);
    const line = lineOf(this.end, { first, last, epoch }, packed);
    this.end = { revision: last, checksum: line.checksum };
    if (packed.body.length <= PART_BYTES) {
      await this.put(this.layout.batch(first), encodeValue(line, packed.body));
      return;
    }
    const parts = splitBody(packed.body);
    const family = { revision: first, epoch, attempt: 1 };
    for (const [at, part] of parts.entries()) await this.put(this.layout.part(family, at), part);
    const whole = { ...line, parts: { attempt: 1, count: parts.length } };
    await this.put(this.layout.batch(first), encodeValue(whole, NO_BODY));
  }

  private async put(key: Uint8Array, value: Uint8Array): Promise<void> {
    const isFull = this.waiting.length >= OPERATIONS_AT_ONCE;
    if (isFull || this.waitingBytes + value.length > PART_BYTES) await this.flush();
    this.waiting.push({ kind: "put", key, value });
    this.waitingBytes += value.length;
  }

  private async flush(): Promise<void> {
    if (this.waiting.length === 0) return;
    const success = this.waiting;
    this.waiting = [];
    this.waitingBytes = 0;
    const { succeeded } = await this.api.txn({ compare: this.nobodyCame(), success });
    if (!succeeded) throw this.taken();
  }
}
