/**
 * The highest spending of each budget of a run. Only a bind spends, so it is summed anew over all
 * replicas at each bind that names a budget, without the accounts of the plane.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { type Amounts, NOTHING } from "../../core/model/amounts.ts";
import type { RecoveryBudget } from "../../core/model/objects.ts";
import type { Truth } from "../check/checker.ts";
import { grantedBy, spentOf } from "../check/models/naive-recovery-budgets.ts";

export interface RecoveryBudgetUse {
  readonly name: string;
  /** Its highest amount, including raises by overrides. */
  readonly granted: Amounts;
  /** The maximum of each amount by itself. */
  readonly mostSpent: Amounts;
  /** It is over, and all of it has returned. */
  readonly isGone: boolean;
}

export class RecoveryBudgetTally {
  /** By name; a name is never used twice. */
  private readonly uses = new Map<string, RecoveryBudgetUse>();

  afterCommit(commit: Commit, truth: Truth): void {
    for (const { before, after } of commit.changes) {
      if (after?.kind === "RecoveryBudget") this.note(after, truth);
      else if (before?.kind === "RecoveryBudget") this.gone(before.meta.name);
      else if (after?.kind === "Replica" && commit.command.startsWith("bind")) {
        this.bound(after.status.budget, truth);
      }
    }
  }

  tell(): readonly RecoveryBudgetUse[] {
    return [...this.uses.values()];
  }

  private bound(name: string | undefined, truth: Truth): void {
    if (name === undefined) return;
    for (const budget of truth.objects.all("RecoveryBudget").values()) {
      if (budget.meta.name === name) this.note(budget, truth);
    }
  }

  private note(budget: RecoveryBudget, { objects }: Truth): void {
    const { name } = budget.meta;
    const was = this.uses.get(name);
    this.uses.set(name, {
      name,
      granted: greater(was?.granted, grantedBy(objects, budget)),
      mostSpent: greater(was?.mostSpent, spentOf(objects, budget)),
      isGone: false,
    });
  }

  private gone(name: string): void {
    const use = this.uses.get(name);
    if (use !== undefined) this.uses.set(name, { ...use, isGone: true });
  }
}

const greater = (a: Amounts = NOTHING, b: Amounts): Amounts => ({
  cpuMillis: Math.max(a.cpuMillis, b.cpuMillis),
  memoryMiB: Math.max(a.memoryMiB, b.memoryMiB),
  deviceMillis: Math.max(a.deviceMillis, b.deviceMillis),
});
