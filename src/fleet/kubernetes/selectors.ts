/** Label selectors of Kubernetes, asked of labels; and marks for those that Berth cannot write. */
import type { Labels } from "../../core/model/objects.ts";
import type { KubeExpression, LabelSelector, NodeTerm, Strings } from "./kube-objects.ts";

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
export class Marks<Subject> {
  private readonly byText = new Map<string, { label: string; is: (of: Subject) => boolean }>();
  private readonly prefix: string;

  constructor(prefix: string) {
    this.prefix = prefix;
  }

  /** `text` tells one selector from another. */
  markFor(text: string, is: (of: Subject) => boolean): string {
    const known = this.byText.get(text);
    if (known !== undefined) return known.label;
    const label = `${this.prefix}/${this.byText.size + 1}`;
    this.byText.set(text, { label, is });
    return label;
  }

  labelsOf(subject: Subject): Labels {
    const labels: Record<string, string> = {};
    for (const { label, is } of this.byText.values()) if (is(subject)) labels[label] = "yes";
    return labels;
  }
}
