/** Disruption budgets, as the number of a workload's replicas that may be out of serving. */
import type { Disruption } from "../../core/model/disruption.ts";
import type { KubeDump } from "./dump.ts";
import { nameOf } from "./dump.ts";
import type { ImportNotes } from "./import-notes.ts";
import type { DisruptionBudget, Pod } from "./kube-objects.ts";
import { selects } from "./selectors.ts";

export class DisruptionBudgets {
  private readonly byNamespace = new Map<string, DisruptionBudget[]>();
  private readonly covered = new Map<DisruptionBudget, string>();
  private readonly notes: ImportNotes;

  constructor(dump: KubeDump, notes: ImportNotes) {
    this.notes = notes;
    for (const budget of dump.all("PodDisruptionBudget")) {
      const { namespace = "" } = budget.metadata;
      const all = this.byNamespace.get(namespace);
      if (all === undefined) this.byNamespace.set(namespace, [budget]);
      else all.push(budget);
    }
  }

  /** The strictest budget of a workload with these pods; `pod` is one of them. */
  of(workload: string, replicas: number, pod: Pod): Disruption | undefined {
    const { namespace = "", labels = {} } = pod.metadata;
    const budgets = (this.byNamespace.get(namespace) ?? []).filter(({ spec }) =>
      selects(spec?.selector, labels),
    );
    for (const budget of budgets) this.noteShared(budget, workload);
    if (budgets.length === 0) return undefined;
    const allowed = budgets.map((budget) => unavailable(budget, replicas));
    return { maxUnavailable: Math.max(0, Math.min(...allowed)) };
  }

  private noteShared(budget: DisruptionBudget, workload: string): void {
    const before = this.covered.get(budget);
    this.covered.set(budget, workload);
    if (before === undefined || before === workload) return;
    const effect = "each controller gets the whole budget for itself: drains may take more at once";
    this.notes.add("disruption budgets over several controllers", effect, nameOf(budget));
  }
}

/** Percentages are of the wanted pods; Kubernetes rounds both of them up. */
function unavailable({ spec }: DisruptionBudget, replicas: number): number {
  if (spec?.maxUnavailable !== undefined) return countOf(spec.maxUnavailable, replicas);
  if (spec?.minAvailable !== undefined) return replicas - countOf(spec.minAvailable, replicas);
  return replicas;
}

function countOf(value: number | string, replicas: number): number {
  if (typeof value === "number") return value;
  const percent = /^(\d+)%$/.exec(value)?.[1];
  return percent === undefined ? Number(value) : Math.ceil((Number(percent) * replicas) / 100);
}
