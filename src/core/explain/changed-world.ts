/**
 * A copy of the objects in which changes are made for real and taken back again, so that the
 * scheduler's own search can be asked what it would find then.
 */
import { KINDS, nodeKey, quotaKey } from "../model/ids.ts";
import { overrideKey } from "../model/override.ts";
import type { AnyObject, Node, Quota, Replica } from "../model/objects.ts";
import { ObjectIndex } from "../observe/object-index.ts";
import { emptyNodeUse } from "../observe/usage.ts";
import { type Remedy, withRemedy } from "../rules/obstacles/remedy.ts";
import { newNode, newNodeName } from "./new-node.ts";
import { raisedSpec } from "./quota-copy.ts";

/** Folding more than this would hold up the plane for longer than a tenth of a second. */
export const COPIED_OBJECTS = 50_000;

export class ChangedWorld {
  readonly objects = new ObjectIndex();

  constructor(objects: ObjectIndex) {
    for (const kind of KINDS) {
      for (const after of objects.all(kind).values()) {
        this.objects.fold({ key: after.key, before: undefined, after });
      }
    }
  }

  /** What `ask` answers while these objects are there. */
  during<Answer>(changed: readonly Changed[], ask: () => Answer): Answer {
    const before = changed.map(({ key }) => ({ key, after: this.objects.get(key) }));
    for (const { key, after } of changed) this.put(key, after);
    const answer = ask();
    for (const { key, after } of before.toReversed()) this.put(key, after);
    return answer;
  }

  private put(key: AnyObject["key"], after: AnyObject | undefined): void {
    this.objects.fold({ key, before: this.objects.get(key), after });
  }
}

export interface Changed {
  readonly key: AnyObject["key"];
  readonly after: AnyObject | undefined;
}

/** The objects after all of the changes that are not about the replicas themselves. */
export function objectsWith(
  objects: ObjectIndex,
  remedies: readonly Remedy[],
  replica: Replica,
): readonly Changed[] {
  const nodes = new Map<string, Node>();
  const changed: Changed[] = [];
  let quota = objects.all("Quota").get(quotaKey(replica.meta.namespace));
  for (const remedy of remedies) {
    switch (remedy.kind) {
      case "free":
      case "free-place":
      case "free-devices":
      case "uncordon":
      case "end-drain": {
        const node = nodes.get(remedy.node) ?? objects.node(nodeKey(remedy.node));
        if (node !== undefined) nodes.set(remedy.node, nodeWith(node, remedy, replica));
        break;
      }
      case "release-override":
        changed.push({ key: overrideKey(remedy.override), after: undefined });
        break;
      case "raise-quota":
      case "create-quota":
        quota = { ...(quota ?? noQuota(replica)), spec: raisedSpec(quota?.spec, remedy) };
        break;
      case "add-node": {
        const { ask } = replica.spec.template;
        const of = { ...ask, amounts: remedy.amounts, ...deviceOf(remedy) };
        for (let at = 0; at < (remedy.count ?? 1); at += 1) {
          const node = newNode(of, remedy, newNodeName(at));
          nodes.set(node.meta.name, node);
        }
        break;
      }
      default:
        break;
    }
  }
  for (const node of nodes.values()) changed.push({ key: node.key, after: node });
  if (quota !== undefined) changed.push({ key: quota.key, after: quota });
  return changed;
}

/** A tenant without a quota is given its first one. */
function noQuota({ meta }: Replica): Omit<Quota, "spec"> {
  const key = quotaKey(meta.namespace);
  return { kind: "Quota", key, meta: { ...meta, name: "default", labels: {} }, status: {} };
}

const deviceOf = ({ device }: Extract<Remedy, { kind: "add-node" }>) =>
  device === undefined ? {} : { device };

type OfNode = Extract<Remedy, { readonly node: string }>;

/** Freed room is added: the use of the node is counted from the replicas that are there. */
function nodeWith(node: Node, remedy: OfNode, replica: Replica): Node {
  const { spec } = node;
  switch (remedy.kind) {
    case "free": {
      const capacity = {
        ...spec.capacity,
        [remedy.name]: spec.capacity[remedy.name] + remedy.amount,
      };
      return { ...node, spec: { ...spec, capacity } };
    }
    case "free-place":
      return { ...node, spec: { ...spec, maxReplicas: (spec.maxReplicas ?? 0) + 1 } };
    case "free-devices": {
      const { device } = replica.spec.template.ask;
      const ids = Array.from({ length: remedy.count }, (_, at) => `(freed ${at})`);
      const pool = { class: device?.class ?? "", model: device?.models[0] ?? "", ids };
      const deviceMillis = spec.capacity.deviceMillis + 1000 * remedy.count;
      return {
        ...node,
        spec: {
          ...spec,
          pools: [...spec.pools, pool],
          capacity: { ...spec.capacity, deviceMillis },
        },
      };
    }
    default:
      return withRemedy({ node, use: emptyNodeUse(), replica }, remedy).node;
  }
}
