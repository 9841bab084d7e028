/**
 * What is wrong with workloads and objectives, for a person who looks at the whole fleet: the worst
 * first, each in a sentence. Nodes are in a view of their own, and overrides are listed anyway.
 */
import type { Sight } from "../access/sight.ts";
import type { Commitment, Replica, Slo, Workload } from "../../core/model/objects.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import { percentText, readingOf } from "../kinds/status/slo-status.ts";
import { standingOf } from "../kinds/status/commitment-status.ts";
import { workloadProblems } from "../kinds/status/workload-problems.ts";
import { replicasOf } from "../kinds/status/workload-status.ts";
import { pendingOf } from "./pending-of.ts";
import { tallyStages } from "./tally-stages.ts";

type Port = Pick<PlanePort, "objects" | "decisions">;

export interface ShownProblem {
  readonly of: "workload" | "objective" | "promise";
  /** Empty for an objective. */
  readonly namespace: string;
  readonly name: string;
  readonly reason: string;
  readonly message: string;
}

export interface ShownProblems {
  readonly problems: readonly ShownProblem[];
  /** Of all, also those that are left off. */
  readonly count: number;
}

/** Of the caller that asks. */
export type ProblemSight = Pick<Sight, "seesKey" | "text">;

const SEES_ALL: ProblemSight = { seesKey: () => true, text: (text) => text };

/** From most to least urgent. */
const URGENCY = [
  "ObjectiveMissed",
  "PromiseBreached",
  "CrashLoop",
  "Failed",
  "RecoveryLate",
  "RollingBack",
  "RolloutHeld",
  "RolledBack",
  "Unready",
  "ProbeFailing",
  "NodeSilent",
  "Blocked",
];

/** As many sentences as a person reads before asking for the list of workloads. */
const SHOWN = 12;

/** A wait that ends by itself within this time is nothing to tell. */
const BLOCKED_MS = 30_000;

const rank = ({ reason }: Told): number => URGENCY.indexOf(reason);
const nameOf = ({ namespace, name }: ShownProblem): string => `${namespace}/${name}`;

/** Replicas looked at in one turn of the event loop, and workloads, which take some time each. */
const TURN_WEIGHT = 500;

/** Step by step, for all tenants: each step looks at a bounded number of replicas. */
export function* problemSteps(
  plane: Port,
  nowMs: number,
  sight: ProblemSight = SEES_ALL,
): Generator<undefined, ShownProblems, undefined> {
  const { objects } = plane;
  const worst = new WorstProblems();
  const add = (problems: readonly ShownProblem[]): void =>
    worst.add(problems.map((each) => ({ ...each, message: sight.text(each.message) })));
  for (const slo of objects.all("Slo").values()) {
    if (sight.seesKey(slo.key)) add(missed(slo, plane));
  }
  for (const each of objects.all("Commitment").values()) {
    if (sight.seesKey(each.key)) add(breached(each, plane));
  }
  let weight = 0;
  // Their keys alone: objects come and go between two steps.
  const keys = [...objects.all("Workload").keys()];
  for (const key of keys) {
    const workload = objects.workload(key);
    if (workload === undefined || !sight.seesKey(key)) continue;
    add(ofWorkload(plane, workload, nowMs));
    weight += 1 + objects.replicasOf(key).size;
    if (weight < TURN_WEIGHT) continue;
    weight = 0;
    yield undefined;
  }
  return { problems: worst.shown, count: worst.count };
}

/** Keeps as many as are shown, and counts all. */
class WorstProblems {
  shown: readonly ShownProblem[] = [];
  count = 0;

  add(problems: readonly ShownProblem[]): void {
    if (problems.length === 0) return;
    this.count += problems.length;
    this.shown = [...this.shown, ...problems]
      .toSorted((a, b) => rank(a) - rank(b) || (nameOf(a) < nameOf(b) ? -1 : 1))
      .slice(0, SHOWN);
  }
}

function missed(slo: Slo, { objects }: Port): readonly ShownProblem[] {
  const reading = readingOf(slo, objects);
  if (reading === undefined || reading.budgetLeft >= 0) return [];
  const { name } = slo.meta;
  const message = `Only ${percentText(reading.good)} of the samples of ${slo.spec.indicator} are good; its error budget is spent.`;
  return [{ of: "objective", namespace: "", name, reason: "ObjectiveMissed", message }];
}

function breached(commitment: Commitment, { objects }: Port): readonly ShownProblem[] {
  const standing = standingOf(commitment, objects);
  if (standing?.verdict !== "breached") return [];
  const { namespace, name } = commitment.meta;
  const { reason: message } = standing;
  return [{ of: "promise", namespace, name, reason: "PromiseBreached", message }];
}

/** A workload is told once, for the worst that it has. */
function ofWorkload(plane: Port, workload: Workload, nowMs: number): readonly ShownProblem[] {
  const { namespace, name, deletingMs } = workload.meta;
  if (deletingMs !== undefined) return [];
  const replicas = replicasOf(workload, plane.objects);
  const [worst] = [
    ...late(workload),
    ...workloadProblems(workload, replicas, plane.objects),
    ...blocked(plane, workload, { replicas, nowMs }),
  ].toSorted((a, b) => rank(a) - rank(b));
  if (worst === undefined) return [];
  const { reason, message } = worst;
  return [{ of: "workload", namespace, name, reason, message }];
}

type Told = Pick<ShownProblem, "reason" | "message">;

function late({ status: { recovery } }: Workload): readonly Told[] {
  const { under } = recovery ?? {};
  if (under?.missed === undefined) return [];
  const message = `Its recovery of ${under.lost} lost is late; most of the time went to the stage ${under.missed}.`;
  return [{ reason: "RecoveryLate", message }];
}

function blocked(
  plane: Port,
  workload: Workload,
  { replicas, nowMs }: { readonly replicas: readonly Replica[]; readonly nowMs: number },
): readonly Told[] {
  const isLong = (sinceMs: number): boolean => nowMs - sinceMs >= BLOCKED_MS;
  const waits = replicas.filter(({ status }) => ["admitted", "queued"].includes(status.stage));
  const isMissing = replicas.length < workload.spec.replicas;
  const sinceMs = workload.status.templateSinceMs ?? workload.meta.createdMs;
  const isBlocked =
    waits.some(({ status }) => isLong(status.stageSinceMs)) || (isMissing && isLong(sinceMs));
  if (!isBlocked) return [];
  const tally = tallyStages(workload, replicas);
  const [first] = pendingOf(plane, workload, tally).filter(({ reason }) => !RESTARTS.has(reason));
  if (first === undefined) return [];
  const { count, text } = first;
  const who = count === 1 ? "1 replica is" : `${count} replicas are`;
  return [{ reason: "Blocked", message: `${who} pending: ${text}.` }];
}

/** These are problems of replicas, which are told as such. */
const RESTARTS: ReadonlySet<string> = new Set(["failed", "restart-backoff", "node-silent"]);
