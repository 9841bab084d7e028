/**
 * A recovering plane on which recoveries are budgeted: revision `r-1` of the policy has a reserve of four replicas of
 * `payments/api`, each of which asks for 500m and 10Mi.
 */
import { apply } from "../../src/core/commit/apply.ts";
import type { Role } from "../../src/core/model/actor.ts";
import type { Amounts } from "../../src/core/model/amounts.ts";
import {
  recoveryBudgetKey,
  type RecoveryBudgetSpec,
  type RecoveryRules,
} from "../../src/core/model/recovery-budget.ts";
import { operationId, policyKey, policyRevisionKey } from "../../src/core/model/ids.ts";
import type { RecoveryBudget, Policy } from "../../src/core/model/objects.ts";
import { putting, indexKey, type UnnamedIntent } from "./a-plane.ts";
import { furnished, RecoveringPlane } from "./a-recovering-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";

/** Of so many replicas. */
export const amountsOf = (replicas: number): Amounts => ({
  cpuMillis: 500 * replicas,
  memoryMiB: 10 * replicas,
  deviceMillis: 0,
});

export const RESERVE: RecoveryRules = { reserve: amountsOf(4) };

export const aRecoveryBudgetSpec = (of: Partial<RecoveryBudgetSpec> = {}): RecoveryBudgetSpec => ({
  region: "us",
  amounts: amountsOf(2),
  ttlMs: 60_000,
  reason: "eu is dark",
  ...of,
});

export class BudgetedPlane extends RecoveringPlane {
  private asked = 0;
  active = "";

  /** Sends it in somebody's name, and says how that ended. */
  sendAs(name: string, ask: UnnamedIntent, role: Role = "user"): string {
    this.asked += 1;
    const { ledger, nowMs } = this;
    const intent = { ...ask, operation: operationId(`budgets/${this.asked}`) };
    const command = { intent, epoch: ledger.epoch, basis: 0, actor: { role, name } } as const;
    const { outcome, commit } = apply(ledger, command, nowMs);
    if (commit !== undefined) {
      ledger.fold(commit);
      this.commits.push(commit);
    }
    return "code" in outcome ? outcome.code : outcome.kind;
  }

  grant(
    name: string,
    of: Partial<RecoveryBudgetSpec> = {},
    as = "ana",
    role: Role = "user",
  ): string {
    const desired = putting(recoveryBudgetKey(name), {
      kind: "RecoveryBudget",
      spec: aRecoveryBudgetSpec(of),
    });
    return this.sendAs(as, desired, role);
  }

  withdraw(name: string, as = "ana", role: Role = "user"): string {
    return this.sendAs(as, { kind: "delete", key: recoveryBudgetKey(name), expect: {} }, role);
  }

  expire(name: string, role: Role = "expire-budget"): string {
    const { key, meta, status } = this.budget(name)!;
    const evidence = { kind: "budget-over", budget: key, untilMs: status.untilMs } as const;
    return this.sendAs(role, { kind: "expire", key, incarnation: meta.generation, evidence }, role);
  }

  budget(name: string): RecoveryBudget | undefined {
    return this.get(recoveryBudgetKey(name)) as RecoveryBudget | undefined;
  }

  policy(): Policy {
    return this.get(policyKey("default")) as Policy;
  }

  /** Puts a revision and has it in force everywhere. */
  rules(name: string, recovery: RecoveryRules | undefined): this {
    const spec = { scoring: "best-fit", ...(recovery === undefined ? {} : { recovery }) } as const;
    this.must(putting(policyRevisionKey(name), { kind: "PolicyRevision", spec }));
    if (this.active === "") {
      this.must(putting(policyKey("default"), { kind: "Policy", spec: { active: name } }));
    } else this.activate(name);
    this.active = name;
    return this;
  }

  activate(to: string): void {
    const from = this.active;
    this.must({ kind: "activate", policy: "default", from, to, reason: "test" }, { role: "user" });
    this.active = to;
  }

  /** Of a later incarnation, which is queued first where it is not yet. */
  bindOn(index: number, node: string, of: Paying = {}): string {
    return this.sendAs("place-1", { kind: "bind", ...this.binding(index, node, of) }, "place");
  }

  binding(index: number, node: string, of: Paying = {}) {
    const under = { policyRevision: this.active };
    return { replica: indexKey(index), incarnation: 2, node, deviceIds: [], ...under, ...of };
  }

  /** Both were lost and wait for a node; room is kept for them on away-1. */
  lostAndQueued(): this {
    this.up();
    this.hold(["away-1", "away-1"]);
    this.homeLost();
    for (const index of [0, 1]) this.queued(index, 2);
    return this;
  }

  spare(at: number): Pick<Paying, "spare"> {
    return { spare: this.spares[at]!.key };
  }
}

interface Paying {
  readonly budget?: string;
  readonly spare?: ReturnType<typeof indexKey>;
}

/** `up` binds under the revision in force, so the policy comes after: what runs was bound under none. */
export function aBudgetedPlane(
  recovery: RecoveryRules = RESERVE,
  of: WorkloadSpecParts = {},
): BudgetedPlane {
  return furnished(new BudgetedPlane(), of).lostAndQueued().rules("r-1", recovery);
}
