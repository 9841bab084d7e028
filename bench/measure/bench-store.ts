/**
 * The store of a benchmark. Without a named etcd, it starts one: three members on this machine, in
 * processes of their own, which end with the benchmark.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";

/** The smallest cluster that survives the loss of a member. */
const MEMBERS = 3;

export interface BenchStore {
  /** As `berth plane --store` takes it. */
  readonly where: string;
  stop(): Promise<void>;
}

export async function benchStore(of: {
  readonly store: string;
  readonly folder: string;
}): Promise<BenchStore> {
  if (of.store !== "etcd") return { where: of.store, stop: () => Promise.resolve() };
  // Each of several measurements in one folder begins with an empty log.
  const folder = join(of.folder, `etcd-${randomUUID()}`);
  const etcd = await new LocalEtcd({ folder, members: MEMBERS }).start();
  // The data is thrown away, so an orderly shutdown would only take time.
  return { where: `etcd://${etcd.endpoints.join(",")}`, stop: () => etcd.kill() };
}
