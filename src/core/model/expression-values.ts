/** How many values a statement about labels needs, by its operator. */
import type { NodeExpression } from "./objects.ts";

/**
 * What the operator expects, when the expression has something else; undefined when it is
 * well-formed.
 */
export function wrongValues({ operator, values }: NodeExpression): string | undefined {
  switch (operator) {
    case "in":
    case "not-in":
      return values.length > 0 ? undefined : "one or more values";
    case "exists":
    case "does-not-exist":
      return values.length === 0 ? undefined : "no values";
    case "gt":
    case "lt":
      return values.length === 1 && /^-?\d{1,15}$/.test(values[0] ?? "")
        ? undefined
        : "one whole number in quotes";
  }
}
