/** Where the replicas of a workload may run, and how they keep to and from each other. */
import { Type } from "typebox";
import { LOAD_LIMITS } from "../../core/model/limits/load-limits.ts";
import { OBJECT_MOST } from "../../core/model/limits/object-limits.ts";
import { choice, fields, flag, labelMap, name, text, wholeNumber, word } from "../schema/shapes.ts";

/** Beyond the number of replicas a workload can have, a skew or a cap means nothing. */
const MOST_REPLICAS = LOAD_LIMITS.workloadReplicas.value;

const PLACE = "zone, region, node, or the key of a label of nodes";

export const TAINT_EFFECTS = ["no-schedule", "prefer-no-schedule"] as const;

const weight = wholeNumber("How much it counts beside other wishes.", { from: 1, to: 100 });

const toleration = fields("Lets replicas run on nodes with this taint.", {
  key: Type.Optional(word("The key of the taint. Left out: every taint.")),
  value: Type.Optional(text("The value of the taint; left out or empty for any value.")),
  effect: Type.Optional(choice("The effect of the taint. Left out: any.", TAINT_EFFECTS)),
});

const expression = fields("A statement about a label of the node.", {
  key: word("The key of the label."),
  operator: choice("What is said of it. gt and lt compare whole numbers.", [
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

const preferredNodes = fields("Nodes that replicas would rather run on.", {
  weight,
  expressions: expressions("All of them must hold."),
});

export const spread = fields("Keeps replicas apart.", {
  by: word(`What to spread over: ${PLACE}.`),
  maxSkew: Type.Optional(
    wholeNumber("How many more replicas the fullest may have than the emptiest.", {
      from: 1,
      to: MOST_REPLICAS,
      byDefault: 1,
    }),
  ),
  soft: Type.Optional(flag("Only prefer it, rather than wait.")),
});

const termFields = {
  by: word(`What makes two nodes one place: ${PLACE}.`),
  labels: labelMap("Labels of the replicas meant; they have those of their workload."),
  tenants: Type.Optional(
    Type.Array(name("The name of a tenant."), {
      description: "Whose replicas are meant. Left out: the workload's own tenant's.",
    }),
  ),
};

const term = fields("Replicas, and the places they are in.", termFields);
const weightedTerm = fields("Replicas, and the places they are in.", { weight, ...termFields });

const terms = (description: string) =>
  Type.Optional(Type.Array(term, { description, maxItems: OBJECT_MOST.affinityTerms }));
const weightedTerms = (description: string) =>
  Type.Optional(Type.Array(weightedTerm, { description, maxItems: OBJECT_MOST.affinityTerms }));

const affinity = fields(
  "Which replicas, of this workload or others, these keep to and from.",
  {
    required: terms(
      "Run only in a place where one of these is; the first of a kind may begin a place.",
    ),
    preferred: weightedTerms("Rather run in a place where one of these is."),
    antiRequired: terms("Never run in a place where one of these is, nor the other way round."),
    antiPreferred: weightedTerms("Rather run in a place where none of these is."),
  },
  {
    nodeAffinity: "not supported: use placement.nodeExpressions and placement.preferredNodes.",
    podAffinity: "not supported: use required and preferred.",
    podAntiAffinity: "not supported: use antiRequired and antiPreferred.",
  },
);

export const placementSchema = fields(
  "Where replicas may run, and how they spread.",
  {
    regions: Type.Optional(
      Type.Array(name("The name of a region."), {
        description: "Regions that replicas may run in. Left out or empty: every region.",
      }),
    ),
    zones: Type.Optional(
      Type.Array(name("The name of a zone."), {
        description: "Zones that replicas may run in. Left out or empty: every zone.",
      }),
    ),
    nodeSelector: Type.Optional(labelMap("Labels a node must have.", OBJECT_MOST.nodeSelector)),
    nodeExpressions: Type.Optional(
      expressions("Statements about a node's labels, all of which must hold."),
    ),
    preferredNodes: Type.Optional(
      Type.Array(preferredNodes, {
        description: "Nodes that replicas would rather run on.",
        maxItems: OBJECT_MOST.preferredNodes,
      }),
    ),
    tolerations: Type.Optional(
      Type.Array(toleration, {
        description: "Taints of nodes that do not keep replicas away.",
        maxItems: OBJECT_MOST.tolerations,
      }),
    ),
    spread: Type.Optional(
      Type.Array(spread, {
        description: "How replicas are kept apart.",
        maxItems: OBJECT_MOST.spread,
      }),
    ),
    affinity: Type.Optional(affinity),
    maxPerNode: Type.Optional(
      wholeNumber("The most replicas of this workload on one node.", {
        from: 1,
        to: MOST_REPLICAS,
      }),
    ),
    policy: Type.Optional(
      name("The name of the Policy that scores nodes for it. Left out: default."),
    ),
  },
  { topologySpreadConstraints: "not supported: use spread." },
);

export type PlacementText = Type.Static<typeof placementSchema>;
export type ExpressionText = Type.Static<typeof expression>;
export type AffinityText = Type.Static<typeof affinity>;
export type TermText = Type.Static<typeof term>;
