/**
 * `npm run fuzz [-- --minutes N] [--cases N] [--seed N] [--from CASE]`: hostile requests against a real plane. What was slow or
 * failed is written to `.tsbuild/fuzz-found`, made smaller; the exit code is 1 then. The same seed draws the same cases.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { HostilePlane } from "./a-hostile-plane.ts";
import { type Found, fuzz } from "./fuzz.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    cases: { type: "string", default: "1000000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: "0" },
  },
});
const seed = Number(values.seed);
const folder = fileURLToPath(new URL("../../.tsbuild/fuzz-found", import.meta.url));
const tell = (line: string): void => void process.stdout.write(`fuzz: ${line}\n`);

function onFound(one: Found): void {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${one.case.name}.json`);
  writeFileSync(file, `${JSON.stringify(one.case, undefined, 2)}\n`);
  tell(`${one.kind}: ${file}: ${one.what.slice(0, 300)}`);
}

const world = new HostilePlane();
const stop = (): void => void world.remove().finally(() => process.exit(130));
process.once("SIGINT", stop);
process.once("SIGTERM", stop);
try {
  tell(`--seed ${seed} --minutes ${values.minutes} --from ${values.from}`);
  await world.start();
  const budget = { seed, cases: Number(values.cases), seconds: 60 * Number(values.minutes) };
  const report = await fuzz(world, { ...budget, from: Number(values.from) }, { tell, onFound });
  const { cases, requests, statuses, found, dearest, acknowledged, residentMiB } = report;
  tell(`${cases} cases, ${requests} requests, ${acknowledged} acknowledged writes are there`);
  tell(
    `answers: ${[...statuses]
      .toSorted(([a], [b]) => a - b)
      .map(([status, count]) => `${status}: ${count}`)
      .join(", ")}`,
  );
  tell(`memory: ${residentMiB.map(Math.round).join(" MiB, then ")} MiB`);
  for (const { costMs, case: one } of dearest.slice(0, 8))
    tell(
      `${Math.round(costMs)} ms: ${one.name} ${one.requests[0]?.method} ${one.requests[0]?.path.slice(0, 100)}`,
    );
  tell(found.length === 0 ? "no findings" : `${found.length} findings`);
  process.exitCode = found.length === 0 ? 0 : 1;
} finally {
  await world.remove();
}
