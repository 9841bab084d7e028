/**
 * A snapshot in pieces, so that neither one string nor one row has to hold hundreds of thousands of
 * objects, and so that the event loop gets a turn between two pieces.
 */
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Template } from "../../core/model/objects.ts";
import { migrated, saidFormat } from "../formats.ts";
import { decodeJson, encodeJson } from "./batch-encoding.ts";
import { TemplateReader, TemplateTable } from "./shared-templates.ts";

/** What a snapshot says beside its content. */
export type SnapshotHead = Omit<Snapshot, "objects" | "operations" | "preempted" | "poolUse">;
type SnapshotChunk = Partial<Pick<Snapshot, "objects" | "operations" | "preempted" | "poolUse">> & {
  readonly templates?: readonly Template[];
  /** Of the contents; left out: 1. */
  readonly format?: number;
};

/** About half a megabyte, which takes two or three milliseconds to encode. */
const OBJECTS_A_CHUNK = 512;
const OPERATIONS_A_CHUNK = 4096;

export function* snapshotChunks(snapshot: Snapshot): Generator<Uint8Array> {
  const { objects, operations, preempted, poolUse } = snapshot;
  for (let at = 0; at < objects.length; at += OBJECTS_A_CHUNK) {
    const table = new TemplateTable();
    const some = objects.slice(at, at + OBJECTS_A_CHUNK).map((object) => table.refer(object));
    const chunk: SnapshotChunk = { ...saidFormat(), templates: table.templates, objects: some };
    yield encodeJson(chunk);
  }
  for (let at = 0; at < operations.length; at += OPERATIONS_A_CHUNK) {
    const some = operations.slice(at, at + OPERATIONS_A_CHUNK);
    const chunk: SnapshotChunk = { ...saidFormat(), operations: some };
    yield encodeJson(chunk);
  }
  // At most one entry for each of the last sixty seconds.
  if (preempted !== undefined)
    yield encodeJson({ ...saidFormat(), preempted } satisfies SnapshotChunk);
  // At most one entry for each node that came of a pool.
  if (poolUse !== undefined) yield encodeJson({ ...saidFormat(), poolUse } satisfies SnapshotChunk);
}

export class SnapshotReader {
  private readonly head: SnapshotHead;
  private readonly templates: TemplateReader;
  private readonly objects: Snapshot["objects"][number][] = [];
  private readonly operations: Snapshot["operations"][number][] = [];
  private preempted: Snapshot["preempted"];
  private poolUse: Snapshot["poolUse"];

  constructor(head: SnapshotHead, templates = new TemplateReader()) {
    this.head = head;
    this.templates = templates;
  }

  add(chunk: Uint8Array): void {
    const read = migrated(decodeJson(chunk), "chunk") as SnapshotChunk;
    const { templates, objects = [], operations = [] } = read;
    this.preempted = read.preempted ?? this.preempted;
    this.poolUse = read.poolUse ?? this.poolUse;
    const restore = this.templates.restorer(templates);
    for (const object of objects) this.objects.push(restore(object));
    for (const operation of operations) this.operations.push(operation);
  }

  snapshot(): Snapshot {
    const { head, objects, operations, preempted, poolUse } = this;
    return {
      ...head,
      objects,
      operations,
      ...(preempted === undefined ? {} : { preempted }),
      ...(poolUse === undefined ? {} : { poolUse }),
    };
  }
}
