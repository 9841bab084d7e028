/**
 * Role `create`: a client that creates workloads, as fast as the plane answers or at a given rate.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { latenciesOf } from "../measure/latencies.ts";
import { workloadManifest } from "../measure/manifests.ts";
import { answerParent } from "../part/answer-parent.ts";
import { sharedNowMs } from "../measure/shared-clock.ts";
import { ApiPool, createPath } from "./api-pool.ts";
import type { Group } from "./path-task.ts";

export interface CreateTask {
  readonly url: string;
  readonly group: Group;
  /** This client creates every `of`-th workload of the group, beginning with number `first`. */
  readonly first: number;
  readonly of: number;
  readonly connections: number;
  readonly rate?: number | undefined;
}

export interface Created {
  /** By number of the workload; 0 for those of other clients. On the clock that processes share. */
  readonly sentMs: Float64Array;
  readonly answerP99Ms: number;
  readonly cpuSeconds: number;
}

/** Stands for the name of the workload in a body that is made only once. */
const NAME = "the-name-of-it";

export async function playCreate(): Promise<void> {
  await answerParent({ create });
}

async function create(task: CreateTask): Promise<Created> {
  const { group, rate } = task;
  const pool = await ApiPool.open(task.url, task.connections);
  const sample = workloadManifest(NAME, { ...group.of, replicas: group.each });
  const [head = "", tail = ""] = JSON.stringify(sample).split(NAME);
  const path = createPath(sample);
  const sentMs = new Float64Array(group.workloads);
  const waits: number[] = [];
  const cpuBegan = process.cpuUsage();
  const beganMs = sharedNowMs();
  let next = task.first;
  let turn = 0;
  const worker = async (): Promise<void> => {
    for (let at = next; at < group.workloads; at = next) {
      next += task.of;
      const dueMs = rate === undefined ? 0 : beganMs + (turn++ * 1_000) / rate;
      const earlyMs = dueMs - sharedNowMs();
      if (earlyMs > 0) await sleep(earlyMs);
      const now = sharedNowMs();
      // At a rate, the delay of a client that falls behind counts: from the due time.
      sentMs[at] = rate === undefined ? now : dueMs;
      await pool.post(path, `${head}${group.name}-${at}${tail}`);
      waits.push(sharedNowMs() - now);
    }
  };
  await Promise.all(Array.from({ length: task.connections }, worker));
  pool.close();
  const { user, system } = process.cpuUsage(cpuBegan);
  return { sentMs, answerP99Ms: latenciesOf(waits).p99Ms, cpuSeconds: (user + system) / 1e6 };
}
