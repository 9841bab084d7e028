/**
 * What people do in a world, as the commands they send: first they set it up, then the timeline. A person
 * writes whole specs, so each step is worked out from the steps before it.
 */
import type { Desired, Intent } from "../core/commit/command.ts";
import { REPLICAS_FINALIZER } from "../core/commit/judge/put.ts";
import {
  nodeKey,
  type ObjectKey,
  operationId,
  quotaKey,
  regionKey,
  tenantKey,
  workloadKey,
} from "../core/model/ids.ts";
import type { Labels } from "../core/model/objects.ts";
import type { UserAction, World, WorldNode, WorldWorkload } from "./world.ts";

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
  private atMs = 0;

  write(world: World): readonly Step[] {
    for (const { name, zones } of world.regions)
      this.put(regionKey(name), { kind: "Region", spec: { zones } });
    for (const { name, quota } of world.tenants) {
      this.put(tenantKey(name), { kind: "Tenant", spec: { displayName: name } });
      this.put(quotaKey(name), { kind: "Quota", spec: { limit: quota } });
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
      case "set-quota":
        return this.put(quotaKey(action.tenant), { kind: "Quota", spec: { limit: action.limit } });
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
