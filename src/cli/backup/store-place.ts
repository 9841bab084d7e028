/**
 * Where a log is kept, as `--store` and `--data` say it, for commands that look at it without
 * running a plane.
 */
import { join } from "node:path";
import { EtcdKept } from "../../host/backup/etcd-kept.ts";
import type { KeptPart } from "../../host/backup/kept-log.ts";
import { keptInFile } from "../../host/backup/open-kept-file.ts";
import type { EtcdApi } from "../../host/etcd/etcd-api.ts";
import { LogLayout } from "../../host/store/etcd/log-layout.ts";
import { explaining } from "../../host/store/etcd/etcd-log-errors.ts";
import { loadSqlite } from "../../host/store/sqlite-database.ts";
import { dataFolder } from "../client/server-options.ts";
import { UserError } from "../../shell/errors.ts";
import { explainingLog, readAddress, whereLogIs } from "../../serve/open-store.ts";

export interface StoreOptions {
  readonly store?: string;
  readonly data?: string;
}

export type StorePlace =
  | { readonly kind: "sqlite"; readonly file: string; readonly shown: string }
  | { readonly kind: "etcd"; readonly where: string; readonly shown: string };

export function storePlace(options: StoreOptions): StorePlace {
  const { store: where = "sqlite" } = options;
  const folder = dataFolder(options);
  if (where === "sqlite") {
    return { kind: "sqlite", file: join(folder, "log.db"), shown: whereLogIs(where, folder) };
  }
  if (/^etcds?:/.test(where)) return { kind: "etcd", where, shown: whereLogIs(where, folder) };
  throw new UserError(
    "bad-usage",
    `--store: found "${where}", expected sqlite or an address such as etcd://127.0.0.1:2379.`,
  );
}

/** Opens it only to look: takes no lease and writes nothing. */
export async function* keptIn(place: StorePlace): AsyncGenerator<KeptPart> {
  if (place.kind === "sqlite") yield* keptInFile(await loadSqlite(), place.file);
  else yield* keptInEtcd(place.where);
}

async function* keptInEtcd(where: string): AsyncGenerator<KeptPart> {
  const { client, layout } = await openEtcdPlace(where);
  try {
    yield* new EtcdKept(client, layout).parts();
  } finally {
    client.close();
  }
}

/** For a while, and closed after it. */
export async function withEtcd<T>(
  where: string,
  attempt: string,
  work: (client: EtcdApi, layout: LogLayout) => Promise<T>,
): Promise<T> {
  const { client, layout } = await openEtcdPlace(where);
  try {
    return await explainingLog(() => explaining(attempt, () => work(client, layout)));
  } finally {
    client.close();
  }
}

async function openEtcdPlace(where: string) {
  const address = readAddress(where);
  const { EtcdClient } = await import("../../host/etcd/etcd-client.ts");
  return { client: new EtcdClient(address), layout: new LogLayout(address.prefix) };
}
