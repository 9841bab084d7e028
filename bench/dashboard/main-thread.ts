/**
 * What the main thread of a page did for a while, read off the browser's own trace: every task with
 * its length, every frame. Nothing is added to the page for it.
 */
import type { CDPSession, Page } from "playwright-core";
import { rounded } from "../measure/latencies.ts";
import type { MainThread } from "./dashboard-task.ts";

/**
 * Above this a reader notices that a page was late to answer; browsers call such a task long, too.
 */
const LONG_MS = 50;

/**
 * Tasks, frames and the names of threads; whatever else a browser could tell would cost more than
 * what is measured.
 */
const CATEGORIES =
  "-*,__metadata,disabled-by-default-devtools.timeline,disabled-by-default-devtools.timeline.frame";

/** Of the trace event format: times are microseconds. */
export interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly args?: { readonly name?: string };
}

/** Runs `during` and tells what the page's main thread did meanwhile. */
export async function watchMainThread(
  page: Page,
  during: () => Promise<void>,
): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const event of value) events.push(event as unknown as TraceEvent);
  });
  await session.send("Tracing.start", { categories: CATEGORIES, transferMode: "ReportEvents" });
  const beganMs = performance.now();
  await during();
  const elapsedMs = performance.now() - beganMs;
  await endOf(session);
  await session.detach();
  return readTrace(events, elapsedMs);
}

async function endOf(session: CDPSession): Promise<void> {
  const complete = new Promise<void>((resolve) => {
    session.once("Tracing.tracingComplete", () => resolve());
  });
  await session.send("Tracing.end");
  await complete;
}

export function readTrace(events: readonly TraceEvent[], elapsedMs: number): MainThread {
  const thread = mainThreadOf(events);
  let busyMs = 0;
  let longestTaskMs = 0;
  let longTasks = 0;
  let frames = 0;
  for (const { name, ph, pid, tid, dur = 0 } of events) {
    if (`${pid}/${tid}` !== thread) continue;
    if (name === "BeginMainThreadFrame") frames += 1;
    if (name !== "RunTask" || ph !== "X") continue;
    const ms = dur / 1_000;
    busyMs += ms;
    longestTaskMs = Math.max(longestTaskMs, ms);
    if (ms > LONG_MS) longTasks += 1;
  }
  const seconds = elapsedMs / 1_000;
  return {
    seconds: rounded(seconds),
    busy: rounded(busyMs / elapsedMs),
    longestTaskMs: rounded(longestTaskMs),
    longTasks,
    framesPerSecond: rounded(frames / seconds),
  };
}

/** Several renderers may be there; the one of the page is the one that drew most. */
function mainThreadOf(events: readonly TraceEvent[]): string {
  const frames = new Map<string, number>();
  for (const { name, args, pid, tid } of events) {
    const thread = `${pid}/${tid}`;
    const isMain = name === "thread_name" && args?.name === "CrRendererMain";
    if (isMain) frames.set(thread, frames.get(thread) ?? 0);
    if (name === "BeginMainThreadFrame") frames.set(thread, (frames.get(thread) ?? 0) + 1);
  }
  const [busiest] = [...frames].toSorted(([, a], [, b]) => b - a);
  return busiest?.[0] ?? "";
}
