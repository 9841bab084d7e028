/** The messages of etcd's Lease service; field numbers are those of etcd's rpc.proto. */
import { ProtoReader } from "./proto-reader.ts";
import { ProtoWriter } from "./proto-writer.ts";

export interface LeaseAnswer {
  readonly id: bigint;
  /** 0 when there is no such lease any more. */
  readonly ttlSeconds: number;
}

/** Etcd chooses the id. */
export const encodeGrant = (ttlSeconds: number): Buffer =>
  new ProtoWriter().int(1, ttlSeconds).finish();

/** The same message asks to renew and to revoke. */
export const encodeLease = (id: bigint): Buffer => new ProtoWriter().int(1, id).finish();

/** The answers to granting and to renewing have the same form. */
export function decodeLease(message: Uint8Array): LeaseAnswer {
  const reader = new ProtoReader(message);
  let id = 0n;
  let ttlSeconds = 0;
  for (let field = reader.next(); field !== 0; field = reader.next()) {
    if (field === 2) id = reader.int64();
    else if (field === 3) ttlSeconds = reader.number();
    else reader.skip();
  }
  return { id, ttlSeconds };
}
