/**
 * The objects of a kind at a revision, in the order of keys: by namespace and name, the same for every page.
 * The few lists that are being paged through are kept, so that the hundredth page does not sort them again.
 */
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { pastObjects } from "./past-objects.ts";
import type { ServedKind } from "./served-kind.ts";

export class SortedLists {
  private readonly plane: PlanePort;
  private readonly max: number;
  /** Least recently used first. */
  private readonly kept = new Map<string, readonly AnyObject[]>();

  constructor(plane: PlanePort, max: number) {
    this.plane = plane;
    this.max = max;
  }

  /** Undefined when the revision is older than what the plane remembers. */
  at(kind: ServedKind, revision: Revision): readonly AnyObject[] | undefined {
    return this.kept.get(nameOf(kind, revision)) ?? this.sorted(kind, revision);
  }

  /** More pages of this list will be asked for. */
  keep(kind: ServedKind, revision: Revision): void {
    const name = nameOf(kind, revision);
    const objects = this.at(kind, revision);
    if (objects === undefined) return;
    this.kept.delete(name);
    this.kept.set(name, objects);
    if (this.kept.size <= this.max) return;
    const oldest = this.kept.keys().next().value;
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  private sorted(kind: ServedKind, revision: Revision): readonly AnyObject[] | undefined {
    const objects = pastObjects(this.plane, kind, revision);
    if (objects === undefined) return undefined;
    return [...objects.values()].toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  }
}

const nameOf = ({ apiVersion, name }: ServedKind, revision: Revision): string =>
  `${apiVersion} ${name} ${revision}`;
