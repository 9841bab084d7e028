/**
 * A real chromium for tests of the dashboard, one for each file:
 *
 *   const browser = aBrowser();
 *
 *   it("says which node died", async () => {
 *     const page = await browser.open(`${dashboard.url}/ui/fleet`, { theme: "dark", viewport: "phone" });
 *     await page.getByRole("row", { name: /n3.*fenced/ }).waitFor();
 *     await expectNoSeriousFindings(page);
 *   });
 *
 * Pages are closed after each test. A test fails when one of its pages throws, writes an error to the console, asks
 * for something that cannot be had or breaks its Content-Security-Policy; a test that means to provoke such a thing
 * says so with `allow`. When a test fails, pictures of its pages are left in `.tsbuild/pictures`. Wait for what is to be
 * seen (`waitFor`, `expect.poll`), never for a time.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openBrowser } from "../../bench/dashboard/open-browser.ts";

export type Theme = "light" | "dark";
export type Viewport = "desktop" | "phone";

/** The two widths that every page is made for. */
const SIZES: Readonly<Record<Viewport, { readonly width: number; readonly height: number }>> = {
  desktop: { width: 1_280, height: 800 },
  phone: { width: 390, height: 844 },
};

/** Far longer than anything here takes on a busy machine; it only bounds a hang. */
export const PATIENCE = { timeout: 60_000, interval: 50 } as const;

const PICTURES = fileURLToPath(new URL("../../.tsbuild/pictures", import.meta.url));

export interface Opening {
  /** What the system prefers; unless it is said, light. */
  readonly theme?: Theme;
  readonly viewport?: Viewport;
}

export class ABrowser {
  private browser: Browser | undefined;
  private contexts: BrowserContext[] = [];
  private troubles: string[] = [];
  private allowed: RegExp[] = [];

  async start(): Promise<void> {
    this.browser = await openBrowser();
  }

  async stop(): Promise<void> {
    await this.browser?.close();
  }

  /** A page of its own, with nothing kept from others; opened when its document has been read. */
  async open(url: string, of: Opening = {}): Promise<Page> {
    const page = await this.blank(of);
    await page.goto(url, { waitUntil: "domcontentloaded" });
    return page;
  }

  /** The same without going anywhere, for what must be set up before. */
  async blank({ theme = "light", viewport = "desktop" }: Opening = {}): Promise<Page> {
    if (this.browser === undefined) throw new Error("The browser is started before all tests.");
    const context = await this.browser.newContext({
      viewport: SIZES[viewport],
      hasTouch: viewport === "phone",
      colorScheme: theme,
      // What moves would be another picture every time, and a finding of contrast in between.
      reducedMotion: "reduce",
    });
    context.setDefaultTimeout(PATIENCE.timeout);
    this.contexts.push(context);
    await context.addInitScript(TELL_VIOLATIONS);
    const page = await context.newPage();
    this.listen(page);
    return page;
  }

  /** In this test, troubles like this one are meant to happen. */
  allow(trouble: RegExp): void {
    this.allowed.push(trouble);
  }

  /** What went wrong in pages so far and was not allowed. */
  get seen(): readonly string[] {
    return this.troubles.filter((trouble) => !this.allowed.some((like) => like.test(trouble)));
  }

  async afterTest(title: string, hasFailed: boolean): Promise<void> {
    const { contexts, seen } = this;
    const pages = contexts.flatMap((context) => context.pages());
    if (hasFailed || seen.length > 0) await pictures(pages, title);
    this.contexts = [];
    this.troubles = [];
    this.allowed = [];
    await Promise.all(contexts.map((context) => context.close()));
    // As one text: a list would be shortened to its length where the gate tells of failures.
    expect(seen.join("\n"), `what went wrong in the pages of this test: ${seen.join("; ")}`).toBe(
      "",
    );
  }

  private listen(page: Page): void {
    const note = (trouble: string): void => void this.troubles.push(trouble);
    page.on("pageerror", (error) => note(`thrown: ${error.stack ?? error.message}`));
    page.on("crash", () => note("the page crashed"));
    page.on("console", (message) => {
      if (message.type() !== "error") return;
      note(`console: ${message.text()} (${message.location().url})`);
    });
    page.on("requestfailed", (request) => {
      const why = request.failure()?.errorText ?? "";
      // A page that is left, and one that closes a stream, give up what they have asked for.
      if (why !== "net::ERR_ABORTED") note(`failed: ${request.method()} ${request.url()} ${why}`);
    });
    page.on("request", (request) => {
      const { protocol, hostname } = new URL(request.url());
      const isOwn = hostname === "127.0.0.1" || protocol === "data:" || protocol === "blob:";
      if (!isOwn) note(`outside: ${request.url()}`);
    });
  }
}

/** Called at the top of a file: starts the browser before its tests and looks after every one of them. */
export function aBrowser(): ABrowser {
  const browser = new ABrowser();
  beforeAll(() => browser.start());
  afterAll(() => browser.stop());
  afterEach(({ task }) => browser.afterTest(task.name, task.result?.state === "fail"));
  return browser;
}

const TELL_VIOLATIONS = `addEventListener("securitypolicyviolation", (event) =>
  console.error("Content-Security-Policy: " + event.violatedDirective + " " + event.blockedURI));`;

async function pictures(pages: readonly Page[], title: string): Promise<void> {
  const name = title.replaceAll(/[^a-zA-Z0-9]+/g, "-").slice(0, 80);
  // A page that has crashed has no picture, and must not hide why the test failed.
  await Promise.allSettled(pages.map((page, at) => screenshot(page, `${name}-${at + 1}`)));
}

/** Leaves a picture in `.tsbuild/pictures` and returns where it is. */
export async function screenshot(page: Page, name: string): Promise<string> {
  mkdirSync(PICTURES, { recursive: true });
  const path = join(PICTURES, `${name}.png`);
  await page.screenshot({ path, animations: "disabled" });
  return path;
}

interface AxeResults {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly help: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly html: string }[];
  }[];
}

const axeFile = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** What axe-core finds on the page as it is now; nothing serious may be among it. */
export async function expectNoSeriousFindings(page: Page): Promise<void> {
  // Not by a script element: the page's own policy would refuse it, and it is to stay as it is.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: readFileSync(axeFile, "utf8") });
  await session.detach();
  const { violations } = await page.evaluate<AxeResults>(
    `axe.run(document, { resultTypes: ["violations"] })`,
  );
  const serious = violations
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(" ")} ${html.slice(0, 200)}`),
    );
  expect(serious.join("\n"), `what axe-core finds at ${page.url()}`).toBe("");
}

/** Resolves when the page shows what it has to show, and nothing in it is on its way any more. */
export async function untilShown(page: Page): Promise<void> {
  await page.locator("main h1").waitFor();
  await expect.poll(() => page.locator('main [aria-busy="true"]').count(), PATIENCE).toBe(0);
}

/** A page that is wider than its window makes people scroll sideways. */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  const wider = await page.evaluate<number>(
    "document.documentElement.scrollWidth - document.documentElement.clientWidth",
  );
  expect(wider, `pixels that ${page.url()} is wider than its window`).toBeLessThanOrEqual(0);
}
