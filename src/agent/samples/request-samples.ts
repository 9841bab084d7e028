/**
 * How many requests a second each process of a node answers, by the counter that its template
 * names: what it has grown by between two looks, over the agent's own clock. A counter that went
 * back has begun anew; what could not be read is said with its reason, and never taken for none
 * (AS10).
 */
import { SUM_MOST_MILLIS } from "../../core/model/autoscaler.ts";
import type { RunningProcess } from "./cpu-samples.ts";
import type { Measured } from "./sample-loop.ts";
import { type ScrapeAnswer, scrapeCounter, type Scraped } from "./scrape-counter.ts";

/**
 * So many are asked at once: a node full of processes that do not answer is still gone through in a
 * while.
 */
const AT_ONCE = 16;

/** Two looks where no autoscaler uses them: what was longer ago says nothing of now. */
const BASE_LASTS_MS = 60_000;

/** As much as the plane takes as a reason. */
const MISSING_CHARACTERS = 250;

interface Seen {
  readonly total: number;
  readonly atMs: number;
}

export class RequestSamples {
  private seen = new Map<string, Seen>();
  private readonly scrape: (of: Scraped) => Promise<ScrapeAnswer>;

  constructor(scrape: (of: Scraped) => Promise<ScrapeAnswer> = scrapeCounter) {
    this.scrape = scrape;
  }

  /**
   * Of those that say where to look. The caller waits for the answer, so each is asked once at a
   * time.
   */
  async take(processes: readonly RunningProcess[]): Promise<readonly Measured[]> {
    const waiting = processes.flatMap((process) =>
      process.scraped === undefined ? [] : [{ process, scraped: process.scraped }],
    );
    const seen = new Map<string, Seen>();
    const samples: Measured[] = [];
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const { replica, incarnation } = next.process;
        const name = `${replica} ${incarnation}`;
        const before = this.seen.get(name);
        const found = rateOf(before, await this.scrape(next.scraped));
        if (found.base !== undefined) seen.set(name, found.base);
        if (found.said !== undefined) samples.push({ replica, metric: "requests", ...found.said });
      }
    };
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work));
    this.seen = seen;
    return samples;
  }
}

interface Found {
  /** What the next look is held against. */
  readonly base: Seen | undefined;
  /** Undefined: this was the first look. */
  readonly said: { readonly value: number } | { readonly missing: string } | undefined;
}

function rateOf(before: Seen | undefined, answer: ScrapeAnswer): Found {
  const isLately = before !== undefined && answer.atMs - before.atMs <= BASE_LASTS_MS;
  const base = isLately ? before : undefined;
  if ("missing" in answer) {
    // A page is somebody else's, and so are its lines: nothing of them may move a cursor.
    const missing = answer.missing.replaceAll(/\p{Cc}/gu, "?").slice(0, MISSING_CHARACTERS);
    return { base, said: { missing } };
  }
  const { total, atMs } = answer;
  const now = { total, atMs };
  if (base === undefined || atMs <= base.atMs) return { base: now, said: undefined };
  if (total < base.total) {
    const missing = `its counter was reset from ${base.total} to ${total}`;
    return { base: now, said: { missing } };
  }
  const value = ((total - base.total) * 1_000) / (atMs - base.atMs);
  if (value * 1_000 <= SUM_MOST_MILLIS) return { base: now, said: { value } };
  // The plane would refuse it, and everything that is sent with it.
  const missing = `its counter rose from ${base.total} to ${total}, which is implausible`;
  return { base: now, said: { missing } };
}
