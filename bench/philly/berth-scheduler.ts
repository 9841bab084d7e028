/**
 * The scheduler of the product in virtual time: the controller that a plane runs, with its queue,
 * its gangs, its reserved nodes and its policies, on a view of nodes, workloads and replicas. Its
 * proposals always take effect: with one scheduler and no fault, the authority would accept them.
 * Waiting jobs are looked at again when a job has left, and before a job comes if they are due by
 * then; not every few seconds in between, as in a plane, because nothing changes meanwhile.
 */
import { keyOf } from "../../src/core/runner/controller.ts";
import type { Binding, Intent } from "../../src/core/protocol/command.ts";
import type { Look } from "../../src/core/protocol/decision.ts";
import {
  nodeKey,
  type ObjectKey,
  policyKey,
  replicaKey,
  type Uid,
  workloadKey,
} from "../../src/core/model/ids.ts";
import type { AnyObject, Meta, Replica, Template } from "../../src/core/model/objects.ts";
import type { Scoring } from "../../src/core/model/policy.ts";
import { View } from "../../src/core/observe/view.ts";
import { createPlace } from "../../src/core/propose/place.ts";
import { type GangScheduler, type GangWorld, nodeName, partsOf } from "./gang-scheduler.ts";
import type { Job } from "./philly-trace.ts";

/** The trace has devices only, so no other resource of a node can run out. */
const ENOUGH = 1_000_000;

/** Longer than any run: no gang gives up. */
const GANG_DEADLINE_MS = 86_400_000;

const CLASS = "gpu";

export class BerthScheduler implements GangScheduler {
  private readonly controller = createPlace();
  private readonly view = new View(this.controller.interest);
  private readonly world: GangWorld;
  private readonly templates = new Map<number, Template>();
  private readonly waiting = new Map<ObjectKey, { readonly job: Job; dueMs: number }>();
  /** The replicas of all waiting and running jobs. */
  private readonly parts = new Map<number, readonly Replica[]>();
  private due = new Set<ObjectKey>();
  /** Jobs started since the last turn. */
  private started: Job[] = [];

  constructor(world: GangWorld, scoring: Scoring) {
    this.world = world;
    const key = policyKey("default");
    this.put({
      kind: "Policy",
      key,
      meta: metaOf("", "default", 0),
      spec: { scoring },
      status: {},
    });
    for (let at = 0; at < world.nodes; at += 1) this.addNode(nodeName(at));
  }

  submit(job: Job, nowS: number): void {
    this.lookAgain(nowS);
    const { count, each } = partsOf(job.devices, this.world.devicesEach);
    const name = nameOf(job);
    const key = workloadKey(job.tenant, name);
    const meta = metaOf(job.tenant, name, nowS * 1_000);
    const template = this.templateOf(each);
    const gang = count === 1 ? {} : { gang: { deadlineMs: GANG_DEADLINE_MS } };
    this.put({
      kind: "Workload",
      key,
      meta,
      spec: { type: "batch", replicas: count, template, ...gang },
      status: { templateGeneration: 1 },
    });
    this.waiting.set(key, { job, dueMs: 0 });
    const parts = Array.from({ length: count }, (_, index) => queued(job, index, meta, template));
    this.parts.set(job.id, parts);
    for (const part of parts) this.put(part);
    this.due.add(key);
  }

  leave(job: Job): void {
    for (const part of this.parts.get(job.id) ?? []) this.change(part.key, undefined);
    this.parts.delete(job.id);
    this.change(workloadKey(job.tenant, nameOf(job)), undefined);
    for (const key of this.waiting.keys()) this.due.add(key);
  }

  takeTurn(nowS: number): readonly Job[] {
    this.lookAt(this.due, nowS);
    this.due = new Set();
    const { started } = this;
    this.started = [];
    return started;
  }

  /** The looks that a plane would have taken by itself before the next job comes. */
  private lookAgain(nowS: number): void {
    const overdue = [...this.waiting].filter(([, { dueMs }]) => dueMs > 0 && dueMs <= nowS * 1_000);
    if (overdue.length > 0) this.lookAt(new Set(overdue.map(([key]) => key)), nowS);
  }

  private lookAt(due: ReadonlySet<ObjectKey>, nowS: number): void {
    const { view, controller } = this;
    const bindings: Binding[] = [];
    const started: Job[] = [];
    const look: Look = { now: nowS * 1_000, random: () => 0, feedback: [], failures: 0 };
    for (const next of controller.order?.(due, view) ?? due) {
      const key = keyOf(next);
      const decision = controller.reconcile(key, view, look);
      const waiting = this.waiting.get(key);
      if (waiting === undefined) continue;
      if (decision.kind === "wait") waiting.dueMs = decision.deadlineMs;
      if (decision.kind !== "propose") continue;
      bindings.push(...decision.intents.flatMap(bindingsOf));
      this.waiting.delete(key);
      started.push(waiting.job);
    }
    // After the turn, as a plane tells its controllers of their own commits.
    for (const binding of bindings) this.bind(binding, look.now);
    for (const job of started) this.bound(job, look);
    this.started.push(...started);
  }

  private bind({ replica, node, deviceIds }: Binding, atMs: number): void {
    const before = this.view.objects.replica(replica);
    if (before === undefined) return;
    const { status } = before;
    const stage = "bound";
    this.put({
      ...before,
      status: { ...status, stage, stageSinceMs: atMs, node, session: 1, deviceIds },
    });
  }

  /** Tells the controller that the job no longer waits, so that it forgets the job. */
  private bound(job: Job, look: Look): void {
    const { view, controller } = this;
    const parts = (this.parts.get(job.id) ?? []).flatMap(({ key }) => {
      const replica = view.objects.replica(key);
      return replica === undefined ? [] : [replica];
    });
    this.parts.set(job.id, parts);
    controller.reconcile(workloadKey(job.tenant, nameOf(job)), view, look);
  }

  private put(after: AnyObject): void {
    this.change(after.key, after);
  }

  private change(key: ObjectKey, after: AnyObject | undefined): void {
    const { view, controller } = this;
    const change = { key, before: view.objects.get(key), after };
    view.objects.fold(change);
    view.revision += 1;
    controller.follow?.(change, view);
  }

  private addNode(name: string): void {
    const ids = Array.from({ length: this.world.devicesEach }, (_, at) => `${CLASS}-${at}`);
    const deviceMillis = 1_000 * ids.length;
    this.put({
      kind: "Node",
      key: nodeKey(name),
      meta: metaOf("", name, 0),
      spec: {
        region: "r",
        zone: "z",
        capacity: { cpuMillis: ENOUGH, memoryMiB: ENOUGH, deviceMillis },
        pools: [{ class: CLASS, model: "", ids }],
        taints: [],
        cordons: [],
        draining: false,
      },
      status: { health: "ready", healthSinceMs: 0, session: 1, evidence: undefined },
    });
  }

  private templateOf(devices: number): Template {
    let template = this.templates.get(devices);
    if (template === undefined) {
      template = aTemplate(devices);
      this.templates.set(devices, template);
    }
    return template;
  }
}

function bindingsOf(intent: Intent): readonly Binding[] {
  if (intent.kind === "bind") return [intent];
  return intent.kind === "bind-all" ? intent.bindings : [];
}

const nameOf = ({ id }: Job): string => `job-${id}`;

const metaOf = (namespace: string, name: string, createdMs: number): Meta => ({
  namespace,
  name,
  uid: `${namespace}/${name}` as Uid,
  generation: 1,
  revision: 1,
  createdMs,
  labels: {},
  finalizers: [],
  deletingMs: undefined,
});

const aTemplate = (devices: number): Template => ({
  ask: {
    amounts: { cpuMillis: 0, memoryMiB: 0, deviceMillis: 1_000 * devices },
    device: { class: CLASS, models: [], count: devices, shareMillis: 1_000 },
    regions: [],
    zones: [],
    nodeSelector: {},
    tolerations: [],
  },
  spread: [],
  priorityClass: "",
  onDisconnect: "stop",
  command: ["train"],
});

function queued({ tenant, ...job }: Job, index: number, of: Meta, template: Template): Replica {
  const workload = nameOf({ tenant, ...job });
  const key = replicaKey({ tenant, workload, generation: 1, index });
  return {
    kind: "Replica",
    key,
    meta: { ...of, name: `${workload}.1.${index}` },
    spec: { workload, workloadUid: of.uid, generation: 1, index, type: "batch", template },
    status: {
      stage: "queued",
      stageSinceMs: of.createdMs,
      incarnation: 1,
      failures: 0,
      node: undefined,
      session: 0,
      deviceIds: [],
      stopping: undefined,
      address: undefined,
    },
  };
}
