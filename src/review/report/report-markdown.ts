/**
 * A review as Markdown of GitHub, for a pull request or a wiki. Text of others is escaped so that
 * it stays text: no markup, no links, no mentions.
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
import { codeSpan, markdownText } from "./markdown-text.ts";
import { boundarySentences, headFacts } from "./review-sentences.ts";
import { namesText, sentencesOf } from "./shown-text.ts";
import { answersTo, GROUP_TEXT, tallyText, VERDICT_TEXT, worstFirst } from "./verdict-text.ts";

/** Seen before it is read; the word stands beside it. */
const MARK: Readonly<Record<Verdict, string>> = { breached: "❌", "not-shown": "❔", holds: "✅" };

export function reportMarkdown(
  review: Review,
  { against }: { readonly against?: Comparison | undefined } = {},
): string {
  const findings = worstFirst(review.findings);
  const lines = [
    `# Review of ${markdownText(review.fleet.source)}`,
    "",
    `**${tallyText(review)}.**`,
    "",
    ...headFacts(review).map(([label, text]) => item(label, fact(label, text))),
    "",
    ...(against === undefined ? [] : againstLines(against)),
    ...overview(findings),
    ...findings.flatMap(details),
    "## The boundary of this review",
    "",
    ...boundarySentences(review).map((each) => `- ${markdownText(each)}`),
  ];
  return `${lines.join("\n")}\n`;
}

const fact = (label: string, text: string): string =>
  label === "Made by" || label === "Fleet hash" ? codeSpan(text) : markdownText(text);

function overview(findings: readonly Finding[]): readonly string[] {
  if (findings.length === 0) return ["There is no commitment to review.", ""];
  return [
    "| Verdict | Promise | Reason |",
    "|---|---|---|",
    ...findings.map(
      ({ name, verdict, reason }) =>
        `| ${MARK[verdict]} ${VERDICT_TEXT[verdict]} | ${markdownText(name)} | ${markdownText(reason)} |`,
    ),
    "",
  ];
}

function details(finding: Finding): readonly string[] {
  const { name, verdict, promise, reason, capacity, simulation, fix, boundary } = finding;
  return [
    `## ${MARK[verdict]} ${markdownText(name)}: ${VERDICT_TEXT[verdict]}`,
    "",
    item("Promise", markdownText(promise)),
    item("Reason", markdownText(reason)),
    ...list("Objects", mechanismSentences(finding)),
    ...(capacity === undefined ? [] : list("Capacity", capacitySentences(capacity))),
    ...(simulation === undefined ? [] : list("Simulation", simulationSentences(simulation))),
    ...(simulation === undefined ? [] : worstRunParts(simulation)).map(([label, text]) =>
      item(label, codeSpan(text)),
    ),
    ...(fix === undefined ? [] : [item("Smallest fix", markdownText(fixSentence(fix)))]),
    ...QUESTION_GROUPS.flatMap((group) => {
      const { title, question } = GROUP_TEXT[group];
      return list(`${title}. ${question}`, answersTo(group, finding));
    }),
    ...list("What this verdict does not say", boundary),
    "",
  ];
}

const item = (label: string, markdown: string): string => `- **${label}**: ${markdown}`;

function list(label: string, sentences: readonly string[]): readonly string[] {
  if (sentences.length === 0) return [];
  const texts = sentencesOf(sentences).map(markdownText);
  if (texts.length === 1) return [item(label, texts.join(""))];
  return [`- **${label}**`, ...texts.map((each) => `  - ${each}`)];
}

function againstLines(against: Comparison): readonly string[] {
  const { changed } = against;
  return [
    "## What has changed",
    "",
    ...comparisonHead(against).map((each) => `- ${markdownText(each)}`),
    ...(isUnchanged(against) ? ["- No verdict and no figure has changed."] : []),
    ...comparisonLists(against).map(([label, names]) =>
      item(label, markdownText(namesText(names))),
    ),
    "",
    ...(changed.length === 0
      ? []
      : [
          "| Promise | Figure | Before | Now |",
          "|---|---|---|---|",
          ...changed.map(
            ({ name, what, before, after }) =>
              `| ${markdownText(name)} | ${what} | ${markdownText(before)} | ${markdownText(after)} |`,
          ),
          "",
        ]),
  ];
}
