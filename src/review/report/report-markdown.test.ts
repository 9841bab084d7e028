import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aReview,
  breachedFinding,
  hostileText,
  notShownFinding,
} from "../../../test/builders/a-review.ts";
import { compareReviews } from "./compare-reviews.ts";
import { codeSpan, markdownText } from "./markdown-text.ts";
import { reportMarkdown } from "./report-markdown.ts";

/** All that GitHub's Markdown obeys, after escapes and the empty comments of the report are gone. */
const obeyed = (markdown: string): string =>
  markdown
    .replaceAll("<!-- -->", "\u0001")
    .replaceAll(/\\[!-/:-@[-`{-~]/g, "")
    .replaceAll(/[^\n`*_[\]<>|~&!#@:]/g, "");

/** Without the three marks that are text unless an address or a name follows. */
const others = (marks: string): string => marks.replaceAll(/[:#@]/g, "");

const withText = (text: string): string =>
  reportMarkdown(
    aReview({
      fleet: { source: text, nodes: 1, replicas: 1, hash: "h" },
      findings: [{ ...breachedFinding, name: text, promise: text, reason: text, boundary: [text] }],
    }),
  );

describe("the Markdown of a review", () => {
  it("has the overview, the details of every promise and the boundary [RE6]", () => {
    const markdown = reportMarkdown(aReview(), { against: compareReviews(aReview(), aReview()) });
    expect(markdown).toContain("| ❌ breached | payments/risk-api-recovers | Recovery takes 6 min");
    expect(markdown).toContain("## ✅ research/quota-is-safe: holds");
    expect(markdown).toContain(
      "**Authority. Who decides, and who may not?**: This review does not answer it.",
    );
    expect(markdown).toContain("No verdict and no figure has changed.");
    expect(markdown.indexOf("## The boundary")).toBeGreaterThan(markdown.indexOf("research/quota"));
  });

  it("lists figures that changed in a table [RE5]", () => {
    const before = aReview({
      findings: [{ ...notShownFinding, verdict: "holds", promise: "Less." }],
    });
    const markdown = reportMarkdown(aReview(), { against: compareReviews(before, aReview()) });
    expect(markdown).toContain("- **Newly not shown**: payments/ledger-serves");
    expect(markdown).toContain("| payments/ledger-serves | promise | Less. | At least 3");
  });

  it("property: text of others adds no markup, line, link or mention [RE1]", () => {
    const plain = obeyed(withText("a"));
    fc.assert(
      fc.property(hostileText, (text) => {
        const markdown = withText(text);
        expect(others(obeyed(markdown))).toBe(others(plain));
        expect(markdown).not.toMatch(/(?::\/\/|www\.|@[\p{L}\p{N}]|#[\p{L}\p{N}])/u);
      }),
      { numRuns: 300 },
    );
  });

  it("begins no list, heading or number with text of others [RE1]", () => {
    expect(["- a", "+ a", "= a", "# a", "1. a", "12) a"].map(markdownText)).toEqual([
      "\\- a",
      "\\+ a",
      "\\= a",
      "\\# a",
      "1<!-- -->. a",
      "12<!-- -->) a",
    ]);
  });

  it("property: a span of code ends where its text ends [RE1]", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("`", "``", "a", " ", "\\")), (parts) => {
        const span = codeSpan(parts.join(""));
        const fence = /^`+/.exec(span)?.[0] ?? "";
        const inner = span.slice(fence.length, -fence.length);
        const runs = [...inner.matchAll(/`+/g)].map(([run]) => run.length);
        expect(span.endsWith(fence)).toBe(true);
        expect(runs).not.toContain(fence.length);
      }),
    );
  });
});
