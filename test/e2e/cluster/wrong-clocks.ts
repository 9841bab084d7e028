/**
 * A process whose clocks are wrong: the wall clock jumps by hours, and the clocks that never step are days ahead of
 * everybody else's. Where the machine lets nobody have clocks of their own, only the wall clock is wrong.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { jumpingClock } from "../chaos/jumping-clock.ts";

/** Ten days: more than any lease. */
const AHEAD_SECONDS = "864000";
const UNSHARE = "unshare";
const OWN_CLOCKS = ["--time", "--monotonic", AHEAD_SECONDS, "--boottime", AHEAD_SECONDS];

/** What the command of such a process begins with. */
export function clocksWrong(folder: string): readonly string[] {
  const env = jumpingClock(join(folder, "jumping-clock.mjs"));
  const wall = ["env", ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  const mayHaveOwn = spawnSync(UNSHARE, [...OWN_CLOCKS, "true"]).status === 0;
  return mayHaveOwn ? [...wall, UNSHARE, ...OWN_CLOCKS] : wall;
}
