/**
 * One commit as a step of a timeline: what it did to the things that are explained, and why it was
 * proposed.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { Intent } from "../../core/protocol/command.ts";
import type { DecisionRecord } from "../../core/protocol/decision.ts";
import { nodeKey, type ObjectKey, type OperationId, type Revision } from "../../core/model/ids.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { isMadeAt, type PastLog, type Touch } from "../../host/past-log.ts";
import { eventsOf } from "../events/events-of.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { citedEvidence } from "./cited-evidence.ts";
import type { DecisionHistory } from "./decision-history.ts";
import type { CommitStep, Said, Seen } from "./explanation.ts";

export interface StepSources {
  readonly past: PastLog;
  readonly history: DecisionHistory;
}

/**
 * A commit may change a thousand objects; whose decision it was stands at any of the first ones.
 */
const LOOKED_AT = 16;
/** Of a workload that had a thousand replicas bound, these are told by name. */
const TOLD = 4;

/** The touches are all of the same commit. */
export function commitStep(touches: readonly Touch[], sources: StepSources): CommitStep {
  const { commit } = touches[0] as Touch;
  const { revision, epoch, atMs, command, actor, operation, basis } = commit;
  const evidence = citedEvidence(commit, sources.past);
  const decided = decisionOf(commit, touches, sources);
  const what = touches.slice(0, TOLD).map(({ change }) => ({
    of: shownKey(change.key),
    says: saysOf(change, commit),
  }));
  const more = touches.length - what.length;
  const told = more === 0 ? what : [...what, { of: `${more} more`, says: "The same." }];
  return {
    kind: "commit",
    at: rfc3339Millis(atMs),
    revision,
    epoch,
    command,
    actor: { role: actor.role, name: actor.name },
    operation,
    what: told,
    others: commit.changes.length - touches.length,
    seen: seenAt(basis, { revision, atMs }, sources.past),
    ...(evidence === undefined ? {} : { evidence }),
    ...(decided === undefined ? {} : { decided }),
  };
}

/** How far behind the log it was when `revision` came, and since when. */
export function seenAt(
  seen: Revision,
  { revision, atMs }: Pick<Commit, "revision" | "atMs">,
  past: PastLog,
): Seen {
  const behind = Math.max(0, revision - 1 - seen);
  const firstMissed = behind === 0 ? undefined : past.commit(seen + 1)?.atMs;
  if (behind === 0) return { revision: seen, behind, ageMs: 0 };
  return firstMissed === undefined
    ? { revision: seen, behind }
    : { revision: seen, behind, ageMs: Math.max(0, atMs - firstMissed) };
}

/** `replica/shop/api.1.0`, as commands read it back. */
export function shownKey(key: ObjectKey): string {
  const [kind = "", namespace = "", name = ""] = key.split("/");
  return [kind.toLowerCase(), ...(namespace === "" ? [] : [namespace]), name].join("/");
}

/** What happened to one object, in the words of its events where there are any. */
export function saysOf(change: Change, commit: Touch["commit"]): string {
  const told = eventsOf({ ...commit, changes: [change] }).map(({ message }) => message);
  if (told.length > 0) return told.join(" ");
  const { before, after } = change;
  if (after === undefined) return "It was deleted.";
  if (isMadeAt(after, commit.revision)) return "It was created.";
  const isSpec = before !== undefined && before.meta.generation !== after.meta.generation;
  return isSpec
    ? `Its spec changed; this is generation ${after.meta.generation}.`
    : "Its status or metadata changed.";
}

function decisionOf(
  commit: Touch["commit"],
  touches: readonly Touch[],
  sources: StepSources,
): Said | undefined {
  const keys = new Set<ObjectKey>();
  for (const { change } of touches.slice(0, LOOKED_AT)) {
    for (const key of keysOfDecisions(change)) keys.add(key);
  }
  for (const { key } of commit.changes.slice(0, LOOKED_AT)) keys.add(key);
  let attempts = 0;
  let last: DecisionRecord | undefined;
  for (const key of keys) {
    for (const { record } of sources.history.about(key)) {
      if (!proposes(record, commit.operation)) continue;
      attempts += 1;
      if (last === undefined || record.atMs >= last.atMs) last = record;
    }
  }
  return last && saidBy(last, { operation: commit.operation, attempts }, sources);
}

export function saidBy(
  { controller, decision, viewRevision, atMs }: DecisionRecord,
  of: { readonly operation?: OperationId; readonly attempts?: number },
  { history, past }: StepSources,
): Said {
  const refused = of.operation === undefined ? undefined : history.refusalsOf(of.operation);
  const newest = newestBefore(atMs, viewRevision, past);
  return {
    controller,
    because: decision.because,
    seen: seenAt(viewRevision, { revision: newest + 1, atMs }, past),
    ...(of.attempts === undefined ? {} : { attempts: of.attempts }),
    ...(refused === undefined
      ? {}
      : {
          refusals: {
            times: refused.times,
            code: refused.last.code,
            field: refused.last.field,
            expected: refused.last.expected,
            actual: refused.last.actual,
          },
        }),
  };
}

/** A view is behind by commits, hardly ever by many. */
const BEHIND_COUNTED = 10_000;

/** The newest revision that had been committed by then. */
function newestBefore(atMs: number, from: Revision, past: PastLog): Revision {
  let newest = from;
  while (newest - from < BEHIND_COUNTED) {
    const next = past.commit(newest + 1);
    if (next === undefined || next.atMs >= atMs) return newest;
    newest += 1;
  }
  return newest;
}

/**
 * Those whose controllers may have decided the change: of the object, of its workload, of its
 * nodes.
 */
function keysOfDecisions({ key, before, after }: Change): readonly ObjectKey[] {
  const some = after ?? before;
  if (some?.kind !== "Replica") return [key];
  const nodes = [before, after].flatMap((each) =>
    each?.kind === "Replica" && each.status.node !== undefined ? [nodeKey(each.status.node)] : [],
  );
  return [key, workloadOf(some), ...nodes];
}

const proposes = ({ decision }: DecisionRecord, operation: OperationId): boolean =>
  decision.kind === "propose" &&
  decision.intents.some((intent: Intent) => intent.operation === operation);
