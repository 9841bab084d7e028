/**
 * A client of a real etcd between which and the log things go wrong on order: answers are lost, transactions are
 * held up on their way, watches begin late.
 */
import { Buffer } from "node:buffer";
import {
  type EtcdApi,
  EtcdUnavailable,
  EtcdUnknown,
  type RangeAsk,
  type Txn,
  type TxnAnswer,
  type WatchAsk,
  type Watching,
} from "../../src/host/etcd/etcd-api.ts";
import { deferred } from "../../src/cli/deferred.ts";
import type { AppendFault } from "../../src/host/store/memory-log.ts";

/** A transaction that is on its way and has not arrived. */
export interface HeldUp {
  /** Resolves when it has been sent. */
  readonly sent: Promise<void>;
  /** Lets it arrive, and resolves when etcd has answered. */
  release(): Promise<TxnAnswer>;
}

export class FaultyEtcd implements EtcdApi {
  private readonly api: EtcdApi;
  private readonly faults: AppendFault[] = [];
  private readonly holds: { sent(txn: Txn): void; readonly matches: (txn: Txn) => boolean }[] = [];
  private watches: Promise<void> = Promise.resolve();
  /** So many renewals of a lease are never answered. */
  unansweredRenewals = 0;
  /** Told of every transaction before it is sent. */
  onTxn: (txn: Txn) => void | Promise<void> = () => {};

  constructor(api: EtcdApi) {
    this.api = api;
  }

  /** Each fault ordered meets one transaction that makes a batch part of the log, in order. */
  orderFault(fault: AppendFault): void {
    this.faults.push(fault);
  }

  /** The next such transaction is held up; whoever sent it is told that the answer was lost. */
  holdUp(matches: (txn: Txn) => boolean = isCommit): HeldUp {
    let held: Txn | undefined;
    const sent = new Promise<void>((resolve) => {
      this.holds.push({
        matches,
        sent: (txn) => {
          held = txn;
          resolve();
        },
      });
    });
    return { sent, release: () => this.api.txn(held!) };
  }

  /** Watches that are asked for from here on begin only when what this returns is called, from where they were asked for. */
  delayWatches(): () => void {
    const { promise, resolve } = deferred<void>();
    this.watches = promise;
    return () => resolve();
  }

  async txn(txn: Txn): Promise<TxnAnswer> {
    await this.onTxn(txn);
    const at = this.holds.findIndex(({ matches }) => matches(txn));
    if (at >= 0) {
      this.holds.splice(at, 1)[0]?.sent(txn);
      throw new EtcdUnknown("A test held this transaction up.");
    }
    const fault = isCommit(txn) ? this.faults.shift() : undefined;
    if (fault === "unavailable") throw new EtcdUnavailable("A test ordered this fault.");
    const answer = fault === "lost-unknown" ? undefined : await this.api.txn(txn);
    if (fault === undefined && answer !== undefined) return answer;
    throw new EtcdUnknown("A test ordered this fault.");
  }

  watch(ask: WatchAsk): Watching {
    let watching: Watching | undefined;
    let isStopped = false;
    const begin = async (after: Promise<void>): Promise<void> => {
      await after;
      if (!isStopped) watching = this.api.watch(ask);
    };
    void begin(this.watches);
    return {
      stop: () => {
        isStopped = true;
        watching?.stop();
      },
    };
  }

  range(ask: RangeAsk) {
    return this.api.range(ask);
  }

  compact(revision: bigint) {
    return this.api.compact(revision);
  }

  grantLease(ttlSeconds: number) {
    return this.api.grantLease(ttlSeconds);
  }

  renewLease(id: bigint): Promise<number> {
    if (this.unansweredRenewals === 0) return this.api.renewLease(id);
    this.unansweredRenewals -= 1;
    return new Promise<number>(() => {});
  }

  revokeLease(id: bigint) {
    return this.api.revokeLease(id);
  }

  close(): void {
    this.api.close();
  }
}

const textOf = (key: Uint8Array): string => Buffer.from(key).toString();

/** Moves the end of the log on: the step that makes a batch part of it. */
export const isCommit = ({ compare }: Txn): boolean =>
  compare.some((each) => "value" in each && textOf(each.key).endsWith("/head"));

/** Takes an epoch. */
export const isTake = ({ compare }: Txn): boolean =>
  compare.some(({ key }) => textOf(key).endsWith("/epoch"));

const puts =
  (folder: string) =>
  (txn: Txn): boolean =>
    txn.success.some((each) => each.kind === "put" && textOf(each.key).includes(`/${folder}/`));

/** Writes a part of a batch. */
export const isPart = puts("part");
/** Writes a piece of a snapshot. */
export const isPiece = puts("piece");
/** Makes a snapshot count. */
export const isMark = puts("snapshot");
