/** What a commit did to one object, as a sentence without its subject: `scaled payments/risk-api from 4 to 6`. */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import { parseKey } from "../../core/model/ids.ts";
import type { AnyObject, Reservation } from "../../core/model/objects.ts";
import { isMadeAt } from "../../host/past-log.ts";
import { nodeWords } from "./node-words.ts";
import { replicaWords } from "./replica-words.ts";
import { shortName } from "./short-name.ts";
import { steeringWords } from "./steering-words.ts";
import { workloadWords } from "./workload-words.ts";

export function auditWords({ key, before, after }: Change, commit: Commit): string {
  const name = shortName(key);
  const { kind } = parseKey(key);
  const thing = `${KIND_WORDS[kind] ?? kind.toLowerCase()} ${name}`;
  if (kind === "Reservation") return reservationWords(before, after, thing);
  const steering = steeringWords({ key, before, after }, commit);
  if (steering !== undefined) return steering;
  if (after === undefined) return `deleted ${thing}`;
  if (isMadeAt(after, commit.revision)) return madeWords(after, thing);
  // The state before a stored commit may be unknown.
  if (before === undefined) return `wrote ${thing}`;
  return specialWords(before, after, commit) ?? plainWords(before, after, { thing, commit });
}

const KIND_WORDS: Readonly<Record<string, string>> = {
  NodePool: "node pool",
  PolicyRevision: "policy revision",
  PriorityClass: "priority class",
  Slo: "SLO",
};

function madeWords(after: AnyObject, thing: string): string {
  if (after.kind === "Replica") return replicaWords(undefined, after);
  if (after.kind !== "Workload") return `created ${thing}`;
  const { replicas } = after.spec;
  return `created ${thing} with ${replicas} ${replicas === 1 ? "replica" : "replicas"}`;
}

function specialWords(before: AnyObject, after: AnyObject, commit: Commit): string | undefined {
  if (after.meta.deletingMs !== undefined && before.meta.deletingMs === undefined) {
    return `requested deletion of ${after.kind.toLowerCase()} ${shortName(after.key)}`;
  }
  if (after.kind === "Replica" && before.kind === "Replica") return replicaWords(before, after);
  if (after.kind === "Workload" && before.kind === "Workload") {
    return workloadWords(before, after, commit);
  }
  if (after.kind === "Node" && before.kind === "Node") return nodeWords(before, after, commit);
  return undefined;
}

function plainWords(
  before: AnyObject,
  after: AnyObject,
  { thing, commit }: { readonly thing: string; readonly commit: Commit },
): string {
  if (before.meta.generation !== after.meta.generation) {
    return `changed ${thing} (generation ${after.meta.generation})`;
  }
  if (commit.command === "observe") return `observed the load of ${thing}`;
  // People write no status, and only people write labels.
  return commit.command === "put"
    ? `changed the metadata of ${thing}`
    : `wrote the status of ${thing}`;
}

function reservationWords(
  before: AnyObject | undefined,
  after: AnyObject | undefined,
  thing: string,
): string {
  const held = (after ?? before) as Reservation | undefined;
  if (held === undefined) return `gave back ${thing}`;
  const { owner, room } = held.spec;
  const what = room === undefined ? "quota" : `room on ${room.node}`;
  const verb = after === undefined ? "gave back" : before === undefined ? "reserved" : "changed";
  return `${verb} ${what} for ${shortName(owner)}`;
}
