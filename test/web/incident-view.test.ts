/** The viewer of incidents in a real browser: as the page that `--html` makes, and on the dashboard. */
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { incidentPage } from "../../src/cli/simulate/write-incident.ts";
import type { IncidentDocument } from "../../src/incident/incident-document.ts";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { furnish } from "./a-scene.ts";
import { aViolation } from "./a-violation.ts";
import { BUILT } from "./built.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-incident-view-"));
const viewer = join(BUILT, "incident.html");
const file = join(folder, "incident.html");
const browser = aBrowser();
let document: IncidentDocument;

beforeAll(async () => {
  document = await aViolation({
    defect: "held-room-for-anybody",
    scenario: "incident-12-nomination-race",
    folder,
  });
  writeFileSync(file, incidentPage(readFileSync(viewer, "utf8"), document).text);
});
afterAll(() => rmSync(folder, { recursive: true }));

const selected = (page: Page) => page.getByRole("listbox").getByRole("option", { selected: true });
const key = (page: Page, pressed: string) => page.keyboard.press(pressed);
const urlOf = (path: string): string => pathToFileURL(path).href;

/** Of the browser's elements, what is asked of one in there. */
interface Tip {
  readonly style: { readonly left: string; readonly right: string; readonly top: string };
  readonly parentElement: {
    querySelector(selector: string): { readonly clientWidth: number } | null;
  } | null;
}

/** The words about a turn are shown a little to the right of it, or to the left where there is no room, and below. */
function placeOfTip(tip: Tip): { x: number; y: number } {
  const { left, right, top } = tip.style;
  const wide = tip.parentElement!.querySelector(".incident-scroller")!.clientWidth;
  const x = left === "" ? wide - Number.parseFloat(right) + 12 : Number.parseFloat(left) - 12;
  return { x, y: Number.parseFloat(top) - 12 };
}

describe("a page that is one file", () => {
  // It is opened from the disk, as people open it; anything else that it asked for would still fail the test.
  beforeEach(() => browser.allow(/^outside: file:/));

  it("opens at the violation and says what led to it", async () => {
    const page = await browser.open(urlOf(file));
    await page.getByText("Rule INV40 was violated.").waitFor();
    await page.getByRole("heading", { name: "checker violates a rule" }).waitFor();
    const causes = page.getByRole("list").filter({ hasText: "revision" }).first();
    await expect.poll(() => causes.innerText(), PATIENCE).toContain("delayed by 350");
    await expectNoSeriousFindings(page);
  });

  it("is scrubbed by keys, goes from mark to mark, and back to the violated rule by a button", async () => {
    const page = await browser.open(urlOf(file));
    const last = document.turns.length - 1;
    await page.locator(`#turn-${last}[aria-selected=true]`).waitFor();
    await key(page, "[");
    await page.locator(`#turn-${last - 1}[aria-selected=true]`).waitFor();
    await page.getByRole("heading", { name: "plane-1 commits" }).waitFor();
    const fault = document.marks.findLast(({ kind }) => kind === "fault")!;
    await key(page, "p");
    await page.locator(`#turn-${fault.turn}[aria-selected=true]`).waitFor();
    await key(page, "]");
    await page.locator(`#turn-${fault.turn + 1}[aria-selected=true]`).waitFor();
    await page.getByRole("button", { name: "Jump to the violated rule" }).click();
    await page.locator(`#turn-${last}[aria-selected=true]`).waitFor();
    await page.getByRole("listbox").press("Home");
    await page.locator("#turn-0[aria-selected=true]").waitFor();
  });

  it("puts what was believed beside what was true, with a sign where it differs", async () => {
    const page = await browser.open(urlOf(file), { theme: "dark" });
    const table = page.getByRole("group", { name: "Views of Replica/lab/small.1.0" });
    await table.getByRole("row", { name: /^stage bound .*differs: queued/ }).waitFor();
    await table.getByRole("row", { name: /^behind – 1 commit, \d+ ms/ }).waitFor();
    await page.getByRole("button", { name: "one column each" }).click();
    await table.getByRole("columnheader", { name: "release-lost" }).waitFor();
    await page.getByRole("combobox", { name: "Object" }).fill("Node//node-1");
    const ofNode = page.getByRole("group", { name: "Views of Node//node-1" });
    await ofNode.getByRole("rowheader", { name: "capacity" }).waitFor();
    await expectNoSeriousFindings(page);
  });

  it("keeps the place in its address: another reader sees the same turns, the same turn and the same object", async () => {
    const page = await browser.open(urlOf(file));
    await page.getByRole("button", { name: "Show only this object" }).click();
    await key(page, "[");
    await key(page, "[");
    const told = await selected(page).innerText();
    const count = page.getByText(new RegExp(`^\\d+ of ${document.turns.length} turns$`));
    const counted = await count.innerText();
    await expect
      .poll(() => page.url(), PATIENCE)
      .toContain(`turn=${(await selected(page).getAttribute("id"))!.slice(5)}`);
    await page.reload();
    await expect.poll(() => selected(page).innerText(), PATIENCE).toBe(told);
    expect(await count.innerText()).toBe(counted);
    const other = await browser.open(page.url());
    await expect.poll(() => selected(other).innerText(), PATIENCE).toBe(told);
  });

  it("finds words, and selects the turn that is hit on the lanes", async () => {
    const page = await browser.open(urlOf(file));
    await selected(page).waitFor();
    await key(page, "/");
    await page.keyboard.type("place-1 proposes bind");
    await page.getByText(new RegExp(`^\\d of ${document.turns.length} turns$`)).waitFor();
    // From the last turn on there is none, so it goes round.
    await key(page, "Enter");
    await page.getByRole("heading", { name: "place-1 decides" }).waitFor();
    const found = (await selected(page).getAttribute("id"))!;
    await key(page, "Escape");
    await page.getByText(`${document.turns.length} turns`, { exact: true }).waitFor();
    await page.getByRole("listbox").press("ArrowUp");
    const row = page.locator(`#${found}`);
    await expect.poll(() => row.getAttribute("aria-selected"), PATIENCE).toBe("false");
    await row.hover();
    const spot = await page.locator(".incident-tip").evaluate(placeOfTip);
    await page.locator(".incident-canvas").last().click({ position: spot });
    await expect.poll(() => row.getAttribute("aria-selected"), PATIENCE).toBe("true");
  });

  it("fits on a phone, list first", async () => {
    const page = await browser.open(urlOf(file), { viewport: "phone", theme: "dark" });
    await selected(page).waitFor();
    await expectNoSidewaysScroll(page);
    const list = await page.getByRole("listbox").boundingBox();
    const lanes = await page.locator(".incident-lanes").boundingBox();
    expect(lanes!.y).toBeGreaterThan(list!.y + list!.height);
    await expectNoSeriousFindings(page);
  });

  it("leaves room for documents, says without one how to make it, and opens one that is chosen", async () => {
    expect(statSync(viewer).size).toBeLessThan(120_000);
    const page = await browser.open(urlOf(viewer));
    await page.getByText("berth simulate --seed 889 --html incident.html").waitFor();
    const chooser = page.getByLabel(/^Open a page/);
    await chooser.setInputFiles({
      name: "trace.jsonl",
      mimeType: "text/plain",
      buffer: Buffer.from("{}\n{}"),
    });
    await page.getByRole("alert").getByText("trace.jsonl: The file is not a complete").waitFor();
    await expectNoSeriousFindings(page);
    await chooser.setInputFiles(file);
    await page.getByText("Rule INV40 was violated.").waitFor();
  });
});

describe("the page Incidents", () => {
  const recorded = aDashboard({ recordings: join(folder, "recording") });
  const unrecorded = aDashboard();
  beforeAll(() => furnish(recorded));

  it("lists the plane's own recording, opens a chapter, and keeps the place over a reload", async () => {
    const page = await browser.open(`${recorded.url}/ui/incidents`);
    const chapters = page.getByRole("table", { name: "Chapters of this plane's recording" });
    await chapters.getByRole("link", { name: "1", exact: true }).click();
    await page.getByRole("heading", { name: "Incidents: chapter 1" }).waitFor();
    await selected(page).waitFor();
    await page.getByRole("listbox").press("End");
    const told = await selected(page).innerText();
    await expect.poll(() => page.url(), PATIENCE).toContain("turn=");
    await screenshot(page, "incident-chapter");
    await expectNoSeriousFindings(page);
    await page.reload();
    await expect.poll(() => selected(page).innerText(), PATIENCE).toBe(told);
  });

  it("lists what the log tells of, opens the replay at the point of no return, and searches all of it", async () => {
    const page = await browser.open(`${recorded.url}/ui/incidents`);
    const found = page.getByRole("table", { name: "Incidents in the log" });
    const row = found.getByRole("row", { name: /Node fenced.*lasts.*us-a-1 was fenced.*so far/ });
    await row.getByText(/ago/).waitFor();
    await screenshot(page, "incidents");
    await expectNoSeriousFindings(page);
    await row.getByRole("link", { name: "Node fenced" }).click();
    await page.waitForURL(/\/ui\/incidents\/chapter\/1\?around=\d+/);
    const points = page.getByRole("list", { name: "Points of no return" });
    await points.getByText(/Node\/\/us-a-1: us-a-1 was fenced/).waitFor();
    // It is selected, and the lanes show what came before and after it.
    await page.locator(".incident-card").getByText("Point of no return.").waitFor();
    await screenshot(page, "incident-point");
    await page.getByText("Search the whole chapter").click();
    await page.getByLabel("Words to find in all turns of the chapter").fill("lease us-a-1");
    await page.getByRole("button", { name: "Search", exact: true }).click();
    await page.getByText(/Found in \d+ of \d+ turns of the chapter/).waitFor();
    const told = await page.locator(".chapter-found a").last().innerText();
    await page.locator(".chapter-found a").last().click();
    const text = told
      .slice(told.indexOf(" ") + 1)
      .split(" ")
      .at(-1)!;
    await expect.poll(() => selected(page).innerText(), PATIENCE).toContain(text);
    await expectNoSeriousFindings(page);
  });

  it("lists incidents of one node on a phone, and says where no recording has them", async () => {
    const address = `${recorded.url}/ui/incidents?about=node/us-a-1`;
    const page = await browser.open(address, { viewport: "phone", theme: "dark" });
    await page.getByRole("link", { name: "Only node/us-a-1" }).waitFor();
    await page.getByText("us-a-1 was fenced").waitFor();
    await expectNoSidewaysScroll(page);
    await screenshot(page, "incidents-phone");
    await expectNoSeriousFindings(page);
    await page.goto(`${unrecorded.url}/ui/incidents/moment/1`);
    await page.getByText("No recording of revision 1 can be replayed.").waitFor();
  });

  it("says how to get one where there is none, and opens one from a file", async () => {
    const page = await browser.open(`${unrecorded.url}/ui/incidents`, { theme: "dark" });
    await page.getByText("There is no recording.").waitFor();
    await expectNoSeriousFindings(page);
    await page.getByLabel(/^Open a page/).setInputFiles(file);
    await page.getByText("Rule INV40 was violated.").waitFor();
    await expectNoSeriousFindings(page);
  });
});
