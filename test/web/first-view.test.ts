/** What a browser with an empty cache loads before the first page can be used. */
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { firstView } from "../../bench/dashboard/first-view.ts";
import { openBrowser } from "../../bench/dashboard/open-browser.ts";
import { aDashboard } from "./a-dashboard.ts";

/** Compressed with gzip, headers included: two seconds on a slow mobile connection of 400 kbit/s. */
const MOST_BYTES = 100_000;

const dashboard = aDashboard();
let browser: Browser;
beforeAll(async () => void (browser = await openBrowser()));
afterAll(() => browser.close());

it("loads at most 100 KB for the first view", async () => {
  const { bytes, requests } = await firstView(browser, `${dashboard.url}/ui/fleet`);
  // The document, the script, its style and the first page: fewer would mean that some were not counted.
  expect(requests).toBeGreaterThan(3);
  expect(bytes).toBeGreaterThan(20_000);
  expect(bytes).toBeLessThanOrEqual(MOST_BYTES);
});
