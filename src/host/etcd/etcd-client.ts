/**
 * Etcd over the network, as Berth uses it: docs/adr/0008-an-etcd-client-of-our-own.md says why it
 * is our own.
 */
import {
  EtcdAlarm,
  type EtcdApi,
  EtcdUnknown,
  type RangeAnswer,
  type RangeAsk,
  type Txn,
  type TxnAnswer,
  type TxnOperation,
  type Watching,
  type WatchAsk,
} from "./etcd-api.ts";
import { alarmText, type Effect, EtcdCaller, type EtcdCallerOptions } from "./etcd-caller.ts";
import { EtcdOperator } from "./etcd-operator.ts";
import { EtcdRefused } from "./etcd-refused.ts";
import { NO_SPACE } from "./etcd-verdict.ts";
import { EtcdWatch } from "./etcd-watch.ts";
import { decodeRange, decodeTxn, encodeCompact, encodeRange, encodeTxn } from "./kv-messages.ts";
import { decodeLease, encodeGrant, encodeLease } from "./lease-messages.ts";

export interface EtcdClientOptions extends EtcdCallerOptions {
  /**
   * Told what a person should know: a watch that had to look for another member, or that is
   * refused.
   */
  readonly onNote?: (sentence: string) => void;
}

export class EtcdClient implements EtcdApi {
  private readonly caller: EtcdCaller;
  private readonly operator: EtcdOperator;
  private readonly onNote: (sentence: string) => void;
  private readonly watches = new Set<EtcdWatch>();
  /** Etcd has said that it is full, and has not been seen to have room since. */
  private isFull = false;

  constructor(options: EtcdClientOptions) {
    this.caller = new EtcdCaller(options);
    this.operator = new EtcdOperator(this.caller);
    this.onNote = options.onNote ?? (() => {});
  }

  async range(ask: RangeAsk): Promise<RangeAnswer> {
    const answer = await this.caller.call({
      what: "to read",
      path: "/etcdserverpb.KV/Range",
      message: encodeRange(ask),
      effect: "none",
    });
    return decodeRange(answer);
  }

  async txn(txn: Txn): Promise<TxnAnswer> {
    const operations = [...txn.success, ...(txn.failure ?? [])];
    if (operations.some(({ kind }) => kind === "put")) await this.assertRoom();
    try {
      const answer = await this.caller.call({
        what: "for a transaction",
        path: "/etcdserverpb.KV/Txn",
        message: encodeTxn(txn),
        effect: effectOf(txn, operations),
      });
      return decodeTxn(answer);
    } catch (error) {
      if (error instanceof EtcdUnknown && error.message.includes(NO_SPACE)) this.isFull = true;
      throw error;
    }
  }

  watch(ask: WatchAsk): Watching {
    const watch = new EtcdWatch(ask, this.caller, this.onNote);
    this.watches.add(watch);
    return {
      stop: () => {
        watch.stop();
        this.watches.delete(watch);
      },
    };
  }

  async compact(revision: bigint): Promise<void> {
    try {
      await this.caller.call({
        what: `to compact up to revision ${revision}`,
        path: "/etcdserverpb.KV/Compact",
        message: encodeCompact(revision),
        effect: "repeatable",
      });
    } catch (error) {
      // Somebody else has, or our own first try did: the goal is reached.
      if (!isRefusal(error, "has been compacted")) throw error;
    }
  }

  async grantLease(ttlSeconds: number): Promise<{ id: bigint; ttlSeconds: number }> {
    // A lease that was granted without our hearing of it holds nothing and ends by itself.
    const answer = await this.caller.call({
      what: "for a lease",
      path: "/etcdserverpb.Lease/LeaseGrant",
      message: encodeGrant(ttlSeconds),
      effect: "repeatable",
    });
    return decodeLease(answer);
  }

  async renewLease(id: bigint): Promise<number> {
    // A stream by its definition; one question and one answer on it are a call like any other.
    const answer = await this.caller.call({
      what: "to renew a lease",
      path: "/etcdserverpb.Lease/LeaseKeepAlive",
      message: encodeLease(id),
      effect: "repeatable",
    });
    return Math.max(0, decodeLease(answer).ttlSeconds);
  }

  async revokeLease(id: bigint): Promise<void> {
    try {
      await this.caller.call({
        what: "to revoke a lease",
        path: "/etcdserverpb.Lease/LeaseRevoke",
        message: encodeLease(id),
        effect: "repeatable",
      });
    } catch (error) {
      if (!isRefusal(error, "lease not found")) throw error;
    }
  }

  close(): void {
    for (const watch of this.watches) watch.stop();
    this.watches.clear();
    this.caller.close();
  }

  /**
   * The answer "no space" leaves open whether the write happened. So once it was given, writes are
   * not even sent until the alarm is off, and "it did not happen" can be said of them with
   * certainty.
   */
  private async assertRoom(): Promise<void> {
    if (!this.isFull) return;
    const alarms = await this.operator.alarms();
    this.isFull = alarms.some(({ kind }) => kind === "nospace");
    if (this.isFull) throw new EtcdAlarm(alarmText(NO_SPACE));
  }
}

function effectOf({ isGuarded }: Txn, operations: readonly TxnOperation[]): Effect {
  if (operations.every(({ kind }) => kind === "range")) return "none";
  return isGuarded === true ? "guarded" : "once";
}

const isRefusal = (error: unknown, says: string): boolean =>
  error instanceof EtcdRefused && error.says.includes(says);
