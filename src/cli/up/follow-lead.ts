/** Hears from etcd itself who leads, so that it is known whichever planes are there. */
import { parseEtcdAddress } from "../../host/etcd/etcd-address.ts";
import { EtcdClient } from "../../host/etcd/etcd-client.ts";
import { LeaderWatch } from "../../host/store/etcd/leader-watch.ts";
import { LogLayout } from "../../host/store/etcd/log-layout.ts";
import type { Leader } from "../../host/store/shared-log.ts";

export interface FollowedLead {
  stop(): void;
}

/** Told at once who leads, and whenever that changes. */
export async function followLead(
  store: string,
  tell: (leader: Leader | undefined) => void,
): Promise<FollowedLead> {
  const address = parseEtcdAddress(store);
  const client = new EtcdClient(address);
  const watch = new LeaderWatch(client, new LogLayout(address.prefix));
  const stop = (): void => {
    watch.stop();
    client.close();
  };
  try {
    watch.onLeader(tell);
    await watch.start();
  } catch (error) {
    stop();
    throw error;
  }
  return { stop };
}

/** `plane-2 leads; plane-1, plane-3 follow` */
export function leadText(leader: Leader | undefined, names: readonly string[]): string {
  if (leader === undefined) return `no leader among ${names.join(", ")}`;
  const others = names.filter((name) => name !== leader.name);
  const follow =
    others.length === 0
      ? ""
      : `; ${others.join(", ")} ${others.length === 1 ? "follows" : "follow"}`;
  return `${leader.name} leads${follow}`;
}
