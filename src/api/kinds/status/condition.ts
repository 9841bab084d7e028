/** Conditions as Kubernetes clients know them, so that `kubectl wait --for=condition=…` works. */
import { Type } from "typebox";
import type { ClientCondition } from "../../../core/model/client-condition.ts";
import { rfc3339 } from "../../rfc3339.ts";
import { choice, fields, text, time } from "../../schema/shapes.ts";

export interface Condition {
  readonly type: string;
  readonly status: "True" | "False" | "Unknown";
  /** One word in CamelCase, for programs. */
  readonly reason: string;
  /** A sentence, for people. */
  readonly message: string;
  readonly sinceMs: number;
}

export const writeConditions = (conditions: readonly Condition[]) =>
  conditions.map(({ sinceMs, ...condition }) => ({
    ...condition,
    lastTransitionTime: rfc3339(sinceMs),
  }));

/** What clients have said of the object, in the same form. */
export const writeClientConditions = (conditions: readonly ClientCondition[]) =>
  conditions.map(({ sinceMs, observedGeneration, ...condition }) => ({
    ...condition,
    lastTransitionTime: rfc3339(sinceMs),
    ...(observedGeneration === undefined ? {} : { observedGeneration }),
  }));

export const conditionsSchema = Type.Array(
  fields("One thing that is or is not so.", {
    type: text("What the condition is about."),
    status: choice("Whether it is so.", ["True", "False", "Unknown"]),
    reason: text("Why, in one word."),
    message: text("Why, in a sentence."),
    lastTransitionTime: time("Since when what it rests on is as it is."),
    observedGeneration: Type.Optional(
      Type.Integer({ description: "The generation of spec that it was said of." }),
    ),
  }),
  { description: "What can be said of the object in a few words." },
);
