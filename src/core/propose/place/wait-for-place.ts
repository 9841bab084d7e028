/**
 * The wait stage: the reason that no place was found, what ends the wait, and when it is looked at
 * again anyway.
 */
import { roomOf } from "../../model/reservation.ts";
import { type Decision, wait } from "../../protocol/decision.ts";
import { nodeKey } from "../../model/ids.ts";
import { objectFact, roomFact } from "../../observe/facts.ts";
import { capacity } from "../../rules/feasibility/capacity.ts";
import { AFFINITY, SPREAD } from "../../rules/obstacles/neighbour-obstacles.ts";
import { wakesOf } from "../../rules/obstacles/placement-rules.ts";
import { regionQuota } from "../../rules/obstacles/region-quota.ts";
import { heldSummary } from "../held-summary.ts";
import type { PlacementLook } from "./placement-look.ts";
import type { GangDoesNotFit, NoNode, Nowhere } from "./search-outcome.ts";
import { regionShortage, rulesWaitedFor, type WhyNowhere } from "./why-nowhere.ts";

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** The view normally catches up with a refusal or with our own binds within this time. */
const HELD_BACK_PATIENCE_MS = 1_000;

/**
 * A kept node is given away by this scheduler itself, which no fact tells; it may well take a
 * minute.
 */
const KEPT_PATIENCE_MS = 5_000;

/**
 * A node counts under the first rule that rejects it, so these may hide behind another rule; and
 * without any node no rule rejects one.
 */
const HIDDEN_RULES = [capacity.name, SPREAD.name, AFFINITY.name];

export function waitForPlace(at: PlacementLook, nowhere: Nowhere): Decision {
  switch (nowhere.kind) {
    case "no-node":
      return waitForNode(at, nowhere);
    case "gang-does-not-fit":
      return waitForGang(at, nowhere);
    case "room-held":
      return waitForHeldRoom(at);
    case "gang-incomplete":
      return wait({
        reason: "gang-incomplete",
        wakes: [],
        deadlineMs: at.look.now + PATIENCE_MS,
        because: {
          summary: `${nowhere.missing} of ${nowhere.members} members are not queued yet`,
        },
      });
    case "unpaid-ahead":
      return at.line.takeTurn(at.workload);
  }
}

function waitForNode(at: PlacementLook, { replica, why, unpaid }: NoNode): Decision {
  const { rejected, heldBack } = why;
  const rest = unpaid === undefined ? "no-feasible-node" : "recovery-budget";
  return wait({
    reason: heldBack ?? rest,
    wakes: wakesOf(replica, [
      ...HIDDEN_RULES,
      ...rulesWaitedFor(why),
      ...Object.keys(unpaid?.rejected ?? {}),
    ]),
    deadlineMs: at.look.now + patienceMs(heldBack),
    because: {
      summary: unpaid?.summary ?? `no node fits this replica${keptText(at)}`,
      rejected: { ...rejected, ...unpaid?.rejected },
      queue: queuePlace(at),
    },
  });
}

/**
 * Every member that finds a place changes what the next one meets, so the rules are the same for
 * all gangs.
 */
function waitForGang(at: PlacementLook, gang: GangDoesNotFit): Decision {
  const { replica, fitting, members } = gang;
  const { rejected, heldBack } = gang.why;
  return wait({
    reason: heldBack ?? "gang-does-not-fit",
    wakes: wakesOf(replica, [capacity.name, AFFINITY.name, regionQuota.name]),
    deadlineMs: at.look.now + patienceMs(heldBack),
    because: {
      summary: `room for ${fitting} of ${members} members${keptText(at)}`,
      rejected,
      queue: queuePlace(at),
    },
  });
}

/** Replicas for which room is held wait for it alone: what happens elsewhere is for the others. */
function waitForHeldRoom({ first, replicas, finder, view, look }: PlacementLook): Decision {
  const held = replicas.flatMap((replica) => finder.roomHeld(replica) ?? []);
  const nodes = new Set(held.flatMap(({ spec }) => roomOf(spec)?.node ?? []));
  const [heldBack] = [...nodes].flatMap((node) => finder.roomHeldBack(node) ?? []);
  const short = [...nodes].flatMap((node) => regionShortage(node, first, view) ?? []);
  return wait({
    reason: heldBack ?? "room-held",
    wakes: [
      ...[...nodes].flatMap((node) => [roomFact(node), objectFact(nodeKey(node))]),
      // Room is held without asking what the tenant may use in its region; that is asked of the
      // bind (QT7).
      ...wakesOf(first, [SPREAD.name, AFFINITY.name, regionQuota.name]),
    ],
    deadlineMs: look.now + patienceMs(heldBack),
    because: {
      summary: heldSummary([...nodes], view),
      ...(short[0] === undefined
        ? {}
        : { rejected: { [regionQuota.name]: { count: short.length, example: short[0] } } }),
    },
  });
}

const queuePlace = ({ line, workload, view, finder, look }: PlacementLook) =>
  line.placeOf(workload, { view, finder, nowMs: look.now });

function keptText({ workload, finder }: PlacementLook): string {
  const nodes = finder.heldBack.kept.nodesOf(workload);
  return nodes.length === 0 ? "" : `; ${nodes.join(", ")} is reserved for it until it has room`;
}

function patienceMs(heldBack: WhyNowhere["heldBack"]): number {
  if (heldBack === undefined) return PATIENCE_MS;
  if (heldBack === "override" || heldBack === "region-partitioned") return PATIENCE_MS;
  const mayTakeLong = heldBack === "room-kept" || heldBack === "rejected-lately";
  return mayTakeLong ? KEPT_PATIENCE_MS : HELD_BACK_PATIENCE_MS;
}
