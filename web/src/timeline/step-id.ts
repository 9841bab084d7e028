/** A name for a step that stays while others come, for the address. */
import type { Step } from "../../../src/api/explain/explanation.ts";

export const stepIdOf = (step: Step): string =>
  step.kind === "commit"
    ? `r${step.revision}`
    : `${step.decided.controller}-${step.reason}-${Date.parse(step.since)}`;
