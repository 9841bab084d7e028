/**
 * What a caller may do because of the kind of its credential, without any role, as Kubernetes' node
 * authorizer. What an agent and a controller may say in a command is `check-sender.ts`.
 */
import type { AccessDecision, AccessRequest, Verb } from "../../core/model/access.ts";
import { GROUP } from "../group-version.ts";
import type { Caller } from "../http/caller.ts";

const READS: ReadonlySet<Verb> = new Set(["get", "list", "watch"]);

/** Undefined: roles decide. */
export function rightOfKind(
  { kind, name }: Caller,
  request: AccessRequest,
): AccessDecision | undefined {
  // An agent introduces its own node; the authority refuses it every other name (NR1).
  if (kind === "agent" && isNewNode(request)) return { isAllowed: true, by: `Node/${name}` };
  if (kind === "controller" && READS.has(request.verb)) {
    return { isAllowed: true, by: "Group/berth:controllers" };
  }
  return undefined;
}

const isNewNode = (request: AccessRequest): boolean =>
  !("path" in request) &&
  request.verb === "create" &&
  request.group === GROUP &&
  request.resource === "nodes" &&
  request.subresource === undefined;
