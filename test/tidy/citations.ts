/** Every rule of the specification is proved by a test that cites it, and no test cites a rule that is not there. */
import { type Finding, isTest, type SourceFile } from "./source-file.ts";
import { testTitles } from "./test-titles.ts";

const RULE = /^\s*(?:[-*]\s+)?\*\*\[([A-Z]{2,4}\d+)\]\*\*/gm;
const CITATION = /\[([A-Z]{2,4}\d+)\]/g;

export function specRules(spec: string): string[] {
  return [...spec.matchAll(RULE)].flatMap((match) => match[1] ?? []);
}

export function findCitationGaps(spec: string, files: readonly SourceFile[]): Finding[] {
  const rules = specRules(spec);
  if (rules.length === 0) return ["docs/SPEC.md has no rule: a rule's line begins like **[BD1]**."];
  const twice = rules.filter((rule, at) => rules.indexOf(rule) !== at);
  const citations = files.filter((file) => isTest(file.path)).flatMap(citationsIn);
  const cited = new Set(citations.map((citation) => citation.rule));
  return [
    ...twice.map(
      (rule) => `docs/SPEC.md numbers two rules [${rule}]: give one a number of its own.`,
    ),
    ...[...new Set(rules)]
      .filter((rule) => !cited.has(rule))
      .map(
        (rule) =>
          `No test cites [${rule}]: prove the rule in a test and put [${rule}] in its title.`,
      ),
    ...citations
      .filter((citation) => !rules.includes(citation.rule))
      .map(({ rule, where }) => `${where} cites [${rule}], which docs/SPEC.md does not have.`),
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
