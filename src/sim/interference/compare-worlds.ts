/**
 * [AZ46] Holds two worlds of one seed against each other that differ only in what another tenant
 * wrote inside its own limits: all that a tenant reads must be the same, word by word, in the same
 * order and at the same times. What contention must show is no exception here, because the worlds
 * are drawn so that it is the same in both.
 */
import type { RunResult } from "../report/run-result.ts";
import { Engine } from "../engine.ts";
import { swarmRates } from "../swarm/swarm.ts";
import { Reader } from "./reader.ts";
import { type Variant, worldOf } from "./two-worlds.ts";

export interface Compared {
  readonly seed: number;
  /** Of both runs. */
  readonly events: number;
  readonly hash: string;
  /** How many answers were compared. */
  readonly reads: number;
  readonly violation: RunResult["violation"];
}

/** Enough of both texts to see what differs. */
const BEFORE = 120;
const AFTER = 160;

export function compareWorlds(seed: number): Compared {
  const [one, two] = [runOf(seed, "one"), runOf(seed, "two")];
  const at = firstDifference(one.reader, two.reader);
  const events = one.result.events + two.result.events;
  const violation = one.result.violation ?? two.result.violation ?? differenceAt(seed, at, one);
  return { seed, events, hash: one.result.hash, reads: one.reader.reads.length, violation };
}

interface Ran {
  readonly reader: Reader;
  readonly result: RunResult;
}

function runOf(seed: number, variant: Variant, wanted?: number): Ran {
  const reader = new Reader(wanted);
  const faults = { explicit: [], rates: swarmRates(seed) };
  const result = new Engine({ world: worldOf(seed, variant), seed, faults }, [reader]).run();
  return { reader, result };
}

/** Undefined: there is none. */
function firstDifference({ reads: one }: Reader, { reads: two }: Reader): number | undefined {
  const most = Math.max(one.length, two.length);
  for (let at = 0; at < most; at += 1) if (one[at]?.hash !== two[at]?.hash) return at;
  return undefined;
}

/** Runs both again, for the words. */
function differenceAt(
  seed: number,
  at: number | undefined,
  { reader }: Ran,
): RunResult["violation"] {
  if (at === undefined) return undefined;
  const [one, two] = (["one", "two"] as const).map((variant) => {
    const again = runOf(seed, variant, at);
    return { what: again.reader.reads[at]?.what ?? "nothing", text: again.reader.text };
  });
  const told = `${quoted(one, two)} in one world and ${quoted(two, one)} in the other`;
  return {
    rule: "AZ46",
    message: `A tenant read ${told}, which differ in what another tenant wrote.`,
    atMs: 0,
    revision: reader.reads.length,
    key: undefined,
  };
}

interface Told {
  readonly what: string;
  readonly text: string;
}

function quoted(told: Told | undefined, other: Told | undefined): string {
  const { what, text } = told ?? { what: "nothing", text: "" };
  let at = 0;
  while (at < text.length && text[at] === other?.text[at]) at += 1;
  return `${what}: …${text.slice(Math.max(0, at - BEFORE), at + AFTER)}…`;
}
