/** Nodes as Berth has them: what they offer to pods, where they are, what keeps pods away. */
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Node } from "../../core/model/objects.ts";
import type { DynamicDevices } from "./dynamic-devices.ts";
import { importedMeta } from "./imported-meta.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { KubeNode, KubeTaint } from "./kube-objects.ts";
import { wholeOf } from "./kube-quantity.ts";
import { taintsOf } from "./map-taints.ts";
import { amountsOf } from "./pod-request.ts";
import { nodeFacts } from "./recovery-facts.ts";
import { capacityOf, poolsOf } from "./resources.ts";
import type { Marks } from "./selectors.ts";
import { NODE_NAME_LABEL, REGION_LABEL, ZONE_LABEL } from "./topology-of.ts";

/** For nodes whose labels name no place. */
const NOWHERE = "unlabelled";

interface NodeSources {
  readonly marks: Marks<KubeNode>;
  readonly devices: DynamicDevices;
  readonly notes: ImportNotes;
}

export function mapNode(source: KubeNode, { marks, devices, notes }: NodeSources): Node {
  const { name = "", labels = {}, uid = name } = source.metadata;
  const allocatable = amountsOf(source.status?.allocatable ?? source.status?.capacity);
  const pools = [...poolsOf(allocatable, { node: name, notes }), ...devices.poolsOf(name)];
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
      taints: taintsOf(taintsIn(source)),
      cordons: [],
      draining: false,
      ...(pods === undefined ? {} : { maxReplicas: wholeOf(pods) }),
    },
    status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
  };
}

/** A node that is not schedulable carries the taint for it, as soon as a controller has seen it. */
function taintsIn({ spec }: KubeNode): readonly KubeTaint[] {
  const { taints = [], unschedulable = false } = spec ?? {};
  if (!unschedulable || taints.some(({ key }) => key === UNSCHEDULABLE)) return taints;
  return [...taints, { key: UNSCHEDULABLE, effect: "NoSchedule" }];
}

const UNSCHEDULABLE = "node.kubernetes.io/unschedulable";
