/**
 * The objects of a kind, or of one namespace of it, at a revision, in the order of keys: by
 * namespace and name, the same for every page. The few lists that are being paged through are kept,
 * so that the hundredth page does not sort them again.
 */
import type { Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { NamespacedObjects } from "./namespaced-objects.ts";
import { pastObjects } from "../routes/past-objects.ts";
import type { Target } from "./served-kind.ts";
import { SortedObjects } from "./sorted-objects.ts";

export class SortedLists {
  private readonly plane: PlanePort;
  private readonly present: NamespacedObjects;
  private readonly max: number;
  /** Least recently used first. */
  private readonly kept = new Map<string, readonly AnyObject[]>();

  constructor(plane: PlanePort, present: NamespacedObjects, max: number) {
    this.plane = plane;
    this.present = present;
    this.max = max;
  }

  /** Undefined when the revision is older than what the plane remembers. */
  at(target: Target, revision: Revision): readonly AnyObject[] | undefined {
    return this.kept.get(nameOf(target, revision)) ?? this.sorted(target, revision);
  }

  /** More pages of this list will be asked for. */
  keep(target: Target, revision: Revision): void {
    const name = nameOf(target, revision);
    const objects = this.at(target, revision);
    if (objects === undefined) return;
    this.kept.delete(name);
    this.kept.set(name, objects);
    if (this.kept.size <= this.max) return;
    const oldest = this.kept.keys().next().value;
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  private sorted(target: Target, revision: Revision): readonly AnyObject[] | undefined {
    if (revision >= this.plane.revision) return this.present.sorted(target);
    const present = this.present.of(target);
    const objects = pastObjects(this.plane, target, { present, revision });
    if (objects === undefined) return undefined;
    return new SortedObjects(objects).sorted();
  }
}

const nameOf = ({ kind, namespace }: Target, revision: Revision): string =>
  `${kind.apiVersion} ${kind.name} ${namespace ?? "*"} ${revision}`;
