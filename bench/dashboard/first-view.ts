/**
 * Opens the dashboard as somebody does who has never seen it, and tells what was fetched and when
 * it could be used.
 */
import type { Browser, Page, Request } from "playwright-core";
import { rounded } from "../measure/latencies.ts";
import type { FirstView } from "./dashboard-task.ts";

/** Far longer than it takes on the slowest machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

/** What the dashboard is made of, as against what the plane tells it. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  "document",
  "script",
  "stylesheet",
  "image",
  "font",
  "manifest",
]);

/**
 * Looks at every frame, and tells the time by the page's own clock, which begins with the
 * navigation, once nothing is on its way any more. A text, because it is the page that runs it.
 */
const USABLE = `new Promise((resolve) => {
  const look = () => {
    const main = document.querySelector("main");
    const isShown = main !== null && main.innerText.trim() !== "";
    if (isShown && main.querySelector('[aria-busy="true"]') === null) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** A page of a reader who has nothing in the cache; closed by the caller. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    // Browsers also take what is smaller still, but what is counted everywhere is gzip.
    extraHTTPHeaders: { "accept-encoding": "gzip" },
  });
  context.setDefaultTimeout(PATIENCE_MS);
  return context.newPage();
}

/** Resolves with how long it took. */
export async function untilUsable(page: Page): Promise<number> {
  return page.evaluate<number>(USABLE);
}

export async function firstView(browser: Browser, url: string): Promise<FirstView> {
  const page = await openPage(browser);
  const fetched: Request[] = [];
  page.on("requestfinished", (request) => {
    if (OF_THE_PAGE.has(request.resourceType())) fetched.push(request);
  });
  await page.goto(url, { waitUntil: "commit" });
  const usableMs = rounded(await untilUsable(page));
  const sizes = await Promise.all(fetched.map((request) => request.sizes()));
  const bytes = sizes.reduce((sum, of) => sum + of.responseBodySize + of.responseHeadersSize, 0);
  await page.context().close();
  return { bytes, requests: fetched.length, usableMs };
}
