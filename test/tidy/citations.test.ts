import { describe, expect, it } from "vitest";
import { findCitationGaps, specRules } from "./citations.ts";

const SPEC =
  "# Spec\n\n**[BD1]** One live binding per index.\n\n- **[INV12]** Sums agree; see [BD1].\n";

const asDocument = (text: string, path = "docs/SPEC.md") => ({ path, text });

const gaps = (test: string, spec = SPEC): string[] =>
  findCitationGaps([asDocument(spec)], [{ path: "test/x.test.ts", text: test }]);

describe("citations", () => {
  it("specRules() reads the lines that begin with a rule, and no mention of one", () => {
    expect(specRules(SPEC)).toEqual(["BD1", "INV12"]);
  });

  it("findCitationGaps() is content when every rule is cited by a title", () => {
    expect(gaps('it("binds once [BD1]", f); it("[INV12] sums agree", f);')).toEqual([]);
  });

  it("findCitationGaps() finds a rule that only a comment or a value mentions", () => {
    expect(gaps('// [BD1]\nit("[INV12] sums agree", () => "[BD1]");')).toEqual([
      "No test cites [BD1]: prove the rule in a test and put [BD1] in its title.",
    ]);
  });

  it("findCitationGaps() does not count what stands in a file that is no test", () => {
    const file = { path: "test/x.ts", text: 'it("[BD1] [INV12]", f);' };
    expect(findCitationGaps([asDocument(SPEC)], [file])).toHaveLength(2);
  });

  it("findCitationGaps() finds a citation of a rule that does not exist", () => {
    expect(gaps('it("[BD1] [INV12]", f);\nit("old [BD9]", f);')).toEqual([
      "test/x.test.ts:2 cites [BD9], which docs/SPEC.md does not have.",
    ]);
  });

  it("findCitationGaps() takes rules from several documents and wants each of them cited", () => {
    const documents = [asDocument("**[BD1]** a\n"), asDocument("**[AP1]** b\n", "docs/api.md")];
    const cite = (text: string): string[] =>
      findCitationGaps(documents, [{ path: "test/x.test.ts", text }]);
    expect(cite('it("[BD1]", f); it("[AP1]", f);')).toEqual([]);
    expect(cite('it("[BD1]", f); it("[AP2]", f);')).toEqual([
      "No test cites [AP1]: prove the rule in a test and put [AP1] in its title.",
      "test/x.test.ts:1 cites [AP2], which docs/SPEC.md or docs/api.md does not have.",
    ]);
  });

  it("findCitationGaps() finds a number given twice and a specification without rules", () => {
    expect(gaps('it("[BD1]", f);', "**[BD1]** a\n**[BD1]** b\n")).toHaveLength(1);
    expect(gaps('it("a", f);', "# Spec\n")).toHaveLength(1);
  });
});
