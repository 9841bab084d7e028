/** Filters and scores every node of the view for one replica, and keeps count of what turned away what. */
import type { Refusal } from "../commit/outcome.ts";
import type { Because, Fact } from "../decision.ts";
import { firstMisfit } from "../feasibility/feasibility.ts";
import type { Candidate } from "../feasibility/misfit.ts";
import type { Node, Replica } from "../model/objects.ts";
import { siblingsFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import type { Promised } from "./promised.ts";
import { Rejections } from "./rejections.ts";
import { bestFit } from "./scores/best-fit.ts";
import { spareDevices } from "./scores/spare-devices.ts";
import { breaksSpread, countSpread, spreadPoints } from "./spread.ts";

export interface Ranked {
  readonly candidate: Candidate;
  readonly score: number;
}

export interface Ranking {
  /** Best first; equal scores by name, so that the order of arrival never decides. */
  readonly ranked: readonly Ranked[];
  readonly rejected: NonNullable<Because["rejected"]>;
  readonly wakes: readonly Fact[];
  /** Why a node that fits in the view was passed over all the same; it passes by itself, and soon. */
  readonly heldBack: "refused-lately" | "room-promised" | undefined;
}

/** Rules that room can lift; a node they turn away still counts as a place for spreading. */
const ABOUT_ROOM: ReadonlySet<string> = new Set(["capacity", "devices"]);

export function rankNodes(
  view: View,
  replica: Replica,
  feedback: readonly Refusal[],
  promised: Promised,
): Ranking {
  const { ask } = replica.spec.template;
  const rejections = new Rejections();
  const eligible: Candidate[] = [];
  const fitting: Candidate[] = [];
  let heldBack: Ranking["heldBack"];
  for (const node of view.objects.all("Node").values()) {
    const seen: Candidate = { node, use: view.objects.useOf(node.meta.name) };
    const unfit = firstMisfit(seen, ask);
    if (unfit === undefined || ABOUT_ROOM.has(unfit.rule.name)) eligible.push(seen);
    if (unfit !== undefined) {
      rejections.add(unfit.rule, node.key, unfit.misfit);
      continue;
    }
    const use = promised.isEmpty ? undefined : promised.useWith(seen.use, node.meta.name);
    const candidate = use === undefined ? seen : { node, use };
    if (candidate === seen || firstMisfit(candidate, ask) === undefined) fitting.push(candidate);
    else {
      heldBack ??= "room-promised";
      rejections.note("room-promised", node.key);
    }
  }
  const counted = countSpread(view, replica, eligible, promised.nodesOfSiblings(replica));
  const ranked: Ranked[] = [];
  for (const candidate of fitting) {
    const { node } = candidate;
    if (breaksSpread(node, counted)) {
      // Siblings on their way may break it, too; whether they arrive is known in a moment.
      if (!promised.isEmpty) heldBack ??= "room-promised";
      rejections.note("spread", node.key);
      rejections.wakeOn(siblingsFact(replica.meta.namespace, replica.spec.workload));
    } else if (wasRefused(node, feedback)) {
      // The authority knows something about this node that our view does not show yet (RN4).
      heldBack = "refused-lately";
      rejections.note("refused-lately", node.key);
    } else {
      const score =
        bestFit(candidate, ask) + spareDevices(candidate, ask) + spreadPoints(node, counted);
      ranked.push({ candidate, score });
    }
  }
  ranked.sort(
    (a, b) => b.score - a.score || (a.candidate.node.key < b.candidate.node.key ? -1 : 1),
  );
  return { ranked, rejected: rejections.byRule(), wakes: rejections.wakes(), heldBack };
}

const wasRefused = ({ key }: Node, feedback: readonly Refusal[]): boolean =>
  feedback.some(({ field }) => field === key || field.startsWith(`${key} `));
