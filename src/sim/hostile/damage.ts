/**
 * What a hostile sender may harm: a lying node the replicas that were bound to it, a hostile tenant
 * its own objects. Progress cannot be demanded of what a sender breaks of its own again and again,
 * and what really runs on a machine whose agent lies is compared with nothing. Everything else is
 * demanded as in any world.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { leaseKey, nodeKey, type ObjectKey, parseKey, workloadKey } from "../../core/model/ids.ts";
import { type Attack, attackersOf, nodeOf, tenantOf } from "./attack.ts";

export class Damage {
  readonly nodes: ReadonlySet<string>;
  private readonly tenants: ReadonlySet<string>;
  /**
   * Of lying nodes: the nodes, their leases, replicas that were bound to them, and the workloads of
   * those.
   */
  private readonly ofNodes = new Set<ObjectKey>();

  constructor(attacks: readonly Attack[]) {
    const by = attackersOf(attacks);
    this.nodes = new Set(by.map(nodeOf).filter((name) => name !== undefined));
    this.tenants = new Set(by.map(tenantOf).filter((name) => name !== undefined));
    for (const node of this.nodes) this.ofNodes.add(nodeKey(node)).add(leaseKey(node));
  }

  see({ changes }: Commit): void {
    if (this.nodes.size === 0) return;
    for (const { after } of changes) {
      if (after?.kind !== "Replica" || after.status.node === undefined) continue;
      if (!this.nodes.has(after.status.node)) continue;
      this.ofNodes.add(after.key).add(workloadKey(after.meta.namespace, after.spec.workload));
    }
  }

  excuses(rule: string, key: ObjectKey | undefined): boolean {
    if (key === undefined || !rule.startsWith("LIV")) return false;
    return this.tenants.has(tenantIn(key)) || this.ofNodes.has(key);
  }
}

function tenantIn(key: ObjectKey): string {
  const { kind, namespace, name } = parseKey(key);
  return kind === "Tenant" ? name : namespace;
}
