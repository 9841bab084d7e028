/**
 * Whether an agent's clock keeps the pace that safety counts on. Its readings come with its
 * renewals. Only intervals are compared: where a clock began says nothing (CL1). A reading is as
 * old as its message was slow, so of each window the reading with the least delay stands for all,
 * and two windows are compared (CL2).
 */
import type { ClockReading, ClockTrack } from "../../model/node/node-trust.ts";
import type { Lease } from "../../model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../../model/timing.ts";
import type { IntentOf } from "../../protocol/command.ts";
import type { CommitContext } from "../verdict.ts";

/** Twelve renewals: one of them is quick. Shorter, and the bound would drown in the slack below. */
export const CLOCK_WINDOW_MS = 60_000;

/** Fewer than so many are too few for one of them to have been quick. */
const READINGS_NEEDED = 4;

/**
 * How far apart the least delays of two windows may be: a link that became slow is not a clock that
 * did.
 */
const DELAY_SLACK_MS = 500;

/** The plane's own clock may be off as far as the agent's, the other way. */
const BOUND_PARTS = 2 * DRIFT_PARTS_PER_THOUSAND;

export interface ClockCheck {
  readonly track: ClockTrack | undefined;
  /**
   * How many parts in a thousand it runs fast or, below zero, slow; 0 when within the bound;
   * undefined: no news.
   */
  readonly offBy: number | undefined;
}

export function checkClock(
  { ledger, nowMs }: CommitContext,
  held: Lease | undefined,
  { clock, session }: IntentOf<"lease">,
): ClockCheck {
  if (clock === undefined) return { track: undefined, offBy: undefined };
  const reading = { sentMs: clock.nowMs, atMs: nowMs };
  const { startedMs } = clock;
  const known = held?.status.clock;
  // Another incarnation of the agent, or of the authority, counts on another clock.
  const isSame =
    known?.startedMs === startedMs &&
    held?.status.epoch === ledger.epoch &&
    held.status.session === session;
  if (known === undefined || !isSame) {
    return { track: begin(startedMs, reading), offBy: undefined };
  }
  const best = delayOf(reading) < delayOf(known.best) ? reading : known.best;
  const readings = known.readings + 1;
  if (nowMs - known.fromMs < CLOCK_WINDOW_MS || readings < READINGS_NEEDED) {
    return { track: { ...known, best, readings }, offBy: undefined };
  }
  const offBy = known.prior === undefined ? undefined : offBetween(known.prior, best);
  return { track: { ...begin(startedMs, reading), prior: best }, offBy };
}

const begin = (startedMs: number, reading: ClockReading): ClockTrack => ({
  startedMs,
  fromMs: reading.atMs,
  readings: 1,
  best: reading,
});

/**
 * Up to the unknown difference of the two clocks' origins, which is the same for all readings of a
 * track.
 */
const delayOf = ({ sentMs, atMs }: ClockReading): number => atMs - sentMs;

function offBetween(from: ClockReading, to: ClockReading): number {
  const oursMs = to.atMs - from.atMs;
  const aheadMs = to.sentMs - from.sentMs - oursMs;
  const boundMs = Math.ceil((oursMs * BOUND_PARTS) / 1000) + DELAY_SLACK_MS;
  if (oursMs <= 0 || Math.abs(aheadMs) <= boundMs) return 0;
  const parts = Math.trunc((aheadMs * 1000) / oursMs);
  // Beyond the bound by less than a thousandth is beyond it all the same.
  return parts === 0 ? Math.sign(aheadMs) : parts;
}
