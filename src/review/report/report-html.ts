/**
 * A review as one HTML file without scripts and without requests, to be read on any screen, printed
 * or sent. Text of others is escaped, and the file's own policy forbids everything but its own
 * stylesheet, so that a text that slipped through could do nothing.
 */
import { createHash } from "node:crypto";
import type { Finding, Review } from "../review.ts";
import {
  type Comparison,
  comparisonHead,
  comparisonLists,
  isUnchanged,
} from "./compare-reviews.ts";
import { findingHtml, sentenceList } from "./finding-html.ts";
import { markupText } from "./markup-text.ts";
import { REPORT_LIMITS } from "./report-limits.ts";
import { REPORT_STYLE } from "./report-style.ts";
import { boundarySentences, headFacts } from "./review-sentences.ts";
import { namesText } from "./shown-text.ts";
import { tallyText, VERDICT_TEXT, verdictOf, worstFirst } from "./verdict-text.ts";

const STYLE_HASH = createHash("sha256").update(REPORT_STYLE).digest("base64");
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'`;

export function reportHtml(
  review: Review,
  { against }: { readonly against?: Comparison | undefined } = {},
): string {
  const findings = worstFirst(review.findings);
  const head = [...documentHead(review), ...(against === undefined ? [] : [againstHtml(against)])];
  const end = [
    `<section><h2>The boundary of this review</h2>${sentenceList(boundarySentences(review))}</section>`,
    "</main>",
    "</body>",
    "</html>",
    "",
  ];
  // The overview is longest when all of its rows have links.
  const others = [...head, overview(findings, findings.length), leftOff(findings.length), ...end];
  const details = within(
    findings.map((finding, at) => findingHtml(finding, `p${at + 1}`)),
    REPORT_LIMITS.fileBytes.value - Buffer.byteLength(others.join("\n")),
  );
  return [
    ...head,
    overview(findings, details.shown.length),
    ...details.shown,
    ...(details.left === 0 ? [] : [leftOff(details.left)]),
    ...end,
  ].join("\n");
}

const leftOff = (count: number): string =>
  `<section><p>The details of ${count} more promises are left off to keep this file small. The JSON report has them.</p></section>`;

function documentHead(review: Review): readonly string[] {
  const title = markupText(`Review of ${review.fleet.source}`);
  return [
    "<!doctype html>",
    `<html lang="en">`,
    "<head>",
    `<meta charset="utf-8">`,
    `<meta http-equiv="Content-Security-Policy" content="${POLICY}">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<meta name="referrer" content="no-referrer">`,
    `<link rel="icon" href="data:,">`,
    `<title>${title}</title>`,
    `<style>${REPORT_STYLE}</style>`,
    "</head>",
    "<body>",
    "<main>",
    header(review, title),
  ];
}

function header(review: Review, title: string): string {
  const facts = headFacts(review).map(([label, text]) => {
    const isCode = label === "Made by" || label === "Fleet hash";
    const shown = isCode ? `<code>${markupText(text)}</code>` : markupText(text);
    return `<dt>${label}</dt><dd>${shown}</dd>`;
  });
  return [
    "<header>",
    `<p class="kind">berth review</p>`,
    `<h1>${title}</h1>`,
    `<p class="sum ${verdictOf(review)}">${tallyText(review)}.</p>`,
    `<dl>${facts.join("")}</dl>`,
    "</header>",
  ].join("\n");
}

function overview(findings: readonly Finding[], detailed: number): string {
  if (findings.length === 0) {
    return "<section><h2>Promises</h2><p>There is no commitment to review.</p></section>";
  }
  const rows = findings.map(({ name, verdict, reason }, at) => {
    const text = markupText(name);
    const shown = at < detailed ? `<a href="#p${at + 1}">${text}</a>` : text;
    return `<tr><td><span class="badge ${verdict}">${VERDICT_TEXT[verdict]}</span></td><th scope="row">${shown}</th><td>${markupText(reason)}</td></tr>`;
  });
  return table({
    title: "Promises",
    head: ["Verdict", "Promise", "Reason"],
    rows,
    style: "overview",
  });
}

function againstHtml(against: Comparison): string {
  const lists = comparisonLists(against).map(
    ([label, names]) => `<dt>${label}</dt><dd>${markupText(namesText(names))}</dd>`,
  );
  const rows = against.changed.map(
    ({ name, what, before, after }) =>
      `<tr><th scope="row">${markupText(name)}</th><td>${what}</td><td>${markupText(before)}</td><td>${markupText(after)}</td></tr>`,
  );
  const head = comparisonHead(against).map((each) => `<p>${markupText(each)}</p>`);
  return [
    "<section><h2>What has changed</h2>",
    ...head,
    ...(isUnchanged(against) ? ["<p>No verdict and no figure has changed.</p>"] : []),
    ...(lists.length === 0 ? [] : [`<dl>${lists.join("")}</dl>`]),
    "</section>",
    ...(rows.length === 0
      ? []
      : [table({ title: "Figures that changed", head: FIGURES, rows, style: "figures" })]),
  ].join("\n");
}

const FIGURES = ["Promise", "Figure", "Before", "Now"];

interface Table {
  readonly title: string;
  readonly head: readonly string[];
  readonly rows: readonly string[];
  readonly style: "overview" | "figures";
}

function table({ title, head, rows, style }: Table): string {
  const { shown, left } = within(rows, REPORT_LIMITS.overviewBytes.value);
  return [
    `<section><h2>${title}</h2><table class="${style}">`,
    `<thead><tr>${head.map((each) => `<th scope="col">${each}</th>`).join("")}</tr></thead>`,
    `<tbody>${shown.join("\n")}</tbody></table>`,
    ...(left === 0 ? [] : [`<p>The JSON report has ${left} more.</p>`]),
    "</section>",
  ].join("\n");
}

/** As many of the parts, from the first, as take no more bytes than these. */
function within(
  parts: readonly string[],
  most: number,
): { readonly shown: readonly string[]; readonly left: number } {
  let bytes = 0;
  const end = parts.findIndex((part) => {
    bytes += Buffer.byteLength(part) + 1;
    return bytes > most;
  });
  const count = end === -1 ? parts.length : end;
  return { shown: parts.slice(0, count), left: parts.length - count };
}
