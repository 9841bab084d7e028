/**
 * A node takes new work only while it is known to be healthy and not cordoned or held (BD3, FL1,
 * CL2).
 */
import { NODES_FACT } from "../../observe/facts.ts";
import type { Candidate, FeasibilityRule, Misfit, RulePart } from "./misfit.ts";

export const schedulable: FeasibilityRule = {
  name: "schedulable",
  wakes: [NODES_FACT],
  check({ node }: Candidate): Misfit | undefined {
    const held = whyHeldBack(node);
    if (held === undefined) return undefined;
    return {
      code: "node-not-schedulable",
      node: node.key,
      what: "",
      expected: "schedulable",
      actual: held,
    };
  },
  /** Each way in which a node may be held back, as if it were the only one. */
  *parts({ node }: Candidate): Iterable<RulePart> {
    const { meta, spec, status } = node;
    const { damped, clock, ...trusted } = status;
    const free: Candidate["node"] = {
      ...node,
      meta: { ...meta, deletingMs: undefined },
      spec: { ...spec, draining: false, cordons: [] },
      status: { ...trusted, health: "ready" },
    };
    yield { node: { ...free, meta } };
    for (const cordon of spec.cordons) {
      const held = { ...free, spec: { ...free.spec, cordons: [cordon] } };
      const { holder } = cordon;
      yield { node: held, remedy: { kind: "uncordon", node: meta.name, holder } };
    }
    const drained = { ...free, spec: { ...free.spec, draining: spec.draining } };
    yield { node: drained, remedy: { kind: "end-drain", node: meta.name } };
    yield { node: { ...free, status: { ...free.status, health: status.health } } };
    if (damped !== undefined) yield { node: { ...free, status: { ...free.status, damped } } };
    if (clock !== undefined) yield { node: { ...free, status: { ...free.status, clock } } };
  },
};

/** What keeps all new work from it, for people; undefined: nothing does. */
export function whyHeldBack(node: Candidate["node"]): string | undefined {
  if (node.meta.deletingMs !== undefined) return "being deleted";
  if (node.spec.draining) return "draining";
  const cordon = node.spec.cordons[0];
  if (cordon !== undefined) return `cordoned by ${cordon.holder}`;
  const { health, damped, clock } = node.status;
  if (health !== "ready") return health;
  // Neither is a matter of time here: both are committed, and their end is, too.
  if (damped !== undefined) return `held for flapping, ${damped.times} returns in ten minutes`;
  return clock === undefined ? undefined : "clock-suspect";
}
