/**
 * What people do in a world, as the commands they send: first they set it up, then the timeline. A person
 * writes whole specs, so each step is worked out from the steps before it.
 */
import type { Desired, Intent } from "../core/commit/command.ts";
import { REPLICAS_FINALIZER } from "../core/commit/judge/plane-finalizers.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  regionKey,
  tenantKey,
  workloadKey,
} from "../core/model/ids.ts";
import type { Amounts } from "../core/model/amounts.ts";
import type { Labels } from "../core/model/objects.ts";
import { priorityClassKey } from "../core/model/preemption.ts";
import type {
  QuotaSharing,
  UserAction,
  World,
  WorldNode,
  WorldPriorityClass,
  WorldWorkload,
} from "./world.ts";

export interface Step {
  readonly atMs: number;
  readonly intent: Intent;
}

export function userScript(world: World): readonly Step[] {
  return new Script().write(world);
}

class Script {
  private readonly steps: Step[] = [];
  private readonly nodes = new Map<string, WorldNode>();
  private readonly workloads = new Map<ObjectKey, WorldWorkload>();
  private readonly sharings = new Map<string, QuotaSharing>();
  private atMs = 0;

  write(world: World): readonly Step[] {
    for (const { name, zones } of world.regions)
      this.put(regionKey(name), { kind: "Region", spec: { zones } });
    for (const priorityClass of world.priorityClasses ?? []) this.putPriorityClass(priorityClass);
    for (const { name, quota, sharing } of world.tenants) {
      this.put(tenantKey(name), { kind: "Tenant", spec: { displayName: name } });
      this.putQuota(name, quota, sharing);
    }
    for (const node of world.nodes) this.putNode(node);
    for (const workload of world.workloads) this.putWorkload(workload);
    for (const { atMs, action } of world.timeline.toSorted((a, b) => a.atMs - b.atMs)) {
      this.atMs = atMs;
      this.act(action);
    }
    return this.steps;
  }

  private act(action: UserAction): void {
    switch (action.do) {
      case "put-workload":
        return this.putWorkload(action.workload);
      case "scale":
        return this.editWorkload(action, (spec) => ({ ...spec, replicas: action.replicas }));
      case "change-template":
        return this.editWorkload(action, (spec) => ({
          ...spec,
          template: { ...spec.template, command: action.command },
        }));
      case "delete-workload": {
        const key = workloadKey(action.tenant, action.workload);
        if (this.workloads.delete(key)) this.delete(key);
        return undefined;
      }
      case "delete-tenant":
        for (const [key, { tenant }] of this.workloads) {
          if (tenant === action.tenant) this.workloads.delete(key);
        }
        return this.delete(tenantKey(action.tenant));
      case "set-quota":
        return this.putQuota(action.tenant, action.limit, action.sharing);
      case "put-priority-class":
        return this.putPriorityClass(action.priorityClass);
      case "cordon": {
        const cordon = { holder: action.holder, reason: "maintenance" };
        return this.editNode(action.node, (spec) => ({
          ...spec,
          cordons: [...spec.cordons, cordon],
        }));
      }
      case "uncordon":
        return this.editNode(action.node, (spec) => ({
          ...spec,
          cordons: spec.cordons.filter(({ holder }) => holder !== action.holder),
        }));
      case "drain":
        return this.editNode(action.node, (spec) => ({ ...spec, draining: true }));
      case "undrain":
        return this.editNode(action.node, (spec) => ({ ...spec, draining: false }));
      case "add-node":
        return this.putNode(action.node);
    }
  }

  private editWorkload(
    { tenant, workload }: { readonly tenant: string; readonly workload: string },
    edit: (spec: WorldWorkload["spec"]) => WorldWorkload["spec"],
  ): void {
    const held = this.workloads.get(workloadKey(tenant, workload));
    if (held !== undefined) this.putWorkload({ ...held, spec: edit(held.spec) });
  }

  private editNode(name: string, edit: (spec: WorldNode["spec"]) => WorldNode["spec"]): void {
    const held = this.nodes.get(name);
    if (held !== undefined) this.putNode({ ...held, spec: edit(held.spec) });
  }

  private putQuota(tenant: string, limit: Amounts, sharing?: QuotaSharing): void {
    if (sharing !== undefined) this.sharings.set(tenant, sharing);
    const spec = { limit, ...this.sharings.get(tenant) };
    this.put(quotaKey(tenant), { kind: "Quota", spec });
  }

  private putPriorityClass({ name, spec }: WorldPriorityClass): void {
    this.put(priorityClassKey(name), { kind: "PriorityClass", spec });
  }

  private putNode(node: WorldNode): void {
    this.nodes.set(node.name, node);
    this.put(nodeKey(node.name), { kind: "Node", spec: node.spec }, node.labels);
  }

  private putWorkload(workload: WorldWorkload): void {
    const key = workloadKey(workload.tenant, workload.name);
    this.workloads.set(key, workload);
    this.put(key, { kind: "Workload", spec: workload.spec }, workload.labels, [REPLICAS_FINALIZER]);
  }

  private put(
    key: ObjectKey,
    desired: Desired,
    labels: Labels = {},
    finalizers: readonly string[] = [],
  ): void {
    const operation = operationId(`user/${this.steps.length + 1}/put/${key}`);
    const intent = {
      kind: "put",
      operation,
      key,
      desired,
      labels,
      finalizers,
      expect: {},
    } as const;
    this.steps.push({ atMs: this.atMs, intent });
  }

  private delete(key: ObjectKey): void {
    const operation = operationId(`user/${this.steps.length + 1}/delete/${key}`);
    this.steps.push({ atMs: this.atMs, intent: { kind: "delete", operation, key, expect: {} } });
  }
}
