/**
 * The messages of etcd's KV service, as far as Berth uses them; field numbers are those of etcd's
 * rpc.proto and kv.proto.
 */
import type {
  Compare,
  KeyValue,
  RangeAnswer,
  RangeAsk,
  Txn,
  TxnAnswer,
  TxnOperation,
} from "./etcd-api.ts";
import { ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";

const NOTHING: Uint8Array = new Uint8Array(0);

export const encodeRange = (ask: RangeAsk): Buffer => rangeMessage(ask).finish();

const ORDERS = { ascending: 1, descending: 2 } as const;

function rangeMessage({
  key,
  end,
  limit,
  revision,
  order,
  keysOnly,
}: Omit<RangeAsk, "kind">): ProtoWriter {
  return new ProtoWriter()
    .bytes(1, key)
    .bytes(2, end)
    .int(3, limit)
    .int(4, revision)
    .int(5, order === undefined ? 0 : ORDERS[order])
    .flag(8, keysOnly);
}

export function decodeRange(message: Uint8Array): RangeAnswer {
  const reader = new ProtoReader(message);
  const kvs: KeyValue[] = [];
  let revision = 0n;
  let more = false;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = decodeHeader(reader.bytes());
    else if (field === 2) kvs.push(decodeKeyValue(reader.bytes()));
    else if (field === 3) more = reader.flag();
    else reader.skip();
  }
  return { revision, kvs, more };
}

/** Of a header only the revision is of use. */
export function decodeHeader(message: Uint8Array): bigint {
  const reader = new ProtoReader(message);
  let revision = 0n;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 3) revision = reader.int64();
    else reader.skip();
  }
  return revision;
}

export function decodeKeyValue(message: Uint8Array): KeyValue {
  const reader = new ProtoReader(message);
  const kv = {
    key: NOTHING,
    value: NOTHING,
    createRevision: 0n,
    modRevision: 0n,
    version: 0n,
    lease: 0n,
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) kv.key = reader.bytes();
    else if (field === 2) kv.createRevision = reader.int64();
    else if (field === 3) kv.modRevision = reader.int64();
    else if (field === 4) kv.version = reader.int64();
    else if (field === 5) kv.value = reader.bytes();
    else if (field === 6) kv.lease = reader.int64();
    else reader.skip();
  }
  return kv;
}

export function encodeTxn({ compare, success, failure = [] }: Txn): Buffer {
  const message = new ProtoWriter();
  for (const each of compare) message.message(1, compareMessage(each));
  for (const each of success) message.message(2, operationMessage(each));
  for (const each of failure) message.message(3, operationMessage(each));
  return message.finish();
}

/** What is compared; the comparison itself is always "equal", which is 0 and left out. */
const TARGETS = { createRevision: 1, modRevision: 2, value: 3, lease: 4 } as const;

function compareMessage(compare: Compare): ProtoWriter {
  const message = new ProtoWriter();
  if ("value" in compare) {
    return message.int(2, TARGETS.value).bytes(3, compare.key).always(7, compare.value);
  }
  // 0 is left out like any default: a choice that was not made compares with 0, which is what is
  // meant.
  if ("createRevision" in compare) {
    return message
      .int(2, TARGETS.createRevision)
      .bytes(3, compare.key)
      .int(5, compare.createRevision);
  }
  if ("modRevision" in compare) {
    return message.int(2, TARGETS.modRevision).bytes(3, compare.key).int(6, compare.modRevision);
  }
  return message.int(2, TARGETS.lease).bytes(3, compare.key).int(8, compare.lease);
}

function operationMessage(operation: TxnOperation): ProtoWriter {
  const message = new ProtoWriter();
  switch (operation.kind) {
    case "range":
      return message.message(1, rangeMessage(operation));
    case "put":
      return message.message(
        2,
        new ProtoWriter().bytes(1, operation.key).bytes(2, operation.value).int(3, operation.lease),
      );
    case "delete":
      return message.message(3, new ProtoWriter().bytes(1, operation.key).bytes(2, operation.end));
  }
}

export function decodeTxn(message: Uint8Array): TxnAnswer {
  const reader = new ProtoReader(message);
  const ranges: RangeAnswer[] = [];
  let revision = 0n;
  let succeeded = false;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) revision = decodeHeader(reader.bytes());
    else if (field === 2) succeeded = reader.flag();
    else if (field === 3) ranges.push(...decodeOperation(reader.bytes()));
    else reader.skip();
  }
  // Inside a transaction etcd leaves the revision of a range out or gives its own: all of it is one
  // moment.
  return { succeeded, revision, ranges: ranges.map((range) => ({ ...range, revision })) };
}

function decodeOperation(message: Uint8Array): RangeAnswer[] {
  const reader = new ProtoReader(message);
  const found: RangeAnswer[] = [];
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) found.push(decodeRange(reader.bytes()));
    else reader.skip();
  }
  return found;
}

export const encodeCompact = (revision: bigint): Buffer =>
  new ProtoWriter().int(1, revision).finish();
