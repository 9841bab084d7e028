/** Which nodes the volumes of a pod can be attached to, by claim and volume. */
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { NodeSelector, Pod } from "./kube-objects.ts";

export class Volumes {
  private readonly volumeOfClaim = new Map<string, string | undefined>();
  private readonly nodesOfVolume = new Map<string, NodeSelector | undefined>();
  private readonly notes: ImportNotes;

  constructor(dump: KubeDump, notes: ImportNotes) {
    this.notes = notes;
    for (const claim of dump.all("PersistentVolumeClaim")) {
      this.volumeOfClaim.set(nameOf(claim), claim.spec?.volumeName);
    }
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

  private ofClaim(claim: string, pod: string): readonly NodeSelector[] {
    const volume = this.volumeOfClaim.get(claim);
    if (volume === undefined || !this.nodesOfVolume.has(volume)) {
      const why = this.volumeOfClaim.has(claim)
        ? "are not bound to a volume"
        : "are not in the dump";
      this.notes.add(`volume claims that ${why}`, "no constraint on where the pod runs", pod);
      return [];
    }
    const nodes = this.nodesOfVolume.get(volume);
    return nodes === undefined ? [] : [nodes];
  }
}
