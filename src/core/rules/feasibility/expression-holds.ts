/** Whether a statement about labels is true of them. */
import type { Labels, NodeExpression } from "../../model/objects.ts";

export function expressionHolds(expression: NodeExpression, labels: Labels): boolean {
  const actual = labels[expression.key];
  const { values } = expression;
  switch (expression.operator) {
    case "in":
      return actual !== undefined && values.includes(actual);
    case "not-in":
      return actual === undefined || !values.includes(actual);
    case "exists":
      return actual !== undefined;
    case "does-not-exist":
      return actual === undefined;
    case "gt":
      return isWhole(actual) && isWhole(values[0]) && Number(actual) > Number(values[0]);
    case "lt":
      return isWhole(actual) && isWhole(values[0]) && Number(actual) < Number(values[0]);
  }
}

const isWhole = (text: string | undefined): text is string =>
  text !== undefined && /^-?\d{1,15}$/.test(text);
