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
  fields("A condition of the object.", {
    type: text("The type of the condition."),
    status: choice("True, False or Unknown.", ["True", "False", "Unknown"]),
    reason: text("The reason, in one word."),
    message: text("The reason, in a sentence."),
    lastTransitionTime: time("Time of the last change."),
    observedGeneration: Type.Optional(
      Type.Integer({ description: "The generation of spec that it describes." }),
    ),
  }),
  { description: "The conditions of the object." },
);
