/**
 * A plane with a node in each of two regions, of room for four replicas of `payments/api` each, where work without a class is
 * of low risk. Budget `old` of `west` covers three replicas, and then `ana` marks `west` as partitioned for a minute.
 */
import type { Evidence } from "../../src/core/model/evidence.ts";
import { nodeKey, policyKey, policyRevisionKey, quotaKey } from "../../src/core/model/ids.ts";
import type { OverrideSpec } from "../../src/core/model/override.ts";
import { overrideKey } from "../../src/core/model/override.ts";
import type { Node, NodeSpec, QuotaSpec } from "../../src/core/model/objects.ts";
import type { PolicyRules } from "../../src/core/model/policy.ts";
import { priorityClassKey } from "../../src/core/model/preemption.ts";
import { amountsOf, BudgetedPlane } from "./a-budgeted-plane.ts";
import { putting, indexKey, WORKLOAD } from "./a-plane.ts";
import type { WorkloadSpecParts } from "./a-workload.ts";
import { aWorkloadSpec } from "./a-workload.ts";
import { anOverrideSpec } from "./an-override.ts";

export const CONFIRM_MS = 30_000;
export const TTL_MS = 60_000;

export const DEGRADED: PolicyRules = {
  scoring: "best-fit",
  recovery: { reserve: amountsOf(12) },
  degraded: { lowRisk: [""], confirmWithinMs: CONFIRM_MS },
};

const SIZE = { cpuMillis: 500, memoryMiB: 10 };

export class PartitionedPlane extends BudgetedPlane {
  revision(name: string, spec: PolicyRules): void {
    this.must(putting(policyRevisionKey(name), { kind: "PolicyRevision", spec }));
  }

  first(spec: PolicyRules): void {
    this.revision("r-1", spec);
    this.must(putting(policyKey("default"), { kind: "Policy", spec: { active: "r-1" } }));
    this.active = "r-1";
  }

  service(of: WorkloadSpecParts = {}): void {
    const finalizers = this.workload()?.meta.finalizers ?? [];
    const spec = aWorkloadSpec({ replicas: 6, ...SIZE, ...of });
    this.must(putting(WORKLOAD, { kind: "Workload", spec }, { finalizers }));
  }

  mark(name = "cut", of: Partial<OverrideSpec> = {}, as = "ana"): string {
    const spec = anOverrideSpec({
      action: "mark-partitioned",
      target: { region: "west" },
      ttlMs: TTL_MS,
      ...of,
    });
    return this.sendAs(as, putting(overrideKey(name), { kind: "Override", spec }));
  }

  unmark(name = "cut"): string {
    return this.sendAs("ana", { kind: "delete", key: overrideKey(name), expect: {} });
  }

  quota(spec: Partial<QuotaSpec>): void {
    const limit = { cpuMillis: 100_000, memoryMiB: 100_000, deviceMillis: 0 };
    this.must(putting(quotaKey("payments"), { kind: "Quota", spec: { limit, ...spec } }));
  }

  renode(name: string, of: Partial<NodeSpec>): void {
    const spec = { ...this.node(name).spec, ...of };
    this.must(putting(nodeKey(name), { kind: "Node", spec }));
  }

  /** Queues the index where it is not yet, and asks for the bind. */
  place(index: number, of: { readonly node?: string; readonly budget?: string } = {}): string {
    if (this.replica(index) === undefined) this.queued(index);
    const { node = "w-1", ...paid } = of;
    const { incarnation } = this.replica(index).status;
    const binding = { replica: indexKey(index), incarnation, node, deviceIds: [] };
    const bind = { kind: "bind", ...binding, policyRevision: this.active, ...paid } as const;
    return this.sendAs("place-1", bind, "place");
  }

  /** Bound on the budget from before, while the region is marked. */
  provisional(indexes = 1): this {
    for (let index = 0; index < indexes; index += 1) {
      const how = this.place(index, { budget: "old" });
      if (how !== "committed") throw new Error(`index ${index} was not bound: ${how}`);
    }
    return this;
  }

  confirm(index = 0, role: "settle-region" | "place" = "settle-region"): string {
    const { key, status } = this.replica(index);
    return this.sendAs(
      role,
      { kind: "confirm", replica: key, incarnation: status.incarnation },
      role,
    );
  }

  sendAway(index: number, evidence: Evidence): string {
    const { key, status } = this.replica(index);
    const ask = { kind: "evict", replica: key, incarnation: status.incarnation, evidence } as const;
    return this.sendAs("settle-region", ask, "settle-region");
  }

  breaks(index: number, rule: string): string {
    return this.sendAway(index, { kind: "not-confirmed", region: "west", rule });
  }

  overdue(index = 0): string {
    return this.sendAway(index, { kind: "confirm-overdue", override: "cut" });
  }

  west(): Node {
    return this.node("w-1");
  }
}

/** Before the mark. */
export function aPlaneInTwoRegions(
  rules: PolicyRules = DEGRADED,
  of: WorkloadSpecParts = {},
): PartitionedPlane {
  const plane = new PartitionedPlane();
  plane.tenant({ cpuMillis: 100_000, memoryMiB: 100_000 });
  for (const [name, region] of [
    ["w-1", "west"],
    ["e-1", "east"],
  ] as const) {
    plane.joined(name, { region, zone: `${region}-a`, cpuMillis: 2_000, memoryMiB: 2_000 });
  }
  plane.must(putting(priorityClassKey("high"), { kind: "PriorityClass", spec: { value: 1 } }));
  plane.first(rules);
  plane.service(of);
  plane.grant("old", { region: "west", amounts: amountsOf(3), ttlMs: 3_600_000 });
  return plane;
}

export function aPartitionedPlane(
  rules: PolicyRules = DEGRADED,
  of: WorkloadSpecParts = {},
): PartitionedPlane {
  const plane = aPlaneInTwoRegions(rules, of);
  plane.mark();
  return plane;
}
