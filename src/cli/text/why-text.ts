/**
 * Why an object is as it is, in lines a person can read: the waits, and the last word of each
 * controller.
 */
import type { Because, DecisionRecord, QueuePlace } from "../../core/protocol/decision.ts";
import type { Owed } from "../../core/runner/runner.ts";

export interface Why {
  readonly decisions: readonly DecisionRecord[];
  readonly waits: readonly (Owed & {
    readonly controller: string;
    readonly deadlineInMs: number;
  })[];
}

export function whyText({ decisions, waits }: Why): string {
  const waiting = waits.map(({ controller, reason, wakes, deadlineInMs }) => {
    const facts = wakes.length === 0 ? "" : ` on ${wakes.join(", ")}, or`;
    const soon = Math.max(0, Math.ceil(deadlineInMs / 1000));
    return `  ${controller} waits: ${reason}; retries${facts} within ${soon} s`;
  });
  const lines = [...waiting, ...decisions.flatMap(decisionLines)];
  return lines.length === 0 ? "" : `Why:\n${lines.join("\n")}\n`;
}

/** When failed replicas are given their next incarnation, of all or of one of them. */
export function restartLines({ decisions, waits }: Why, only?: string): readonly string[] {
  return decisions.flatMap(({ controller, decision }) => {
    const owed = waits.find((wait) => wait.controller === controller);
    if (decision.kind !== "wait" || owed === undefined) return [];
    // Both times are on the plane's own clock, which is not this machine's.
    const nowMs = owed.deadlineMs - owed.deadlineInMs;
    return (decision.because.restarts ?? [])
      .filter(({ replica }) => only === undefined || replica === only)
      .map(({ replica, failures, dueMs }) => {
        const seconds = Math.max(0, Math.ceil((dueMs - nowMs) / 1000));
        return `  ${replica} restarts in ${seconds} s after ${failures} ${failures === 1 ? "failure" : "failures"}`;
      });
  });
}

function decisionLines({ controller, viewRevision, decision }: DecisionRecord): readonly string[] {
  const did = decision.kind === "wait" ? "waits" : "proposed";
  const { because } = decision;
  return [
    `  ${controller} ${did} (on revision ${viewRevision}): ${because.summary}`,
    ...becauseLines(because),
  ];
}

/** All but the summary: which rules turned away how many, what was chosen over what. */
export function becauseLines(because: Because): readonly string[] {
  const { rejected = {}, alternatives = [], parts = {}, queue } = because;
  return [
    ...Object.entries(rejected).map(
      ([rule, { count, example }]) =>
        `    ${rule} rejected ${count} ${count === 1 ? "node" : "nodes"}, e.g. ${example}`,
    ),
    ...(queue === undefined ? [] : [`    ${queueText(queue)}`]),
    ...policyLine(because),
    ...partsLine(parts),
    ...alternatives.map(({ name, score }) => `    next best: ${name} with ${score} points`),
  ];
}

/**
 * e.g. "place 3 of 12, 40 replicas before it; about 90 s: 12 replicas left a node in the last 10
 * min …"
 */
function queueText({ position, of, replicasAhead = 0, ...guess }: QueuePlace): string {
  if (position === undefined) return `one of ${of} waiting; ${guess.basis}`;
  const before = replicasAhead === 1 ? "1 replica" : `${replicasAhead} replicas`;
  return `position ${position} of ${of}, ${before} ahead; ${estimateText(guess)}: ${guess.basis}`;
}

const seconds = (ms: number): string => `${Math.ceil(ms / 1000)} s`;

function estimateText({ estimateMs, upToMs }: QueuePlace | Omit<QueuePlace, "of">): string {
  if (estimateMs === undefined) return "no estimate";
  const about = `about ${seconds(estimateMs)}`;
  return upToMs === undefined ? about : `${about}, 9 of 10 within ${seconds(upToMs)}`;
}

function policyLine({ policy, policyRevision }: Because): readonly string[] {
  if (policyRevision === undefined) return policy === undefined ? [] : [`    policy: ${policy}`];
  const more = policy === undefined ? "" : ` (${policy})`;
  return [`    under policy ${policyRevision}${more}`];
}

/** e.g. "score: scoring 420, neighbours -100"; parts that made no difference are left out. */
function partsLine(parts: Readonly<Record<string, number>>): readonly string[] {
  const said = Object.entries(parts).filter(([, points]) => points !== 0);
  if (said.length === 0) return [];
  return [`    score: ${said.map(([part, points]) => `${part} ${points}`).join(", ")}`];
}
