/** Opens the log a plane lives on, and says in a sentence why that cannot be. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { LogDamaged, type LogStore, LogUnavailable } from "../../host/store/log-store.ts";
import { MemoryLog } from "../../host/store/memory-log.ts";
import { SqliteLog } from "../../host/store/sqlite-log.ts";
import { UserError } from "../errors.ts";

export interface StoreChoice {
  readonly kind: "sqlite" | "memory";
  readonly folder: string;
  readonly onNote: (sentence: string) => void;
}

export async function openStore({ kind, folder, onNote }: StoreChoice): Promise<LogStore> {
  if (kind === "memory") return new MemoryLog();
  makeFolder(folder);
  return explainingLog(() => SqliteLog.open(join(folder, "log.db"), { onNote }));
}

/** What is wrong with the log may also come out only when it is read. */
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
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("unwritable-file", `${reason}.`, { file: folder });
  }
}
