/**
 * Which controller a pod belongs to. Pods of a ReplicaSet belong to its Deployment; a pod without
 * a controller stands for itself.
 */
import type { KubeDump } from "./dump.ts";
import type { Controller, KubeObject, Pod } from "./kube-objects.ts";

const CONTROLLERS = [
  "Deployment",
  "ReplicaSet",
  "ReplicationController",
  "StatefulSet",
  "DaemonSet",
  "Job",
] as const;

export type OwnerKind = (typeof CONTROLLERS)[number] | "Pod";

export interface Owner {
  readonly kind: OwnerKind;
  /** As its pods name it: also kinds that Kubernetes does not define, and "Node" of static pods. */
  readonly controller: string;
  readonly namespace: string;
  readonly name: string;
  /** Undefined: it is not in the dump. */
  readonly source: Controller | undefined;
}

export class Owners {
  private readonly byUid = new Map<string, Controller>();
  private readonly dump: KubeDump;

  constructor(dump: KubeDump) {
    this.dump = dump;
    for (const kind of CONTROLLERS) {
      for (const each of dump.all(kind)) this.byUid.set(each.metadata.uid ?? "", each);
    }
  }

  of(pod: Pod): Owner {
    const direct = controllerOf(pod);
    if (direct === undefined) return ownerOf(pod, "Pod", undefined);
    const found = this.byUid.get(direct.uid);
    const above = found?.kind === "ReplicaSet" ? controllerOf(found) : undefined;
    const deployment = above && this.byUid.get(above.uid);
    if (deployment !== undefined) return ownerOf(deployment, "Deployment", deployment);
    const kind = CONTROLLERS.find((known) => known === direct.kind) ?? "Pod";
    if (found !== undefined) return ownerOf(found, kind, found);
    const { namespace = "" } = pod.metadata;
    return { kind, controller: direct.kind, namespace, name: direct.name, source: undefined };
  }

  /** Those that a person made: no ReplicaSet of a Deployment. */
  all(): readonly Owner[] {
    return CONTROLLERS.flatMap((kind) =>
      this.dump
        .all(kind)
        .filter((each) => kind !== "ReplicaSet" || controllerOf(each) === undefined)
        .map((each) => ownerOf(each, kind, each)),
    );
  }
}

const controllerOf = ({ metadata }: KubeObject) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

function ownerOf(of: KubeObject, kind: OwnerKind, source: Controller | undefined): Owner {
  const { namespace = "", name = "" } = of.metadata;
  return { kind, controller: kind, namespace, name, source };
}
