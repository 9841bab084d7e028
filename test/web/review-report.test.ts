/** The reports of a review in a real browser: the HTML as people open it, and all XML by a real parser. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import * as fc from "fast-check";
import { afterAll, beforeEach, expect, it } from "vitest";
import { compareReviews } from "../../src/review/report/compare-reviews.ts";
import { reportHtml } from "../../src/review/report/report-html.ts";
import { reportJunit } from "../../src/review/report/report-junit.ts";
import type { Review } from "../../src/review/review.ts";
import {
  anyReview,
  aReview,
  ATTACKS,
  breachedFinding,
  holdingFinding,
} from "../builders/a-review.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  screenshot,
} from "./a-browser.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-review-report-"));
const browser = aBrowser();

// A report is a file on the disk; anything else that it asked for would still fail the test.
beforeEach(() => browser.allow(/^outside: file:/));
afterAll(() => rmSync(folder, { recursive: true }));

function left(name: string, html: string): string {
  const file = join(folder, `${name}.html`);
  writeFileSync(file, html);
  return pathToFileURL(file).href;
}

const compared = (): string => {
  const before = aReview({ findings: [{ ...breachedFinding, verdict: "holds" }] });
  return reportHtml(aReview(), { against: compareReviews(before, aReview()) });
};

for (const { theme, viewport } of [
  { theme: "light", viewport: "desktop" },
  { theme: "dark", viewport: "desktop" },
  { theme: "light", viewport: "phone" },
  { theme: "dark", viewport: "phone" },
] as const) {
  it(`reads well on a ${viewport} in ${theme} colours`, async () => {
    const page = await browser.open(left("report", compared()), { theme, viewport });
    await page.getByRole("heading", { name: "breached payments/risk-api-recovers" }).waitFor();
    await page.getByRole("row", { name: "p99 5 min 18 s" }).waitFor();
    await page.getByRole("row", { name: "payments/ledger 12" }).waitFor();
    await expectNoSeriousFindings(page);
    await expectNoSidewaysScroll(page);
    await screenshot(page, `review-report-${viewport}-${theme}`);
  });
}

it("prints in light colours, and reaches each promise from the overview", async () => {
  const page = await browser.open(left("report", compared()), { theme: "dark" });
  await page.getByRole("link", { name: "research/quota-is-safe" }).click();
  expect(new URL(page.url()).hash).toBe("#p3");
  const ground = (): Promise<string> =>
    page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  expect(await ground()).toBe("rgb(15, 20, 25)");
  await page.emulateMedia({ media: "print" });
  expect(await ground()).toBe("rgb(255, 255, 255)");
});

const COUNT = "document.querySelectorAll('*').length";

const hostile = (text: string): Review =>
  aReview({
    fleet: { source: text, nodes: 1, replicas: 1, hash: text },
    evidence: { madeMs: 0, build: text, command: text },
    findings: [
      {
        ...breachedFinding,
        name: text,
        promise: text,
        reason: text,
        mechanisms: [{ object: text, role: text }],
        simulation: { ...breachedFinding.simulation!, replay: text },
        boundary: [text],
      },
      { ...holdingFinding, name: `tenant/${text}`, reason: text },
    ],
  });

it("shows attacks in names as text, and gets no element from them [RE1]", async () => {
  const calm = await browser.open(left("calm", reportHtml(hostile("a"))));
  const elements = await calm.evaluate<number>(COUNT);
  for (const [at, attack] of ATTACKS.entries()) {
    const page = await browser.open(left(`attack-${at}`, reportHtml(hostile(attack))), {
      viewport: "phone",
    });
    expect(await page.evaluate<number>(COUNT), `elements of ${attack.slice(0, 40)}`).toBe(elements);
    await expectNoSidewaysScroll(page);
    await page.close();
  }
  const shown = await browser.open(left("shown", reportHtml(hostile(ATTACKS[0] ?? ""))));
  await shown.getByRole("heading", { name: `breached ${ATTACKS[0]}` }).waitFor();
  await expectNoSeriousFindings(shown);
});

it("property: JUnit of any review is XML with a case for each promise [RE1] [RE4]", async () => {
  const reviews = [...ATTACKS.map(hostile), ...fc.sample(anyReview, { numRuns: 100, seed: 7 })];
  const page = await browser.open(left("blank", "<!doctype html><title>t</title>"));
  const parsed = await page.evaluate(
    `(${JSON.stringify(reviews.map(reportJunit))}).map((xml) => {
      const of = new DOMParser().parseFromString(xml, "application/xml");
      const all = (name) => of.getElementsByTagName(name).length;
      return [all("parsererror"), all("testcase"), all("failure"), all("error"), all("*")];
    })`,
  );
  const HEAD = 4;
  const expected = reviews.map((review, at) => {
    const of = (verdict: string) =>
      review.findings.filter((each) => each.verdict === verdict).length;
    const [cases, failures, errors] = [review.findings.length, of("breached"), of("not-shown")];
    const properties = (reportJunit(reviews[at]!).match(/^ {6}<property /gm) ?? []).length;
    return [0, cases, failures, errors, HEAD + properties + cases + failures + errors];
  });
  expect(parsed).toEqual(expected);
});
