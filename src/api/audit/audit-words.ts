/**
 * What a commit did to one object, as a sentence without its subject: `scaled payments/risk-api
 * from 4 to 6`.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { parseKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { isMadeAt } from "../../host/past-log.ts";
import type { Fact } from "../narrate/fact.ts";
import { narrate } from "../narrate/narrate.ts";
import { shortName } from "../narrate/short-name.ts";

export function auditWords(change: Change, commit: Commit): string {
  const { key, before, after } = change;
  const { kind } = parseKey(key);
  const thing = `${KIND_WORDS[kind] ?? kind.toLowerCase()} ${shortName(key)}`;
  const facts = narrate(change, commit);
  const did = facts.flatMap((fact) => fact.did ?? []).join("; ");
  const isMade = isMadeAt(after, commit.revision);
  const isUnknown = before === undefined && after !== undefined && !isMade;
  // The store may not know the object of before. Only these two say by themselves what was done to
  // them.
  if (isUnknown && kind !== "Reservation" && kind !== "Policy") return `wrote ${thing}`;
  if (isAskedToGo(before, after) && kind !== "RecoveryBudget") {
    return `requested deletion of ${kind.toLowerCase()} ${shortName(key)}`;
  }
  if (did !== "") return did;
  if (after === undefined) return `deleted ${thing}`;
  if (isMade) return `created ${thing}`;
  return before === undefined
    ? `wrote ${thing}`
    : plainWords(before, after, { thing, facts, command: commit.command });
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  NodePool: "node pool",
  PolicyRevision: "policy revision",
  PriorityClass: "priority class",
  Slo: "SLO",
};

const isAskedToGo = (before: AnyObject | undefined, after: AnyObject | undefined): boolean =>
  before?.meta.deletingMs === undefined &&
  before !== undefined &&
  after?.meta.deletingMs !== undefined;

function plainWords(
  before: AnyObject,
  after: AnyObject,
  { thing, facts, command }: PlainChange,
): string {
  if (before.meta.generation !== after.meta.generation) {
    return `changed ${thing} (generation ${after.meta.generation})`;
  }
  const told = facts.flatMap(({ event }) => event?.message ?? []).join(" ");
  if (told !== "" && after.kind === "Node") return `wrote of ${thing}: ${told}`;
  if (told !== "" && after.kind === "Workload") return `wrote the status of ${thing}: ${told}`;
  if (command === "observe") return `observed the load of ${thing}`;
  // People write no status, and only people write labels.
  return command === "put" ? `changed the metadata of ${thing}` : `wrote the status of ${thing}`;
}

interface PlainChange {
  readonly thing: string;
  readonly facts: readonly Fact[];
  readonly command: Commit["command"];
}
