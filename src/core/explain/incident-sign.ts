/**
 * Whether an object shows an incident: a fenced node, a failed rollout, a crash loop, a missed
 * recovery objective. A sign follows from the object alone, so that commits without what they
 * replaced tell as much as others. Lists of incidents and replays of a recording both read it.
 */
import { keyOf, type ObjectKey } from "../model/ids.ts";
import type { AnyObject, Node, Replica, Workload } from "../model/objects.ts";
import { isReadyStage } from "../model/stage.ts";

/** As many failures in a row are no accident any more. */
export const CRASH_LOOP_FAILURES = 2;

const INCIDENT_KINDS = ["NodeFenced", "RolloutFailed", "CrashLoop", "ObjectiveMissed"] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

export interface IncidentSign {
  readonly kind: IncidentKind;
  /** "relief": the incident is over, unless the next sign is bad again. */
  readonly state: "bad" | "good" | "relief";
  /** When it became bad, if the object tells: a commit of that time began the incident. */
  readonly sinceMs?: number;
}

/** One sign at most for each kind; none where the object says nothing of it. */
export function incidentSigns(object: AnyObject): readonly IncidentSign[] {
  switch (object.kind) {
    case "Node":
      return [nodeSign(object)];
    case "Workload":
      return [rolloutSign(object), recoverySign(object)];
    case "Replica":
      return crashSign(object);
    default:
      return [];
  }
}

function nodeSign({ status }: Node): IncidentSign {
  const { health, healthSinceMs: sinceMs } = status;
  if (health !== "fenced") return { kind: "NodeFenced", state: "good" };
  return { kind: "NodeFenced", state: "bad", sinceMs };
}

function rolloutSign({ status: { rollout } }: Workload): IncidentSign {
  const kind = "RolloutFailed";
  if (rollout?.stage === "going-back") return { kind, state: "bad", sinceMs: rollout.sinceMs };
  return { kind, state: rollout?.stage === "held" ? "bad" : "good" };
}

function recoverySign({ status: { recovery } }: Workload): IncidentSign {
  const isBad = recovery?.under?.missed !== undefined;
  return { kind: "ObjectiveMissed", state: isBad ? "bad" : "good" };
}

/** Between two failures a replica starts again, which is neither the loop's end nor another one. */
function crashSign({ status }: Replica): readonly IncidentSign[] {
  const { stage, failures, stageSinceMs } = status;
  const kind = "CrashLoop";
  if (failures < CRASH_LOOP_FAILURES) return [{ kind, state: "good" }];
  if (stage === "failed") {
    const isFirst = failures === CRASH_LOOP_FAILURES;
    return [{ kind, state: "bad", ...(isFirst ? { sinceMs: stageSinceMs } : {}) }];
  }
  return isReadyStage(stage) || stage === "succeeded" ? [{ kind, state: "relief" }] : [];
}

/** The workload of a replica; every other object is its own subject. */
export function incidentSubject(object: AnyObject): ObjectKey {
  if (object.kind !== "Replica") return object.key;
  const { meta, spec } = object;
  return keyOf({ kind: "Workload", namespace: meta.namespace, name: spec.workload });
}

/** What happened, in a sentence about an object whose sign is bad. */
export function incidentText(kind: IncidentKind, object: AnyObject): string {
  const { name } = object.meta;
  switch (kind) {
    case "NodeFenced":
      return `${name} was fenced: its lease ended, and the plane treats its processes as gone.`;
    case "RolloutFailed":
      return rolloutText(object as Workload);
    case "CrashLoop": {
      const { failures, lastEnd } = (object as Replica).status;
      const why = lastEnd === undefined ? "" : `: ${lastEnd.replace(/\.$/, "")}`;
      return `${name} has failed ${failures} times in a row${why}.`;
    }
    case "ObjectiveMissed": {
      const { under } = (object as Workload).status.recovery ?? {};
      const lost = under?.lost === 1 ? "1 replica was" : `${under?.lost ?? 0} replicas were`;
      return `${lost} lost and not back in time; most of the time went to the stage ${under?.missed ?? "lost"}.`;
    }
  }
}

function rolloutText({ status }: Workload): string {
  const { stage, to = 0, reason = "no reason was given" } = status.rollout ?? {};
  const then =
    stage === "held" ? "its replicas stay as they are" : `it goes back to generation ${to}`;
  return `Its rollout failed, and ${then}: ${reason.replace(/\.$/, "")}.`;
}
