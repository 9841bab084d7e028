/** How long all of these may take to stop. */
import type { Replica } from "../model/objects.ts";

export const longestGraceMs = (replicas: readonly Replica[]): number =>
  Math.max(0, ...replicas.map(({ spec }) => spec.template.run?.stopGraceMs ?? 0));
