/** Label selectors of Kubernetes, asked of labels; and marks for those that Berth cannot write. */
import type { Labels } from "../../core/model/objects.ts";
import type {
  KubeExpression,
  KubeObject,
  LabelSelector,
  NodeTerm,
  Strings,
} from "./kube-objects.ts";

export function selects(selector: LabelSelector | undefined, labels: Strings): boolean {
  // Without a selector nothing is selected; an empty one selects everything.
  if (selector === undefined) return false;
  const { matchLabels = {}, matchExpressions = [] } = selector;
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every((expression) => holds(expression, labels[expression.key]))
  );
}

/** An empty term selects no node; within a term everything must hold. */
export function selectsNode(term: NodeTerm, labels: Strings, name: string): boolean {
  const { matchExpressions = [], matchFields = [] } = term;
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((expression) => holds(expression, labels[expression.key])) &&
    matchFields.every((field) => field.key === "metadata.name" && holds(field, name))
  );
}

function holds({ operator, values = [] }: KubeExpression, value: string | undefined): boolean {
  switch (operator) {
    case "In":
      return value !== undefined && values.includes(value);
    case "NotIn":
      return value === undefined || !values.includes(value);
    case "Exists":
      return value !== undefined;
    case "DoesNotExist":
      return value === undefined;
    case "Gt":
      return isWhole(value) && isWhole(values[0]) && Number(value) > Number(values[0]);
    case "Lt":
      return isWhole(value) && isWhole(values[0]) && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

const isWhole = (text: string | undefined): boolean => /^-?\d+$/.test(text ?? "");

/** Whether Berth can write it as labels that must all be equal. */
export const isPlain = (selector: LabelSelector | undefined): boolean =>
  (selector?.matchExpressions ?? []).length === 0 &&
  Object.keys(selector?.matchLabels ?? {}).length > 0;

/**
 * Marks stand for selectors that Berth cannot write, such as "app in (a, b)": every pod or node
 * that the selector selects carries the mark as a label, and the term asks for the mark.
 */
export class Marks<Subject extends KubeObject> {
  private readonly byText = new Map<string, Mark<Subject>>();
  /** Marks that only subjects with one of these labels can have, so that not each is asked. */
  private readonly byPair = new Map<string, Mark<Subject>[]>();
  private readonly others: Mark<Subject>[] = [];
  private readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** `text` tells one selector from another; `pairs` as of `pairsOf`. */
  markFor(
    text: string,
    is: (of: Subject) => boolean,
    pairs: readonly string[] | undefined = undefined,
  ): string {
    const known = this.byText.get(text);
    if (known !== undefined) return known.label;
    const mark = { label: `${this.prefix}/${this.byText.size + 1}`, is };
    this.byText.set(text, mark);
    if (pairs === undefined) this.others.push(mark);
    for (const pair of pairs ?? []) {
      const those = this.byPair.get(pair);
      if (those === undefined) this.byPair.set(pair, [mark]);
      else those.push(mark);
    }
    return mark.label;
  }

  labelsOf(subject: Subject): Labels {
    const labels: Record<string, string> = {};
    const mark = ({ label, is }: Mark<Subject>): void => {
      if (is(subject)) labels[label] = "yes";
    };
    this.others.forEach(mark);
    if (this.byPair.size === 0) return labels;
    for (const [key, value] of Object.entries(subject.metadata.labels ?? {})) {
      this.byPair.get(pairOf(key, value))?.forEach(mark);
    }
    return labels;
  }
}

interface Mark<Subject> {
  readonly label: string;
  readonly is: (of: Subject) => boolean;
}

const pairOf = (key: string, value: string): string => `${key}=${value}`;

/** Labels of which a selected subject has one at least; undefined: it says nothing of the kind. */
export function pairsOf(selector: LabelSelector | undefined): readonly string[] | undefined {
  const [equal] = Object.entries(selector?.matchLabels ?? {});
  if (equal !== undefined) return [pairOf(...equal)];
  const oneOf = selector?.matchExpressions?.find(({ operator }) => operator === "In");
  return oneOf && (oneOf.values ?? []).map((value) => pairOf(oneOf.key, value));
}
