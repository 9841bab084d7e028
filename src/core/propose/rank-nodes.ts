/** Filters and scores every node of the view for one replica, and keeps count of what turned away what. */
import type { Refusal } from "../commit/outcome.ts";
import type { Because, Fact } from "../decision.ts";
import { firstMisfit } from "../feasibility/feasibility.ts";
import type { Candidate } from "../feasibility/misfit.ts";
import type { Replica } from "../model/objects.ts";
import { NODES_FACT } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
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
  /** Some node was passed over only because the authority refused it a moment ago. */
  readonly heldByFeedback: boolean;
}

/** Rules that room can lift; a node they turn away still counts as a place for spreading. */
const ABOUT_ROOM: ReadonlySet<string> = new Set(["capacity", "devices"]);

export function rankNodes(view: View, replica: Replica, feedback: readonly Refusal[]): Ranking {
  const { ask } = replica.spec.template;
  const rejected: Record<string, { count: number; example: string }> = {};
  const wakes = new Set<Fact>([NODES_FACT]);
  const eligible: Candidate[] = [];
  const fitting: Candidate[] = [];
  const reject = (rule: string, example: string): void => {
    const known = rejected[rule];
    if (known === undefined) rejected[rule] = { count: 1, example };
    else
      rejected[rule] = {
        count: known.count + 1,
        example: example < known.example ? example : known.example,
      };
  };
  for (const node of view.objects.all("Node").values()) {
    const candidate: Candidate = { node, use: view.objects.useOf(node.meta.name) };
    const unfit = firstMisfit(candidate, ask);
    if (unfit === undefined) fitting.push(candidate);
    else {
      reject(unfit.rule.name, `${unfit.misfit.field}: ${unfit.misfit.actual}`);
      for (const fact of unfit.rule.wakes) wakes.add(fact);
    }
    if (unfit === undefined || ABOUT_ROOM.has(unfit.rule.name)) eligible.push(candidate);
  }
  const counted = countSpread(view, replica, eligible);
  const ranked: Ranked[] = [];
  let heldByFeedback = false;
  for (const candidate of fitting) {
    const { node } = candidate;
    if (breaksSpread(node, counted)) {
      reject("spread", node.key);
    } else if (
      feedback.some(({ field }) => field === node.key || field.startsWith(`${node.key} `))
    ) {
      // The authority knows something about this node that our view does not show yet (RN4).
      heldByFeedback = true;
      reject("refused-lately", node.key);
    } else {
      const score =
        bestFit(candidate, ask) + spareDevices(candidate, ask) + spreadPoints(node, counted);
      ranked.push({ candidate, score });
    }
  }
  ranked.sort(
    (a, b) => b.score - a.score || (a.candidate.node.key < b.candidate.node.key ? -1 : 1),
  );
  return { ranked, rejected, wakes: [...wakes].toSorted(), heldByFeedback };
}
