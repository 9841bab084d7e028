/**
 * One run of the event model: nodes fall silent and return, and the unmodified controllers and the
 * scheduler of Kubernetes react, event by event in virtual time. `node-watch.ts` decides about
 * nodes, `cluster-room.ts` about places; this file moves pods between them.
 */
import type { Replica } from "../../core/model/objects.ts";
import { classOf } from "../../core/model/preemption.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import {
  controllerOf,
  replacementOf,
  tolerationMsOf,
  UNREACHABLE,
} from "../../fleet/kubernetes/recovery-facts.ts";
import type { ClusterRoom } from "./cluster-room.ts";
import type { ControllerTimes } from "./controller-times.ts";
import { NodeWatch } from "./node-watch.ts";
import type { Phases } from "./phases.ts";
import type { PodLoss } from "./pod-loss.ts";
import { QuotaLedger } from "./quota-ledger.ts";
import { RequestBudget } from "./request-budget.ts";
import { Timeline } from "./timeline.ts";

export type NodeEvent =
  | { readonly atMs: number; readonly do: "lose"; readonly nodes: readonly string[] }
  | { readonly atMs: number; readonly do: "return"; readonly nodes: readonly string[] };

export interface LossRunParts {
  readonly room: ClusterRoom;
  readonly times: ControllerTimes;
  readonly phases: Phases;
  readonly events: readonly NodeEvent[];
}

type Step =
  | NodeEvent
  | { readonly do: "look" | "settle" | "taint" | "place" | "place-again" | "count-quotas" }
  | { readonly do: "silence"; readonly node: string }
  | { readonly do: "evict"; readonly loss: PodLoss; readonly call: number }
  | { readonly do: "create"; readonly loss: PodLoss };

/** A deletion reads the pod, writes its condition and deletes it. */
const CALLS_PER_EVICTION = 3;
/** A creation and its event. */
const CALLS_PER_CREATION = 2;
/** The looks before the loss that may have seen the last heartbeat. */
const LOOKS_BEFORE = 3;

export class LossRun {
  readonly losses: PodLoss[] = [];
  readonly watch: NodeWatch;
  events = 0;
  private readonly parts: LossRunParts;
  private readonly timeline = new Timeline<Step>();
  private readonly quotas: QuotaLedger;
  private readonly evictions: RequestBudget;
  private readonly creations: RequestBudget;
  /** Pods by the silent node that they are on. */
  private readonly lossesOn = new Map<string, PodLoss[]>();
  /** Deleted pods that their controller waits for. */
  private waiting: PodLoss[] = [];
  private ending: { readonly replica: Replica; readonly fromMs: number; readonly node: string }[] =
    [];
  private queue: PodLoss[] = [];
  private unplaced: PodLoss[] = [];
  private nextTaintMs = Number.POSITIVE_INFINITY;
  private isPlacing = false;
  private isPlacingAgain = false;

  constructor(parts: LossRunParts) {
    this.parts = parts;
    const { room, times, phases, events } = parts;
    const nodes = [...room.objects.all("Node").values()];
    const begun = nodes.filter(({ spec }) => spec.taints.some(({ key }) => key === UNREACHABLE));
    const mayFall = new Set(events.flatMap((event) => event.nodes));
    for (const { meta } of begun) mayFall.add(meta.name);
    const podsOn = (node: string): number => room.replicasOn(node).filter(isUp).length;
    this.watch = new NodeWatch(nodes, mayFall, { times, phases, podsOn });
    for (const { meta, spec } of begun) {
      const isTainted = spec.taints.some(({ key }) => key === `${UNREACHABLE}:NoExecute`);
      this.watch.begin(meta.name, isTainted);
      if (!isTainted) this.lose(meta.name, 0);
    }
    this.quotas = new QuotaLedger(room.objects);
    const limit = { periodMs: times.requestPeriodMs, burst: times.requestBurst };
    this.evictions = new RequestBudget(limit);
    this.creations = new RequestBudget(limit);
  }

  run(watchMs: number): void {
    const { events, phases, times } = this.parts;
    const periodMs = times.monitorPeriodMs + times.callMs;
    this.timeline.push(phases.monitorMs - LOOKS_BEFORE * periodMs, { do: "look" });
    this.timeline.push(phases.quotaSyncMs, { do: "count-quotas" });
    for (const event of events) this.timeline.push(event.atMs, event);
    for (;;) {
      const next = this.timeline.popUntil(watchMs);
      if (next === undefined) return;
      this.events += 1;
      this.take(next.event, next.atMs);
    }
  }

  private take(step: Step, nowMs: number): void {
    switch (step.do) {
      case "lose":
        for (const node of step.nodes) this.lose(node, nowMs);
        return;
      case "return":
        for (const node of step.nodes) this.giveBack(node, nowMs);
        return;
      case "look":
        return this.look(nowMs);
      case "settle":
        if (this.watch.settle(nowMs)) this.forgetTaints();
        return this.planTaint(nowMs);
      case "silence":
        return this.silence(step.node, nowMs);
      case "taint":
        return this.taint(nowMs);
      case "evict":
        return this.evict(step.loss, step.call, nowMs);
      case "create":
        return this.create(step.loss, nowMs);
      case "place":
        return this.place(nowMs);
      case "place-again":
        this.isPlacingAgain = false;
        for (const loss of this.unplaced.splice(0)) this.enqueue(loss, nowMs);
        return undefined;
      default:
        return this.countQuotas(nowMs);
    }
  }

  private lose(node: string, nowMs: number): void {
    if (this.lossesOn.has(node)) return;
    this.watch.lose(node, nowMs);
    this.lossesOn.set(
      node,
      this.parts.room.replicasOn(node).map((replica) => this.lossOf(replica, node, nowMs)),
    );
  }

  private lossOf(replica: Replica, node: string, nowMs: number): PodLoss {
    const workload = workloadOf(replica);
    const owner = this.parts.room.objects.workload(workload);
    const loss: PodLoss = {
      replica,
      workload,
      node,
      controller: owner === undefined ? "Pod" : controllerOf(owner),
      replacedBy: owner === undefined ? "unknown" : replacementOf(owner),
      tolerationMs: tolerationMsOf(replica),
      wasUp: isUp(replica),
      lostMs: nowMs,
      refusals: 0,
    };
    this.losses.push(loss);
    return loss;
  }

  /** The kubelet starts the pods that are left, and ends those that were deleted meanwhile. */
  private giveBack(node: string, nowMs: number): void {
    this.watch.giveBack(node);
    this.parts.room.giveBack(node);
    for (const loss of this.lossesOn.get(node) ?? []) {
      if (loss.evictedMs === undefined) loss.returnedMs = nowMs;
    }
    const ended = this.ending.filter((each) => each.node === node);
    this.ending = this.ending.filter((each) => each.node !== node);
    for (const { replica } of ended) this.quotas.free(replica);
    const replaced = this.waiting.filter((loss) => loss.node === node);
    this.waiting = this.waiting.filter((loss) => loss.node !== node);
    for (const loss of replaced) this.planCreation(loss, nowMs);
    this.placeAgain(nowMs);
  }

  private look(nowMs: number): void {
    const { unknown, healthy, endMs } = this.watch.look(nowMs);
    for (const { node, atMs } of unknown) this.timeline.push(atMs, { do: "silence", node });
    for (const node of healthy) this.lossesOn.delete(node);
    this.timeline.push(endMs, { do: "settle" });
    this.timeline.push(endMs + this.parts.times.monitorPeriodMs, { do: "look" });
  }

  private silence(node: string, nowMs: number): void {
    this.parts.room.silence(node);
    this.watch.wasWritten(node, nowMs);
    for (const loss of this.lossesOn.get(node) ?? []) loss.unknownMs = nowMs;
    this.planTaint(nowMs);
  }

  private forgetTaints(): void {
    for (const loss of this.losses) if (loss.evictedMs === undefined) delete loss.taintMs;
  }

  private planTaint(nowMs: number): void {
    const atMs = this.watch.nextTaintMs(nowMs);
    if (atMs === undefined || atMs >= this.nextTaintMs) return;
    this.nextTaintMs = atMs;
    this.timeline.push(atMs, { do: "taint" });
  }

  private taint(nowMs: number): void {
    if (nowMs < this.nextTaintMs) return;
    this.nextTaintMs = Number.POSITIVE_INFINITY;
    for (const node of this.watch.taint(nowMs)) {
      for (const loss of this.lossesOn.get(node) ?? []) {
        loss.taintMs = nowMs;
        if (loss.tolerationMs === undefined) continue;
        this.timeline.push(nowMs + loss.tolerationMs, { do: "evict", loss, call: 0 });
      }
    }
    this.planTaint(nowMs + this.parts.times.callMs);
  }

  /** Its node may be ready again, which takes the taint and with it the eviction back. */
  private evict(loss: PodLoss, call: number, nowMs: number): void {
    const { times, room } = this.parts;
    if (!this.watch.isTainted(loss.node) || loss.evictedMs !== undefined) return;
    if (call < CALLS_PER_EVICTION) {
      const atMs = this.evictions.take(nowMs) + times.callMs;
      this.timeline.push(atMs, { do: "evict", loss, call: call + 1 });
      return;
    }
    loss.evictedMs = nowMs;
    room.end(loss.replica);
    const graceMs = loss.replica.spec.template.run?.stopGraceMs ?? 0;
    this.ending.push({ replica: loss.replica, fromMs: nowMs + 2 * graceMs, node: loss.node });
    if (loss.replacedBy === "at-once") this.planCreation(loss, nowMs);
    else if (loss.replacedBy !== "never") this.waiting.push(loss);
  }

  private planCreation(loss: PodLoss, nowMs: number): void {
    const { jobBatchMs, callMs } = this.parts.times;
    if (loss.replacedBy === "unknown" || loss.replacementMs !== undefined) return;
    const seenMs = nowMs + (loss.controller === "Job" ? jobBatchMs : callMs);
    this.timeline.push(seenMs, { do: "create", loss });
  }

  private create(loss: PodLoss, nowMs: number): void {
    const { callMs, firstRetryMs, longestRetryMs } = this.parts.times;
    const short = this.quotas.shortFor(loss.replica);
    if (short !== undefined) {
      loss.short = short;
      const pauseMs = Math.min(firstRetryMs * 2 ** loss.refusals, longestRetryMs);
      loss.refusals += 1;
      this.timeline.push(nowMs + pauseMs, { do: "create", loss });
      return;
    }
    this.quotas.charge(loss.replica);
    let doneMs = nowMs;
    for (let call = 0; call < CALLS_PER_CREATION; call += 1) {
      doneMs = Math.max(doneMs, this.creations.take(nowMs));
    }
    loss.replacementMs = doneMs + callMs;
    this.enqueue(loss, loss.replacementMs);
  }

  private enqueue(loss: PodLoss, atMs: number): void {
    this.queue.push(loss);
    if (this.isPlacing) return;
    this.isPlacing = true;
    this.timeline.push(atMs + this.parts.times.placementMs, { do: "place" });
  }

  /** The most important pod first, then the one that waits longest. */
  private place(nowMs: number): void {
    const { room, times } = this.parts;
    const ready = this.queue.filter(({ replacementMs = 0 }) => replacementMs <= nowMs);
    const loss = ready.reduce<PodLoss | undefined>(
      (best, each) => (best === undefined || this.valueOf(each) > this.valueOf(best) ? each : best),
      undefined,
    );
    if (loss !== undefined) {
      this.queue.splice(this.queue.indexOf(loss), 1);
      const place = room.place(loss.replica);
      if ("node" in place) {
        loss.boundMs = nowMs;
        loss.boundTo = place.node;
        this.placeAgain(nowMs);
      } else {
        loss.rejectedBy = place.rejectedBy;
        this.unplaced.push(loss);
      }
    }
    this.isPlacing = this.queue.length > 0;
    if (this.isPlacing) this.timeline.push(nowMs + times.placementMs, { do: "place" });
  }

  /** A pod that came, or a node, may have made a place for those that had none. */
  private placeAgain(nowMs: number): void {
    if (this.isPlacingAgain || this.unplaced.length === 0) return;
    this.isPlacingAgain = true;
    this.timeline.push(nowMs + this.parts.times.schedulerBackoffMs, { do: "place-again" });
  }

  private countQuotas(nowMs: number): void {
    const over = this.ending.filter(({ fromMs }) => fromMs <= nowMs);
    this.ending = this.ending.filter(({ fromMs }) => fromMs > nowMs);
    for (const { replica } of over) this.quotas.free(replica);
    this.timeline.push(nowMs + this.parts.times.quotaSyncMs, { do: "count-quotas" });
  }

  private valueOf({ replica }: PodLoss): number {
    const classes = this.parts.room.objects.all("PriorityClass");
    return classOf(classes, replica.spec.template.priorityClass).value;
  }
}

const isUp = ({ status }: Replica): boolean =>
  status.stage === "serving" || status.stage === "running";
