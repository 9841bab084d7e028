/**
 * The messages of etcd's Watch service, as far as Berth uses them; field numbers are those of
 * etcd's rpc.proto.
 */
import type { WatchAsk, WatchEvent } from "./etcd-api.ts";
import { decodeHeader, decodeKeyValue } from "./kv-messages.ts";
import { ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";

export interface WatchAnswer {
  readonly revision: bigint;
  /** -1 when the answer belongs to no watch: so etcd answers the question whether it is there. */
  readonly watchId: bigint;
  readonly created: boolean;
  readonly canceled: boolean;
  /** Not 0: the requested revision was compacted. */
  readonly compactRevision: bigint;
  readonly cancelReason: string;
  /** The next answer goes on with the same revision. */
  readonly fragment: boolean;
  readonly events: readonly WatchEvent[];
}

export function encodeWatch({ key, end, from }: Pick<WatchAsk, "key" | "end" | "from">): Buffer {
  const create = new ProtoWriter()
    .bytes(1, key)
    .bytes(2, end)
    .int(3, from)
    // Now and then etcd says how far a quiet watch has come.
    .flag(4, true)
    // Etcd may cut what is larger than a request may be, instead of giving the watch up.
    .flag(8, true);
  return new ProtoWriter().message(1, create).finish();
}

/** Etcd answers on the same stream: if it does, the watch is alive. */
export const encodeProgressRequest = (): Buffer =>
  new ProtoWriter().message(3, new ProtoWriter()).finish();

export function decodeWatch(message: Uint8Array): WatchAnswer {
  const reader = new ProtoReader(message);
  const events: WatchEvent[] = [];
  const answer = {
    revision: 0n,
    watchId: 0n,
    created: false,
    canceled: false,
    compactRevision: 0n,
    cancelReason: "",
    fragment: false,
    events,
  };
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) answer.revision = decodeHeader(reader.bytes());
    else if (field === 2) answer.watchId = reader.int64();
    else if (field === 3) answer.created = reader.flag();
    else if (field === 4) answer.canceled = reader.flag();
    else if (field === 5) answer.compactRevision = reader.int64();
    else if (field === 6) answer.cancelReason = reader.text();
    else if (field === 7) answer.fragment = reader.flag();
    else if (field === 11) events.push(decodeEvent(reader.bytes()));
    else reader.skip();
  }
  return answer;
}

function decodeEvent(message: Uint8Array): WatchEvent {
  const reader = new ProtoReader(message);
  let kind: WatchEvent["kind"] = "put";
  let kv = decodeKeyValue(new Uint8Array(0));
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 1) kind = reader.number() === 1 ? "delete" : "put";
    else if (field === 2) kv = decodeKeyValue(reader.bytes());
    else reader.skip();
  }
  return { kind, kv };
}
