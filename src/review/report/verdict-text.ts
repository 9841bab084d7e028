/** Verdicts and groups of questions in words, the same in every report. */
import type { CapacityClass, Finding, QuestionGroup, Review, Verdict } from "../review.ts";

/** A reader looks for trouble: the worst verdict comes first. */
export const VERDICTS: readonly Verdict[] = ["breached", "not-shown", "holds"];

export const VERDICT_TEXT: Readonly<Record<Verdict, string>> = {
  breached: "breached",
  "not-shown": "not shown",
  holds: "holds",
};

export const GROUP_TEXT: Readonly<
  Record<QuestionGroup, { readonly title: string; readonly question: string }>
> = {
  authority: { title: "Authority", question: "Who decides, and who may not?" },
  progress: { title: "Progress", question: "Which signals show it, and who owns a stall?" },
  capacity: {
    title: "Capacity",
    question: "Where does it come from, of which class, under which constraints?",
  },
  safety: { title: "Safety", question: "Which invariants cannot be broken meanwhile?" },
  evidence: { title: "Evidence", question: "What was run, on which fleet, and when?" },
};

/** A question without an answer is told: its silence is not a good answer. */
export const answersTo = (group: QuestionGroup, { answers }: Finding): readonly string[] =>
  answers[group].length === 0 ? ["This review does not answer it."] : answers[group];

export const CLASS_TEXT: Readonly<Record<CapacityClass, string>> = {
  hard: "hard: room that is free or reserved",
  reclaimable: "reclaimable: free room, and room that preemption frees",
  soft: "soft: free room, and room that is forecast",
};

export const NO_MECHANISM =
  "No object carries this promise: it holds by chance as long as it holds.";

export type Tally = Readonly<Record<Verdict, number>>;

export function tallyOf({ findings }: Review): Tally {
  const tally: Record<Verdict, number> = { breached: 0, "not-shown": 0, holds: 0 };
  for (const { verdict } of findings) tally[verdict] += 1;
  return tally;
}

/** Of the whole review: as bad as its worst promise. A review of nothing shows nothing. */
export function verdictOf(review: Review): Verdict {
  const tally = tallyOf(review);
  if (tally.breached > 0) return "breached";
  return tally["not-shown"] > 0 || tally.holds === 0 ? "not-shown" : "holds";
}

/** What a shell sees; 2 is left to wrong input. */
export const REVIEW_EXIT: Readonly<Record<Verdict, number>> = {
  holds: 0,
  breached: 1,
  "not-shown": 3,
};

/** e.g. "12 promises: 1 breached, 2 not shown, 9 hold" */
export function tallyText(review: Review): string {
  const tally = tallyOf(review);
  const total = review.findings.length;
  if (total === 0) return "No promise was reviewed";
  const parts = [
    ...(tally.breached > 0 ? [`${tally.breached} breached`] : []),
    ...(tally["not-shown"] > 0 ? [`${tally["not-shown"]} not shown`] : []),
    ...(tally.holds > 0 ? [`${tally.holds} ${tally.holds === 1 ? "holds" : "hold"}`] : []),
  ];
  return `${total} ${total === 1 ? "promise" : "promises"}: ${parts.join(", ")}`;
}

/** The worst first; among equals as the review has them. */
export const worstFirst = (findings: readonly Finding[]): readonly Finding[] =>
  findings.toSorted((a, b) => VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict));
