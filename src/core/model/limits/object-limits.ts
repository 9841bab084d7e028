/**
 * How large an object may be. Everything here is held in memory by every plane, kept in the log,
 * and sent to every watcher; a workload's template is there again for each of its replicas, so it
 * is bounded more tightly than the rest.
 */
import { type Limit, limitValues } from "./limit.ts";

const beyond = "422 `object-too-large`";
const entries = (value: number, of: string, why: string) =>
  ({ value, unit: "count", of, beyond, why }) as const satisfies Limit;
const bytes = (value: number, of: string, why: string) =>
  ({ value, unit: "bytes", of, beyond, why }) as const satisfies Limit;

const KIB = 1024;

export const OBJECT_LIMITS = {
  labels: entries(128, "labels of an object", "several times what people and tools set"),
  labelKeyBytes: bytes(317, "a key of a label or annotation", "Kubernetes' own: 253 and 63"),
  labelValueBytes: bytes(63, "the value of a label", "Kubernetes' own"),
  annotations: entries(256, "annotations of an object", "several times what people and tools set"),
  annotationsBytes: bytes(256 * KIB, "all annotations of an object", "Kubernetes' own"),
  finalizers: entries(32, "finalizers of an object", "each is one controller"),
  owners: entries(16, "owners of an object", "most have one; each is looked up when one goes"),
  managedFieldsBytes: bytes(
    256 * KIB,
    "`managedFields` of an object",
    "ten managers of the largest template",
  ),
  conditions: {
    ...entries(32, "conditions that clients keep on an object", "more than a person reads"),
    beyond: "422 `bad-object`",
  },
  conditionsBytes: bytes(64 * KIB, "all those conditions", "two messages of Kubernetes' longest"),
  specBytes: bytes(256 * KIB, "a spec", "a node with a thousand devices needs less than half"),
  templateBytes: bytes(
    64 * KIB,
    "a workload's template",
    "each replica carries it: ten thousand replicas come to 640 MiB at the most",
  ),
  values: {
    ...entries(8_192, "values in metadata and spec together", "twice the largest object in use"),
    beyond: "422 `invalid-object`",
  },
  textBytes: bytes(32 * KIB, "one text in a spec", "Kubernetes' longest text of a condition"),
  keyBytes: bytes(512, "one key in a spec", "the longest text of a command"),
  listEntries: entries(1_024, "any list in a spec", "devices of one node"),
  mapEntries: entries(1_024, "any map in a spec", "as long as lists"),
  env: entries(512, "environment variables", "ten times what programs read"),
  command: entries(512, "words of a command", "ten times what people write"),
  ports: entries(64, "ports of a replica", "each costs the agent a socket while it starts"),
  audiences: entries(8, "audiences of a token", "a header has to carry the token that names them"),
  spread: entries(16, "spread rules", "each is checked for every placement"),
  tolerations: entries(64, "tolerations", "each is checked for every node"),
  nodeSelector: entries(64, "labels of a node selector", "each is checked for every node"),
  nodeExpressions: entries(64, "node expressions", "each is checked for every node"),
  expressionValues: entries(
    256,
    "values of a node expression",
    "regions and zones of a large fleet",
  ),
  preferredNodes: entries(32, "preferences for nodes", "each is checked for every node"),
  affinityTerms: entries(32, "terms of one kind of affinity", "each is checked for every place"),
  taints: entries(64, "taints of a node", "each is checked by every placement"),
  cordons: entries(64, "holders of a node's cordon", "each is a person or a controller"),
  pools: entries(64, "device pools of a node", "one for each model of device"),
} as const satisfies Readonly<Record<string, Limit>>;

export type ObjectLimit = keyof typeof OBJECT_LIMITS;

export const OBJECT_MOST: Readonly<Record<ObjectLimit, number>> = limitValues(OBJECT_LIMITS);

/**
 * The lists and maps of each kind's spec that have a bound of their own; others have the general
 * one.
 */
export const SPEC_ENTRIES: Readonly<
  Partial<Record<string, Readonly<Record<string, ObjectLimit>>>>
> = {
  Workload: {
    "template.run.env": "env",
    "template.run.ports": "ports",
    "template.run.identity": "audiences",
    "template.command": "command",
    "template.probe.action.command": "command",
    "template.spread": "spread",
    "template.ask.tolerations": "tolerations",
    "template.ask.nodeSelector": "nodeSelector",
    "template.ask.nodeExpressions": "nodeExpressions",
    "template.ask.preferredNodes": "preferredNodes",
    "template.affinity.required": "affinityTerms",
    "template.affinity.preferred": "affinityTerms",
    "template.affinity.antiRequired": "affinityTerms",
    "template.affinity.antiPreferred": "affinityTerms",
  },
  Node: { taints: "taints", cordons: "cordons", pools: "pools" },
  NodePool: { taints: "taints", pools: "pools", labels: "labels" },
  PolicyRevision: { spread: "spread" },
};
