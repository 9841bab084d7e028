/**
 * A review for a terminal: the head, one entry for each promise, then the details of the promises
 * that do not hold, and the boundary. Nothing is wider than 100 columns, except commands, which a
 * reader copies as they are.
 */
import { QUESTION_GROUPS, type Finding, type Review, type Verdict } from "../review.ts";
import {
  type Comparison,
  comparisonHead,
  comparisonLists,
  isUnchanged,
} from "./compare-reviews.ts";
import {
  capacitySentences,
  fixSentence,
  mechanismSentences,
  simulationSentences,
  worstRunParts,
} from "./finding-sentences.ts";
import { boundarySentences, headFacts } from "./review-sentences.ts";
import { namesText, sentencesOf, shown } from "./shown-text.ts";
import { columnsOf, cutTo, padTo, wrapTo } from "./terminal-columns.ts";
import {
  answersTo,
  GROUP_TEXT,
  tallyText,
  VERDICT_TEXT,
  verdictOf,
  worstFirst,
} from "./verdict-text.ts";

export interface TableOptions {
  readonly against?: Comparison | undefined;
  /** Colours a verdict; left out: no colours. */
  readonly paint?: ((verdict: Verdict, text: string) => string) | undefined;
}

type Paint = NonNullable<TableOptions["paint"]>;

const WIDTH = 100;
const LABEL = 15;
const VERDICT_WIDTH = 9;
const NAME_WIDTH = 36;
const GAP = "  ";
const CHANGES_SHOWN = 20;
/** Three lines beside the longest name; the details have all of it. */
const REASON_MOST = 150;

export function reportTable(review: Review, { against, paint = plain }: TableOptions = {}): string {
  const verdict = verdictOf(review);
  const troubled = worstFirst(review.findings).filter((each) => each.verdict !== "holds");
  const lines = [
    ...headFacts(review).flatMap(([label, text]) =>
      label === "Made by" ? [`${padTo(label, LABEL)}${shown(text)}`] : labelled(label, [text]),
    ),
    "",
    paint(verdict, `${tallyText(review)}.`),
    ...(against === undefined ? [] : ["", ...againstLines(against)]),
    "",
    ...overview(review.findings, paint),
    ...troubled.flatMap((finding) => ["", ...details(finding, paint)]),
    "",
    "The boundary of this review:",
    ...boundarySentences(review).flatMap(bullet),
  ];
  return `${lines.join("\n")}\n`;
}

const plain: Paint = (_, text) => text;

function overview(findings: readonly Finding[], paint: Paint): readonly string[] {
  if (findings.length === 0) return ["There is no commitment to review."];
  const names = findings.map(({ name }) => columnsOf(cutTo(shown(name), NAME_WIDTH)));
  const nameWidth = Math.max("PROMISE".length, ...names);
  const indent = VERDICT_WIDTH + nameWidth + 2 * GAP.length;
  const row = (verdict: string, name: string, reason: string): readonly string[] => {
    const [first = "", ...more] = wrapTo(reason, WIDTH - indent);
    const head = `${verdict}${GAP}${padTo(cutTo(name, NAME_WIDTH), nameWidth)}${GAP}${first}`;
    return [head, ...more.map((line) => " ".repeat(indent) + line)];
  };
  return [
    ...row(padTo("VERDICT", VERDICT_WIDTH), "PROMISE", "REASON"),
    ...worstFirst(findings).flatMap(({ name, verdict, reason }) =>
      row(
        paint(verdict, padTo(VERDICT_TEXT[verdict], VERDICT_WIDTH)),
        shown(name),
        cutTo(shown(reason), REASON_MOST),
      ),
    ),
  ];
}

function details(finding: Finding, paint: Paint): readonly string[] {
  const { name, verdict, promise, reason, capacity, simulation, fix, boundary } = finding;
  return [
    `${paint(verdict, VERDICT_TEXT[verdict])}: ${cutTo(shown(name), WIDTH - VERDICT_WIDTH - 2)}`,
    ...labelled("Promise", [promise]),
    ...labelled("Reason", [reason]),
    ...labelled("Objects", mechanismSentences(finding)),
    ...(capacity === undefined ? [] : labelled("Capacity", capacitySentences(capacity))),
    ...(simulation === undefined ? [] : labelled("Simulation", simulationSentences(simulation))),
    ...(simulation === undefined ? [] : commandLines(worstRunParts(simulation))),
    ...(fix === undefined ? [] : labelled("Fix", [fixSentence(fix)])),
    ...QUESTION_GROUPS.flatMap((group) =>
      labelled(`${GROUP_TEXT[group].title}?`, answersTo(group, finding)),
    ),
    ...labelled("Boundary", boundary),
  ];
}

/** A label, and beside it each sentence on lines of its own. */
function labelled(label: string, sentences: readonly string[]): readonly string[] {
  const lines = sentencesOf(sentences).flatMap((each) => wrapTo(shown(each), WIDTH - LABEL));
  return lines.map((line, at) => padTo(at === 0 ? label : "", LABEL) + line);
}

const commandLines = (parts: readonly (readonly [string, string])[]): readonly string[] =>
  parts.map(([label, text]) => `${" ".repeat(LABEL)}${label}: ${shown(text)}`);

const bullet = (sentence: string): readonly string[] =>
  wrapTo(sentence, WIDTH - 2).map((line, at) => `${at === 0 ? "- " : "  "}${line}`);

function againstLines(against: Comparison): readonly string[] {
  const { changed } = against;
  const left = changed.length - CHANGES_SHOWN;
  return [
    ...comparisonHead(against).flatMap((each) => wrapTo(shown(each), WIDTH)),
    ...(isUnchanged(against) ? ["No verdict and no figure has changed."] : []),
    ...comparisonLists(against).flatMap(([label, names]) =>
      bullet(`${label}: ${namesText(names)}`),
    ),
    ...changed
      .slice(0, CHANGES_SHOWN)
      .flatMap(({ name, what, before, after }) =>
        bullet(`${shown(name)}: ${what} ${shown(before)} before, ${shown(after)} now`),
      ),
    ...(left > 0 ? [`- and ${left} more changes in the JSON report`] : []),
  ];
}
