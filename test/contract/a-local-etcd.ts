/** A real etcd for the tests of one file, in which every log has a prefix of its own. Gone when the file is done. */
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { LocalEtcd, type LocalEtcdOptions } from "../../src/host/etcd/local-etcd.ts";
import { EtcdLog, type EtcdLogOptions } from "../../src/host/store/etcd/etcd-log.ts";
import { LogLayout } from "../../src/host/store/etcd/log-layout.ts";
import type { SharedPlace } from "./shared-log-contract.ts";
import { scratchFolder } from "./scratch-folder.ts";

export interface TestEtcd {
  /** For a look behind the log's back. */
  readonly client: EtcdClient;
  readonly etcd: LocalEtcd;
  newPrefix(): string;
  /** A client that whoever gets it closes. */
  connect(): EtcdClient;
}

export function aLocalEtcd(options: Partial<LocalEtcdOptions> = {}): TestEtcd {
  const folder = join(scratchFolder(), "etcd");
  const etcd = new LocalEtcd({ folder, members: 1, ...options });
  let client: EtcdClient | undefined;
  let prefixes = 0;
  const connect = (): EtcdClient => new EtcdClient({ endpoints: etcd.endpoints });
  beforeAll(async () => {
    await etcd.start();
    client = connect();
  });
  afterAll(async () => {
    client?.close();
    await etcd.kill();
  });
  return {
    etcd,
    connect,
    get client() {
      return client!;
    },
    newPrefix: () => `/test-${(prefixes += 1)}/`,
  };
}

/** A log in it, for the contracts. */
export function placeIn(
  test: TestEtcd,
  options: EtcdLogOptions = {},
): SharedPlace & {
  open(): Promise<EtcdLog>;
  readonly layout: LogLayout;
} {
  const prefix = test.newPrefix();
  const layout = new LogLayout(prefix);
  return {
    layout,
    open: () => EtcdLog.open(test.connect(), { prefix, ...options }),
    lapse: async () => {
      const { kvs } = await test.client.range({ key: layout.leader });
      await test.client.revokeLease(kvs[0]!.lease);
    },
    forgetChanges: async () => {
      const { revision } = await test.client.range({ key: layout.leader });
      await test.client.compact(revision);
    },
  };
}
