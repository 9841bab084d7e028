/**
 * The actions of people in a world, as commands: first they set it up, then they follow the
 * timeline. A person writes whole specs, so each step is computed from the steps before it.
 */
import type { Desired, Intent } from "../../core/protocol/command.ts";
import { REPLICAS_FINALIZER } from "../../core/model/finalizers.ts";
import {
  nodeKey,
  type ObjectKey,
  type OperationId,
  operationId,
  policyKey,
  policyRevisionKey,
  quotaKey,
  regionKey,
  replicaKey,
  tenantKey,
  workloadKey,
} from "../../core/model/ids.ts";
import { autoscalerKey } from "../../core/model/autoscaler.ts";
import { nodePoolKey } from "../../core/model/node/node-pool.ts";
import { recoveryBudgetKey, type RecoveryBudgetSpec } from "../../core/model/recovery-budget.ts";
import type { Amounts } from "../../core/model/amounts.ts";
import type { Labels, Template } from "../../core/model/objects.ts";
import { overrideKey, type OverrideSpec } from "../../core/model/override.ts";
import type { StatedOwner } from "../../core/model/owner.ts";
import { priorityClassKey } from "../../core/model/preemption.ts";
import { secretKey } from "../../core/model/secret/secret-refs.ts";
import { Activations } from "./activations.ts";
import { secretOf } from "./secrets-of-world.ts";
import type {
  QuotaSharing,
  UserAction,
  World,
  WorldNode,
  WorldPolicyRevision,
  WorldPriorityClass,
  WorldWorkload,
} from "./world.ts";

export interface Step {
  readonly atMs: number;
  readonly intent: Intent;
  /** The name of the sender. */
  readonly as: string;
}

/** The sender of actions that name no person. */
const SOMEBODY = "user";

interface HowPut {
  readonly as?: string;
  readonly force?: true;
  readonly owners?: readonly StatedOwner[];
}

export function userScript(world: World): readonly Step[] {
  return new Script().write(world);
}

/** Actions on tenants, their work and its policies. */
type DoneToWork =
  | "put-workload"
  | "scale"
  | "change-template"
  | "set-rollout"
  | "set-owners"
  | "set-secret"
  | "delete-workload"
  | "delete-replica"
  | "delete-tenant"
  | "delete-quota"
  | "lift-finalizers"
  | "set-quota"
  | "put-priority-class"
  | "put-policy-revision"
  | "activate";

class Script {
  private readonly steps: Step[] = [];
  private readonly nodes = new Map<string, WorldNode>();
  private readonly deleted = new Map<string, WorldNode>();
  private readonly workloads = new Map<ObjectKey, WorldWorkload>();
  private readonly activations = new Activations();
  private readonly overrides = new Map<string, OverrideSpec>();
  private readonly budgets = new Map<string, RecoveryBudgetSpec>();
  private readonly sharings = new Map<string, QuotaSharing>();
  private atMs = 0;

  write(world: World): readonly Step[] {
    for (const { name, ...spec } of world.regions)
      this.put(regionKey(name), { kind: "Region", spec });
    for (const priorityClass of world.priorityClasses ?? []) this.putPriorityClass(priorityClass);
    for (const revision of world.policyRevisions ?? []) this.putPolicyRevision(revision);
    for (const policy of world.policies ?? []) {
      this.activations.made(policy);
      this.put(policyKey(policy.name), { kind: "Policy", spec: { active: policy.active } });
    }
    for (const { name, quota, sharing, finalizers } of world.tenants) {
      this.put(tenantKey(name), { kind: "Tenant", spec: { displayName: name } }, {}, finalizers);
      this.putQuota(name, quota, sharing);
    }
    for (const node of world.nodes) this.putNode(node);
    for (const { name, spec } of world.nodePools ?? []) {
      this.put(nodePoolKey(name), { kind: "NodePool", spec });
    }
    for (const workload of world.workloads) this.putWorkload(workload);
    for (const { tenant, name, spec } of world.autoscalers ?? []) {
      this.put(autoscalerKey(tenant, name), { kind: "Autoscaler", spec });
    }
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
        return this.editWorkload(action, (spec) => scaled(spec, action.replicas));
      case "change-template":
        return this.editWorkload(action, (spec) => ({
          ...spec,
          template: changed(spec.template, action),
        }));
      case "set-rollout":
        return this.editWorkload(action, (spec) => ({ ...spec, rollout: action.rollout }));
      case "set-owners":
        return this.setOwners(action);
      case "set-secret": {
        const key = secretKey(action.tenant, action.name);
        return action.keys.length === 0 ? this.delete(key) : this.put(key, secretOf(action.keys));
      }
      case "delete-workload": {
        const key = workloadKey(action.tenant, action.workload);
        if (this.workloads.delete(key)) this.delete(key);
        return undefined;
      }
      case "delete-replica":
        return this.delete(replicaKey(action));
      case "delete-tenant":
        for (const [key, { tenant }] of this.workloads) {
          if (tenant === action.tenant) this.workloads.delete(key);
        }
        return this.delete(tenantKey(action.tenant));
      case "delete-quota":
        return this.delete(quotaKey(action.tenant));
      case "lift-finalizers":
        return this.put(tenantKey(action.tenant), {
          kind: "Tenant",
          spec: { displayName: action.tenant },
        });
      case "set-quota":
        return this.putQuota(action.tenant, action.limit, action.sharing);
      case "put-priority-class":
        return this.putPriorityClass(action.priorityClass);
      case "put-policy-revision":
        return this.putPolicyRevision(action.policyRevision);
      case "activate": {
        const named = (key: string): OperationId =>
          operationId(`user/${this.steps.length + 1}/activate/${key}`);
        const intent = this.activations.intent(action, named);
        if (intent !== undefined) this.steps.push({ atMs: this.atMs, intent, as: SOMEBODY });
        return undefined;
      }
      default:
        return this.steer(action);
    }
  }

  private steer(action: Exclude<UserAction, { do: DoneToWork }>): void {
    switch (action.do) {
      case "override":
        this.overrides.set(action.name, action.spec);
        return this.putOverride(action, action.spec);
      case "extend-override": {
        const held = this.overrides.get(action.name);
        return held && this.putOverride(action, { ...held, ttlMs: action.ttlMs });
      }
      case "release-override":
        return this.delete(overrideKey(action.name), { as: action.as });
      case "grant-budget":
        this.budgets.set(action.name, action.spec);
        return this.putBudget(action, action.spec);
      case "extend-budget": {
        const held = this.budgets.get(action.name);
        return held && this.putBudget(action, { ...held, ttlMs: action.ttlMs });
      }
      case "withdraw-budget":
        return this.delete(recoveryBudgetKey(action.name), { as: action.as });
      case "cordon": {
        const cordon = { holder: action.holder, reason: "maintenance" };
        const cordoned = ({ spec }: WorldNode) => ({ ...spec, cordons: [...spec.cordons, cordon] });
        return this.editNode(action.node, cordoned, { as: action.holder });
      }
      case "uncordon":
        return this.uncordon(action);
      case "drain":
        return this.drain(action);
      case "undrain":
        return this.undrain(action.node);
      case "add-node":
        return this.putNode(this.asHeld(action.node));
      case "delete-node":
        return this.deleteNode(action.node);
      case "restore-node": {
        const node = this.deleted.get(action.node);
        if (node !== undefined) this.putNode(node);
        return undefined;
      }
    }
  }

  private editWorkload(
    { tenant, workload }: { readonly tenant: string; readonly workload: string },
    edit: (spec: WorldWorkload["spec"]) => WorldWorkload["spec"],
  ): void {
    const held = this.workloads.get(workloadKey(tenant, workload));
    if (held !== undefined) this.putWorkload({ ...held, spec: edit(held.spec) });
  }

  private setOwners({ tenant, workload, owners }: Extract<UserAction, { do: "set-owners" }>): void {
    const held = this.workloads.get(workloadKey(tenant, workload));
    if (held === undefined) return;
    this.putWorkload(held, { owners: owners.map((name) => ({ key: workloadKey(tenant, name) })) });
  }

  private editNode(
    name: string,
    edit: (node: WorldNode) => WorldNode["spec"],
    how: HowPut = {},
  ): void {
    const held = this.nodes.get(name);
    if (held !== undefined) this.putNode({ ...held, spec: edit(held) }, how);
  }

  private uncordon(action: Extract<UserAction, { do: "uncordon" }>): void {
    const { node, holder, as = holder, force } = action;
    const held = this.nodes.get(node);
    if (held === undefined) return;
    const cordons = held.spec.cordons.filter((cordon) => cordon.holder !== holder);
    const how = { as, ...(force === undefined ? {} : { force }) };
    this.putNode({ ...held, spec: { ...held.spec, cordons } }, how);
    // An attempt to lift another person's hold without force fails.
    if (as !== holder && force === undefined) this.nodes.set(node, held);
  }

  /** A person who drains a draining node takes the drain over. */
  private drain({ node, terms }: Extract<UserAction, { do: "drain" }>): void {
    const drained = ({ spec }: WorldNode): WorldNode["spec"] => ({
      ...undrained(spec),
      draining: true,
      ...(terms === undefined ? {} : { drain: terms }),
    });
    this.editNode(node, drained, this.overOthers(node, terms?.holder));
  }

  private undrain(node: string): void {
    this.editNode(
      node,
      ({ spec }) => undrained(spec),
      this.overOthers(node, this.nodes.get(node)?.spec.drain?.holder),
    );
  }

  private overOthers(node: string, as: string | undefined): HowPut {
    const holder = this.nodes.get(node)?.spec.drain?.holder;
    const own = as === undefined ? {} : { as };
    return holder === undefined || holder === as ? own : { ...own, force: true };
  }

  /** A person who describes an existing node leaves the holds of others alone. */
  private asHeld(node: WorldNode): WorldNode {
    const held = this.nodes.get(node.name)?.spec;
    if (held === undefined) return node;
    const { cordons, draining, drain } = held;
    const drained = drain === undefined ? {} : { drain };
    return { ...node, spec: { ...undrained(node.spec), cordons, draining, ...drained } };
  }

  private putQuota(tenant: string, limit: Amounts, sharing?: QuotaSharing): void {
    if (sharing !== undefined) this.sharings.set(tenant, sharing);
    const spec = { limit, ...this.sharings.get(tenant) };
    this.put(quotaKey(tenant), { kind: "Quota", spec });
  }

  private putPolicyRevision({ name, spec }: WorldPolicyRevision): void {
    this.put(policyRevisionKey(name), { kind: "PolicyRevision", spec });
  }

  private putPriorityClass({ name, spec }: WorldPriorityClass): void {
    this.put(priorityClassKey(name), { kind: "PriorityClass", spec });
  }

  private deleteNode(name: string): void {
    const node = this.nodes.get(name);
    if (node === undefined) return;
    this.nodes.delete(name);
    this.deleted.set(name, node);
    this.delete(nodeKey(name), { orphan: true });
  }

  private putNode(node: WorldNode, how: HowPut = {}): void {
    this.deleted.delete(node.name);
    this.nodes.set(node.name, node);
    this.put(nodeKey(node.name), { kind: "Node", spec: node.spec }, node.labels, [], how);
  }

  private putWorkload(workload: WorldWorkload, how: HowPut = {}): void {
    const key = workloadKey(workload.tenant, workload.name);
    this.workloads.set(key, workload);
    this.put(
      key,
      { kind: "Workload", spec: workload.spec },
      workload.labels,
      [REPLICAS_FINALIZER],
      how,
    );
  }

  private putOverride(
    { name, as }: { readonly name: string; readonly as: string },
    spec: OverrideSpec,
  ): void {
    this.put(overrideKey(name), { kind: "Override", spec }, {}, [], { as });
  }

  private putBudget(
    { name, as }: { readonly name: string; readonly as: string },
    spec: RecoveryBudgetSpec,
  ): void {
    this.put(recoveryBudgetKey(name), { kind: "RecoveryBudget", spec }, {}, [], { as });
  }

  private put(
    key: ObjectKey,
    desired: Desired,
    labels: Labels = {},
    finalizers: readonly string[] = [],
    { as = SOMEBODY, force, owners }: HowPut = {},
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
      ...(force === undefined ? {} : { force }),
      ...(owners === undefined ? {} : { owners }),
    } as const;
    this.steps.push({ atMs: this.atMs, intent, as });
  }

  private delete(
    key: ObjectKey,
    { as = SOMEBODY, ...how }: { readonly orphan?: true; readonly as?: string } = {},
  ): void {
    const operation = operationId(`user/${this.steps.length + 1}/delete/${key}`);
    const intent = { kind: "delete", operation, key, expect: {}, ...how } as const;
    this.steps.push({ atMs: this.atMs, intent, as });
  }
}

/** People change the parallelism of a job; its completions are fixed. */
function scaled(spec: WorldWorkload["spec"], replicas: number): WorldWorkload["spec"] {
  const { batch, gang } = spec;
  if (batch === undefined) return { ...spec, replicas };
  if (gang !== undefined) return spec;
  return { ...spec, batch: { ...batch, parallelism: Math.max(1, replicas) } };
}

function undrained(spec: WorldNode["spec"]): WorldNode["spec"] {
  const { drain: _, ...rest } = spec;
  return { ...rest, draining: false };
}

function changed(
  template: Template,
  { command, amounts }: Extract<UserAction, { do: "change-template" }>,
): Template {
  if (amounts === undefined) return { ...template, command };
  const { ask } = template;
  return { ...template, command, ask: { ...ask, amounts: { ...ask.amounts, ...amounts } } };
}
