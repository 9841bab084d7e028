/** Which rules turned away how many nodes, with one example each, and what may lift them. */
import type { Fact } from "../decision.ts";
import type { FeasibilityRule, Misfit } from "../feasibility/misfit.ts";
import { NODES_FACT } from "../observe/facts.ts";

export class Rejections {
  readonly byRule: Record<string, { count: number; example: string }> = {};
  private readonly facts = new Set<Fact>([NODES_FACT]);

  add(rule: FeasibilityRule, misfit: Misfit): void {
    const known = this.byRule[rule.name];
    for (const fact of rule.wakes) this.facts.add(fact);
    // The example is written out for the first node only: a large cluster has thousands.
    if (known === undefined) this.note(rule.name, `${misfit.field}: ${misfit.actual}`);
    else known.count += 1;
  }

  note(rule: string, example: string): void {
    const known = this.byRule[rule];
    if (known === undefined) this.byRule[rule] = { count: 1, example };
    else known.count += 1;
  }

  wakes(): readonly Fact[] {
    return [...this.facts].toSorted();
  }
}
