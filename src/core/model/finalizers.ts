/** The finalizers that the plane itself keeps on objects. */

/** A workload outlives its deletion until its replicas are gone. */
export const REPLICAS_FINALIZER = "berth.dev/replicas";

/** A tenant outlives its deletion until its workloads and its quota are gone. */
export const CONTENTS_FINALIZER = "berth.dev/contents";

/** A quota that is deleted while it is used outlives its deletion until no workload can use it. */
export const RESERVED_FINALIZER = "berth.dev/reserved";

/** A budget outlives its end until nothing is spent of it any more. */
export const SPENT_FINALIZER = "berth.dev/spent";
