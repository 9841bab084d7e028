/** The topology keys of Kubernetes in Berth's words. */
import type { Topology } from "../../core/model/objects.ts";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
export const REGION_LABEL = "topology.kubernetes.io/region";
const HOST_LABEL = "kubernetes.io/hostname";

const KNOWN: Readonly<Record<string, Topology>> = {
  [HOST_LABEL]: "node",
  [ZONE_LABEL]: "zone",
  "failure-domain.beta.kubernetes.io/zone": "zone",
  [REGION_LABEL]: "region",
  "failure-domain.beta.kubernetes.io/region": "region",
};

export const topologyOf = (key: string): Topology =>
  Object.hasOwn(KNOWN, key) ? (KNOWN[key] as Topology) : key;

/** A label that every imported node has, for what names a node by its field. */
export const NODE_NAME_LABEL = "metadata.name";
