/**
 * A node speaks. Renewals are ordered by (session, seq), so a late or repeated one changes nothing
 * (LS3). A fenced session is over for good: its agent must come back in a new one with nothing
 * running (LS2).
 */
import { endOf } from "../../model/batch.ts";
import { leaseKey, nodeKey, type Uid } from "../../model/ids.ts";
import type { ClockSuspicion, ClockTrack } from "../../model/node/node-trust.ts";
import type { Lease, Node, NodeStatus, Replica } from "../../model/objects.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { sentence } from "../../model/text/sentence.ts";
import { SUSPECT_AFTER_MS } from "../../model/timing.ts";
import { indexReplicas } from "../../observe/index-replicas.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { Change } from "../../protocol/commit-record.ts";
import {
  type CommitContext,
  changed,
  missing,
  touched,
  type Verdict,
  withStatus,
} from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";
import { regionalOf } from "../../rules/regional/term.ts";
import { checkClock } from "../checks/clock-rate.ts";
import { driversSaid } from "../checks/drivers-said.ts";
import { afterReturn } from "../checks/flapping.ts";
import { forgottenAfter } from "../checks/forgotten.ts";
import { arrival } from "./provision.ts";

export function checkLease(context: CommitContext, intent: IntentOf<"lease">): Verdict {
  const { objects } = context.ledger;
  const held = objects.node(nodeKey(intent.node));
  if (held === undefined) return missing(nodeKey(intent.node));
  if (context.role !== "agent") return reject("not-owner", held.key, "agent", context.role);
  const { node, pool } = arrival(context, held);
  const { session, health } = node.status;
  // A number that is none would compare with nothing, and switch the order of renewals off.
  const { startedMs = 0, nowMs = 0 } = intent.clock ?? {};
  if (![intent.session, intent.seq, startedMs, nowMs].every(Number.isSafeInteger)) {
    return reject("bad-object", node.key, "whole numbers", `${intent.session}.${intent.seq}`);
  }
  if (intent.session < session) return reject("session-ended", node.key, session, intent.session);
  if (intent.session === session && health === "fenced") {
    return reject("node-fenced", node.key, `session after ${session}`, intent.session);
  }
  const lease = objects.lease(leaseKey(intent.node));
  const isNewSession = intent.session > session;
  if (!isNewSession && lease !== undefined && intent.seq <= lease.status.seq) {
    return reject("lease-replayed", lease.key, `seq after ${lease.status.seq}`, lease.status.seq);
  }
  const { track, offBy } = checkClock(context, lease, intent);
  const changes: Change[] = [renewed(context, lease, intent, track), ...pool];
  const status = recovered(context, node, { intent, offBy, wasHeard: lease !== undefined });
  if (status !== undefined) {
    changes.push(changed(held, { ...node, meta: touched(node.meta, context.next), status }));
  }
  if (isNewSession) changes.push(...carriedOver(context, node, intent));
  return changes;
}

/**
 * When the node was last heard after a silence; of another leadership's clock nothing is carried
 * on.
 */
function backAt({ ledger, nowMs }: CommitContext, held: Lease | undefined): number | undefined {
  if (held?.status.epoch !== ledger.epoch) return undefined;
  const { renewedMs, backMs } = held.status;
  return nowMs - renewedMs > SUSPECT_AFTER_MS ? nowMs : backMs;
}

function renewed(
  context: CommitContext,
  held: Lease | undefined,
  intent: IntentOf<"lease">,
  clock: ClockTrack | undefined,
): Change {
  const forgotten = forgottenAfter(context, held, intent);
  const backMs = backAt(context, held);
  const status = {
    session: intent.session,
    seq: intent.seq,
    renewedMs: context.nowMs,
    epoch: context.ledger.epoch,
    ...(clock === undefined ? {} : { clock }),
    ...(backMs === undefined ? {} : { backMs }),
    ...(forgotten === undefined ? {} : { forgotten }),
    ...listed(context, held, intent),
  };
  if (held !== undefined) {
    return changed(held, { ...held, meta: touched(held.meta, context.next), status });
  }
  const key = leaseKey(intent.node);
  const meta = {
    namespace: "",
    name: intent.node,
    uid: `u${context.next}` as Uid,
    generation: 1,
    revision: context.next,
    createdMs: context.nowMs,
    labels: {},
    finalizers: [],
    deletingMs: undefined,
  };
  const after: Lease = { kind: "Lease", key, meta, spec: { node: intent.node }, status };
  return { key, before: undefined, after };
}

/** Kept only while it decides something: as long as a restored plane learns (RG13). */
function listed(
  { ledger }: CommitContext,
  held: Lease | undefined,
  { inventory }: IntentOf<"lease">,
): Pick<Lease["status"], "listedIn"> {
  if (regionalOf(ledger.objects.plane)?.learning === undefined) return {};
  if (inventory !== undefined) return { listedIn: ledger.epoch };
  const { listedIn } = held?.status ?? {};
  return listedIn === undefined ? {} : { listedIn };
}

/** The node's status when the renewal has something new to say of it. */
function recovered(
  context: CommitContext,
  node: Node,
  asked: {
    readonly intent: IntentOf<"lease">;
    readonly offBy: number | undefined;
    readonly wasHeard: boolean;
  },
): NodeStatus | undefined {
  const { health, session, healthSinceMs, clock: suspicion } = node.status;
  const { intent, offBy } = asked;
  const notes = notesOf(intent);
  const drivers = driversSaid(intent, node.status);
  const clock = clockAfter(context, suspicion, offBy);
  // A machine that only has something to say is as ready as it was.
  const isNews = health !== "ready" || session !== intent.session;
  const isSame = isSameText(notes, node.status.notes) && drivers === node.status.drivers;
  if (!isNews && clock === suspicion && isSame) return undefined;
  // The first word of a node is no return, and neither is a session that follows another without a
  // silence.
  const isReturn = asked.wasHeard && health !== "ready";
  const { returns, damped } = isReturn ? afterReturn(context, node.status) : node.status;
  return {
    health: "ready",
    healthSinceMs: isNews ? context.nowMs : healthSinceMs,
    session: intent.session,
    evidence: undefined,
    ...(notes === undefined ? {} : { notes }),
    ...(drivers === undefined ? {} : { drivers }),
    ...(returns === undefined ? {} : { returns }),
    ...(damped === undefined ? {} : { damped }),
    ...(node.status.drain === undefined ? {} : { drain: node.status.drain }),
    ...(node.status.provision === undefined ? {} : { provision: node.status.provision }),
    ...(clock === undefined ? {} : { clock }),
  };
}

/** A finding about a clock stands until the next one. */
function clockAfter(
  { nowMs }: CommitContext,
  suspicion: ClockSuspicion | undefined,
  offBy: number | undefined,
): ClockSuspicion | undefined {
  if (offBy === undefined) return suspicion;
  if (offBy === 0) return undefined;
  return suspicion ?? { offBy, sinceMs: nowMs };
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

/**
 * Processes that were told to keep running through a disconnect move into the new session. Leashed
 * ones are gone; where a workload would rather wait for its node than be moved, they begin a new
 * incarnation where they were (DC1).
 */
function carriedOver(
  context: CommitContext,
  node: Node,
  intent: IntentOf<"lease">,
): readonly Change[] {
  const { session } = intent;
  const changes: Change[] = [];
  for (const replica of context.ledger.objects.replicasOn(intent.node).values()) {
    const keeps = replica.spec.template.onDisconnect === "keep";
    if (keeps && intent.kept.includes(replica.key)) {
      changes.push(withStatus(context, replica, { session }));
    } else if (!keeps && !node.spec.draining && beginsAnew(context, replica)) {
      const incarnation = incarnationAfter(context, replica);
      const lastEnd = `its node's session ${replica.status.session} ended; it restarts there`;
      changes.push(
        withStatus(context, replica, {
          stage: "bound",
          session,
          incarnation,
          lastEnd,
          address: undefined,
        }),
      );
    }
  }
  return changes;
}

function beginsAnew({ ledger }: CommitContext, replica: Replica): boolean {
  const { spec, status } = replica;
  if (spec.template.replaceAfterMs === undefined || status.stopping !== undefined) return false;
  // Of a job that is over nothing begins (BA2); its rest is released like any lost replica.
  const workload = ledger.objects.workload(workloadOf(replica));
  return workload === undefined || endOf(workload) === undefined;
}

function incarnationAfter({ ledger }: CommitContext, { meta, spec }: Replica): number {
  const { workload, generation, index } = spec;
  return indexReplicas(ledger.objects, { tenant: meta.namespace, workload, generation, index })
    .nextIncarnation;
}
