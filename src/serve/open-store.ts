/** Opens the log a plane lives on, and says in a sentence why that cannot be. */
import { join } from "node:path";
import { makeDataFolder } from "../shell/private-folder.ts";
import { EtcdAddressError, type EtcdAddress, parseEtcdAddress } from "../host/etcd/etcd-address.ts";
import type { ChainHead } from "../host/store/chain-link.ts";
import { LogDamaged, type LogStore, LogUnavailable } from "../host/store/log-store.ts";
import { MemoryLog } from "../host/store/memory-log.ts";
import { SqliteLog } from "../host/store/sqlite-log.ts";
import { UserError } from "../shell/errors.ts";

const IN_ETCD = /^etcds?:/;

export interface StoreChoice {
  /** `sqlite`, `memory`, or where an etcd is. */
  readonly where: string;
  readonly folder: string;
  /** How long the lead outlives a plane that is lost; for logs that several planes share. */
  readonly leaseSeconds?: number | undefined;
  readonly onNote: (sentence: string) => void;
  /** Told where the chain ends, now and then. */
  readonly onHead?: (head: ChainHead) => void;
}

export async function openStore(choice: StoreChoice): Promise<LogStore> {
  const { where, folder, onNote, onHead = () => {} } = choice;
  makeFolder(folder);
  switch (where) {
    case "memory":
      return new MemoryLog();
    case "sqlite":
      return explainingLog(() => SqliteLog.open(join(folder, "log.db"), { onNote, onHead }));
    default:
      return openEtcd(choice);
  }
}

async function openEtcd({
  where,
  leaseSeconds,
  onNote,
  onHead = () => {},
}: StoreChoice): Promise<LogStore> {
  const address = readAddress(where);
  // Loaded only here: most planes have a log of their own.
  const { EtcdClient } = await import("../host/etcd/etcd-client.ts");
  const { EtcdLog, TTL_SECONDS } = await import("../host/store/etcd/etcd-log.ts");
  const ttlSeconds = leaseSeconds ?? TTL_SECONDS;
  // Renewals go out every third of the lease: a member that does not answer is left for another
  // before the next one.
  const patienceMs = (ttlSeconds * 1000) / 4;
  return explainingLog(() =>
    EtcdLog.open(new EtcdClient({ ...address, patienceMs }), {
      prefix: address.prefix,
      ttlSeconds,
      onNote,
      onHead,
    }),
  );
}

export function readAddress(where: string): EtcdAddress {
  if (!IN_ETCD.test(where)) {
    throw new UserError(
      "bad-usage",
      `--store: found "${where}", expected sqlite, memory, or an address such as etcd://127.0.0.1:2379.`,
    );
  }
  try {
    return parseEtcdAddress(where);
  } catch (error) {
    if (error instanceof EtcdAddressError) {
      throw new UserError("bad-usage", `--store: ${error.message}`);
    }
    throw error;
  }
}

/** For people, and without a password. */
export function whereLogIs(where: string, folder: string): string {
  if (where === "memory") return "memory";
  if (where === "sqlite") return join(folder, "log.db");
  const { endpoints, prefix } = readAddress(where);
  return `etcd at ${endpoints.join(", ")} under ${prefix}`;
}

/** Damage of the log may show only when it is read. */
export async function explainingLog<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (error instanceof LogDamaged) throw new UserError("log-damaged", error.message);
    if (error instanceof LogUnavailable) throw new UserError("log-unavailable", error.message);
    throw error;
  }
}

function makeFolder(folder: string): void {
  try {
    makeDataFolder(folder);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: folder });
  }
}
