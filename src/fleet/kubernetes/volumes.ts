/** Which nodes the volumes of a pod can be attached to, by claim and volume. */
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { Claim, NodeSelector, Pod, StorageClass } from "./kube-objects.ts";

export class Volumes {
  private readonly claims = new Map<string, Claim>();
  private readonly classes = new Map<string, StorageClass>();
  private readonly nodesOfVolume = new Map<string, NodeSelector | undefined>();
  private readonly notes: ImportNotes;

  constructor(dump: KubeDump, notes: ImportNotes) {
    this.notes = notes;
    for (const claim of dump.all("PersistentVolumeClaim")) {
      this.claims.set(nameOf(claim), claim);
    }
    for (const each of dump.all("StorageClass")) this.classes.set(each.metadata.name ?? "", each);
    for (const volume of dump.all("PersistentVolume")) {
      this.nodesOfVolume.set(volume.metadata.name ?? "", volume.spec?.nodeAffinity?.required);
    }
  }

  of(pod: Pod): readonly NodeSelector[] {
    return (pod.spec?.volumes ?? []).flatMap(({ persistentVolumeClaim: claim, ephemeral }) => {
      if (ephemeral !== undefined) {
        const effect = "its volume is made where the pod is placed: no constraint";
        this.notes.add("pods with an ephemeral volume claim", effect, nameOf(pod));
      }
      if (claim === undefined) return [];
      return this.ofClaim(`${pod.metadata.namespace ?? ""}/${claim.claimName}`, nameOf(pod));
    });
  }

  private ofClaim(name: string, pod: string): readonly NodeSelector[] {
    const claim = this.claims.get(name);
    if (claim === undefined) {
      this.notes.add("volume claims that are not in the dump", NO_CONSTRAINT, pod);
      return [];
    }
    this.noteModes(claim, pod);
    const volume = claim.spec?.volumeName;
    if (volume === undefined || !this.nodesOfVolume.has(volume)) return this.ofClass(claim, pod);
    const nodes = this.nodesOfVolume.get(volume);
    return nodes === undefined ? [] : [nodes];
  }

  /** A volume that is still to be made is made in a place that its class allows. */
  private ofClass({ spec }: Claim, pod: string): readonly NodeSelector[] {
    const allowed = this.classes.get(spec?.storageClassName ?? "")?.allowedTopologies ?? [];
    const effect =
      allowed.length > 0 ? "only the places that their storage class allows count" : NO_CONSTRAINT;
    this.notes.add("volume claims that are not bound to a volume", effect, pod);
    if (allowed.length === 0) return [];
    const nodeSelectorTerms = allowed.map(({ matchLabelExpressions = [] }) => ({
      matchExpressions: matchLabelExpressions.map(({ key, values }) => ({
        key,
        operator: "In",
        values,
      })),
    }));
    return [{ nodeSelectorTerms }];
  }

  private noteModes({ spec }: Claim, pod: string): void {
    for (const mode of spec?.accessModes ?? []) {
      if (mode !== "ReadWriteOncePod") continue;
      const effect = "that only one pod may use the volume is not checked";
      this.notes.add("volume claims with ReadWriteOncePod", effect, pod);
    }
  }
}

const NO_CONSTRAINT = "no constraint on where the pod runs";
