/**
 * Faults that a run must contain: each happens in the middle of what the events of the scenario set
 * going, which is the moment of the first commit about a replica after them. Drawn from the seed
 * are only how soon after it, and how long.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Hands } from "../sim/begun/hands.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { isRenewal } from "../sim/check/fast-path.ts";
import { KeyedRandom } from "../sim/faults/keyed-random.ts";
import type { ScheduledFault } from "../sim/faults/scheduled-faults.ts";
import type { MeantFault, TwinRun } from "./twin-run.ts";

const CONTROLLERS = "controllers";

/** Replicas of one machine are lost, queued and bound again within a second or two. */
const SOON_MS = 1_000;

/** If no replica changes, what is meant happens all the same, late in the detection of a loss. */
const LATEST_MS = 45_000;

/** Half of the objects that a small recovery writes. */
const BEHIND = { least: 3, most: 60 };

type Draw = (what: string, least: number, most: number) => number;

export class MeantFaults implements Checker {
  readonly name = "meant-faults";
  private readonly meant: readonly MeantFault[];
  private readonly seed: number;
  private readonly happened: MeantFault[] = [];
  private hands: Hands | undefined;

  constructor(meant: readonly MeantFault[], seed: number) {
    this.meant = meant;
    this.seed = seed;
  }

  /** The first event happens now. */
  begin(hands: Hands): void {
    if (this.meant.length === 0) return;
    this.hands = hands;
    hands.at(hands.nowMs + LATEST_MS, () => this.happen());
  }

  afterCommit(commit: Commit, _truth: Truth): void {
    if (this.hands === undefined || isRenewal(commit)) return;
    const isAnswer = commit.changes.some(({ before }) => before?.kind === "Replica");
    if (isAnswer) this.happen();
  }

  met(): TwinRun["met"] {
    return this.happened.length === 0 ? undefined : this.happened;
  }

  private happen(): void {
    const { hands, meant, seed } = this;
    if (hands === undefined) return;
    this.hands = undefined;
    const random = new KeyedRandom(seed, "meant-faults-of-twin");
    for (const name of meant) {
      const draw: Draw = (what, least, most) => random.between(`${name} ${what}`, 0, least, most);
      const atMs = hands.nowMs + draw("time", 1, SOON_MS);
      for (const fault of faultsOf(name, atMs, draw)) hands.fault(fault);
      hands.at(atMs, () => this.happened.push(name));
    }
  }
}

function faultsOf(name: MeantFault, atMs: number, draw: Draw): readonly ScheduledFault[] {
  const to = CONTROLLERS;
  switch (name) {
    case "write-timeout":
      // Commands arrive and take effect; no answer comes back.
      return [{ fault: "partition", from: "*", to, atMs, forMs: draw("length", 2_000, 15_000) }];
    case "stale-cache":
      // Controllers go on with the view that they have.
      return [{ fault: "watch-stall", to, atMs, forMs: draw("length", 2_000, 20_000) }];
    case "stale-quota": {
      // They start again with a list of some commits ago: the sums of quotas, too, are of then.
      const forMs = draw("length", 5_000, 20_000);
      const behind = draw("behind", BEHIND.least, BEHIND.most);
      return [
        { fault: "stale-list", to, atMs, forMs, behind },
        { fault: "crash", component: to, atMs, downMs: draw("down", 10, 2_000) },
      ];
    }
    case "leaked-state":
      // What they had begun, such as a reservation, is left by those that began it.
      return [{ fault: "crash", component: to, atMs, downMs: draw("down", 1_000, 15_000) }];
  }
}
