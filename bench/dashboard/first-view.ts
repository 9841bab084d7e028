/**
 * Opens the dashboard with an empty cache, and reports the fetched files and the time until the
 * page was usable.
 */
import type { Browser, Page, Request } from "playwright-core";
import { rounded } from "../measure/latencies.ts";
import type { FirstView } from "./dashboard-task.ts";

/** Far longer than it takes on the slowest machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

/** The files of the dashboard, as opposed to the data of the plane. */
const OF_THE_PAGE: ReadonlySet<string> = new Set([
  "document",
  "script",
  "stylesheet",
  "image",
  "font",
  "manifest",
]);

/**
 * Looks at every frame, and returns the time on the page's own clock, which begins with the
 * navigation, once no request is open any more. A text, because the page runs it.
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

/** A page with an empty cache; the caller closes it. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    // Browsers accept smaller encodings, too, but sizes are usually compared in gzip.
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
