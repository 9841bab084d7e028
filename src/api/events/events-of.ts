/**
 * What a commit and a decision mean to people who watch an object. Everything is read off what was
 * recorded anyway; no component writes events.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { DecisionRecord, WaitReason } from "../../core/protocol/decision.ts";
import type { AnyObject, Replica, Workload } from "../../core/model/objects.ts";
import { isBreakGlass } from "../../core/rules/access/access-rules.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Fact } from "../narrate/fact.ts";
import { narrate } from "../narrate/narrate.ts";
import { aboutObject, type EventDraft } from "./event-draft.ts";

/** What commits made or changed; `endingsOf` tells what they removed. */
export function eventsOf(commit: Commit): readonly EventDraft[] {
  const told = commit.changes.flatMap((change) =>
    change.after === undefined ? [] : toldOf(change.after, narrate(change, commit), commit),
  );
  return isBreakGlass(commit.actor.by?.allowed) ? [...emergencyOf(commit), ...told] : told;
}

/** A write that only the role for emergencies allowed (AZ18). */
function emergencyOf({ actor, atMs, command, changes }: Commit): readonly EventDraft[] {
  const [first] = changes;
  const object = first?.after ?? first?.before;
  if (object === undefined) return [];
  const message = `${actor.name} sent a ${command} that ${actor.by?.allowed ?? ""} allowed.`;
  const event = { type: "Warning", reason: "BreakGlassUsed", message } as const;
  return [{ ...event, about: aboutObject(object), atMs, source: actor.name }];
}

/** Commands by which one can go; all others are not looked into. */
const ENDS: ReadonlySet<Commit["command"]> = new Set(["expire", "delete", "put"]);

/** Asked at once: `objects` are those right after the commit. */
export function endingsOf(commit: Commit, objects: ObjectIndex): readonly EventDraft[] {
  if (!ENDS.has(commit.command)) return [];
  return commit.changes.flatMap((change) =>
    change.before === undefined || change.after !== undefined
      ? []
      : toldOf(change.before, narrate(change, commit, objects), commit),
  );
}

const toldOf = (
  object: AnyObject,
  facts: readonly Fact[],
  { atMs, actor }: Commit,
): readonly EventDraft[] =>
  facts.flatMap(({ event }) =>
    event === undefined ? [] : [{ ...event, about: aboutObject(object), atMs, source: actor.name }],
  );

/** Waits that are over before anybody reads of them, or that only say that a controller goes on. */
const PASSING: ReadonlySet<WaitReason> = new Set([
  "binding-ends",
  "region-term",
  "awaiting-own-write",
  "backing-off",
  "gathering",
  "not-silent-long-enough",
  "load-steady",
  "scale-limited",
  "pool-steady",
  "node-provisioning",
  "node-busy",
]);
/** Waits that may need a person: more quota, another node, an end to what keeps failing. */
const IN_NEED: ReadonlySet<WaitReason> = new Set([
  "quota-exhausted",
  "no-feasible-node",
  "attempts-exhausted",
  "needs-a-person",
  "foreign-finalizer",
  "correlated-silence",
  "recovery-short",
  "recovery-budget",
  "scale-refused",
  "samples-old",
  "pool-bound",
  "pool-backoff",
]);

/**
 * A wait of a whole workload is told of so many of its replicas, too; more would push out
 * everything else.
 */
const REPLICAS_TOLD = 100;

export function eventsOfDecision(
  { controller, key, atMs, decision }: DecisionRecord,
  objects: ObjectIndex,
): readonly EventDraft[] {
  if (decision.kind !== "wait" || PASSING.has(decision.reason)) return [];
  // A wait for a budget's own end blocks nothing.
  if (controller === "expire-budget") return [];
  const object: AnyObject | undefined = objects.get(key);
  if (object === undefined) return [];
  const isInNeed = IN_NEED.has(decision.reason);
  const waiting = isInNeed && object.kind === "Workload" ? waitingOf(object, objects) : [];
  return [object, ...waiting].map((each) => ({
    about: aboutObject(each),
    type: isInNeed ? "Warning" : "Normal",
    reason: "Pending",
    message: `Pending: ${decision.because.summary}`,
    atMs,
    source: controller,
  }));
}

function waitingOf(workload: Workload, objects: ObjectIndex): readonly Replica[] {
  const waiting: Replica[] = [];
  for (const replica of objects.replicasOf(workload.key).values()) {
    const { stage } = replica.status;
    if (stage === "admitted" || stage === "queued") waiting.push(replica);
    if (waiting.length === REPLICAS_TOLD) break;
  }
  return waiting;
}
