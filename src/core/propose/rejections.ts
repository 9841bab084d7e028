/** Which rules turned away how many nodes, with one example each, and what may lift them. */
import type { Fact } from "../decision.ts";
import { type FeasibilityRule, fieldOf, type Misfit } from "../feasibility/misfit.ts";
import type { ObjectKey } from "../model/ids.ts";
import { NODES_FACT } from "../observe/facts.ts";

interface Rejected {
  count: number;
  /** The first node by name stands for all of them: the order of arrival must not show. */
  node: ObjectKey;
  misfit: Misfit | undefined;
}

export class Rejections {
  private readonly rules = new Map<string, Rejected>();
  private readonly facts = new Set<Fact>([NODES_FACT]);

  add(rule: FeasibilityRule, node: ObjectKey, misfit: Misfit): void {
    for (const fact of rule.wakes) this.facts.add(fact);
    this.count(rule.name, node, misfit);
  }

  note(rule: string, node: ObjectKey): void {
    this.count(rule, node, undefined);
  }

  wakeOn(fact: Fact): void {
    this.facts.add(fact);
  }

  wakes(): readonly Fact[] {
    return [...this.facts].toSorted();
  }

  byRule(): Readonly<Record<string, { readonly count: number; readonly example: string }>> {
    const rows = [...this.rules].map(([rule, { count, node, misfit }]) => {
      const example = misfit === undefined ? node : `${fieldOf(misfit)}: ${misfit.actual}`;
      return [rule, { count, example }] as const;
    });
    return Object.fromEntries(rows);
  }

  private count(rule: string, node: ObjectKey, misfit: Misfit | undefined): void {
    const known = this.rules.get(rule);
    if (known === undefined) {
      this.rules.set(rule, { count: 1, node, misfit });
      return;
    }
    known.count += 1;
    if (node >= known.node) return;
    known.node = node;
    known.misfit = misfit;
  }
}
