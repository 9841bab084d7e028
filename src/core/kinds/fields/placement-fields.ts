/**
 * Where replicas may run, and how they keep to and from each other: in a workload, and the spread
 * in a policy revision, too.
 */
import { wrongValues } from "../../model/expression-values.ts";
import { LOAD_LIMITS } from "../../model/limits/load-limits.ts";
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import type {
  Affinity,
  AffinityTerm,
  Ask,
  NodeExpression,
  PreferredNodes,
  Spread,
  Template,
  WeightedTerm,
} from "../../model/objects.ts";
import type { Taint, Toleration } from "../../model/node/taint.ts";
import type { BrokenRule } from "../kind-definition.ts";
import {
  choice,
  count,
  type FieldsOf,
  filled,
  flag,
  hidden,
  implied,
  labels,
  list,
  name,
  object,
  optional,
  orEmpty,
  text,
  word,
} from "./field.ts";
import { TAINT_EFFECTS } from "./node-fields.ts";

const PLACE = "zone, region, node, or the key of a label of nodes";

/** Beyond the number of replicas a workload can have, a skew or a cap means nothing. */
const REPLICAS = { least: 1, most: LOAD_LIMITS.workloadReplicas.value } as const;

/** Weights are multiplied and added up, so they are bounded. */
const weight = count("Its weight among the preferences.", { least: 1, most: 100 });

export const SPREAD = object<Spread>("Spreads replicas.", {
  by: word(`The topology to spread over: ${PLACE}.`),
  maxSkew: filled(
    count(
      "The maximum difference in replicas between the fullest and the emptiest domain.",
      REPLICAS,
    ),
    1,
  ),
  soft: implied(flag("A preference: the replica does not wait for it."), false),
});

const toleration = object<Toleration>("Lets replicas run on nodes with this taint.", {
  key: hidden(word("The key of the taint. Default: every taint."), ""),
  value: filled(text("The value of the taint. Default or empty: any value."), ""),
  effect: implied<Taint["effect"] | "">(
    choice("The effect of the taint. Default: any.", TAINT_EFFECTS),
    "",
  ),
});

const expressions = (about: string) =>
  list(
    about,
    object<NodeExpression>("An expression about a label of the node.", {
      key: word("The key of the label."),
      operator: choice("The operator. gt and lt compare whole numbers.", [
        "in",
        "not-in",
        "exists",
        "does-not-exist",
        "gt",
        "lt",
      ]),
      values: orEmpty(
        list(
          "For in and not-in one or more, for gt and lt exactly one, otherwise none.",
          text("A value of the label."),
          { most: OBJECT_MOST.expressionValues },
        ),
      ),
    }),
    { most: OBJECT_MOST.nodeExpressions },
  );

const TERM: FieldsOf<AffinityTerm> = {
  by: word(`The topology that defines a domain: ${PLACE}.`),
  labels: labels("Labels of the matching replicas; a replica has the labels of its workload."),
  tenants: optional(
    list(
      "Tenants of the matching replicas. Default: the workload's own tenant.",
      name("The name of a tenant."),
      {},
    ),
  ),
};

const DOMAIN = "Replicas and their topology domain.";
const terms = (about: string) =>
  orEmpty(list(about, object<AffinityTerm>(DOMAIN, TERM), { most: OBJECT_MOST.affinityTerms }));
const weightedTerms = (about: string) =>
  orEmpty(
    list(about, object<WeightedTerm>(DOMAIN, { weight, ...TERM }), {
      most: OBJECT_MOST.affinityTerms,
    }),
  );

const affinity = object<Affinity>(
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

/** The rules about nodes, which the core has in an ask. */
export type Where = Omit<Ask, "amounts" | "device" | "fixedPorts" | "disk" | "driver">;
/** The rules about other replicas, which the core has in a template. */
export type Together = Pick<Template, "spread" | "affinity" | "maxPerNode" | "policy">;

export const WHERE: FieldsOf<Where> = {
  regions: orEmpty(
    list(
      "Regions that replicas may run in. Default or empty: every region.",
      name("The name of a region.", "Region"),
      {},
    ),
  ),
  zones: orEmpty(
    list(
      "Zones that replicas may run in. Default or empty: every zone.",
      name("The name of a zone."),
      {},
    ),
  ),
  nodeSelector: orEmpty(labels("Labels a node must have.", OBJECT_MOST.nodeSelector)),
  nodeExpressions: optional(
    expressions("Expressions about a node's labels, all of which must match."),
  ),
  preferredNodes: optional(
    list(
      "Preferred nodes.",
      object<PreferredNodes>("Preferred nodes.", {
        weight,
        expressions: expressions("The expressions, all of which must match."),
      }),
      { most: OBJECT_MOST.preferredNodes },
    ),
  ),
  tolerations: orEmpty(
    list("Taints of nodes that the replicas tolerate.", toleration, {
      most: OBJECT_MOST.tolerations,
    }),
  ),
};

export const TOGETHER: FieldsOf<Together> = {
  spread: orEmpty(list("How replicas spread.", SPREAD, { most: OBJECT_MOST.spread })),
  affinity: optional(affinity),
  maxPerNode: optional(
    count("The maximum number of replicas of this workload on one node.", REPLICAS),
  ),
  policy: optional(name("The name of the Policy that scores nodes for it. Default: default.")),
};

export const PLACEMENT = object<Where & Together>(
  "Where replicas may run and how they spread.",
  { ...WHERE, ...TOGETHER },
  { topologySpreadConstraints: "not supported: use spread." },
);

/** Expressions whose values do not fit their operators, below this field. */
export function wrongExpressions(where: Where, under: string): readonly BrokenRule[] {
  const { nodeExpressions = [], preferredNodes = [] } = where;
  return [
    ...wrongValuesIn(nodeExpressions, `${under}.nodeExpressions`),
    ...preferredNodes.flatMap((each, at) =>
      wrongValuesIn(each.expressions, `${under}.preferredNodes[${at}].expressions`),
    ),
  ];
}

const wrongValuesIn = (all: readonly NodeExpression[], field: string): readonly BrokenRule[] =>
  all.flatMap((expression, at) => {
    const expected = wrongValues(expression);
    if (expected === undefined) return [];
    const { operator, values } = expression;
    const found = values.join(", ") || "no values";
    return {
      field: `${field}[${at}].values`,
      found,
      expected: `${operator} with ${expected}`,
      message: `found ${found}; ${operator} expects ${expected}.`,
    };
  });

/** A value says nothing without its key. */
export function valueWithoutKey({ tolerations }: Where, under: string): BrokenRule | undefined {
  const at = tolerations.findIndex(({ key, value }) => key === "" && value !== "");
  if (at < 0) return undefined;
  const found = `the value "${tolerations[at]?.value ?? ""}" without a key`;
  const expected = "both or neither";
  const message = `found ${found}; expected ${expected}.`;
  return { field: `${under}.tolerations[${at}]`, found, expected, message };
}
