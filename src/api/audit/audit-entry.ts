/**
 * One line of the audit trail: who changed what, when, and on which grounds. It follows from the
 * commit alone, so that any plane makes the same entry of it at any time, and entries can be
 * chained. What was refused changed nothing and has no commit; it is told by the log of decisions.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Actor, Credential, Role } from "../../core/model/actor.ts";
import { isMadeAt } from "../../host/past-log.ts";
import { shownKey } from "../explain/commit-step.ts";
import { evidenceText } from "../kinds/text/evidence-text.ts";
import { rfc3339Millis } from "../rfc3339.ts";
import { auditWords } from "./audit-words.ts";

export const ACTOR_KINDS = ["human", "controller", "agent"] as const;
/** `human` is a writer through the API: a person, or a program that a person let in. */
export type ActorKind = (typeof ACTOR_KINDS)[number];

export interface AuditEntry {
  readonly revision: number;
  readonly epoch: number;
  /** On the clock of the plane that led. */
  readonly time: string;
  readonly actor: {
    readonly kind: ActorKind;
    readonly role: Role | "plane";
    readonly name: string;
    /** How the sender was known; left out of what came from inside the plane. */
    readonly by?: Credential;
  };
  readonly command: Commit["command"];
  readonly operation: string;
  /** All of it in one line. */
  readonly summary: string;
  /** Why a destructive command was allowed. */
  readonly evidence?: string;
  /** Only commits are in the log. */
  readonly outcome: "committed";
  readonly objects: readonly AuditedObject[];
  /** How many further objects it changed. */
  readonly more: number;
}

export interface AuditedObject {
  /** `replica/shop/api.1.0`, as commands read it back. */
  readonly key: string;
  readonly change: "made" | "changed" | "deleted";
  readonly says: string;
}

/** A commit may bind a thousand replicas; these are told one by one. */
const TOLD = 16;

/**
 * Undefined for heartbeats: a renewal of a lease that changed nothing else, and what the plane
 * itself measured.
 */
export function auditEntry(commit: Commit): AuditEntry | undefined {
  const { revision, epoch, atMs, command, operation, evidence } = commit;
  if (isHeartbeat(commit)) return undefined;
  const changes = commit.changes.filter(({ key }) => !isLease(key));
  const objects = changes.slice(0, TOLD).map((change): AuditedObject => {
    const { key, after } = change;
    const made = isMadeAt(after, revision) ? "made" : "changed";
    return {
      key: shownKey(key),
      change: after === undefined ? "deleted" : made,
      says: auditWords(change, commit),
    };
  });
  return {
    revision,
    epoch,
    time: rfc3339Millis(atMs),
    actor: actorOf(commit),
    command,
    operation,
    summary: summaryOf(commit, objects, changes.length),
    ...(evidence === undefined ? {} : { evidence: evidenceText(evidence) }),
    outcome: "committed",
    objects,
    more: changes.length - objects.length,
  };
}

export const actorKindOf = ({ actor, command }: Pick<Commit, "actor" | "command">): ActorKind => {
  if (actor.role === "agent") return "agent";
  return actor.role === "user" && command !== "lead" ? "human" : "controller";
};

/**
 * Most of all commits. An agent that comes back, or whose node changes, is told of; so is what
 * follows of a measurement, and a measurement that somebody sent from outside: it decides how many
 * replicas there are.
 */
export const isHeartbeat = ({ command, actor, changes }: HeartbeatOf): boolean =>
  (command === "observe" && actor.by === undefined) ||
  (command === "lease" && changes.every(({ key }) => isLease(key)));

interface HeartbeatOf {
  readonly actor: Actor;
  readonly command: Commit["command"];
  readonly changes: readonly { readonly key: string }[];
}

const isLease = (key: string): boolean => key.startsWith("Lease/");

function actorOf(commit: Commit): AuditEntry["actor"] {
  const { role, name, by } = commit.actor;
  const kind = actorKindOf(commit);
  const signed = by === undefined ? {} : { by };
  return { kind, role: commit.command === "lead" ? "plane" : role, name, ...signed };
}

function summaryOf(
  { command, epoch, basis }: Commit,
  objects: readonly AuditedObject[],
  changed: number,
): string {
  if (command === "lead") return `began to lead, in epoch ${epoch}`;
  if (command === "restore") return `restored the log as of revision ${basis}`;
  // A reservation on the way is not the purpose of the command.
  const told = objects.find(({ key }) => !key.startsWith("reservation/")) ?? objects[0];
  if (told === undefined) return `${command}: no change`;
  return changed === 1 ? told.says : `${told.says}, and ${changed - 1} more`;
}
