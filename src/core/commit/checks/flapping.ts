/**
 * A node that keeps falling silent and coming back costs each replica there a start each time. One
 * that has come back too often is held from new work for a while, longer with every return, and
 * never for ever (FL1). The hold is a committed fact, so every scheduler knows it; it ends by a
 * commit, too, once its time is over on the authority's own clock (FL2).
 */
import type { Node, NodeStatus } from "../../model/objects.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { type CommitContext, changed, touched, type Verdict } from "../verdict.ts";
import { reject } from "../../protocol/rejection.ts";

/** Long enough to see a pattern, short enough that a bad night is forgotten by noon. */
export const FLAP_WINDOW_MS = 600_000;

/**
 * So many returns within the window are bad luck: an upgrade of the agent, a reboot, a switch that
 * was changed.
 */
export const RETURNS_BORNE = 3;

/**
 * Twice the time in which a started process is known to stay, so a hold that ends too early costs
 * one start.
 */
export const FIRST_HOLD_MS = 60_000;

/** As long as the window: beyond it, the returns that led here are forgotten anyway. */
export const LAST_HOLD_MS = FLAP_WINDOW_MS;

/** With so many returns remembered the hold has reached its bound; more would say nothing new. */
const RETURNS_KEPT = 8;

export type Steadiness = Pick<NodeStatus, "returns" | "damped">;

/** What is known of the node's steadiness once it has come back. */
export function afterReturn(
  { ledger, nowMs }: CommitContext,
  { returns, damped }: NodeStatus,
): Steadiness {
  const { epoch } = ledger;
  // Times of another leadership are on another clock; what they say is forgotten rather than
  // compared.
  const earlier = returns?.epoch === epoch ? returns.atMs : [];
  const recent = earlier.filter((atMs) => nowMs - atMs < FLAP_WINDOW_MS);
  const atMs = [...recent, nowMs].slice(-RETURNS_KEPT);
  const now = { epoch, atMs };
  if (atMs.length <= RETURNS_BORNE) {
    return damped === undefined ? { returns: now } : { returns: now, damped };
  }
  const times = atMs.length;
  const holdMs = holdAfter(times);
  return { returns: now, damped: { sinceMs: nowMs, untilMs: nowMs + holdMs, times, epoch } };
}

function holdAfter(times: number): number {
  let holdMs = FIRST_HOLD_MS;
  for (let more = RETURNS_BORNE + 1; more < times && holdMs < LAST_HOLD_MS; more += 1) holdMs *= 2;
  return Math.min(holdMs, LAST_HOLD_MS);
}

/**
 * A later leadership knows only that the hold is no older than itself, and counts from its own
 * beginning.
 */
export function checkSteady(
  context: CommitContext,
  node: Node,
  intent: IntentOf<"expire">,
): Verdict {
  const { evidence } = intent;
  if (context.role !== "node-health") {
    return reject("not-owner", node.key, "node-health", context.role);
  }
  if (evidence.kind !== "damping-over") {
    return reject("evidence-missing", node.key, "damping-over", evidence.kind);
  }
  const { damped, session, ...status } = node.status;
  if (session !== intent.incarnation)
    return reject("session-ended", node.key, session, intent.incarnation);
  if (evidence.node !== node.meta.name || damped === undefined) {
    return reject(
      "evidence-wrong",
      node.key,
      "held for flapping",
      damped ? evidence.node : "not held",
    );
  }
  const { ledger, nowMs, next } = context;
  const sinceMs = damped.epoch === ledger.epoch ? damped.sinceMs : ledger.leadSinceMs;
  const leftMs = damped.untilMs - damped.sinceMs - (nowMs - sinceMs);
  if (leftMs > 0) {
    return reject("damping-not-over", node.key, "held long enough", `${leftMs} ms left`);
  }
  const after: Node = {
    ...node,
    meta: touched(node.meta, next),
    status: { ...status, session },
  };
  return [changed(node, after)];
}
