/**
 * Measures how long explanations take: a plane in a process of its own, filled with nodes and
 * replicas, is asked over HTTP as `berth explain` and the dashboard ask it, one question after the
 * other.
 */
import { workloadManifest } from "../measure/manifests.ts";
import { type Latencies, latenciesOf } from "../measure/latencies.ts";
import { PartProcess } from "../part/part-process.ts";
import type { Progress } from "../measure/progress.ts";

export interface ExplainTask {
  readonly nodes: number;
  readonly replicas: number;
  /** Of each kind. */
  readonly questions: number;
}

export interface ExplainFigure extends Latencies {
  readonly questions: number;
}

export type ExplainFigures = Readonly<Record<string, ExplainFigure>>;

const TENANT = "bench";
/** Larger than any node: it waits for good. */
const PENDING = { cpu: "1000", memory: "1Gi" };
const LOOK_MS = 20;

export async function runExplain(task: ExplainTask, progress: Progress): Promise<ExplainFigures> {
  const part = PartProcess.start("dashboard");
  try {
    const url = await part.ask<string>("open", {});
    const workload = await part.ask<string>("fill", task, progress);
    await letOneWait(url);
    return await askAll({ url, workload: workload.slice(TENANT.length + 1) }, task, progress);
  } finally {
    await part.stop();
  }
}

interface Filled {
  readonly url: string;
  /** Whose replicas fill the nodes. */
  readonly workload: string;
}

/** Far apart from each other, so that no answer is kept from the one before. */
const spread = (at: number, among: number): number => (at * 7919) % among;

/** What is asked, by the name under which its times are told; `at` counts the questions. */
function questionsOf({ workload }: Filled, { nodes, replicas }: ExplainTask) {
  const replica = (at: number): string =>
    `kind=replica&namespace=${TENANT}&name=${workload}.1.${spread(at, replicas)}`;
  const waiting = `kind=replica&namespace=${TENANT}&name=pending.1.0`;
  const node = (at: number): string => `node-${spread(at, nodes)}`;
  return {
    replica,
    node: (at: number) => `kind=node&name=${node(at)}`,
    workload: () => `kind=workload&namespace=${TENANT}&name=${workload}`,
    pending: () => waiting,
    "why not": (at: number) => `${waiting}&whyNot=${node(at)}`,
    "what if": () => `${waiting}&whatIf=true`,
  };
}

async function askAll(
  filled: Filled,
  task: ExplainTask,
  progress: Progress,
): Promise<ExplainFigures> {
  const figures: Record<string, ExplainFigure> = {};
  for (const [name, queryOf] of Object.entries(questionsOf(filled, task))) {
    const waitsMs: number[] = [];
    for (let at = 0; at < task.questions; at += 1) {
      progress(at, task.questions, `questions about ${name}`);
      waitsMs.push(await asked(`${filled.url}/explain?${queryOf(at)}`));
    }
    figures[name] = { ...latenciesOf(waitsMs), questions: task.questions };
  }
  return figures;
}

/** Until the whole answer is here. */
async function asked(url: string): Promise<number> {
  const beganMs = performance.now();
  const answer = await fetch(url);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${url} was answered ${answer.status}: ${text.slice(0, 300)}`);
  return performance.now() - beganMs;
}

async function letOneWait(url: string): Promise<void> {
  const path = `${url}/apis/berth.dev/v1/namespaces/${TENANT}`;
  const manifest = workloadManifest("pending", { tenant: TENANT, replicas: 1, resources: PENDING });
  const headers = { "Content-Type": "application/json" };
  const body = JSON.stringify(manifest);
  const made = await fetch(`${path}/workloads`, { method: "POST", headers, body });
  if (!made.ok) throw new Error(`The plane did not take the workload: ${await made.text()}`);
  while (!(await fetch(`${path}/replicas/pending.1.0`)).ok) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
