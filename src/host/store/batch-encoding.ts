/**
 * A batch as bytes: the JSON of its commits without what was there before, which is known from the
 * commits before. JSON because a person can read it and no faster format was found for these
 * objects.
 */
import { Buffer, isUtf8 } from "node:buffer";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject, Template } from "../../core/model/objects.ts";
import { migrated, saidFormat } from "../formats.ts";
import { TemplateReader, TemplateTable } from "./shared-templates.ts";
import type { StoredCommit } from "./log-store.ts";

const encoder = new TextEncoder();

export function encodeJson(value: unknown): Uint8Array {
  return encoder.encode(JSON.stringify(value));
}

export function decodeJson(bytes: Uint8Array): unknown {
  // A third of what a strict text decoder takes, which counts when a hundred megabytes are read at
  // a start.
  if (!isUtf8(bytes)) throw new TypeError("The stored text is not valid UTF-8.");
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf8"));
}

/**
 * What a batch is in the store, behind the link to the one before it, which the store puts there
 * (`chain-link.ts`). Batches of earlier versions have no link, or are the bare list of commits.
 */
interface StoredBatch {
  /** Of the contents; left out: 1. */
  readonly format?: number;
  readonly templates: readonly Template[];
  readonly commits: readonly StoredCommit[];
}

export function encodeBatch(commits: readonly Commit[]): Uint8Array {
  const table = new TemplateTable();
  const stored = commits.map((commit) => rewritten(commit, (after) => table.refer(after)));
  const batch: StoredBatch = { ...saidFormat(), templates: table.templates, commits: stored };
  return encodeJson(batch);
}

export function decodeBatch(
  bytes: Uint8Array,
  templates = new TemplateReader(),
): readonly StoredCommit[] {
  const read = migrated(decodeJson(bytes), "batch") as StoredBatch | readonly StoredCommit[];
  const { templates: table, commits } =
    "commits" in read ? read : { templates: undefined, commits: read };
  const restore = templates.restorer(table);
  return commits.map((commit) => rewritten(commit, restore));
}

/** JSON omits undefined fields; naming every field gives read and new objects the same shape. */
export const withoutBefore = (commit: StoredCommit): StoredCommit =>
  rewritten(commit, (after) => after);

function rewritten(commit: StoredCommit, rewrite: (after: AnyObject) => AnyObject): StoredCommit {
  return {
    revision: commit.revision,
    epoch: commit.epoch,
    atMs: commit.atMs,
    operation: commit.operation,
    actor: commit.actor,
    command: commit.command,
    basis: commit.basis,
    evidence: commit.evidence,
    changes: commit.changes.map(({ key, after }) => ({
      key,
      after: after === undefined ? undefined : rewrite(after),
    })),
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

/** The same for commits that go on from `objects`, which is not moved. */
export function fillInBefore(
  stored: readonly StoredCommit[],
  objects: { get(key: ObjectKey): AnyObject | undefined },
): readonly Commit[] {
  const moved = new Map<ObjectKey, AnyObject | undefined>();
  return stored.map((commit) => {
    const changes = commit.changes.map(({ key, after }) => {
      const before = moved.has(key) ? moved.get(key) : objects.get(key);
      moved.set(key, after);
      return { key, before, after };
    });
    return { ...commit, changes };
  });
}
