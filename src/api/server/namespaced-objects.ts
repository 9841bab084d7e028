/**
 * The objects of a kind by namespace, so that a list of ten in one namespace does not look at the two
 * hundred thousand in all others. A kind is sorted out when somebody first asks for a namespace of it, and
 * kept up with from then on.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { objectsOf, type Target } from "./served-kind.ts";

type Objects = ReadonlyMap<ObjectKey, AnyObject>;

const NOTHING: Objects = new Map();

export class NamespacedObjects {
  private readonly plane: PlanePort;
  /** What the kinds below were sorted out of. A plane that has loaded its log again has another. */
  private sortedOut: ObjectIndex | undefined;
  private byKind = new Map<AnyObject["kind"], Map<string, Map<ObjectKey, AnyObject>>>();

  constructor(plane: PlanePort) {
    this.plane = plane;
  }

  /** The present objects of the target. */
  of({ kind, namespace }: Target): Objects {
    const all = objectsOf(kind, this.plane.objects);
    if (namespace === undefined || !kind.api.isNamespaced || kind.isEmpty) return all;
    if (this.sortedOut !== this.plane.objects) this.byKind = new Map();
    this.sortedOut = this.plane.objects;
    let namespaces = this.byKind.get(kind.api.kind);
    if (namespaces === undefined) {
      namespaces = new Map();
      for (const [key, object] of all) put(namespaces, key, object);
      this.byKind.set(kind.api.kind, namespaces);
    }
    return namespaces.get(namespace) ?? NOTHING;
  }

  /** Called with every commit when it is published. */
  note(commits: readonly Commit[]): void {
    if (this.byKind.size === 0) return;
    for (const { changes } of commits) {
      for (const { key, before, after } of changes) {
        const some = after ?? before;
        if (some === undefined) continue;
        const namespaces = this.byKind.get(some.kind);
        if (namespaces === undefined) continue;
        if (after === undefined) take(namespaces, key, some.meta.namespace);
        else put(namespaces, key, after);
      }
    }
  }
}

function put(
  namespaces: Map<string, Map<ObjectKey, AnyObject>>,
  key: ObjectKey,
  object: AnyObject,
): void {
  const { namespace } = object.meta;
  const objects = namespaces.get(namespace);
  if (objects === undefined) namespaces.set(namespace, new Map([[key, object]]));
  else objects.set(key, object);
}

function take(
  namespaces: Map<string, Map<ObjectKey, AnyObject>>,
  key: ObjectKey,
  namespace: string,
): void {
  const objects = namespaces.get(namespace);
  objects?.delete(key);
  if (objects?.size === 0) namespaces.delete(namespace);
}
