/**
 * What a command of a person asks of roles: the verb on the object that it writes, and the powers
 * that it needs besides. The API asks the first for a path and a method; where commands come
 * without them, they say it themselves.
 */
import { OWN_GROUP, type ResourceRequest, type Verb } from "../model/access.ts";
import { parseKey, type ObjectKey } from "../model/ids.ts";
import type { AnyObject, NodePool } from "../model/objects.ts";
import type { Intent } from "../protocol/command.ts";
import { powersOfWrite } from "../rules/powers/powers-of-write.ts";
import { resourceOf } from "./resource-of.ts";

/** `held`: the object that it writes, if there is one. */
export function askedOfCommand(
  intent: Intent,
  held: AnyObject | undefined,
  pools: Iterable<NodePool>,
): readonly ResourceRequest[] {
  switch (intent.kind) {
    case "put": {
      const { key, desired } = intent;
      const verb = held === undefined ? "create" : "update";
      return [writeOf(verb, key), ...powersOfWrite({ key, desired }, held, pools)];
    }
    case "delete":
      return [writeOf("delete", intent.key)];
    default: {
      const power = powerOf(intent);
      return power === undefined ? [] : [power];
    }
  }
}

/** Of a command that changes what no object expresses. */
export function powerOf(intent: Intent): ResourceRequest | undefined {
  if (intent.kind === "transition" && intent.to === "fenced") {
    return {
      verb: "fence",
      group: OWN_GROUP,
      resource: "nodes",
      name: parseKey(intent.key).name,
    };
  }
  if (intent.kind === "region-gone") {
    return { verb: "fence", group: OWN_GROUP, resource: "regions", name: intent.region };
  }
  if (intent.kind === "activate") {
    return { verb: "activate", group: OWN_GROUP, resource: "policies", name: intent.policy };
  }
  return undefined;
}

function writeOf(verb: Verb, key: ObjectKey): ResourceRequest {
  const { kind, namespace, name } = parseKey(key);
  return { verb, ...resourceOf(kind), ...(namespace === "" ? {} : { namespace }), name };
}
