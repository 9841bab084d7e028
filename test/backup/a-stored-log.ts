/** Logs with two snapshots and commits before and after them, as planes leave them in a store. */
import { createHash } from "node:crypto";
import type { Commit } from "../../src/core/protocol/commit-record.ts";
import { takeSnapshot } from "../../src/core/commit/snapshot.ts";
import type { Snapshot } from "../../src/core/protocol/snapshot.ts";
import type { KeptPart, KeptParts } from "../../src/host/backup/kept-log.ts";
import { encodeBatch } from "../../src/host/store/batch-encoding.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";
import { contentOf, History, ledgerOf } from "../contract/a-history.ts";

/** So few that the log loses its beginning. */
export const KEPT = 10;

export async function fill(log: LogStore, history = new History()): Promise<History> {
  const { epoch } = await log.claim();
  for (let round = 0; round < 3; round += 1) {
    for (const size of [1, 3, 9, 2]) await log.append(epoch, history.next(epoch, size));
    await log.compact(epoch, history.snapshot());
  }
  for (const size of [4, 1, 2]) await log.append(epoch, history.next(epoch, size));
  return history;
}

/** What a plane would make of the log, whatever the order of objects. Takes a new epoch. */
export async function contentIn(log: LogStore): Promise<{ epoch: number; content: unknown }> {
  try {
    const claimed = await log.claim();
    return { epoch: claimed.epoch, content: plain(contentOf(takeSnapshot(ledgerOf(claimed)))) };
  } finally {
    await log.close();
  }
}

export const contentAt = (history: History, more: Partial<Snapshot> = {}): unknown =>
  plain(contentOf({ ...history.snapshot(), ...more }));

/** As a store has it: what is undefined is not there. */
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** A log of these commits alone, as a store would tell it. */
export function keptOf(commits: readonly Commit[]): KeptPart[] {
  const batches = commits.map((commit): KeptPart => {
    const { revision, epoch } = commit;
    return {
      kind: "batch",
      batch: { first: revision, last: revision, epoch, body: encodeBatch([commit]) },
    };
  });
  const { epoch, revision: end } = commits.at(-1)!;
  return [{ kind: "log", log: { epoch, oldest: 0, end } }, ...batches];
}

export async function gather(parts: KeptParts): Promise<KeptPart[]> {
  const all: KeptPart[] = [];
  for await (const part of parts) all.push(part);
  return all;
}

/** Each part as a line, its bytes by their sum: what differs can be read. */
export const linesOf = (parts: readonly KeptPart[]): readonly string[] =>
  parts.map((part) => {
    if (part.kind === "chunk") return `chunk ${digest(part.body)}`;
    if (part.kind !== "batch") return JSON.stringify(part);
    const { first, last, epoch, body } = part.batch;
    return `batch ${first} to ${last} of ${epoch}: ${digest(body)}`;
  });

const digest = (bytes: Uint8Array): string =>
  createHash("sha256").update(bytes).digest("hex").slice(0, 16);
