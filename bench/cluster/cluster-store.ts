/**
 * The log of one measurement in etcd. In an etcd of the caller it has a prefix of its own, so that
 * it is apart from earlier measurements and from planes, and is deleted afterwards.
 */
import { Buffer } from "node:buffer";
import { randomUUID } from "node:crypto";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { parseEtcdAddress } from "../../src/host/etcd/etcd-address.ts";
import { type BenchStore, benchStore } from "../measure/bench-store.ts";

export async function clusterStore(of: {
  readonly store: string;
  readonly folder: string;
}): Promise<BenchStore> {
  if (of.store === "etcd") return benchStore(of);
  const where = apart(of.store, `bench-${randomUUID()}`);
  return { where, stop: () => clear(where) };
}

/** The same etcd, below its prefix. */
export function apart(where: string, name: string): string {
  const { prefix } = parseEtcdAddress(where);
  const [, server = "", query = ""] = /^(etcds?:\/\/[^/?]*)[^?]*(\?.*)?$/.exec(where) ?? [];
  return `${server}${prefix}${name}/${query}`;
}

async function clear(where: string): Promise<void> {
  const { prefix, ...address } = parseEtcdAddress(where);
  const client = new EtcdClient(address);
  // The slash at the end of a prefix is followed by a zero in the order of bytes.
  const end = Buffer.from(`${prefix.slice(0, -1)}0`);
  const removal = { kind: "delete", key: Buffer.from(prefix), end } as const;
  try {
    await client.txn({ compare: [], success: [removal] });
  } finally {
    client.close();
  }
}
