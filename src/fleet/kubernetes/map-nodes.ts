/** Nodes as Berth has them: what they offer to pods, where they are, what keeps pods away. */
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Node } from "../../core/model/objects.ts";
import { importedMeta } from "./imported-meta.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { KubeNode } from "./kube-objects.ts";
import { wholeOf } from "./kube-quantity.ts";
import { taintsOf } from "./map-taints.ts";
import { amountsOf } from "./pod-request.ts";
import { nodeFacts } from "./recovery-facts.ts";
import { capacityOf, poolsOf } from "./resources.ts";
import type { Marks } from "./selectors.ts";
import { NODE_NAME_LABEL, REGION_LABEL, ZONE_LABEL } from "./topology-of.ts";

/** For nodes whose labels name no place. */
const NOWHERE = "unlabelled";

export function mapNode(
  source: KubeNode,
  { marks, notes }: { readonly marks: Marks<KubeNode>; readonly notes: ImportNotes },
): Node {
  const { name = "", labels = {}, uid = name } = source.metadata;
  const allocatable = amountsOf(source.status?.allocatable ?? source.status?.capacity);
  const pools = poolsOf(allocatable, { node: name, notes });
  const pods = allocatable.get("pods");
  const zone = labels[ZONE_LABEL];
  if (zone === undefined) {
    const effect = `taken for one zone, "${NOWHERE}": the loss of a zone loses them all`;
    notes.add(`nodes without the label ${ZONE_LABEL}`, effect, name);
  }
  const key = nodeKey(name);
  return {
    kind: "Node",
    key,
    meta: importedMeta(key, {
      uid: uid as Uid,
      labels: { ...labels, [NODE_NAME_LABEL]: name, ...marks.labelsOf(source) },
      annotations: nodeFacts(source),
    }),
    spec: {
      region: labels[REGION_LABEL] ?? NOWHERE,
      zone: zone ?? NOWHERE,
      capacity: capacityOf(allocatable, pools),
      pools,
      // A node that is not schedulable carries the taint for it already.
      taints: taintsOf(source.spec?.taints ?? []),
      cordons: [],
      draining: false,
      ...(pods === undefined ? {} : { maxReplicas: wholeOf(pods) }),
    },
    status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  };
}
