/** One pod on a node that fell silent, with the times of what the controllers do about it. */
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Replacement } from "../../fleet/kubernetes/recovery-facts.ts";

export interface PodLoss {
  readonly replica: Replica;
  readonly workload: ObjectKey;
  /** The kind of its controller, such as "StatefulSet". */
  readonly controller: string;
  readonly replacedBy: Replacement;
  /** Undefined: for ever. */
  readonly tolerationMs: number | undefined;
  readonly node: string;
  /** It served when its node fell silent. */
  readonly wasUp: boolean;
  readonly lostMs: number;
  unknownMs?: number;
  taintMs?: number;
  evictedMs?: number;
  replacementMs?: number;
  boundMs?: number;
  boundTo?: string;
  /** Its node came back, and with it the pod or its object. */
  returnedMs?: number;
  /** The first refusal by a quota, and how often it was refused. */
  short?: string;
  refusals: number;
  rejectedBy?: string;
}

/** Why its place is not taken by another pod within the watch; undefined: it is. */
export function whyNever(
  loss: PodLoss,
  whyUntainted: (node: string) => string,
): string | undefined {
  if (loss.boundMs !== undefined) return undefined;
  if (loss.evictedMs === undefined) return whyNotEvicted(loss, whyUntainted);
  if (loss.replacementMs !== undefined) {
    return `no node takes its replacement: ${loss.rejectedBy ?? "the watch ended before it was placed"}`;
  }
  if (loss.short !== undefined) {
    return `the quota of its namespace is short of ${loss.short} while pods are being deleted`;
  }
  return WAITS[loss.replacedBy](loss);
}

function whyNotEvicted(loss: PodLoss, whyUntainted: (node: string) => string): string | undefined {
  const { tolerationMs, node } = loss;
  if (loss.returnedMs !== undefined) return undefined;
  if (tolerationMs === undefined) return "it tolerates unreachable nodes for ever and stays";
  if (loss.unknownMs === undefined) return "its node is not found to be silent yet";
  if (loss.taintMs === undefined) return `its node is not tainted: ${whyUntainted(node)}`;
  return `it tolerates an unreachable node for ${tolerationMs / 1_000} s`;
}

const WAITS: Readonly<Record<Replacement, (loss: PodLoss) => string>> = {
  "at-once": () => "the watch ended before its controller replaced it",
  "when-gone": ({ controller }) =>
    `its ${controller} waits until the pod object is gone: the node returns, is tainted out-of-service or is deleted`,
  "when-failed": ({ controller }) =>
    `its ${controller} has podReplacementPolicy Failed and waits until the pod has failed, which a silent node does not report`,
  never: ({ controller }) =>
    controller === "Pod" ? "no controller replaces it" : `its ${controller} makes no pod elsewhere`,
  unknown: ({ controller }) => `its controller ${controller} is not one of Kubernetes' own`,
};
