/**
 * What is to be asked of a provisioner about a node, as the log has it: nothing, a machine, or that
 * one goes.
 */
import type { Node } from "../../core/model/objects.ts";
import { isProvisioning } from "../../core/model/node/node-pool.ts";
import { PROTOCOL_VERSION, type ProvisionRequest, requestKey } from "./provision-protocol.ts";

export type WantedAction = ProvisionRequest["action"];

export function wantedAction(node: Node): WantedAction | undefined {
  const { provision } = node.status;
  if (node.spec.pool === undefined || provision === undefined) return undefined;
  if (provision.scalingDown !== undefined) return "delete";
  // Who has failed is released by a controller, and who was accepted is waited for.
  const isOpen = provision.accepted === undefined && provision.failed === undefined;
  return isOpen && isProvisioning(node) ? "create" : undefined;
}

/** Whether a provisioner that keeps machines in its own process has this one. */
export function isKept(node: Node): boolean {
  const { provision } = node.status;
  if (node.spec.pool === undefined || provision === undefined) return false;
  if (provision.scalingDown !== undefined) return false;
  return provision.accepted !== undefined || provision.arrived !== undefined;
}

export function requestFor(
  node: Node,
  of: {
    readonly action: WantedAction;
    readonly server: string;
    readonly joinToken: string | undefined;
  },
): ProvisionRequest {
  const { meta, spec } = node;
  const { action, server, joinToken } = of;
  const { name, uid, labels } = meta;
  const { region, zone, capacity, pools, taints, maxReplicas } = spec;
  return {
    version: PROTOCOL_VERSION,
    action,
    key: requestKey(action, { name, uid }),
    node: {
      name,
      uid,
      region,
      zone,
      capacity,
      devices: pools,
      labels,
      taints,
      ...(maxReplicas === undefined ? {} : { maxReplicas }),
    },
    pool: spec.pool ?? "",
    server,
    ...(joinToken === undefined ? {} : { joinToken }),
  };
}
