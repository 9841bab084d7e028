/**
 * `npm run fuzz [-- --minutes N] [--cases N] [--seed N] [--from CASE]`: hostile requests against a real plane. What was slow or
 * failed is kept in `test/hostile/cases`, made smaller, and the gate sends it again from then on; the exit code is 1 then. The same
 * seed draws the same cases.
 */
import { parseArgs } from "node:util";
import { HostilePlane } from "./a-hostile-plane.ts";
import { type Found, fuzz } from "./fuzz.ts";
import { keepCase } from "./keep-case.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "1" },
    cases: { type: "string", default: "1000000000" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    from: { type: "string", default: "0" },
  },
});
const seed = Number(values.seed);
const tell = (line: string): void => void process.stdout.write(`fuzz: ${line}\n`);

function onFound(one: Found): void {
  const file = keepCase(one) ?? `of the whole run, --seed ${seed}`;
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
