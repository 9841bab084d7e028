/** Whether one run of the twin kept a promise, and where its time went. */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { TwinRun } from "../../twin/twin-run.ts";
import { workloadText } from "../capacity/capacity-question.ts";
import { spanText } from "../report/span-text.ts";
import { isAbout, kindOf, type StatedPromise, workloadOfPromise } from "../promise.ts";
import { judgeRecovery } from "./judge-recovery.ts";
import type { Judged } from "./judged.ts";

type Judge = (run: TwinRun, promise: StatedPromise, objects: ObjectIndex) => Judged;

const KEPT: Judged = { is: "kept" };

const JUDGES: Readonly<Record<ReturnType<typeof kindOf>, Judge>> = {
  recover: judgeRecovery,
  keepServing: judgeServing,
  wait: judgeWaits,
  fairness: judgeWaits,
  isolation: judgeIsolation,
  drains: judgeDrains,
  noStorm: judgeCalm,
  headroom: () => KEPT,
  overrideEnds: judgeOverrides,
  invariant: () => ({ is: "unknown", why: "the twin does not tell where replicas are" }),
};

export function judgeRun(run: TwinRun, promise: StatedPromise, objects: ObjectIndex): Judged {
  const [violation] = run.violations;
  if (violation !== undefined)
    return { is: "broken", isViolated: true, why: `an invariant of Berth broke: ${violation}` };
  return JUDGES[kindOf(promise)](run, promise, objects);
}

function judgeServing(run: TwinRun, promise: StatedPromise): Judged {
  const key = workloadOfPromise(promise);
  const atLeast = promise.spec.keepServing?.atLeast ?? 0;
  const recovery = run.recoveries.find(({ workload }) => workload === key);
  if (recovery === undefined) return KEPT;
  const { before, least } = recovery;
  if (least >= atLeast) {
    return { ...KEPT, use: { is: before - least, most: before - atLeast, unit: "replicas" } };
  }
  return { is: "broken", why: `only ${recovery.least} of ${recovery.before} replicas served` };
}

function judgeWaits(run: TwinRun, promise: StatedPromise, objects: ObjectIndex): Judged {
  const { wait, fairness } = promise.spec;
  const { withinMs = 0 } = wait ?? fairness ?? {};
  const waits = run.waits.filter(
    ({ workload }) =>
      isAbout(promise, workload) && isOfClass(workload, wait?.priorityClass, objects),
  );
  const late = waits.filter(({ ms }) => ms === undefined || ms > withinMs);
  // A share of no more than all: so many may be late.
  const mayBeLate = Math.floor(
    (waits.length * (1_000_000 - (wait?.share ?? 1_000_000))) / 1_000_000,
  );
  if (late.length <= mayBeLate) {
    const longest = waits.map(({ ms = Infinity }) => ms).toSorted((a, b) => b - a);
    return { ...KEPT, ms: longest[mayBeLate] ?? 0, slowest: "queued" };
  }
  const [first] = late.toSorted((a, b) => (b.ms ?? Infinity) - (a.ms ?? Infinity));
  const of = workloadText(first?.workload ?? ("Workload//" as ObjectKey));
  const still =
    first?.ms === undefined
      ? `a replica of ${of} still waited for a place at the end`
      : `a replica of ${of} waited ${spanText(first.ms)} for a place`;
  const why = `${still}, and ${late.length} of ${waits.length} waits were too long`;
  return {
    is: "broken",
    slowest: "queued",
    why,
    ...(first?.ms === undefined ? {} : { ms: first.ms }),
  };
}

function isOfClass(workload: ObjectKey, name: string | undefined, objects: ObjectIndex): boolean {
  return name === undefined || objects.workload(workload)?.spec.template.priorityClass === name;
}

/** The work of other tenants was multiplied: none of this tenant's may stop for it. */
function judgeIsolation(run: TwinRun, promise: StatedPromise): Judged {
  const hit = run.recoveries.find(({ workload }) => isAbout(promise, workload));
  if (hit === undefined) return KEPT;
  const why = `${hit.before - hit.least} of ${hit.before} replicas of ${workloadText(hit.workload)} stopped`;
  return { is: "broken", why };
}

function judgeDrains(run: TwinRun, promise: StatedPromise): Judged {
  const withinMs = promise.spec.drains?.withinMs ?? 0;
  const late = run.drains.find(({ emptyMs }) => emptyMs === undefined || emptyMs > withinMs);
  const ms = Math.max(0, ...run.drains.map(({ emptyMs = 0 }) => emptyMs));
  if (run.drains.length === 0) return { is: "unknown", why: "the forecast does not drain nodes" };
  if (late === undefined) return { ...KEPT, ms, slowest: "drain" };
  const { node, waitsFor, emptyMs } = late;
  const cause = waitsFor ?? "its replicas did not leave in time";
  const why =
    emptyMs === undefined
      ? `${cause}, and the drain of ${node} did not end`
      : `the drain of ${node} took ${spanText(emptyMs)}`;
  return { is: "broken", slowest: "drain", why };
}

function judgeCalm(run: TwinRun, promise: StatedPromise): Judged {
  const most = promise.spec.noStorm?.commandsPerCause ?? 0;
  const { mostCommands } = run;
  if (mostCommands === undefined) {
    return run.events === 0 ? { is: "unknown", why: "the forecast counts no commands" } : KEPT;
  }
  if (mostCommands.count <= most) {
    return { ...KEPT, use: { is: mostCommands.count, most, unit: "commands" } };
  }
  const { controller, about, count } = mostCommands;
  const { kind, name } = parseKey(about as ObjectKey);
  const why = `${controller} sent ${count} commands about ${kind.toLowerCase()} ${name}`;
  return { is: "broken", why };
}

/** Its object is gone in time after its end, and then nothing waits for it any more. */
function judgeOverrides({ overrides }: TwinRun, promise: StatedPromise): Judged {
  const withinMs = promise.spec.overrideEnds?.withinMs ?? 0;
  if (overrides === undefined) {
    return { is: "unknown", why: "the forecast does not tell when an override is gone" };
  }
  const late = overrides.find(({ lateMs }) => lateMs > withinMs);
  if (late !== undefined) {
    const { name, lateMs, isGone } = late;
    const after = `${spanText(lateMs)} after its end`;
    const why = `override ${name} was ${isGone ? `gone only ${after}` : `still there ${after}`}`;
    return { is: "broken", why, ...(isGone ? { ms: lateMs } : {}) };
  }
  const [gone, ...others] = overrides.filter(({ isGone }) => isGone);
  if (gone === undefined) return { is: "unknown", why: "no override ended while it was watched" };
  const [waits] = gone.stillWait ?? [];
  if (waits !== undefined) {
    const { kind, name } = parseKey(waits);
    const why = `${kind.toLowerCase()} ${name} still waited for override ${gone.name} at the end`;
    return { is: "broken", why };
  }
  return { ...KEPT, ms: others.reduce((most, { lateMs }) => Math.max(most, lateMs), gone.lateMs) };
}
