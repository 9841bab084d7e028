/** A real plane for tests: real authority and controllers, any store, and a way to wait for what must come. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Intent } from "../../src/core/protocol/command.ts";
import type { Reply } from "../../src/core/protocol/outcome.ts";
import type { Actor } from "../../src/core/model/actor.ts";
import {
  nodeKey,
  operationId,
  quotaKey,
  replicaKey,
  tenantKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { Replica, WorkloadSpec } from "../../src/core/model/objects.ts";
import type { Plane } from "../../src/host/plane.ts";

const USER: Actor = { role: "user", name: "tester" };
/** Far longer than anything here takes on the slowest machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

export async function until<T>(what: string, look: () => T | undefined): Promise<T> {
  const endMs = Date.now() + PATIENCE_MS;
  for (let seen = look(); ; seen = look()) {
    if (seen !== undefined) return seen;
    if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}.`);
    await sleep(5);
  }
}

export class PlaneUser {
  private readonly now: () => Plane;
  private count = 0;

  /** A function where the plane may be stopped and another started in its place. */
  constructor(plane: Plane | (() => Plane)) {
    this.now = typeof plane === "function" ? plane : () => plane;
  }

  private get plane(): Plane {
    return this.now();
  }

  async put(
    key: Extract<Intent, { kind: "put" }>["key"],
    desired: Extract<Intent, { kind: "put" }>["desired"],
  ): Promise<Reply> {
    this.count += 1;
    const operation = operationId(`put/${key}/${this.count}`);
    const intent = {
      kind: "put",
      operation,
      key,
      desired,
      labels: {},
      finalizers: [],
      expect: {},
    } as const;
    return this.plane.submit(intent, USER);
  }

  /** A tenant with quota and two nodes that no agent has spoken for yet. */
  async furnish(): Promise<void> {
    const capacity = { cpuMillis: 4_000, memoryMiB: 4_096, deviceMillis: 0 };
    await this.put(tenantKey("shop"), { kind: "Tenant", spec: { displayName: "Shop" } });
    await this.put(quotaKey("shop"), { kind: "Quota", spec: { limit: capacity } });
    for (const name of ["n1", "n2"]) {
      const spec = {
        region: "eu",
        zone: "eu-a",
        capacity,
        pools: [],
        taints: [],
        cordons: [],
        draining: false,
      };
      await this.put(nodeKey(name), { kind: "Node", spec });
    }
  }

  async putDesired(replicas: number, env: Readonly<Record<string, string>> = {}): Promise<Reply> {
    const spec: WorkloadSpec = {
      type: "service",
      replicas,
      template: {
        ask: {
          amounts: { cpuMillis: 500, memoryMiB: 256, deviceMillis: 0 },
          regions: [],
          zones: [],
          nodeSelector: {},
          tolerations: [],
        },
        spread: [],
        priorityClass: "",
        onDisconnect: "stop",
        command: ["true"],
        run: { env, workingDir: "", user: "", ports: [], stopGraceMs: 1_000 },
      },
    };
    return this.put(workloadKey("shop", "api"), { kind: "Workload", spec });
  }

  /** Speaks once for the node, as its agent would. */
  async lease(node: string, seq: number): Promise<Reply> {
    const operation = operationId(`lease/${node}/1.${seq}`);
    const intent = { kind: "lease", operation, node, session: 1, seq, kept: [] } as const;
    return this.plane.submit(intent, { role: "agent", name: `agent:${node}` });
  }

  replica(index: number): Replica | undefined {
    return this.plane.objects.replica(
      replicaKey({ tenant: "shop", workload: "api", generation: 1, index }),
    );
  }

  async bound(index: number): Promise<Replica> {
    return until(`index ${index} to be bound`, () => {
      const replica = this.replica(index);
      return replica?.status.stage === "bound" ? replica : undefined;
    });
  }
}
