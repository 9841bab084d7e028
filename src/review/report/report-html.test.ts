import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyReview,
  aReview,
  breachedFinding,
  holdingFinding,
  notShownFinding,
} from "../../../test/builders/a-review.ts";
import type { Finding } from "../review.ts";
import { compareReviews } from "./compare-reviews.ts";
import { reportHtml } from "./report-html.ts";
import { reportJunit } from "./report-junit.ts";
import { spanText } from "./span-text.ts";
import { REVIEW_EXIT, verdictOf } from "./verdict-text.ts";

const MEGABYTE = 1_000_000;

const of = (...findings: readonly Finding[]) => verdictOf(aReview({ findings }));

describe("the HTML of a review", () => {
  it("has every promise, its pictures, its commands and the boundary [RE6]", () => {
    const html = reportHtml(aReview());
    for (const text of [
      `<a href="#p1">payments/risk-api-recovers</a>`,
      `<span class="badge not-shown">not shown</span> payments/ledger-serves`,
      `<rect class="over" width="100.00%"`,
      "<li>eu-central-1a</li>",
      "<pre>review/risk-api-recovers-71.html</pre>",
      "Which signals show it, and who owns a stall?",
      "This review does not answer it.",
      "<h2>The boundary of this review</h2>",
    ]) {
      expect(html).toContain(text);
    }
  });

  it("stays below 1 MB with 200 promises of ordinary length, and details all of them [RE2]", () => {
    const findings = Array.from({ length: 200 }, (_, at) => ({
      ...breachedFinding,
      name: `payments/promise-${at}`,
    }));
    const html = reportHtml(aReview({ findings }));
    expect(Buffer.byteLength(html)).toBeLessThan(MEGABYTE);
    expect(html).toContain(`id="p200"`);
  });

  it("stays below 1 MB whatever the promises are, shows the worst and counts the others [RE2]", () => {
    const long = "<&>漢".repeat(5_000);
    const many = (verdict: Finding["verdict"]) =>
      Array.from({ length: 1_000 }, () => ({
        ...breachedFinding,
        name: long,
        reason: long,
        verdict,
      }));
    const review = aReview({ findings: [...many("holds"), ...many("breached")] });
    const before = aReview({ findings: [...many("breached"), ...many("holds")] });
    const html = reportHtml(review, { against: compareReviews(before, review) });
    expect(Buffer.byteLength(html)).toBeLessThan(MEGABYTE);
    expect(html).toMatch(/The details of \d+ more promises are left off/);
    expect(html).not.toContain("badge holds");
  });

  it("property: the same review gives the same bytes, without a script or a style of its own [RE1]", () => {
    fc.assert(
      fc.property(anyReview, (review) => {
        const html = reportHtml(review);
        expect(reportHtml(review)).toBe(html);
        expect(html).not.toMatch(/<script|<img|<iframe|<a href="[^#]|\sstyle="|\son[a-z]+="/i);
      }),
      { numRuns: 60 },
    );
  });
});

describe("the verdict of a review", () => {
  it("is that of the worst promise, and of nothing it is not shown [RE4]", () => {
    expect(of(holdingFinding)).toBe("holds");
    expect(of(holdingFinding, notShownFinding)).toBe("not-shown");
    expect(of(notShownFinding, breachedFinding, holdingFinding)).toBe("breached");
    expect(of()).toBe("not-shown");
    expect(REVIEW_EXIT).toEqual({ holds: 0, breached: 1, "not-shown": 3 });
  });

  it("is a failure in JUnit if it is breached, and an error if it is not shown [RE4]", () => {
    const xml = reportJunit(aReview());
    expect(xml).toContain(
      `tests="3" failures="1" errors="1" skipped="0" timestamp="2026-11-18T09:30:00"`,
    );
    expect(xml).toContain(`<testcase classname="research" name="quota-is-safe"/>`);
    expect(xml).toMatch(/name="risk-api-recovers">\s*<failure type="breached" message="Recovery/);
    expect(xml).toMatch(/name="ledger-serves">\s*<error type="not-shown" message="7 of 40/);
  });
});

describe("a time in a report", () => {
  it("is rounded up, so that a time above a promise never looks like it", () => {
    expect([0, 1, 950, 300_000, 300_001, 3_600_000, 3_725_000].map(spanText)).toEqual([
      "0 s",
      "0.1 s",
      "1 s",
      "5 min",
      "5 min 0.1 s",
      "1 h",
      "1 h 2 min 5 s",
    ]);
  });
});
