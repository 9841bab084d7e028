/**
 * What there was before the first turn that a document tells of. A large plane has more objects
 * than a document can hold, so of that many only those have rows that something in the document is
 * about, with what they rest on.
 */
import {
  KINDS,
  nodeKey,
  type ObjectKey,
  parseKey,
  quotaKey,
  type Revision,
} from "../core/model/ids.ts";
import type { AnyObject } from "../core/model/objects.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import { factsOf } from "../sim/report/facts-of.ts";
import type { IncidentBuilder } from "./incident-builder.ts";
import type { Shown } from "./incident-document.ts";
import type { ShownRows } from "./shown-rows.ts";

/** So many become rows in a fraction of a second, and a person does not read more. */
const ALL_ROWS = 20_000;

export class ChapterBase {
  revision: Revision = 0;
  private readonly objects: ObjectIndex;
  private readonly rows: ShownRows;
  /** All of them as rows, where they are few. */
  private shown: readonly Shown[] = [];
  /** All of them, where they are many. */
  private held: ReadonlyMap<ObjectKey, AnyObject> = new Map();

  constructor(objects: ObjectIndex, rows: ShownRows) {
    this.objects = objects;
    this.rows = rows;
  }

  /** What is in the index now. */
  take(revision: Revision): void {
    const all: AnyObject[] = [];
    for (const kind of KINDS) {
      for (const [, object] of this.objects.all(kind)) all.push(object);
    }
    this.takeOver({ objects: all, revision });
  }

  takeOver(of: { readonly objects: readonly AnyObject[]; readonly revision: Revision }): void {
    this.revision = of.revision;
    const isSmall = of.objects.length <= ALL_ROWS;
    this.shown = isSmall ? of.objects.map((object) => this.rows.of(object)) : [];
    this.held = new Map(isSmall ? [] : of.objects.map((object) => [object.key, object]));
  }

  rowsFor(told: IncidentBuilder): { readonly rows: readonly Shown[]; readonly leftOut: number } {
    if (this.held.size === 0) return { rows: this.shown, leftOut: 0 };
    const keys = new Set<string>();
    for (const { key } of told.turns) if (key !== undefined) keys.add(key);
    for (const { changes } of told.commits) for (const { key } of changes) keys.add(key);
    for (const key of keys) for (const other of this.restsOn(key)) keys.add(other);
    const rows = [...keys].flatMap((key) => {
      const object = this.held.get(key as ObjectKey);
      // Its usage at that time is not known any more.
      return object === undefined ? [] : [{ key, cells: factsOf(object, undefined) }];
    });
    return { rows, leftOut: this.held.size - rows.length };
  }

  private restsOn(key: string): readonly ObjectKey[] {
    const object = this.held.get(key as ObjectKey);
    if (object?.kind !== "Replica") return [];
    const { node } = object.status;
    const quota = quotaKey(parseKey(object.key).namespace);
    return node === undefined ? [quota] : [quota, nodeKey(node)];
  }
}
