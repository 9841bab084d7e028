/** How much of a review a report for people shows; `docs/limits.md` is generated from it. */
import type { Limit } from "../../core/model/limits/limit.ts";

export const REPORT_LIMITS = {
  textCharacters: {
    value: 600,
    unit: "count",
    of: "characters of one text in a table, Markdown, HTML or JUnit report",
    beyond: "the rest is cut and `…` takes its place; the JSON report has all of it",
    why: "a long sentence has 300; a hostile name must not fill the page",
  },
  shownPlaces: {
    value: 12,
    unit: "count",
    of: "lost nodes, and workloads without a place, that a report names for one promise",
    beyond: "the report counts the others; the JSON report names them",
    why: "two lines of a terminal",
  },
  shownSentences: {
    value: 12,
    unit: "count",
    of: "answers to one group of questions, objects and boundaries of one promise in a report",
    beyond: "the report counts the others; the JSON report has them",
    why: "more is no answer that a person reads",
  },
  fileBytes: {
    value: 990_000,
    unit: "bytes",
    of: "an HTML report",
    beyond: "the report details the worst verdicts first and counts the promises without details",
    why: "a file below 1 MB is accepted by mail and chat, and opens at once",
  },
  overviewBytes: {
    value: 120_000,
    unit: "bytes",
    of: "the overview of all promises in an HTML report, and also its list of figures that changed",
    beyond: "the report shows the worst verdicts first and counts the others",
    why: "400 promises of ordinary length",
  },
} satisfies Readonly<Record<string, Limit>>;
