/** The forms of a report by the names that a command line takes. */
import type { Review } from "../review.ts";
import { reportHtml } from "./report-html.ts";
import { reportJson } from "./report-json.ts";
import { reportJunit } from "./report-junit.ts";
import { reportMarkdown } from "./report-markdown.ts";
import { reportTable, type TableOptions } from "./report-table.ts";

export type ReportForm = "table" | "markdown" | "html" | "json" | "junit";

/** JUnit has no place for a comparison, and only a table has colours. */
export const REPORT_FORMS: Readonly<
  Record<ReportForm, (review: Review, options: TableOptions) => string>
> = {
  table: reportTable,
  markdown: reportMarkdown,
  html: reportHtml,
  json: reportJson,
  junit: reportJunit,
};
