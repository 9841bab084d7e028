/**
 * A truth with several tenants, each with one workload `TENANT/api`, and a node that takes whatever they can pay for.
 * Amounts are CPU alone unless a test says otherwise, so that the sums can be read off the page.
 */
import type { Outcome } from "../../src/core/protocol/outcome.ts";
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { Evidence } from "../../src/core/model/evidence.ts";
import {
  nodeKey,
  type ObjectKey,
  quotaKey,
  replicaKey,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { Quota, QuotaSpec, Replica, Workload } from "../../src/core/model/objects.ts";
import { amounts } from "./amounts.ts";
import { Plane, putting, reservationKey } from "./a-plane.ts";
import { aNodeSpec } from "./a-node.ts";
import { aWorkloadSpec, type WorkloadSpecParts } from "./a-workload.ts";

export const cpu = (cpuMillis: number): Amounts =>
  amounts({ cpuMillis, memoryMiB: 0, deviceMillis: 0 });

export interface TenantParts extends Partial<Omit<QuotaSpec, "limit">> {
  /** Of CPU. */
  readonly limit: number;
  /** What each of its replicas asks. */
  readonly each?: number;
  readonly desired?: WorkloadSpecParts;
}

/** More than any test admits. */
const INDEXES = 16;

export class Group extends Plane {
  add(tenant: string, { limit, each = 100, desired, ...sharing }: TenantParts): void {
    this.tenant({}, tenant);
    this.setQuota(tenant, { limit: cpu(limit), ...sharing });
    this.want(tenant, { replicas: INDEXES, cpuMillis: each, memoryMiB: 0, ...desired });
  }

  setQuota(tenant: string, spec: QuotaSpec): void {
    this.must(putting(quotaKey(tenant), { kind: "Quota", spec }));
  }

  want(tenant: string, of: WorkloadSpecParts): void {
    const key = workloadKey(tenant, "api");
    this.must(putting(key, { kind: "Workload", spec: aWorkloadSpec(of) }));
  }

  /** The tenant no longer wants its first replica, which goes without ever having had quota. */
  endWaiting(tenant: string): void {
    this.want(tenant, { replicas: 0, cpuMillis: 100, memoryMiB: 0 });
    const { key: workload } = this.workloadOf(tenant);
    const evidence: Evidence = { kind: "surplus", workload };
    this.must({ kind: "evict", replica: keyFor(tenant), incarnation: 1, evidence });
  }

  prioritise(name: string, value: number): void {
    const key = `PriorityClass//${name}` as ObjectKey;
    this.must(putting(key, { kind: "PriorityClass", spec: { value } }));
  }

  workloadOf(tenant: string): Workload {
    return this.ledger.objects.workload(workloadKey(tenant, "api"))!;
  }

  moveNode(name: string, region: string): void {
    const spec = { ...this.node(name).spec, region };
    this.must(putting(nodeKey(name), { kind: "Node", spec }));
  }

  quotaOf(tenant: string): Quota {
    return this.get(quotaKey(tenant)) as Quota;
  }

  replicaAt(tenant: string, index = 0): Replica {
    return this.ledger.objects.replica(keyFor(tenant, index))!;
  }

  waits(tenant: string, index = 0, incarnation = 1): Replica {
    const workload = workloadKey(tenant, "api");
    this.must({ kind: "admit", workload, generation: 1, index, incarnation });
    return this.replicaAt(tenant, index);
  }

  reserve(tenant: string, index = 0, incarnation = 1): Outcome {
    const held = this.ledger.objects.replica(keyFor(tenant, index));
    if (held?.status.incarnation !== incarnation) this.waits(tenant, index, incarnation);
    return this.send({
      kind: "reserve",
      replica: keyFor(tenant, index),
      incarnation,
      deadlineMs: 1_000,
    });
  }

  inQueue(tenant: string, index = 0): Replica {
    const key = keyFor(tenant, index);
    const outcome = this.reserve(tenant, index);
    if (outcome.kind !== "committed") throw new Error(JSON.stringify(outcome));
    const reservation = reservationKey(key);
    this.must({
      kind: "transition",
      key,
      incarnation: 1,
      from: "admitted",
      to: "queued",
      reservation,
    });
    return this.replicaAt(tenant, index);
  }

  runs(tenant: string, index = 0, node = "a-1"): Replica {
    const { key } = this.inQueue(tenant, index);
    this.must({ kind: "bind", replica: key, incarnation: 1, node, deviceIds: [] });
    return this.replicaAt(tenant, index);
  }

  /** The first index of a later template, in the queue. */
  enqueued(tenant: string, generation: number): Replica {
    const { key: workload } = this.workloadOf(tenant);
    const indexes = [{ index: 0, incarnation: 1 }];
    this.must({ kind: "enqueue", workload, generation, indexes });
    return this.ledger.objects.replica(
      replicaKey({ tenant, workload: "api", generation, index: 0 }),
    )!;
  }

  /** Asked to give its quota back. */
  evict(tenant: string, index: number, evidence: Evidence): Outcome {
    const { key, status } = this.replicaAt(tenant, index);
    return this.send(
      { kind: "evict", replica: key, incarnation: status.incarnation, evidence },
      { role: "reclaim-quota" },
    );
  }

  /** Its agent has stopped it. */
  ended(tenant: string, index: number): void {
    const { key, status } = this.replicaAt(tenant, index);
    const { incarnation, node = "", session } = status;
    this.must({ kind: "report", replica: key, incarnation, node, session, stage: "released" });
  }

  cpuOf(tenant: string): Readonly<Record<string, number>> {
    const account = this.ledger.objects.accountOf(tenant);
    const { borrowed, overdrawn, free, reserved, committed } = account;
    return Object.fromEntries(
      Object.entries({ borrowed, overdrawn, free, reserved, committed }).flatMap(
        ([name, { cpuMillis }]) => (cpuMillis === 0 ? [] : [[name, cpuMillis]]),
      ),
    );
  }
}

export const keyFor = (tenant: string, index = 0): ObjectKey =>
  replicaKey({ tenant, workload: "api", generation: 1, index });

export function aGroup(tenants: Readonly<Record<string, TenantParts>>): Group {
  const group = new Group();
  const capacity = amounts({ cpuMillis: 100_000, memoryMiB: 100_000, deviceMillis: 0 });
  for (const name of ["a-1", "b-1"]) {
    const spec = { ...aNodeSpec(), capacity, region: name === "a-1" ? "eu" : "us" };
    group.must(putting(nodeKey(name), { kind: "Node", spec }));
    group.renew({ node: name });
  }
  for (const [tenant, parts] of Object.entries(tenants)) group.add(tenant, parts);
  return group;
}
