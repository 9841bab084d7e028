/**
 * Where the replicas of a workload may run, as it stands in a file: the same fields as in a running
 * Berth.
 */
import { wrongValues } from "../core/model/expression-values.ts";
import type {
  Affinity,
  AffinityTerm,
  Ask,
  NodeExpression,
  PreferredNodes,
  Spread,
  Template,
  Toleration,
  WeightedTerm,
} from "../core/model/objects.ts";
import type { Plain, PlainFields } from "../manifest/write-fields.ts";
import { putUnlessEmpty, readLabels } from "./amounts-fields.ts";
import type { Cursor, Fields } from "./cursor.ts";
import { readName, type References } from "./references.ts";

const PLACEMENT_FIELDS = [
  "regions",
  "zones",
  "nodeSelector",
  "nodeExpressions",
  "preferredNodes",
  "tolerations",
  "spread",
  "affinity",
  "maxPerNode",
] as const;

type Where = Omit<Ask, "amounts" | "device">;
type Together = Pick<Template, "spread" | "affinity" | "maxPerNode">;

export interface Placement {
  readonly where: Where;
  readonly together: Together;
}

export const ANYWHERE: Placement = {
  where: { regions: [], zones: [], nodeSelector: {}, tolerations: [] },
  together: { spread: [] },
};

export function readPlacement(cursor: Cursor, references: References): Placement {
  const fields = cursor.fields(PLACEMENT_FIELDS);
  return { where: readWhere(fields, references), together: readTogether(fields) };
}

function readWhere(fields: Fields, references: References): Where {
  const places = (kind: "region" | "zone") =>
    fields.get(`${kind}s`, (list) => list.list((item) => readPlace(item, kind, references)), []);
  return {
    regions: places("region"),
    zones: places("zone"),
    nodeSelector: fields.get("nodeSelector", readLabels, {}),
    ...(fields.has("nodeExpressions")
      ? { nodeExpressions: fields.need("nodeExpressions").list(readExpression) }
      : {}),
    ...(fields.has("preferredNodes")
      ? { preferredNodes: fields.need("preferredNodes").list(readPreferred) }
      : {}),
    tolerations: fields.get("tolerations", (list) => list.list(readToleration), []),
  };
}

function readTogether(fields: Fields): Together {
  return {
    spread: fields.get("spread", (list) => list.list(readSpread), []),
    ...(fields.has("affinity") ? { affinity: readAffinity(fields.need("affinity")) } : {}),
    ...(fields.has("maxPerNode") ? { maxPerNode: fields.need("maxPerNode").integer(1) } : {}),
  };
}

function readPlace(cursor: Cursor, kind: "region" | "zone", references: References): string {
  const name = readName(cursor);
  references.refer(kind === "zone" ? "zone in any region" : kind, name, cursor);
  return name;
}

function readExpression(cursor: Cursor): NodeExpression {
  const fields = cursor.fields(["key", "operator", "values"]);
  const expression: NodeExpression = {
    key: fields.need("key").text(),
    operator: fields
      .need("operator")
      .choice(["in", "not-in", "exists", "does-not-exist", "gt", "lt"]),
    values: fields.get("values", (list) => list.list((value) => value.text("a value")), []),
  };
  const wrong = wrongValues(expression);
  if (wrong !== undefined) cursor.fail(`"${expression.operator}" expects ${wrong}.`);
  return expression;
}

function readPreferred(cursor: Cursor): PreferredNodes {
  const fields = cursor.fields(["weight", "expressions"]);
  return {
    weight: readWeight(fields),
    expressions: fields.need("expressions").list(readExpression),
  };
}

function readWeight(fields: Fields): number {
  const cursor = fields.need("weight");
  const weight = cursor.integer(1);
  if (weight > 100) cursor.expected("a whole number from 1 to 100");
  return weight;
}

function readToleration(cursor: Cursor): Toleration {
  const fields = cursor.fields(["key", "value", "effect"]);
  return {
    key: fields.get("key", (text) => text.text(), ""),
    value: fields.get("value", (text) => text.text(), ""),
    ...(fields.has("effect") ? { effect: readEffect(fields.need("effect")) } : {}),
  };
}

const readEffect = (cursor: Cursor) => cursor.choice(["no-schedule", "prefer-no-schedule"]);

export function readSpread(cursor: Cursor): Spread {
  const fields = cursor.fields(["by", "maxSkew", "soft"]);
  const soft = fields.get("soft", (flag) => flag.boolean(), false);
  return {
    by: fields.need("by").text("a topology such as zone"),
    maxSkew: fields.get("maxSkew", (skew) => skew.integer(1), 1),
    ...(soft ? { soft } : {}),
  };
}

function readAffinity(cursor: Cursor): Affinity {
  const fields = cursor.fields(["required", "preferred", "antiRequired", "antiPreferred"]);
  const terms = (name: string) => fields.get(name, (list) => list.list(readTerm), []);
  const weighted = (name: string) => fields.get(name, (list) => list.list(readWeighted), []);
  return {
    required: terms("required"),
    preferred: weighted("preferred"),
    antiRequired: terms("antiRequired"),
    antiPreferred: weighted("antiPreferred"),
  };
}

const TERM_FIELDS = ["by", "labels", "tenants"] as const;

const readTerm = (cursor: Cursor): AffinityTerm => termOf(cursor.fields(TERM_FIELDS));

function readWeighted(cursor: Cursor): WeightedTerm {
  const fields = cursor.fields(["weight", ...TERM_FIELDS]);
  return { weight: readWeight(fields), ...termOf(fields) };
}

const termOf = (fields: Fields): AffinityTerm => ({
  by: fields.need("by").text("a topology such as zone"),
  labels: readLabels(fields.need("labels")),
  ...(fields.has("tenants") ? { tenants: fields.need("tenants").list(readName) } : {}),
});

export function plainPlacement({ ask, spread, affinity, maxPerNode }: Template): PlainFields {
  const plain: PlainFields = {};
  putUnlessEmpty(plain, "regions", ask.regions);
  putUnlessEmpty(plain, "zones", ask.zones);
  putUnlessEmpty(plain, "nodeSelector", ask.nodeSelector);
  const { nodeExpressions, preferredNodes } = ask;
  if (nodeExpressions !== undefined) {
    plain["nodeExpressions"] = nodeExpressions.map(plainExpression);
  }
  if (preferredNodes !== undefined) {
    plain["preferredNodes"] = preferredNodes.map(({ weight, expressions }) => ({
      weight,
      expressions: expressions.map(plainExpression),
    }));
  }
  putUnlessEmpty(plain, "tolerations", ask.tolerations.map(plainToleration));
  putUnlessEmpty(plain, "spread", spread.map(plainSpread));
  if (affinity !== undefined) plain["affinity"] = plainAffinity(affinity);
  if (maxPerNode !== undefined) plain["maxPerNode"] = maxPerNode;
  return plain;
}

const plainExpression = ({ key, operator, values }: NodeExpression): Plain => ({
  key,
  operator,
  ...(values.length === 0 ? {} : { values }),
});

const plainToleration = ({ key, value, effect = "" }: Toleration): Plain => ({
  ...(key === "" ? {} : { key }),
  value,
  ...(effect === "" ? {} : { effect }),
});

export const plainSpread = ({ by, maxSkew, soft = false }: Spread): Plain => ({
  by,
  maxSkew,
  ...(soft ? { soft } : {}),
});

function plainAffinity(affinity: Affinity): Plain {
  const plain: PlainFields = {};
  putUnlessEmpty(plain, "required", affinity.required.map(plainTerm));
  putUnlessEmpty(plain, "preferred", affinity.preferred.map(plainWeighted));
  putUnlessEmpty(plain, "antiRequired", affinity.antiRequired.map(plainTerm));
  putUnlessEmpty(plain, "antiPreferred", affinity.antiPreferred.map(plainWeighted));
  return plain;
}

const plainTerm = ({ by, labels, tenants }: AffinityTerm): PlainFields => ({
  by,
  labels,
  ...(tenants === undefined ? {} : { tenants }),
});

const plainWeighted = (term: WeightedTerm): PlainFields => ({
  weight: term.weight,
  ...plainTerm(term),
});
