/** Placement between what a user writes and what the core decides on. */
import { wrongValues } from "../../../core/model/expression-values.ts";
import type {
  Affinity,
  AffinityTerm,
  Ask,
  NodeExpression,
  Template,
  Toleration,
} from "../../../core/model/objects.ts";
import type { AffinityText, ExpressionText, PlacementText, TermText } from "../placement-schema.ts";
import type { SpecReader } from "../spec-reader.ts";

type Where = Omit<Ask, "amounts" | "device">;
type Together = Pick<Template, "spread" | "affinity" | "maxPerNode" | "policy">;

/** The rules about nodes. */
export function readWhere(placement: PlacementText, reader: SpecReader): Where {
  const { nodeExpressions, preferredNodes } = placement;
  const field = "spec.placement";
  return {
    regions: placement.regions ?? [],
    zones: placement.zones ?? [],
    nodeSelector: placement.nodeSelector ?? {},
    ...(nodeExpressions === undefined
      ? {}
      : {
          nodeExpressions: readExpressions(nodeExpressions, reader, `${field}.nodeExpressions`),
        }),
    ...(preferredNodes === undefined
      ? {}
      : {
          preferredNodes: preferredNodes.map(({ weight, expressions }, at) => ({
            weight,
            expressions: readExpressions(expressions, reader, `${field}.preferredNodes[${at}]`),
          })),
        }),
    tolerations: (placement.tolerations ?? []).map((toleration, at) => {
      const { key = "", value = "", effect } = toleration;
      if (key === "" && value !== "") {
        const found = `found the value "${value}" without a key; expected both or neither.`;
        reader.mistake(`${field}.tolerations[${at}]`, found);
      }
      return { key, value, ...(effect === undefined ? {} : { effect }) };
    }),
  };
}

function readExpressions(
  expressions: readonly ExpressionText[],
  reader: SpecReader,
  field: string,
): readonly NodeExpression[] {
  return expressions.map(({ key, operator, values = [] }, at) => {
    const wrong = wrongValues({ key, operator, values });
    if (wrong !== undefined) {
      const found = values.length === 0 ? "no values" : values.join(", ");
      reader.mistake(`${field}[${at}].values`, `found ${found}; ${operator} expects ${wrong}.`);
    }
    return { key, operator, values };
  });
}

/** The rules about other replicas. */
export function readTogether(placement: PlacementText): Together {
  const { affinity, maxPerNode, policy } = placement;
  return {
    spread: (placement.spread ?? []).map(({ by, maxSkew = 1, soft = false }) => ({
      by,
      maxSkew,
      ...(soft ? { soft } : {}),
    })),
    ...(affinity === undefined ? {} : { affinity: readAffinity(affinity) }),
    ...(maxPerNode === undefined ? {} : { maxPerNode }),
    ...(policy === undefined ? {} : { policy }),
  };
}

function readAffinity(affinity: AffinityText): Affinity {
  const { required = [], preferred = [], antiRequired = [], antiPreferred = [] } = affinity;
  return {
    required: required.map(copyTerm),
    preferred: preferred.map((term) => ({ weight: term.weight, ...copyTerm(term) })),
    antiRequired: antiRequired.map(copyTerm),
    antiPreferred: antiPreferred.map((term) => ({ weight: term.weight, ...copyTerm(term) })),
  };
}

const copyTerm = ({ by, labels, tenants }: AffinityTerm | TermText): TermText => ({
  by,
  labels,
  ...(tenants === undefined ? {} : { tenants: [...tenants] }),
});

export function writePlacement(template: Template): PlacementText {
  const { ask, spread, affinity, maxPerNode, policy } = template;
  const { regions, zones, nodeSelector, nodeExpressions, preferredNodes, tolerations } = ask;
  return {
    ...(regions.length === 0 ? {} : { regions: [...regions] }),
    ...(zones.length === 0 ? {} : { zones: [...zones] }),
    ...(Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector }),
    ...(nodeExpressions === undefined
      ? {}
      : { nodeExpressions: nodeExpressions.map(writeExpression) }),
    ...(preferredNodes === undefined
      ? {}
      : {
          preferredNodes: preferredNodes.map(({ weight, expressions }) => ({
            weight,
            expressions: expressions.map(writeExpression),
          })),
        }),
    ...(tolerations.length === 0 ? {} : { tolerations: tolerations.map(writeToleration) }),
    ...(spread.length === 0
      ? {}
      : {
          spread: spread.map(({ by, maxSkew, soft = false }) => ({
            by,
            maxSkew,
            ...(soft ? { soft } : {}),
          })),
        }),
    ...(affinity === undefined ? {} : { affinity: writeAffinity(affinity) }),
    ...(maxPerNode === undefined ? {} : { maxPerNode }),
    ...(policy === undefined ? {} : { policy }),
  };
}

const writeExpression = ({ key, operator, values }: NodeExpression): ExpressionText => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values: [...values] }),
});

const writeToleration = ({ key, value, effect = "" }: Toleration) => ({
  ...(key === "" ? {} : { key }),
  value,
  ...(effect === "" ? {} : { effect }),
});

const writeAffinity = ({ required, preferred, antiRequired, antiPreferred }: Affinity) => ({
  ...(required.length === 0 ? {} : { required: required.map(copyTerm) }),
  ...(preferred.length === 0
    ? {}
    : { preferred: preferred.map((term) => ({ weight: term.weight, ...copyTerm(term) })) }),
  ...(antiRequired.length === 0 ? {} : { antiRequired: antiRequired.map(copyTerm) }),
  ...(antiPreferred.length === 0
    ? {}
    : { antiPreferred: antiPreferred.map((term) => ({ weight: term.weight, ...copyTerm(term) })) }),
});
