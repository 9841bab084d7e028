/**
 * Folds pages of a list and then the events of a watch into objects, and knows from which
 * resourceVersion to go on.
 */
import { ApiFailure } from "./api-failure.ts";
import { keyOf, type LiveObject, type ObjectEvent, type ObjectList } from "./object-message.ts";

/** Where the objects go; a RowStore fits. */
export interface ObjectTarget<T> {
  put(key: string, row: T): void;
  drop(key: string): void;
  replaceAll(rows: Map<string, T>): void;
}

export class ObjectFold<T extends LiveObject> {
  /** Undefined: the list has to be read first. */
  resourceVersion: string | undefined;
  private readonly target: ObjectTarget<T>;
  private arriving = new Map<string, T>();

  constructor(target: ObjectTarget<T>) {
    this.target = target;
  }

  /** The token of the next page; undefined when this was the last, and everything is visible. */
  takePage({ metadata, items }: ObjectList<T>): string | undefined {
    for (const item of items) this.arriving.set(keyOf(item), item);
    const next = metadata.continue;
    if (next !== undefined && next !== "") return next;
    this.resourceVersion = metadata.resourceVersion;
    this.target.replaceAll(this.arriving);
    this.arriving = new Map();
    return undefined;
  }

  /** Throws what the server says when it ends the watch. */
  takeEvent(event: ObjectEvent<T>): void {
    if (event.type === "ERROR") throw new ApiFailure(event.object.code ?? 500, event.object);
    const { resourceVersion } = event.object.metadata;
    if (event.type === "DELETED") this.target.drop(keyOf(event.object));
    else if (event.type !== "BOOKMARK") this.target.put(keyOf(event.object), event.object);
    if (resourceVersion !== undefined) this.resourceVersion = resourceVersion;
  }

  /** The old rows stay until the next list is complete. */
  beginAnew(): void {
    this.resourceVersion = undefined;
    this.arriving = new Map();
  }
}
