/**
 * A snapshot in pieces, so that neither one string nor one row has to hold hundreds of thousands of objects,
 * and so that the event loop gets a turn between two pieces.
 */
import type { Snapshot } from "../../core/commit/snapshot.ts";
import { decodeJson, encodeJson } from "./batch-encoding.ts";

/** What a snapshot says beside its content. */
export type SnapshotHead = Omit<Snapshot, "objects" | "operations">;
type SnapshotChunk = Partial<Pick<Snapshot, "objects" | "operations">>;

/** About half a megabyte, which takes two or three milliseconds to encode. */
const OBJECTS_A_CHUNK = 512;
const OPERATIONS_A_CHUNK = 4096;

export function* snapshotChunks({ objects, operations }: Snapshot): Generator<Uint8Array> {
  for (let at = 0; at < objects.length; at += OBJECTS_A_CHUNK) {
    const chunk: SnapshotChunk = { objects: objects.slice(at, at + OBJECTS_A_CHUNK) };
    yield encodeJson(chunk);
  }
  for (let at = 0; at < operations.length; at += OPERATIONS_A_CHUNK) {
    const chunk: SnapshotChunk = { operations: operations.slice(at, at + OPERATIONS_A_CHUNK) };
    yield encodeJson(chunk);
  }
}

export class SnapshotReader {
  private readonly head: SnapshotHead;
  private readonly objects: Snapshot["objects"][number][] = [];
  private readonly operations: Snapshot["operations"][number][] = [];

  constructor(head: SnapshotHead) {
    this.head = head;
  }

  add(chunk: Uint8Array): void {
    const { objects = [], operations = [] } = decodeJson(chunk) as SnapshotChunk;
    for (const object of objects) this.objects.push(object);
    for (const operation of operations) this.operations.push(operation);
  }

  snapshot(): Snapshot {
    return { ...this.head, objects: this.objects, operations: this.operations };
  }
}
