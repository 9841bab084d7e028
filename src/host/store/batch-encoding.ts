/**
 * A batch as bytes: the JSON of its commits without what was there before, which is known from the commits
 * before. JSON because a person can read it and no faster format was found for these objects.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { StoredCommit } from "./log-store.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true });

export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

export function decodeJson(bytes: Uint8Array): unknown {
  return JSON.parse(decoder.decode(bytes));
}

export function encodeBatch(commits: readonly Commit[]): Uint8Array {
  return encodeJson(commits.map(withoutBefore));
}

export function decodeBatch(bytes: Uint8Array): readonly StoredCommit[] {
  return (decodeJson(bytes) as readonly StoredCommit[]).map(withoutBefore);
}

/** JSON leaves out what is undefined; naming every field gives the same shape to what was read and what was made. */
export function withoutBefore(commit: StoredCommit): StoredCommit {
  return {
    revision: commit.revision,
    epoch: commit.epoch,
    atMs: commit.atMs,
    operation: commit.operation,
    actor: commit.actor,
    command: commit.command,
    basis: commit.basis,
    evidence: commit.evidence,
    changes: commit.changes.map(({ key, after }) => ({ key, after })),
  };
}

/** Gives a commit back what it replaced, and moves `held` on past it. */
export function withBefore(stored: StoredCommit, held: Map<ObjectKey, AnyObject>): Commit {
  const changes = stored.changes.map(({ key, after }) => {
    const before = held.get(key);
    if (after === undefined) held.delete(key);
    else held.set(key, after);
    return { key, before, after };
  });
  return { ...stored, changes };
}
