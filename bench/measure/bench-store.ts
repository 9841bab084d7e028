/**
 * The store that a benchmark runs on. An etcd that nobody named is started here: three members on
 * this machine, in processes of their own, which end with the benchmark.
 */
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";

/** As many as a cluster needs to lose one. */
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
  // One after the other of several measurements in one folder begins with an empty log.
  const folder = join(of.folder, `etcd-${randomUUID()}`);
  const etcd = await new LocalEtcd({ folder, members: MEMBERS }).start();
  // What it holds is thrown away, so nobody has to wait until it is put in order.
  return { where: `etcd://${etcd.endpoints.join(",")}`, stop: () => etcd.kill() };
}
