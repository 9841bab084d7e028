/**
 * Who may write. The leader's key is written anew with every epoch and goes with its lease, so its
 * revision stands for one epoch of one plane: every write compares it, and one that etcd does late,
 * after a newer epoch was taken, finds another revision there and does nothing.
 */
import { assert } from "../../../core/model/assert.ts";
import type { Epoch } from "../../../core/model/ids.ts";
import type {
  Compare,
  EtcdApi,
  KeyValue,
  Txn,
  TxnAnswer,
  TxnOperation,
} from "../../etcd/etcd-api.ts";
import { LogUnavailable } from "../log-store.ts";
import type { Leader, PlaneAddress } from "../shared-log.ts";
import { damaged } from "./etcd-log-errors.ts";
import { LeaderLease } from "./leader-lease.ts";
import { LeaderWatch } from "./leader-watch.ts";
import type { LogLayout } from "./log-layout.ts";
import { type LogReader, readBounds } from "./log-reader.ts";
import {
  EMPTY_HEAD,
  EMPTY_META,
  epochValue,
  type Head,
  headValue,
  isOlderMeta,
  leaderValue,
  type Meta,
  metaValue,
  readEpoch,
  readHead,
  readMeta,
} from "./stored-values.ts";

/** An epoch that this plane took and may still have. */
export interface Held {
  readonly epoch: Epoch;
  /** Etcd's revision of the leader's key: what every write compares. */
  readonly token: bigint;
}

export interface Taken extends Held {
  /** Where the log ended: the leader before can append no more. */
  readonly head: Head;
}

/** The state found when a write was rejected. */
interface Found {
  readonly newest: Epoch;
  readonly leader: KeyValue | undefined;
  readonly head: Head;
}

export type Written =
  | { readonly done: true; readonly revision: bigint }
  /** Not the leader: `fenced`. Otherwise something else was compared and did not hold. */
  | { readonly done: false; readonly fenced: boolean; readonly head: Head };

export class Leadership {
  readonly watch: LeaderWatch;
  private readonly api: EtcdApi;
  private readonly layout: LogLayout;
  private readonly reader: LogReader;
  private readonly ttlSeconds: number;
  private lease: LeaderLease | undefined;
  private holding: Held | undefined;
  private taking: Promise<unknown> = Promise.resolve();
  private isClosed = false;

  constructor(api: EtcdApi, of: { layout: LogLayout; reader: LogReader; ttlSeconds: number }) {
    this.api = api;
    this.layout = of.layout;
    this.reader = of.reader;
    this.ttlSeconds = of.ttlSeconds;
    this.watch = new LeaderWatch(api, of.layout);
    this.watch.onLeader(() => this.checkHeld());
  }

  get leadsUntilMs(): number {
    return this.holding === undefined ? 0 : (this.lease?.untilMs ?? 0);
  }

  /** The epoch that this plane leads under, as far as it knows. */
  get held(): Held | undefined {
    return this.holding;
  }

  async lead(as: PlaneAddress, signal: AbortSignal): Promise<Taken | undefined> {
    for (;;) {
      if (signal.aborted) return undefined;
      const answer = await this.take(as, "when-free");
      if ("token" in answer) {
        if (!signal.aborted) return answer;
        // It has no waiter any more, and must not keep others waiting.
        await this.resign();
        return undefined;
      }
      await this.giveUpLease();
      await this.watch.gone(answer.since, signal);
    }
  }

  /**
   * A new epoch: always, or only while no other plane leads. What it compares changes with every
   * epoch, so one whose answer was lost cannot come to hold after a later one.
   */
  take(as: PlaneAddress, when: "always" | "when-free"): Promise<Taken | { since: bigint }> {
    // One after the other: two at a time would each want a lease.
    const done = this.taking.then(() => this.takeNow(as, when));
    this.taking = done.catch(() => {});
    return done;
  }

  private async takeNow(
    as: PlaneAddress,
    when: "always" | "when-free",
  ): Promise<Taken | { since: bigint }> {
    for (;;) {
      if (this.isClosed) throw new LogUnavailable("Cannot lead: the log was closed.");
      const { leader: key } = this.layout;
      const look = await this.reader.look(...this.reader.bounds(), { key }, this.anyBatch());
      const [metaKv, , epochKv, leaderKv] = look.ranges.map(({ kvs }) => kvs[0]);
      const isOwn = leaderKv !== undefined && leaderKv.lease === this.lease?.id;
      if (when === "when-free" && leaderKv !== undefined && !isOwn) return { since: look.revision };
      const lease = await this.livingLease();
      const epoch = readEpoch(epochKv) + 1;
      const leader = { epoch, name: as.name, url: as.url };
      // Every leader takes an epoch, so this also says that the leader is unchanged or gone.
      const compare = [{ key: this.layout.epoch, modRevision: epochKv?.modRevision ?? 0n }];
      this.checkBounds(look);
      const success: TxnOperation[] = [
        { kind: "put", key: this.layout.epoch, value: epochValue(epoch) },
        { kind: "put", key, value: leaderValue(leader), lease: lease.id },
        ...(epochKv === undefined ? this.firstPuts() : []),
        ...(isOlderMeta(metaKv) ? [this.raisedFormat(readMeta(metaKv))] : []),
        { kind: "range", key: this.layout.head },
      ];
      const answer = await this.api.txn({ compare, success });
      if (!answer.succeeded) continue;
      const head = readHead(answer.ranges[0]?.kvs[0]);
      return this.hold(leader, { lease, head, revision: answer.revision });
    }
  }

  /**
   * One transaction that does nothing unless this epoch still leads and what else is compared
   * holds.
   */
  write(
    held: Held,
    success: readonly TxnOperation[],
    compare: readonly Compare[] = [],
  ): Promise<Written> {
    return this.send(held, { compare, success });
  }

  /**
   * The same, sent again when its answer is lost: not done may then mean that an earlier try was.
   */
  writeGuarded(
    held: Held,
    success: readonly TxnOperation[],
    compare: readonly Compare[],
  ): Promise<Written> {
    return this.send(held, { compare, success, isGuarded: true });
  }

  private async send(held: Held, txn: Txn): Promise<Written> {
    const { leader, epoch, head } = this.layout;
    const answer = await this.api.txn({
      ...txn,
      compare: [{ key: leader, modRevision: held.token }, ...txn.compare],
      failure: [epoch, leader, head].map((key) => ({ kind: "range", key })),
    });
    if (answer.succeeded) return { done: true, revision: answer.revision };
    return { done: false, ...this.check(held.epoch, foundIn(answer)) };
  }

  /** The same question without a write. */
  async ask(epoch: Epoch): Promise<{ readonly fenced: boolean; readonly head: Head }> {
    const keys = [this.layout.epoch, this.layout.leader, this.layout.head];
    return this.check(epoch, foundIn(await this.reader.look(...keys.map((key) => ({ key })))));
  }

  /** Local at once; etcd ends the lease by itself when it cannot be told. */
  async resign(): Promise<void> {
    this.holding = undefined;
    await this.giveUpLease();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.watch.stop();
    await this.taking;
    await this.resign();
  }

  private check(epoch: Epoch, { newest, leader, head }: Found): { fenced: boolean; head: Head } {
    assert(epoch <= newest, `Epoch ${epoch} was never claimed: the newest is ${newest}.`);
    const { holding } = this;
    const isHeld = holding?.epoch === epoch && holding.token === leader?.modRevision;
    // A key that is not under our lease any more is somebody else's to take, so the lease is of no
    // use.
    if (holding?.epoch === epoch && leader?.lease !== this.lease?.id) this.lose();
    return { fenced: !isHeld, head };
  }

  private hold(leader: Leader, of: { lease: LeaderLease; head: Head; revision: bigint }): Taken {
    const { epoch } = leader;
    const held = { epoch, token: of.revision };
    this.holding = held;
    const kv: KeyValue = {
      key: this.layout.leader,
      value: leaderValue(leader),
      createRevision: of.revision,
      modRevision: of.revision,
      version: 1n,
      lease: of.lease.id,
    };
    this.watch.learn(kv, of.revision);
    // Somebody may have taken it since, and the watch may have said so before the answer came.
    this.checkHeld();
    return { ...held, head: of.head };
  }

  private checkHeld(): void {
    if (this.holding !== undefined && this.watch.lease !== this.lease?.id) this.lose();
  }

  private lose(): void {
    this.holding = undefined;
    void this.giveUpLease();
  }

  private async livingLease(): Promise<LeaderLease> {
    // Nearly over is as good as over: what is taken under it would be lost at once.
    if (this.lease !== undefined && !this.lease.isAlive) await this.giveUpLease();
    this.lease ??= await LeaderLease.grant(this.api, {
      ttlSeconds: this.ttlSeconds,
      onLost: () => {
        this.lease = undefined;
        this.holding = undefined;
      },
    });
    return this.lease;
  }

  private async giveUpLease(): Promise<void> {
    const { lease } = this;
    this.lease = undefined;
    try {
      await lease?.revoke();
    } catch {
      // It ends by itself.
    }
  }

  private anyBatch() {
    return { ...this.layout.batches(), limit: 1, keysOnly: true };
  }

  /** A damaged log has no leader, and none is begun over the remains of another. */
  private checkBounds(look: TxnAnswer): void {
    readBounds(look);
    const stray = look.ranges[2]?.kvs[0] === undefined ? look.ranges[4]?.kvs[0] : undefined;
    if (stray === undefined) return;
    throw damaged(
      this.layout.text(stray.key),
      "is a batch, and the keys for the start and end of the log are missing",
    );
  }

  private raisedFormat(meta: Meta): TxnOperation {
    return { kind: "put", key: this.layout.meta, value: metaValue(meta) };
  }

  private firstPuts(): TxnOperation[] {
    return [
      { kind: "put", key: this.layout.meta, value: metaValue(EMPTY_META) },
      { kind: "put", key: this.layout.head, value: headValue(EMPTY_HEAD) },
    ];
  }
}

function foundIn({ ranges }: TxnAnswer): Found {
  const [epoch, leader, head] = ranges.map(({ kvs }) => kvs[0]);
  return { newest: readEpoch(epoch), leader, head: readHead(head) };
}
