/**
 * Measures the dashboard in a real browser, with a plane in a process of its own: the files of the
 * first view, the time until it is usable, and how busy the page's main thread is while rows
 * change, while the pointer moves over the map of the fleet, and while the longest table scrolls.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { PartProcess } from "../part/part-process.ts";
import type { Progress } from "../measure/progress.ts";
import type {
  DashboardFigures,
  DashboardSize,
  DashboardTask,
  FirstView,
} from "./dashboard-task.ts";
import { firstView, openPage, untilUsable } from "./first-view.ts";
import { watchMainThread } from "./main-thread.ts";
import { openBrowser } from "./open-browser.ts";
import type { Stirring } from "./play-dashboard.ts";

/** As often as a wheel or a finger reports a movement. */
const MOVE_MS = 16;
/** This many one way, then back, so that a movement never reaches an end. */
const MOVES_A_WAY = 20;
/** One notch of a wheel. */
const NOTCH_PX = 120;
/** More than a screenful each time, so that other rows are drawn. */
const TABLE_STEP_PX = 1_200;
/** For work that loading has begun: compiling, collecting, the last pieces of the table. */
const SETTLE_MS = 1_000;

/** A point of the page over the part that scrolls. */
const MIDDLE = { x: 700, y: 600 } as const;
/** A list of 100,000 replicas is read in some seconds; this only bounds a hang. */
const PATIENCE_MS = 180_000;

export async function runDashboard(
  task: DashboardTask,
  progress: Progress,
): Promise<DashboardFigures> {
  const browser = await openBrowser();
  const part = PartProcess.start("dashboard");
  try {
    return await new DashboardRun(task, { browser, part, progress }).run();
  } finally {
    await browser.close();
    await part.stop();
  }
}

interface RunsOn {
  readonly browser: Browser;
  readonly part: PartProcess;
  readonly progress: Progress;
}

class DashboardRun {
  private readonly task: DashboardTask;
  private readonly on: RunsOn;

  constructor(task: DashboardTask, on: RunsOn) {
    this.task = task;
    this.on = on;
  }

  async run(): Promise<DashboardFigures> {
    const { task, on } = this;
    const { small, nodes, replicas } = task;
    const url = await on.part.ask<string>("open", {});
    await this.ask("fill", small);
    const smallView = await this.views(url, "first views");
    const workload = await this.ask("fill", { nodes, replicas });
    const fullView = await this.views(url, "first views, all nodes");
    return {
      browser: `chromium ${on.browser.version()}`,
      firstView: smallView,
      firstViewFullMs: fullView.usableMs,
      updates: await this.updates(url),
      map: await this.map(url),
      table: await this.table(`${url}/ui/workloads/${workload}`),
    };
  }

  private ask(question: "fill", of: DashboardSize): Promise<string>;
  private ask(question: "stir", of: Stirring): Promise<number>;
  private ask(question: string, of: DashboardSize | Stirring): Promise<unknown> {
    return this.on.part.ask(question, of, this.on.progress);
  }

  /** The median of several, each with an empty cache. */
  private async views(url: string, label: string): Promise<FirstView> {
    const { browser, progress } = this.on;
    const views: FirstView[] = [];
    for (let at = 0; at < this.task.loads; at += 1) {
      progress(at, this.task.loads, label);
      views.push(await firstView(browser, url));
    }
    const sorted = views.toSorted((a, b) => a.usableMs - b.usableMs);
    const median = sorted[Math.floor(sorted.length / 2)];
    if (median === undefined) throw new Error("A view is opened at least once.");
    return median;
  }

  private async updates(url: string): Promise<DashboardFigures["updates"]> {
    const { updatesPerSecond: perSecond, seconds } = this.task;
    const page = await this.settled(`${url}/ui/fleet`);
    let sent = 0;
    const thread = await watchMainThread(page, async () => {
      sent = await this.ask("stir", { perSecond, seconds });
    });
    await page.context().close();
    return { ...thread, sent };
  }

  /**
   * To and fro over the nodes, each of which shows its details, and with every movement up or down
   * the page.
   */
  private async map(url: string): Promise<DashboardFigures["map"]> {
    const page = await this.settled(`${url}/ui/fleet`);
    const canvas = page.locator("main canvas");
    const box = (await canvas.count()) === 0 ? null : await canvas.first().boundingBox();
    if (box === null) throw new Error("The fleet page shows no map.");
    const thread = await watchMainThread(page, () =>
      this.moving("the map", async (at) => {
        const part = (at % MOVES_A_WAY) / MOVES_A_WAY;
        await page.mouse.move(box.x + box.width * part, MIDDLE.y);
        await page.mouse.wheel(0, isBackward(at) ? -NOTCH_PX : NOTCH_PX);
      }),
    );
    await page.context().close();
    return thread;
  }

  /** Through the replicas of one workload, which are nearly all replicas. */
  private async table(url: string): Promise<DashboardFigures["table"]> {
    const page = await this.settled(url);
    const rows = await untilRows(page, this.task.replicas - this.task.small.replicas);
    await page.mouse.move(MIDDLE.x, MIDDLE.y);
    const thread = await watchMainThread(page, () =>
      this.moving("the table", (at) =>
        page.mouse.wheel(0, isBackward(at) ? -TABLE_STEP_PX / 2 : TABLE_STEP_PX),
      ),
    );
    await page.context().close();
    return { ...thread, rows };
  }

  private async settled(url: string): Promise<Page> {
    const page = await openPage(this.on.browser);
    await page.goto(url, { waitUntil: "commit" });
    await untilUsable(page);
    await sleep(SETTLE_MS);
    return page;
  }

  private async moving(label: string, move: (at: number) => Promise<void>): Promise<void> {
    const { seconds } = this.task;
    const beganMs = performance.now();
    for (let at = 0; ; at += 1) {
      const passed = (performance.now() - beganMs) / 1_000;
      if (passed >= seconds) return;
      this.on.progress(Math.floor(passed), seconds, `seconds in ${label}`);
      await move(at);
      await sleep(MOVE_MS);
    }
  }
}

const isBackward = (at: number): boolean => at % (2 * MOVES_A_WAY) >= MOVES_A_WAY;

/**
 * The longest table of the page reports its number of rows, drawn or not; its head is one of them.
 */
const ROWS = `Math.max(0, ...[...document.querySelectorAll("main table")].map(
  (table) => Number(table.getAttribute("aria-rowcount")) - 1))`;

async function untilRows(page: Page, count: number): Promise<number> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const rows = await page.evaluate<number>(ROWS);
    if (rows >= count) return rows;
    if (performance.now() > endMs) {
      throw new Error(`The page shows ${rows} replicas of a workload that has ${count}.`);
    }
    await sleep(SETTLE_MS);
  }
}
