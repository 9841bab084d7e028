/**
 * The objects of a dump, by kind, each once. Takes what `kubectl get -o json` prints (a list of
 * anything), the API's own lists, and single objects.
 */
import type {
  Claim,
  Controller,
  CsiNode,
  DeviceClass,
  DisruptionBudget,
  KubeNode,
  KubeObject,
  KubePriorityClass,
  KubeQuota,
  Pod,
  ResourceClaim,
  ResourceSlice,
  StorageClass,
  Volume,
} from "./kube-objects.ts";

interface Kinds {
  readonly Node: KubeNode;
  readonly Pod: Pod;
  readonly Deployment: Controller;
  readonly ReplicaSet: Controller;
  readonly ReplicationController: Controller;
  readonly StatefulSet: Controller;
  readonly DaemonSet: Controller;
  readonly Job: Controller;
  readonly PodDisruptionBudget: DisruptionBudget;
  readonly ResourceQuota: KubeQuota;
  readonly PriorityClass: KubePriorityClass;
  readonly PersistentVolumeClaim: Claim;
  readonly PersistentVolume: Volume;
  readonly Namespace: KubeObject;
  readonly StorageClass: StorageClass;
  readonly CSINode: CsiNode;
  readonly ResourceSlice: ResourceSlice;
  readonly ResourceClaim: ResourceClaim;
  readonly DeviceClass: DeviceClass;
}

/** Kinds whose contents are secret, or may be: only their names are kept, to count them. */
const SECRET: ReadonlySet<string> = new Set(["Secret", "ConfigMap"]);

/** A text that holds no Kubernetes objects: which, and what it looks like. */
export class NotADump extends Error {}

export class KubeDump {
  private readonly byKind = new Map<string, Map<string, KubeObject>>();

  /** `where` names the file, for messages. */
  add(value: unknown, where: string): void {
    if (!isRecord(value)) throw new NotADump(`${where} holds no JSON object.`);
    const kind = typeof value["kind"] === "string" ? value["kind"] : "";
    const items = value["items"];
    if (Array.isArray(items)) {
      // The API leaves out the kind of a list's items; the list tells it.
      const ofItems = kind.endsWith("List") ? kind.slice(0, -"List".length) : "";
      for (const item of items) this.addOne(item, ofItems, where);
      return;
    }
    this.addOne(value, "", where);
  }

  all<K extends keyof Kinds>(kind: K): readonly Kinds[K][] {
    return [...(this.byKind.get(kind)?.values() ?? [])] as unknown as readonly Kinds[K][];
  }

  /** Every kind in it, with its number of objects. */
  counts(): ReadonlyMap<string, number> {
    return new Map([...this.byKind].map(([kind, objects]) => [kind, objects.size]));
  }

  private addOne(value: unknown, ofList: string, where: string): void {
    if (!isRecord(value)) throw new NotADump(`${where} has an item that is no JSON object.`);
    const { kind = ofList, metadata } = value as Partial<KubeObject>;
    if (typeof kind !== "string" || kind === "" || !isRecord(metadata)) {
      throw new NotADump(`${where} has an object without kind or metadata.`);
    }
    const { namespace = "", name } = metadata as KubeObject["metadata"];
    if (typeof name !== "string") throw new NotADump(`${where} has a ${kind} without a name.`);
    let objects = this.byKind.get(kind);
    if (objects === undefined) this.byKind.set(kind, (objects = new Map()));
    const kept = SECRET.has(kind) ? { metadata: { namespace, name } } : value;
    objects.set(`${namespace}/${name}`, { ...kept, kind } as KubeObject);
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** e.g. "payments/api-7f9c-x2" */
export const nameOf = ({ metadata }: KubeObject): string =>
  metadata.namespace === undefined
    ? (metadata.name ?? "")
    : `${metadata.namespace}/${metadata.name ?? ""}`;
