/**
 * Every rule of the specification, and every promise of the API, is proved by a test that cites it, and no
 * test cites a rule that is not there.
 */
import { type Finding, isTest, type SourceFile } from "./source-file.ts";
import { testTitles } from "./test-titles.ts";

const RULE = /^\s*(?:[-*]\s+)?\*\*\[([A-Z]{2,4}\d+)\]\*\*/gm;
const CITATION = /\[([A-Z]{2,4}\d+)\]/g;

export function specRules(spec: string): string[] {
  return [...spec.matchAll(RULE)].flatMap((match) => match[1] ?? []);
}

/** `documents` are those that number rules, together: a number stands in one of them. */
export function findCitationGaps(
  documents: readonly SourceFile[],
  files: readonly SourceFile[],
): Finding[] {
  const empty = documents.filter(({ text }) => specRules(text).length === 0);
  if (empty.length > 0) {
    return empty.map(({ path }) => `${path} has no rule: a rule's line begins like **[BD1]**.`);
  }
  const rules = documents.flatMap(({ text }) => specRules(text));
  const twice = rules.filter((rule, at) => rules.indexOf(rule) !== at);
  const names = documents.map(({ path }) => path).join(" or ");
  const citations = files.filter((file) => isTest(file.path)).flatMap(citationsIn);
  const cited = new Set(citations.map((citation) => citation.rule));
  return [
    ...twice.map((rule) => `${names} numbers two rules [${rule}]: give one a number of its own.`),
    ...[...new Set(rules)]
      .filter((rule) => !cited.has(rule))
      .map(
        (rule) =>
          `No test cites [${rule}]: prove the rule in a test and put [${rule}] in its title.`,
      ),
    ...citations
      .filter((citation) => !rules.includes(citation.rule))
      .map(({ rule, where }) => `${where} cites [${rule}], which ${names} does not have.`),
  ];
}

function citationsIn(file: SourceFile): { rule: string; where: string }[] {
  return testTitles(file.text).flatMap((title) =>
    [...title.text.matchAll(CITATION)].map((match) => ({
      rule: match[1] ?? "",
      where: `${file.path}:${title.line}`,
    })),
  );
}
