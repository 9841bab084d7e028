/**
 * What must hold of objects whatever came before: each has its own name and uid and a tenant that
 * is there, no index stands twice, nothing is held twice for one incarnation, and what was deleted
 * waits for somebody.
 */
import { KINDS, nodeKey, type ObjectKey, parseKey, tenantKey } from "../../core/model/ids.ts";
import type { AnyObject, Replica, Reservation } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { about, type CheckName, type Report } from "./check-names.ts";
import { isHolding, type StateCheck } from "./state-check.ts";

interface At {
  readonly objects: ObjectIndex;
  readonly revision: number;
  readonly report: Report;
}

type Counts = Record<"indexes" | "reservations" | "finalizers" | "names", number>;

export class ObjectCheck implements StateCheck {
  private readonly counted: Counts = { indexes: 0, reservations: 0, finalizers: 0, names: 0 };

  begin(): void {
    // Only what there is at the end is looked at.
  }

  atEnd(objects: ObjectIndex, revision: number, report: Report): void {
    const at = { objects, revision, report };
    const uids = new Map<string, ObjectKey>();
    for (const kind of KINDS) {
      for (const [key, object] of objects.all(kind)) {
        this.counted.names += 1;
        checkName(key, object, at);
        const namesake = uids.get(object.meta.uid);
        if (namesake !== undefined) {
          report(about("names", key, revision, `it has the uid of ${namesake}`));
        }
        uids.set(object.meta.uid, key);
        this.checkFinalizers(object, at);
      }
    }
    this.checkIndexes(at);
    this.checkReservations(at);
  }

  counts(): Readonly<Partial<Record<CheckName, number>>> {
    return this.counted;
  }

  private checkFinalizers({ key, meta }: AnyObject, { revision, report }: At): void {
    const { finalizers, deletingMs } = meta;
    if (deletingMs !== undefined) this.counted.finalizers += 1;
    if (deletingMs !== undefined && finalizers.length === 0) {
      report(
        about("finalizers", key, revision, "it was deleted, has no finalizers, and still exists"),
      );
    }
    if (new Set(finalizers).size === finalizers.length) return;
    report(about("finalizers", key, revision, `duplicate finalizer: ${finalizers.join(", ")}`));
  }

  private checkIndexes({ objects, revision, report }: At): void {
    const holders = new Map<string, Replica>();
    for (const replica of objects.all("Replica").values()) {
      // One that was replaced although it may still run does not stand for its index any more.
      if (!isHolding(replica) || replica.status.superseded !== undefined) continue;
      const { workloadUid, generation, index } = replica.spec;
      const name = `${workloadUid}/${generation}/${index}`;
      const other = holders.get(name);
      holders.set(name, replica);
      if (other === undefined) continue;
      const found = `it is bound to ${replica.status.node} for index ${index}, and ${other.key} is bound to ${other.status.node} for the same index`;
      report(about("indexes", replica.key, revision, found));
    }
    this.counted.indexes = holders.size;
  }

  private checkReservations({ objects, revision, report }: At): void {
    const intents = new Map<string, Reservation>();
    for (const reservation of objects.all("Reservation").values()) {
      this.counted.reservations += 1;
      const { key, spec } = reservation;
      const { kind, namespace } = parseKey(spec.owner);
      if ((kind !== "Replica" && kind !== "Workload") || namespace !== spec.tenant) {
        report(about("reservations", key, revision, `${spec.owner} of ${spec.tenant} owns it`));
      }
      if (objects.get(spec.owner)?.meta.uid !== spec.ownerUid) {
        const found = `its owner ${spec.owner} (${spec.ownerUid}) is gone; a running plane frees it`;
        report({ ...about("reservations", key, revision, found), isDrift: true });
      }
      const what = spec.for === "quota" ? "quota" : "room";
      const intent = `${what} of ${spec.owner} ${spec.ownerUid} incarnation ${spec.incarnation}`;
      const other = intents.get(intent);
      intents.set(intent, reservation);
      if (other !== undefined) {
        report(about("reservations", key, revision, `${other.key} also reserves ${intent}`));
      }
      if (spec.for !== "quota" && objects.get(nodeKey(spec.room.node)) === undefined) {
        const found = `it reserves room on node ${spec.room.node}, which does not exist`;
        report(about("reservations", key, revision, found));
      }
    }
  }
}

function checkName(key: ObjectKey, object: AnyObject, { objects, revision, report }: At): void {
  const { kind, meta } = object;
  if (key !== object.key || key !== `${kind}/${meta.namespace}/${meta.name}`) {
    const found = `the object under this key is ${kind}/${meta.namespace}/${meta.name}`;
    report(about("names", key, revision, found));
  }
  if (meta.revision > revision) {
    const found = `its revision is ${meta.revision}, and the log ends at ${revision}`;
    report(about("names", key, meta.revision, found));
  }
  const isOwned = kind === "Workload" || kind === "Quota";
  if (!isOwned || objects.get(tenantKey(meta.namespace)) !== undefined) return;
  report(about("names", key, revision, `its tenant ${meta.namespace} does not exist`));
}
