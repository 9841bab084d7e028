/**
 * How long the node controller writes about silent nodes: workers share one rate of requests, and
 * the sender of events is one more that asks for it. Follows `monitorNodeHealth` and
 * `MarkPodsNotReady` (pkg/controller/util/node/controller_utils.go).
 */
import type { ControllerTimes } from "./controller-times.ts";
import { RequestBudget } from "./request-budget.ts";

export interface NodeToWrite {
  readonly node: string;
  /** Pods whose Ready condition is taken back. */
  readonly pods: number;
}

export interface Written {
  /** When the condition of each node was written. */
  readonly unknown: readonly { readonly node: string; readonly atMs: number }[];
  readonly endMs: number;
}

/** The condition, and the taint NoSchedule with a read before it. */
const CALLS_PER_NODE = 3;

interface Worker {
  freeMs: number;
  job: NodeToWrite | undefined;
  callsDone: number;
}

export class StatusWriter {
  private readonly times: ControllerTimes;
  private readonly requests: RequestBudget;
  /** Events that are not sent yet, and when their sender is free again. */
  private events = 0;
  private senderMs = Number.NEGATIVE_INFINITY;

  constructor(times: ControllerTimes) {
    this.times = times;
    this.requests = new RequestBudget({
      periodMs: times.requestPeriodMs,
      burst: times.requestBurst,
    });
  }

  write(nodes: readonly NodeToWrite[], nowMs: number): Written {
    this.sendUntil(nowMs);
    const jobs = nodes.values();
    const unknown: { node: string; atMs: number }[] = [];
    const workers = Array.from(
      { length: Math.min(this.times.monitorWorkers, nodes.length) },
      (): Worker => ({ freeMs: nowMs, job: jobs.next().value, callsDone: 0 }),
    );
    let endMs = nowMs;
    for (let worker = firstOf(workers); worker !== undefined; worker = firstOf(workers)) {
      const job = worker.job as NodeToWrite;
      this.sendUntil(worker.freeMs);
      worker.freeMs = this.requests.take(worker.freeMs) + this.times.callMs;
      worker.callsDone += 1;
      endMs = Math.max(endMs, worker.freeMs);
      if (worker.callsDone === 1) unknown.push({ node: job.node, atMs: worker.freeMs });
      const isOfPod = worker.callsDone > CALLS_PER_NODE;
      if (worker.callsDone === 1 || isOfPod) this.note(worker.freeMs);
      if (worker.callsDone < CALLS_PER_NODE + job.pods) continue;
      worker.job = jobs.next().value;
      worker.callsDone = 0;
    }
    return { unknown, endMs: endMs + this.times.callMs };
  }

  private note(nowMs: number): void {
    if (this.events === 0) this.senderMs = Math.max(this.senderMs, nowMs);
    this.events = Math.min(this.events + 1, this.times.queuedEvents);
  }

  private sendUntil(nowMs: number): void {
    while (this.events > 0 && this.senderMs < nowMs) {
      this.senderMs = this.requests.take(this.senderMs) + this.times.callMs;
      this.events -= 1;
    }
  }
}

/** Of those that have work, the one that asks first. */
function firstOf(workers: readonly Worker[]): Worker | undefined {
  let first: Worker | undefined;
  for (const worker of workers) {
    if (worker.job === undefined) continue;
    if (first === undefined || worker.freeMs < first.freeMs) first = worker;
  }
  return first;
}
