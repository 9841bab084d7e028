/** Replica: one index of a workload, and where it has come. */
import { workloadKey } from "../model/ids.ts";
import { isResting } from "../model/stage.ts";
import { wantsIndex } from "../model/wanted-indexes.ts";
import { isSpent } from "../observe/index-replicas.ts";
import { reject } from "../protocol/rejection.ts";
import type { PlaneDefinition } from "./kind-definition.ts";

export const replicaDefinition: PlaneDefinition<"Replica"> = {
  kind: "Replica",
  plural: "replicas",
  shortNames: ["rp"],
  scope: "tenant",
  writer: "plane",
  deletedBy: "admit",
  /**
   * A wanted replica that vanished would begin again at incarnation one and meet its own old
   * operations.
   */
  stillUsed: (objects, replica) => {
    const { stage } = replica.status;
    if (!isResting(stage)) return reject("still-in-use", replica.key, "at rest", stage);
    if (isSpent(objects, replica)) return undefined;
    const { workload: name, workloadUid: uid, generation, index } = replica.spec;
    const workload = objects.workload(workloadKey(replica.meta.namespace, name));
    const wanted = wantsIndex(workload, { uid, generation, index });
    return wanted ? reject("still-in-use", replica.key, "not wanted", "wanted") : undefined;
  },
};
