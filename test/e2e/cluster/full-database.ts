/** An etcd whose database has grown to its quota, and the way out of it as docs/operations.md tells it. */
import { execFileSync } from "node:child_process";
import { EtcdAlarm, EtcdUnavailable, EtcdUnknown } from "../../../src/host/etcd/etcd-api.ts";
import type { Cluster } from "./cluster.ts";

/** Somebody else's, who uses the same etcd. */
const JUNK = "/junk/";
/** Below etcd's limit of a request. */
const VALUE = new Uint8Array(1024 * 1024);

/** Until etcd says so. */
export async function fillDatabase(cluster: Cluster): Promise<void> {
  const { quotaBytes } = cluster.options;
  if (quotaBytes === undefined) throw new Error("A database without a quota is never full.");
  const most = 2 * Math.ceil(quotaBytes / VALUE.length);
  for (let at = 0; at < most; at += 1) {
    const key = Buffer.from(`${JUNK}${at}`);
    try {
      await cluster.direct.txn({ compare: [], success: [{ kind: "put", key, value: VALUE }] });
    } catch (error) {
      if (error instanceof EtcdAlarm || String(error).includes("database space exceeded")) return;
      // Etcd is busy with writing, and some of what it was sent may be there.
      if (!(error instanceof EtcdUnknown) && !(error instanceof EtcdUnavailable)) throw error;
    }
  }
  throw new Error(`Etcd took ${most} MiB, more than its quota of ${quotaBytes} bytes.`);
}

/** Step by step what a person does. */
export async function makeRoom({ etcd }: Cluster): Promise<void> {
  const all = `--endpoints=${etcd.endpoints.join(",")}`;
  etcdctl(all, "del", "--prefix", JUNK);
  const [first] = JSON.parse(etcdctl(all, "endpoint", "status", "-w", "json")) as {
    readonly Status: { readonly header: { readonly revision: number } };
  }[];
  etcdctl(all, "compact", String(first?.Status.header.revision));
  for (const endpoint of etcd.endpoints) {
    etcdctl(`--endpoints=${endpoint}`, "--command-timeout=60s", "defrag");
  }
  etcdctl(all, "alarm", "disarm");
}

const etcdctl = (...args: readonly string[]): string =>
  execFileSync("etcdctl", [...args], {
    encoding: "utf8",
    env: { ...process.env, ETCDCTL_API: "3" },
    stdio: ["ignore", "pipe", "pipe"],
  });
