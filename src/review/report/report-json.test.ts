import { Ajv } from "ajv";
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { anyReview, aReview, breachedFinding } from "../../../test/builders/a-review.ts";
import { compareReviews } from "./compare-reviews.ts";
import { readReport, reportJson } from "./report-json.ts";
import { REPORT_SCHEMA } from "./report-schema.ts";

const isReport = new Ajv({ strict: false }).compile(REPORT_SCHEMA);

const thrown = (json: string): string => {
  try {
    readReport(json, "last.json");
  } catch (error) {
    return (error as Error).message;
  }
  return "nothing";
};

describe("the JSON of a review", () => {
  it("property: read again, it is the same review, and another validator accepts it [RE3]", () => {
    fc.assert(
      fc.property(anyReview, anyReview, (review, before) => {
        const json = reportJson(review, { against: compareReviews(before, review) });
        isReport(JSON.parse(json));
        expect(isReport.errors).toBeNull();
        expect(readReport(json, "last.json")).toEqual(review);
        expect(reportJson(readReport(json, "last.json"))).toBe(reportJson(review));
      }),
      { numRuns: 50 },
    );
  });

  it("has its fields in one order, and none that the form does not name [RE3]", () => {
    const review = aReview();
    const turned = Object.fromEntries(Object.entries(review).toReversed());
    const more = { ...turned, secret: "s" } as unknown as typeof review;
    expect(reportJson(more)).toBe(reportJson(review));
    expect(Object.keys(JSON.parse(reportJson(review)) as object)).toEqual([
      "version",
      "verdict",
      "counts",
      "fleet",
      "profile",
      "evidence",
      "findings",
    ]);
  });

  it("rejects a file that is no report, and names the field [RE3]", () => {
    const report = JSON.parse(reportJson(aReview())) as Record<string, unknown>;
    expect(thrown("{\n  oops")).toMatch(/It is no JSON: .*/);
    expect(thrown("null")).toMatch(/^Invalid file\. The report must be object/);
    expect(thrown(JSON.stringify({ ...report, version: 2 }))).toMatch(
      /It has version 2, and this build reads version 1\. Use the build that wrote it\./,
    );
    const bad = { ...report, findings: [{ ...breachedFinding, verdict: "maybe" }] };
    expect(thrown(JSON.stringify(bad))).toMatch(/`findings\.0\.verdict` .*berth review -o json/);
    expect(() => readReport("[]", "last.json")).toThrow(
      expect.objectContaining({ code: "invalid-file", place: { file: "last.json" } }),
    );
  });

  it("is documented field by field", () => {
    const page = readFileSync(new URL("../../../docs/review-report.md", import.meta.url), "utf8");
    expect(page).toContain(fieldRows("", REPORT_SCHEMA).join("\n"));
  });
});

interface Part {
  readonly type?: unknown;
  readonly anyOf?: unknown;
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Part>>;
  readonly items?: Part;
}

/** The rows of the table in docs/review-report.md. */
function fieldRows(path: string, { properties = {}, required = [] }: Part): string[] {
  return Object.entries(properties).flatMap(([name, part]) => {
    const own = `${path}${name}${part.items === undefined ? "" : "[]"}`;
    const optional = required.includes(name) ? "" : " (optional)";
    return [
      `| \`${own}\` | ${part.description ?? ""}${optional} |`,
      ...fieldRows(`${own}.`, part.items ?? part),
    ];
  });
}
