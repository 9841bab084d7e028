/**
 * A wall clock that jumps, for one agent: a module that is loaded before the agent's own. Only the wall clock is moved,
 * because that is all a person or a time server can move on Linux; CLOCK_BOOTTIME, by which leases are counted, never steps.
 */
import { pathToFileURL } from "node:url";
import { writeFileSync } from "node:fs";

/** An hour ahead two seconds after the start, and two hours back six seconds later, again and again. */
const PROGRAM = `
const real = Date.now;
const RealDate = Date;
const jump = () => (Math.floor(performance.now() / 1000 - 2) % 12 < 6 && performance.now() > 2000 ? 3600000 : -3600000);
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(real() + jump());
    else super(...given);
  }
  static now() {
    return real() + jump();
  }
};
`;

/** The environment of a process whose wall clock jumps. */
export function jumpingClock(file: string): Readonly<Record<string, string>> {
  writeFileSync(file, PROGRAM);
  return { NODE_OPTIONS: `--import ${pathToFileURL(file).href}` };
}
