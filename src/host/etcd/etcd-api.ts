/**
 * What Berth uses of etcd, in Berth's own words. Keys and values are bytes; revisions and lease ids
 * are 64 bits wide and therefore bigint, because lease ids do not fit into a number.
 */

export interface KeyValue {
  readonly key: Uint8Array;
  readonly value: Uint8Array;
  readonly createRevision: bigint;
  readonly modRevision: bigint;
  /** 1 when it was created; counts its changes. */
  readonly version: bigint;
  readonly lease: bigint;
}

export interface RangeAsk {
  readonly key: Uint8Array;
  /** Exclusive; left out: only `key`. */
  readonly end?: Uint8Array;
  readonly limit?: number;
  /** As of this revision of etcd; left out: now. */
  readonly revision?: bigint;
  readonly order?: "ascending" | "descending";
  readonly keysOnly?: boolean;
}

export interface RangeAnswer {
  /** Etcd's revision when it was answered. */
  readonly revision: bigint;
  readonly kvs: readonly KeyValue[];
  readonly more: boolean;
}

export type Compare =
  | { readonly key: Uint8Array; readonly value: Uint8Array }
  | { readonly key: Uint8Array; readonly createRevision: bigint }
  | { readonly key: Uint8Array; readonly modRevision: bigint }
  | { readonly key: Uint8Array; readonly lease: bigint };

export type TxnOperation =
  | {
      readonly kind: "put";
      readonly key: Uint8Array;
      readonly value: Uint8Array;
      readonly lease?: bigint;
    }
  | { readonly kind: "delete"; readonly key: Uint8Array; readonly end?: Uint8Array }
  | ({ readonly kind: "range" } & RangeAsk);

export interface Txn {
  /** All of them must hold; a key that is not there has create revision 0. */
  readonly compare: readonly Compare[];
  readonly success: readonly TxnOperation[];
  readonly failure?: readonly TxnOperation[];
  /**
   * What it compares lets only one of several tries do anything, and its sender can tell whether it
   * was done: it is sent again, elsewhere, when an answer does not come.
   */
  readonly isGuarded?: true;
}

export interface TxnAnswer {
  readonly succeeded: boolean;
  readonly revision: bigint;
  /** The answers to the `range` operations among those that were done, in order. */
  readonly ranges: readonly RangeAnswer[];
}

export interface WatchAsk {
  readonly key: Uint8Array;
  readonly end?: Uint8Array;
  /** The first revision of etcd that is wanted. */
  readonly from: bigint;
  /** Whole revisions at a time, in order; `kv.value` is empty for a deletion. */
  readonly onEvents: (events: readonly WatchEvent[], revision: bigint) => void;
  /** The watch is over: what it wanted was compacted away up to this revision. */
  readonly onCompacted: (revision: bigint) => void;
}

export interface WatchEvent {
  readonly kind: "put" | "delete";
  readonly kv: KeyValue;
}

export interface Watching {
  stop(): void;
}

/** One client speaks to whichever member answers; it goes on by itself when a member is lost. */
export interface EtcdApi {
  /** Linearizable. Tried again on another member when one fails: a read has no effect. */
  range(ask: RangeAsk): Promise<RangeAnswer>;
  /**
   * Never tried again by itself: rejects with EtcdUnknown when it may have happened,
   * EtcdUnavailable when it has not.
   */
  txn(txn: Txn): Promise<TxnAnswer>;
  /** Goes on over broken connections and lost members from where it was. */
  watch(ask: WatchAsk): Watching;
  compact(revision: bigint): Promise<void>;
  /** Resolves with the id and the time etcd really granted. */
  grantLease(ttlSeconds: number): Promise<{ readonly id: bigint; readonly ttlSeconds: number }>;
  /** Resolves with the time that is left, 0 when the lease is gone. */
  renewLease(id: bigint): Promise<number>;
  revokeLease(id: bigint): Promise<void>;
  close(): void;
}

/** Etcd did not do it: no member was reachable, or it said no before anything happened. */
export class EtcdUnavailable extends Error {
  override readonly name: string = "EtcdUnavailable";
}

/** It may have happened or not, or may yet: the answer was lost. */
export class EtcdUnknown extends Error {
  override readonly name = "EtcdUnknown";
}

/**
 * Etcd's database has reached its quota, or a member's is corrupt: it takes no writes until an
 * operator acts.
 */
export class EtcdAlarm extends EtcdUnavailable {
  override readonly name = "EtcdAlarm";
}
