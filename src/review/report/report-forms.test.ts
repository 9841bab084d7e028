import { expect, it } from "vitest";
import { aReview } from "../../../test/builders/a-review.ts";
import { REPORT_FORMS, type ReportForm } from "./report-forms.ts";

const FIRST: Readonly<Record<ReportForm, string>> = {
  table: "Fleet          60 nodes",
  markdown: "# Review of 60 nodes",
  html: "<!doctype html>",
  json: '{\n  "version": 1,',
  junit: '<?xml version="1.0"',
};

it("a report has the form that its name says", () => {
  for (const [form, first] of Object.entries(FIRST)) {
    expect(REPORT_FORMS[form as ReportForm](aReview(), {}).startsWith(first)).toBe(true);
  }
});
