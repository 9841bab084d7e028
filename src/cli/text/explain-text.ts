/**
 * A timeline in lines a person can read: what happened, on what knowledge, why, and what comes
 * next.
 */
import type {
  CommitStep,
  Explanation,
  Said,
  Seen,
  ShownWhatIf,
  ShownWhyNot,
  Stand,
  Step,
  WaitStep,
} from "../../api/explain/explanation.ts";
import { scalingLines } from "../../api/explain/scaling-lines.ts";
import { ageText } from "../../api/age.ts";
import { becauseLines } from "./why-text.ts";

export function explainText(told: Explanation): string {
  const { kind, namespace, name, revision, time, timeline, record, now } = told;
  const shown = [kind, ...(namespace === undefined ? [] : [namespace]), name].join("/");
  const lines = [
    `${shown} at revision ${revision} (${time})`,
    "",
    "Timeline:",
    ...(told.leftOff ? ["  … older steps omitted"] : []),
    ...timeline.flatMap(stepLines),
    ...(record.isWhole ? [] : [`  (${record.says})`]),
    "",
    ...standLines(now),
    ...(told.whyNot === undefined ? [] : ["", ...whyNotLines(told.whyNot)]),
    ...(told.whatIf === undefined ? [] : ["", ...whatIfLines(told.whatIf)]),
  ];
  return `${lines.join("\n")}\n`;
}

const stepLines = (step: Step): readonly string[] =>
  step.kind === "commit" ? commitLines(step) : waitLines(step);

function commitLines(step: CommitStep): readonly string[] {
  const { at, revision, epoch, command, actor, operation, what, others, seen, evidence } = step;
  const who = actor.name === actor.role ? actor.name : `${actor.name} (${actor.role})`;
  const more = others === 0 ? "" : `, with ${others} other ${others === 1 ? "change" : "changes"}`;
  return [
    `  ${at}  revision ${revision}: ${command} by ${who}${more}`,
    ...what.map(({ of, says }) => `    ${of}: ${says}`),
    ...(evidence === undefined
      ? []
      : [
          `    evidence: ${evidence.kind}${ageOf(evidence.ageMs)}; ${evidence.says} Permits ${evidence.permits}.`,
        ]),
    ...(step.decided === undefined ? [] : saidLines(step.decided)),
    `    operation ${operation}, epoch ${epoch}, ${seenText(seen)}`,
  ];
}

function waitLines(step: WaitStep): readonly string[] {
  const { at, since, times, of, reason, decided } = step;
  const did = step.kind === "wait" ? "waits" : "proposed without effect";
  const often = times === 1 ? "" : `, repeated ${times} times since ${since}`;
  return [
    `  ${at}  ${decided.controller} ${did} for ${of}: ${reason}${often}`,
    ...saidLines(decided),
  ];
}

function saidLines({ controller, because, seen, attempts, refusals }: Said): readonly string[] {
  const tries = attempts === undefined || attempts === 1 ? "" : `, attempt ${attempts}`;
  return [
    `    ${controller} on ${seenText(seen)}${tries}: ${because.summary}`,
    ...becauseLines(because),
    ...(refusals === undefined
      ? []
      : [
          `    rejected ${refusals.times === 1 ? "once" : `${refusals.times} times`}: ${refusals.code} at ${refusals.field}, expected ${refusals.expected}, found ${refusals.actual}`,
        ]),
  ];
}

function seenText({ revision, behind, ageMs }: Seen): string {
  if (behind === 0) return `revision ${revision}, the newest`;
  const commits = behind === 1 ? "1 commit" : `${behind} commits`;
  const age = ageMs === undefined ? "" : ` and ${ageMs} ms`;
  return `revision ${revision}, ${commits}${age} behind`;
}

const ageOf = (ageMs: number | undefined): string =>
  ageMs === undefined ? "" : `, ${ageText(ageMs)} old`;

function standLines({ says, owner, next, by, waits, scaling }: Stand): readonly string[] {
  return [
    `Now: ${says}`,
    `  next: ${owner === "nobody" ? next : `${owner} ${next}`}`,
    ...(by === undefined ? [] : [`  by ${by.at}${inText(by.inMs)}: ${by.because}`]),
    ...waits.flatMap((wait) => [
      `  ${wait.controller} waits for ${wait.of}: ${wait.reason}${wait.summary === "" ? "" : `, ${wait.summary}`}`,
      `    retries ${wait.wakes.length === 0 ? "" : `when ${wait.wakes.join(", or ")}, or `}by ${wait.by}${inText(wait.inMs)}`,
    ]),
    ...(scaling === undefined
      ? []
      : [
          `  autoscaler ${scaling.autoscaler}:`,
          ...scalingLines(scaling).map(([what, text]) => `    ${what}: ${text}`),
        ]),
  ];
}

const inText = (ms: number): string => (ms < 0 ? " (overdue)" : ` (in ${Math.ceil(ms / 1000)} s)`);

function whyNotLines({ node, isThere, obstacles, notChecked }: ShownWhyNot): readonly string[] {
  if (isThere) return [`Why not ${node}: the replica is already on it.`];
  if (obstacles.length === 0) {
    return [`Why not ${node}: no rule rejects it.`, ...notJudgedLines(notChecked)];
  }
  return [
    `Why not ${node}:`,
    ...obstacles.map(({ says, remedy }) =>
      remedy === undefined ? `  ${says}` : `  ${says}; fix: ${remedy}`,
    ),
    ...notJudgedLines(notChecked),
  ];
}

function whatIfLines({
  says,
  suggestions,
  beyondHelp,
  notChecked,
}: ShownWhatIf): readonly string[] {
  const helpless = Object.entries(beyondHelp);
  return [
    `What if: ${says}`,
    ...suggestions.map(({ changes, node, opens }, at) => {
      const others = opens === 1 ? "" : ` and ${opens - 1} more`;
      return `  ${at + 1}. ${changes.map((each) => each.says).join(", and ")} → ${node}${others}`;
    }),
    ...helpless.map(
      ([rule, count]) =>
        `  ${count} ${count === 1 ? "node is" : "nodes are"} beyond any single change: ${rule}`,
    ),
    ...notJudgedLines(notChecked),
  ];
}

const notJudgedLines = (notChecked: readonly string[]): readonly string[] =>
  notChecked.map((what) => `  not checked: ${what}`);
