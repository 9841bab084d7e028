/**
 * The objects of a kind by namespace, so that a list of ten in one namespace does not look at the
 * two hundred thousand in all others. A kind is sorted out when somebody first asks for a namespace
 * of it, and kept up with from then on.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { objectsOf, type Target } from "./served-kind.ts";
import { SortedObjects } from "./sorted-objects.ts";

type Objects = ReadonlyMap<ObjectKey, AnyObject>;

/** One kind: all of it in order, and each namespace apart. */
interface Sorted {
  readonly whole: SortedObjects;
  /** Undefined until somebody asks for a namespace. */
  namespaces: Map<string, Namespace> | undefined;
}

interface Namespace {
  readonly objects: Map<ObjectKey, AnyObject>;
  readonly list: SortedObjects;
}

const NOTHING = new SortedObjects(new Map());

export class NamespacedObjects {
  private readonly plane: PlanePort;
  /** What the kinds below were sorted out of. A plane that has loaded its log again has another. */
  private sortedOut: ObjectIndex | undefined;
  private byKind = new Map<AnyObject["kind"], Sorted>();

  constructor(plane: PlanePort) {
    this.plane = plane;
  }

  /** The present objects of the target. */
  of(target: Target): Objects {
    return this.listOf(target).objects;
  }

  /** The same in the order of keys. */
  sorted(target: Target): readonly AnyObject[] {
    return this.listOf(target).sorted();
  }

  /** Called with every commit when it is published. */
  note(commits: readonly Commit[]): void {
    if (this.byKind.size === 0) return;
    for (const { changes } of commits) {
      for (const { key, before, after } of changes) {
        const some = after ?? before;
        const sorted = some && this.byKind.get(some.kind);
        if (some === undefined || sorted === undefined) continue;
        const isSameSet = before !== undefined && after !== undefined;
        sorted.whole.note(isSameSet);
        if (sorted.namespaces === undefined) continue;
        if (after === undefined) take(sorted.namespaces, key, some.meta.namespace);
        else put(sorted.namespaces, key, after);
        sorted.namespaces.get(some.meta.namespace)?.list.note(isSameSet);
      }
    }
  }

  private listOf({ kind, namespace }: Target): SortedObjects {
    if (this.sortedOut !== this.plane.objects) this.byKind = new Map();
    this.sortedOut = this.plane.objects;
    const { whole, namespaces } = this.sortedOf(kind, namespace);
    return namespaces === undefined || namespace === undefined || !kind.api.isNamespaced
      ? whole
      : (namespaces.get(namespace)?.list ?? NOTHING);
  }

  private sortedOf(kind: Target["kind"], namespace: string | undefined): Sorted {
    let sorted = this.byKind.get(kind.api.kind);
    if (sorted === undefined) {
      const whole = new SortedObjects(objectsOf(kind, this.plane.objects));
      sorted = { whole, namespaces: undefined };
      this.byKind.set(kind.api.kind, sorted);
    }
    if (namespace !== undefined && kind.api.isNamespaced && sorted.namespaces === undefined) {
      sorted.namespaces = new Map();
      for (const [key, object] of sorted.whole.objects) put(sorted.namespaces, key, object);
    }
    return sorted;
  }
}

function put(namespaces: Map<string, Namespace>, key: ObjectKey, object: AnyObject): void {
  const { namespace } = object.meta;
  const there = namespaces.get(namespace);
  if (there !== undefined) {
    there.objects.set(key, object);
    return;
  }
  const objects = new Map([[key, object]]);
  namespaces.set(namespace, { objects, list: new SortedObjects(objects) });
}

function take(namespaces: Map<string, Namespace>, key: ObjectKey, namespace: string): void {
  const there = namespaces.get(namespace);
  there?.objects.delete(key);
  if (there?.objects.size === 0) namespaces.delete(namespace);
}
