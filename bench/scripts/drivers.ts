/**
 * `npm run bench:drivers [-- ROUNDS]`: medians of how long a start takes as a plain process and in
 * a sandbox. It needs root and the tools of the sandbox.
 */
import { measureStarts } from "../drivers/measure-starts.ts";

const ROUNDS = 40;
/** What a sandbox may cost. */
const MOST_MS = 50;

const rounds = Number(process.argv[2] ?? ROUNDS);
const starts = await measureStarts(rounds);
const bare = starts[0]?.medianMs ?? Number.NaN;
for (const { driver, medianMs } of starts) {
  const more = (medianMs - bare).toFixed(1);
  console.log(
    `${driver.padEnd(8)} ${medianMs.toFixed(1)} ms, ${more} ms more (of ${rounds} starts)`,
  );
}
const worst = Math.max(...starts.map(({ medianMs }) => medianMs - bare));
console.log(worst <= MOST_MS ? `within ${MOST_MS} ms` : `more than ${MOST_MS} ms`);
process.exitCode = worst <= MOST_MS ? 0 : 1;
