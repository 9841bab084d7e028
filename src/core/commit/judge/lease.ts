/**
 * A node speaks. Renewals are ordered by (session, seq), so a late or repeated one changes nothing (LS3).
 * A fenced session is over for good: its agent must come back in a new one with nothing running (LS2).
 */
import { leaseKey, nodeKey, type Uid } from "../../model/ids.ts";
import type { Lease, Node } from "../../model/objects.ts";
import { sentence } from "../../model/sentence.ts";
import type { IntentOf } from "../command.ts";
import type { Change } from "../commit-record.ts";
import { type Bench, changed, missing, no, touched, type Verdict, withStatus } from "../verdict.ts";

export function judgeLease(bench: Bench, intent: IntentOf<"lease">): Verdict {
  const { objects } = bench.ledger;
  const node = objects.node(nodeKey(intent.node));
  if (node === undefined) return missing(nodeKey(intent.node));
  if (bench.role !== "agent") return no("not-owner", node.key, "agent", bench.role);
  const { session, health } = node.status;
  // A number that is none would compare with nothing, and switch the order of renewals off.
  if (!Number.isSafeInteger(intent.session) || !Number.isSafeInteger(intent.seq)) {
    return no("bad-object", node.key, "whole numbers", `${intent.session}.${intent.seq}`);
  }
  if (intent.session < session) return no("session-ended", node.key, session, intent.session);
  if (intent.session === session && health === "fenced") {
    return no("node-fenced", node.key, `session after ${session}`, intent.session);
  }
  const held = objects.lease(leaseKey(intent.node));
  const isNewSession = intent.session > session;
  if (!isNewSession && held !== undefined && intent.seq <= held.status.seq) {
    return no("lease-replayed", held.key, `seq after ${held.status.seq}`, held.status.seq);
  }
  const changes: Change[] = [renewed(bench, held, intent)];
  const notes = notesOf(intent);
  if (health !== "ready" || isNewSession || !isSameText(notes, node.status.notes)) {
    changes.push(recovered(bench, node, { session: intent.session, notes }));
  }
  if (isNewSession) changes.push(...carriedOver(bench, intent));
  return changes;
}

function renewed(bench: Bench, held: Lease | undefined, intent: IntentOf<"lease">): Change {
  const status = {
    session: intent.session,
    seq: intent.seq,
    renewedMs: bench.nowMs,
    epoch: bench.ledger.epoch,
  };
  if (held !== undefined) {
    return changed(held, { ...held, meta: touched(held.meta, bench.next), status });
  }
  const key = leaseKey(intent.node);
  const meta = {
    namespace: "",
    name: intent.node,
    uid: `u${bench.next}` as Uid,
    generation: 1,
    revision: bench.next,
    createdMs: bench.nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  };
  const after: Lease = { kind: "Lease", key, meta, spec: { node: intent.node }, status };
  return { key, before: undefined, after };
}

function recovered(
  bench: Bench,
  node: Node,
  { session, notes }: { readonly session: number; readonly notes: readonly string[] | undefined },
): Change {
  // A machine that only has something to say is as ready as it was.
  const isNews = node.status.health !== "ready" || node.status.session !== session;
  const healthSinceMs = isNews ? bench.nowMs : node.status.healthSinceMs;
  const status = { health: "ready", healthSinceMs, session, evidence: undefined } as const;
  const after: Node = {
    ...node,
    meta: touched(node.meta, bench.next),
    status: notes === undefined ? status : { ...status, notes },
  };
  return changed(node, after);
}

/** More than this is no note but a flood; an agent has a handful of things it can lack. */
const NOTES = 8;

function notesOf({ notes }: IntentOf<"lease">): readonly string[] | undefined {
  if (!Array.isArray(notes)) return undefined;
  const found = notes
    .slice(0, NOTES)
    .map(sentence)
    .filter((note) => note !== undefined);
  return found.length === 0 ? undefined : found;
}

function isSameText(a: readonly string[] = [], b: readonly string[] = []): boolean {
  return a.length === b.length && a.every((text, at) => text === b[at]);
}

/** Processes that were told to keep running through a disconnect move into the new session. */
function carriedOver(bench: Bench, intent: IntentOf<"lease">): readonly Change[] {
  const changes: Change[] = [];
  for (const replica of bench.ledger.objects.replicasOn(intent.node).values()) {
    const keeps = replica.spec.template.onDisconnect === "keep";
    if (keeps && intent.kept.includes(replica.key)) {
      changes.push(withStatus(bench, replica, { session: intent.session }));
    }
  }
  return changes;
}
