/**
 * A review as JUnit XML, for the tests page of a pipeline: one case for each promise. A promise
 * that is not shown is an error and not a skipped case: pipelines show skipped cases as green, and
 * the promise would pass although nothing shows that it holds. A failure says that the promise is
 * broken; an error says that the check could not decide.
 */
import type { Finding, Review } from "../review.ts";
import {
  capacitySentences,
  fixSentence,
  simulationSentences,
  worstRunParts,
} from "./finding-sentences.ts";
import { escaped, markupText } from "./markup-text.ts";
import { boundarySentences, headFacts, timeText } from "./review-sentences.ts";
import { sentencesOf, shown } from "./shown-text.ts";
import { tallyOf, worstFirst } from "./verdict-text.ts";

export function reportJunit(review: Review): string {
  const tally = tallyOf(review);
  const { findings, evidence } = review;
  const made = evidence === undefined ? undefined : timeText(evidence.madeMs);
  const counts = `tests="${findings.length}" failures="${tally.breached}" errors="${tally["not-shown"]}"`;
  // The form has no zone: the times of JUnit are UTC without its letter.
  const when = made === undefined ? "" : ` timestamp="${made.replace("Z", "")}"`;
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<testsuites name="berth review" ${counts}>`,
    `  <testsuite name="${markupText(`berth review: ${review.fleet.source}`)}" ${counts} skipped="0"${when}>`,
    "    <properties>",
    ...headFacts(review).map(
      ([label, text]) => `      <property name="${label}" value="${markupText(text)}"/>`,
    ),
    "    </properties>",
    ...worstFirst(findings).map(testCase),
    `    <system-out>${escaped(boundarySentences(review).join("\n"))}</system-out>`,
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCase(finding: Finding): string {
  const { name, verdict, reason } = finding;
  const slash = name.indexOf("/");
  const tenant = slash === -1 ? "berth" : name.slice(0, slash);
  const own = slash === -1 ? name : name.slice(slash + 1);
  const head = `    <testcase classname="${markupText(tenant)}" name="${markupText(own)}"`;
  if (verdict === "holds") return `${head}/>`;
  const element = verdict === "breached" ? "failure" : "error";
  const text = escaped(bodyOf(finding).map(shown).join("\n"));
  return [
    `${head}>`,
    `      <${element} type="${verdict}" message="${markupText(reason)}">${text}</${element}>`,
    "    </testcase>",
  ].join("\n");
}

const bodyOf = (finding: Finding): readonly string[] => {
  const { promise, reason, capacity, simulation, fix, boundary } = finding;
  return [
    promise,
    reason,
    ...(capacity === undefined ? [] : capacitySentences(capacity)),
    ...(simulation === undefined ? [] : simulationSentences(simulation)),
    ...(simulation === undefined ? [] : worstRunParts(simulation)).map(
      ([label, text]) => `${label}: ${text}`,
    ),
    ...(fix === undefined ? [] : [fixSentence(fix)]),
    ...sentencesOf(boundary),
  ];
};
