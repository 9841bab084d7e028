/** The frame around every page, in a real browser: what holds for all of them is tested here once. */
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, it } from "vitest";
import {
  aBrowser,
  expectNoSeriousFindings,
  expectNoSidewaysScroll,
  PATIENCE,
  screenshot,
  untilShown,
} from "./a-browser.ts";
import { aDashboard } from "./a-dashboard.ts";
import { aWorkload, furnish } from "./a-scene.ts";

const PAGES = [
  "fleet",
  "workloads",
  "queue",
  "quota",
  "promises",
  "regions",
  "steering",
  "incidents",
  "audit",
] as const;
const TOKEN = "open-sesame";
/** No node has so much. */
const TOO_MUCH = { cpu: 20, memory: "1Gi" };

const browser = aBrowser();
const dashboard = aDashboard();
const guarded = aDashboard({ auth: { tokens: [{ token: TOKEN, kind: "user", name: "ada" }] } });

beforeAll(() => furnish(dashboard));

const headingOf = (page: Page) => page.locator("main h1").innerText();
const theme = (page: Page) => page.evaluate<string>("getComputedStyle(document.body).colorScheme");

describe("the dashboard", () => {
  it("begins with the fleet, and opens every page from the navigation and by its keys", async () => {
    const page = await browser.open(dashboard.url);
    await page.waitForURL("**/ui/fleet");
    for (const name of PAGES) {
      await page
        .getByRole("navigation", { name: "Pages" })
        .getByRole("link", { name: new RegExp(name, "i") })
        .click();
      await page.waitForURL(`**/ui/${name}`);
      await expect.poll(() => headingOf(page), PATIENCE).toMatch(new RegExp(name, "i"));
      const current = page
        .getByRole("navigation", { name: "Pages" })
        .locator('[aria-current="page"]:visible');
      expect(await current.innerText()).toMatch(new RegExp(name, "i"));
      expect(await page.title()).toMatch(new RegExp(`${name}.*Berth`, "i"));
    }
    for (const [name, key] of [
      ["fleet", "f"],
      ["workloads", "w"],
      ["queue", "q"],
      ["quota", "u"],
      ["promises", "p"],
      ["regions", "r"],
      ["steering", "s"],
      ["incidents", "i"],
      ["audit", "a"],
    ] as const) {
      await page.keyboard.press("g");
      await page.keyboard.press(key);
      await page.waitForURL(`**/ui/${name}`);
    }
    await page.goBack();
    await page.waitForURL("**/ui/incidents");
    await expect.poll(() => headingOf(page), PATIENCE).toMatch(/incidents/i);
  });

  it("lists its keys, goes to the filter with f, and lets text be typed there", async () => {
    const page = await browser.open(`${dashboard.url}/ui/queue`);
    await untilShown(page);
    await page.keyboard.press("?");
    await page.getByRole("dialog").getByText("Go to Fleet").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.getByRole("dialog").count(), PATIENCE).toBe(0);
    await page.keyboard.press("f");
    const filter = page.locator("[data-filter]:focus");
    await filter.waitFor();
    await page.keyboard.type("g f");
    expect(await filter.inputValue()).toBe("g f");
    expect(new URL(page.url()).pathname).toBe("/ui/queue");
  });

  it("finds workloads, nodes, tenants and pages by name, with the keyboard alone", async () => {
    const page = await browser.open(`${dashboard.url}/ui/queue`);
    await untilShown(page);
    await page.keyboard.press("/");
    const box = page.getByRole("combobox", { name: "Search" });
    await expect.poll(() => box.getAttribute("aria-expanded"), PATIENCE).toBe("true");
    const option = (name: string) => page.getByRole("option", { name, exact: true });
    await option("Fleet page").waitFor();
    let asked = 0;
    page.on("request", (request) => void (asked += request.url().includes("/search?") ? 1 : 0));
    await page.keyboard.type("eu-b");
    await option("eu-b-1 node").waitFor();
    expect(asked).toBeLessThanOrEqual(4);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    expect(await option("eu-b-2 node").getAttribute("aria-selected")).toBe("true");
    expect(await box.getAttribute("aria-activedescendant")).toBe(
      await option("eu-b-2 node").getAttribute("id"),
    );
    await expectNoSeriousFindings(page);
    await screenshot(page, "search");
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/fleet?node=eu-b-2");
    // The panel of the node takes the focus when it opens.
    const focused = page.getByRole("complementary", { name: "eu-b-2" }).and(page.locator(":focus"));
    await focused.waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("payments/api");
    await option("payments/api workload").waitFor();
    await page.keyboard.press("Enter");
    await page.waitForURL("**/ui/workloads/payments/api");
    await page.keyboard.press("/");
    await page.keyboard.type("nothing-like-that");
    await page.getByText("Nothing has this name.").waitFor();
    // A panel that opens meanwhile leaves the reader where they type.
    await page.goBack();
    await page.getByRole("complementary", { name: "eu-b-2" }).waitFor();
    await page.keyboard.type("-at-all");
    expect(await box.inputValue()).toBe("nothing-like-that-at-all");
    await page.keyboard.press("Escape");
    await expect.poll(() => box.getAttribute("aria-expanded"), PATIENCE).toBe("false");
    expect(await box.inputValue()).toBe("");
    const phone = await browser.open(`${dashboard.url}/ui/workloads`, {
      viewport: "phone",
      theme: "dark",
    });
    await phone.getByRole("combobox", { name: "Search" }).fill("pay");
    await phone.getByRole("option", { name: "payments tenant" }).waitFor();
    await expectNoSidewaysScroll(phone);
    await expectNoSeriousFindings(phone);
    await screenshot(phone, "search-phone-dark");
    await phone.getByRole("option", { name: "payments tenant" }).click();
    await phone.waitForURL("**/ui/workloads?tenant=payments");
  });

  it("keeps to one tenant on all pages of tenants, in the address and after a reload", async () => {
    const page = await browser.open(`${dashboard.url}/ui/workloads`);
    const rows = (name: RegExp) => page.getByRole("row", { name }).first();
    await rows(/research\/etl/).waitFor();
    await page.getByLabel("Tenant").selectOption("payments");
    await rows(/research\/etl/).waitFor({ state: "detached" });
    await page.waitForURL("**/ui/workloads?tenant=payments");
    const pages = page.getByRole("navigation", { name: "Pages" });
    await pages.getByRole("link", { name: /Queue/ }).click();
    await page.waitForURL("**/ui/queue?tenant=payments");
    await page.getByText("No replica is waiting.").waitFor();
    await pages.getByRole("link", { name: /Quota/ }).click();
    const quotas = page.getByRole("table", { name: "Quotas" });
    await quotas.getByRole("row", { name: /payments/ }).waitFor();
    expect(await quotas.getByRole("row", { name: /research/ }).count()).toBe(0);
    await page.goto(`${dashboard.url}/ui/audit?kind=human`);
    await page.waitForURL("**/ui/audit?kind=human&tenant=payments");
    await rows(/created quota payments/).waitFor();
    expect(await page.getByRole("row", { name: /created quota research/ }).count()).toBe(0);
    await expectNoSeriousFindings(page);
    await screenshot(page, "tenant-scope");
    await page.getByLabel("Tenant").selectOption("");
    await rows(/created quota research/).waitFor();
    expect(page.url()).not.toContain("tenant");
  });

  it("is as dark as the system says until the user chooses, and keeps the choice", async () => {
    const page = await browser.open(`${dashboard.url}/ui/fleet`, { theme: "dark" });
    await page.getByRole("button", { name: "Theme: system" }).waitFor();
    const dark = await theme(page);
    await page.getByRole("button", { name: "Theme: system" }).click();
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    expect(await theme(page)).not.toBe(dark);
    await page.reload({ waitUntil: "domcontentloaded" });
    await page.getByRole("button", { name: "Theme: light" }).waitFor();
    expect(await theme(page)).not.toBe(dark);
    await page.keyboard.press("t");
    await page.getByRole("button", { name: "Theme: dark" }).waitFor();
    expect(await theme(page)).toBe(dark);
  });

  it("says of an address that leads nowhere that it does, and where to go on", async () => {
    const page = await browser.open(`${dashboard.url}/ui/nowhere/at/all`);
    await page.getByText("This page does not exist.").waitFor();
    await expectNoSeriousFindings(page);
    await page.locator("main").getByRole("link", { name: /fleet/i }).click();
    await page.waitForURL("**/ui/fleet");
  });

  it("says that it is behind while the plane is away, and goes on by itself when it is back", async () => {
    browser.allow(
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED|ERR_EMPTY_RESPONSE|ERR_CONNECTION/,
    );
    const page = await browser.open(`${dashboard.url}/ui/queue`);
    const waits = (name: RegExp) => page.getByRole("row", { name }).first().waitFor();
    await waits(/training/);
    await dashboard.stop();
    const stale = page.getByRole("status").filter({ hasText: "Disconnected" });
    await stale.waitFor();
    expect(await stale.innerText()).toMatch(/This data is .* old/);
    // What was seen last stays on the page.
    await waits(/training/);
    await expectNoSeriousFindings(page);
    await screenshot(page, "stale");
    await dashboard.start();
    await expect.poll(() => stale.count(), PATIENCE).toBe(0);
    await dashboard.apply(aWorkload("research/after-the-break", { resources: TOO_MUCH }));
    await waits(/after-the-break/);
  });

  it("asks for a token where the plane wants one, says so of a wrong one, and opens with the right one", async () => {
    browser.allow(/status of 401/);
    const page = await browser.open(`${guarded.url}/ui/queue`);
    await page.getByRole("heading", { name: "This plane requires a token" }).waitFor();
    await page.getByText("Berth places work on machines").waitFor();
    await looksRight(page, "token-light");
    await page.emulateMedia({ colorScheme: "dark" });
    await looksRight(page, "token-dark");
    await page.setViewportSize({ width: 390, height: 844 });
    await looksRight(page, "token-phone");
    await page.getByLabel("Token").fill("wrong");
    await page.getByLabel("Token").press("Enter");
    await page.getByRole("heading", { name: "The plane rejected this token" }).waitFor();
    await page.getByLabel("Token").fill(TOKEN);
    await page.getByRole("button", { name: "Open the dashboard" }).click();
    await expect.poll(() => headingOf(page), PATIENCE).toMatch(/queue/i);
    await untilShown(page);
    await page.reload({ waitUntil: "domcontentloaded" });
    await untilShown(page);
    expect(await headingOf(page)).toMatch(/queue/i);
    expect(page.url()).not.toContain(TOKEN);
  });

  it("[AU4] takes a token from the address that berth up prints, and out of the address bar", async () => {
    const page = await browser.open(`${guarded.url}/#token=${TOKEN}`);
    await page.waitForURL("**/ui/fleet");
    await untilShown(page);
    await expect.poll(() => headingOf(page), PATIENCE).toMatch(/fleet/i);
    expect(page.url()).toBe(`${guarded.url}/ui/fleet`);
  });
});

describe("every page", () => {
  it.each(PAGES)("%s is accessible, in light, in dark and on a phone", async (name) => {
    const page = await browser.open(`${dashboard.url}/ui/${name}`);
    await untilShown(page);
    await looksRight(page, `${name}-light`);
    await page.emulateMedia({ colorScheme: "dark" });
    await looksRight(page, `${name}-dark`);
    const phone = await browser.open(page.url(), { viewport: "phone" });
    await untilShown(phone);
    await looksRight(phone, `${name}-phone`);
  });
});

it("on a phone, says that it is live above the page, and on top of nothing", async () => {
  const page = await browser.open(`${dashboard.url}/ui/timeline/node/us-a-1`, {
    viewport: "phone",
  });
  await untilShown(page);
  const live = await page.locator("main .connection").boundingBox();
  const header = await page.locator("main .page-header").boundingBox();
  expect(live!.y + live!.height).toBeLessThanOrEqual(header!.y);
});

async function looksRight(page: Page, picture: string): Promise<void> {
  await screenshot(page, picture);
  await expectNoSeriousFindings(page);
  await expectNoSidewaysScroll(page);
}
