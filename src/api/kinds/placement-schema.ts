/** Where the replicas of a workload may run, and how they keep to and from each other. */
import { Type } from "typebox";
import { LOAD_LIMITS } from "../../core/model/limits/load-limits.ts";
import { TAINT_EFFECTS } from "../../core/kinds/fields/node-fields.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { choice, fields, flag, labelMap, name, text, wholeNumber, word } from "../schema/shapes.ts";

/** Beyond the number of replicas a workload can have, a skew or a cap means nothing. */
const MOST_REPLICAS = LOAD_LIMITS.workloadReplicas.value;

const PLACE = "zone, region, node, or the key of a label of nodes";

const weight = wholeNumber("Its weight among the preferences.", { from: 1, to: 100 });

const toleration = fields("Lets replicas run on nodes with this taint.", {
  key: Type.Optional(word("The key of the taint. Default: every taint.")),
  value: Type.Optional(text("The value of the taint. Default or empty: any value.")),
  effect: Type.Optional(choice("The effect of the taint. Default: any.", TAINT_EFFECTS)),
});

const expression = fields("An expression about a label of the node.", {
  key: word("The key of the label."),
  operator: choice("The operator. gt and lt compare whole numbers.", [
    "in",
    "not-in",
    "exists",
    "does-not-exist",
    "gt",
    "lt",
  ]),
  values: Type.Optional(
    Type.Array(text("A value of the label."), {
      description: "For in and not-in one or more, for gt and lt exactly one, otherwise none.",
      maxItems: OBJECT_MOST.expressionValues,
    }),
  ),
});

const expressions = (description: string) =>
  Type.Array(expression, { description, maxItems: OBJECT_MOST.nodeExpressions });

const preferredNodes = fields("Preferred nodes.", {
  weight,
  expressions: expressions("The expressions, all of which must match."),
});

export const spread = fields("Spreads replicas.", {
  by: word(`The topology to spread over: ${PLACE}.`),
  maxSkew: Type.Optional(
    wholeNumber("The maximum difference in replicas between the fullest and the emptiest domain.", {
      from: 1,
      to: MOST_REPLICAS,
      byDefault: 1,
    }),
  ),
  soft: Type.Optional(flag("A preference: the replica does not wait for it.")),
});

const termFields = {
  by: word(`The topology that defines a domain: ${PLACE}.`),
  labels: labelMap("Labels of the matching replicas; a replica has the labels of its workload."),
  tenants: Type.Optional(
    Type.Array(name("The name of a tenant."), {
      description: "Tenants of the matching replicas. Default: the workload's own tenant.",
    }),
  ),
};

const term = fields("Replicas and their topology domain.", termFields);
const weightedTerm = fields("Replicas and their topology domain.", { weight, ...termFields });

const terms = (description: string) =>
  Type.Optional(Type.Array(term, { description, maxItems: OBJECT_MOST.affinityTerms }));
const weightedTerms = (description: string) =>
  Type.Optional(Type.Array(weightedTerm, { description, maxItems: OBJECT_MOST.affinityTerms }));

const affinity = fields(
  "Affinity and anti-affinity to replicas of this or other workloads.",
  {
    required: terms(
      "Run only in a domain with a matching replica; the first of a kind may run anywhere.",
    ),
    preferred: weightedTerms("Prefer a domain with a matching replica."),
    antiRequired: terms("Never run in a domain with a matching replica, and the reverse."),
    antiPreferred: weightedTerms("Prefer a domain without a matching replica."),
  },
  {
    nodeAffinity: "not supported: use placement.nodeExpressions and placement.preferredNodes.",
    podAffinity: "not supported: use required and preferred.",
    podAntiAffinity: "not supported: use antiRequired and antiPreferred.",
  },
);

export const placementSchema = fields(
  "Where replicas may run and how they spread.",
  {
    regions: Type.Optional(
      Type.Array(name("The name of a region."), {
        description: "Regions that replicas may run in. Default or empty: every region.",
      }),
    ),
    zones: Type.Optional(
      Type.Array(name("The name of a zone."), {
        description: "Zones that replicas may run in. Default or empty: every zone.",
      }),
    ),
    nodeSelector: Type.Optional(labelMap("Labels a node must have.", OBJECT_MOST.nodeSelector)),
    nodeExpressions: Type.Optional(
      expressions("Expressions about a node's labels, all of which must match."),
    ),
    preferredNodes: Type.Optional(
      Type.Array(preferredNodes, {
        description: "Preferred nodes.",
        maxItems: OBJECT_MOST.preferredNodes,
      }),
    ),
    tolerations: Type.Optional(
      Type.Array(toleration, {
        description: "Taints of nodes that the replicas tolerate.",
        maxItems: OBJECT_MOST.tolerations,
      }),
    ),
    spread: Type.Optional(
      Type.Array(spread, {
        description: "How replicas spread.",
        maxItems: OBJECT_MOST.spread,
      }),
    ),
    affinity: Type.Optional(affinity),
    maxPerNode: Type.Optional(
      wholeNumber("The maximum number of replicas of this workload on one node.", {
        from: 1,
        to: MOST_REPLICAS,
      }),
    ),
    policy: Type.Optional(
      name("The name of the Policy that scores nodes for it. Default: default."),
    ),
  },
  { topologySpreadConstraints: "not supported: use spread." },
);

export type PlacementText = Type.Static<typeof placementSchema>;
export type ExpressionText = Type.Static<typeof expression>;
export type AffinityText = Type.Static<typeof affinity>;
export type TermText = Type.Static<typeof term>;
