/**
 * `npm run chaos [-- --minutes N] [--seed S] [--faults a,b,…] [--lease N] [--out FILE]`: a real cluster under faults for some
 * minutes; with --regional, planes of regions (`regional/run-chaos.ts`). Prints a table of what clients noticed and everything that must not be; the same is left in a file as JSON.
 */
import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { KeyedRandom } from "../../../src/sim/faults/keyed-random.ts";
import { runRegionalChaos } from "../regional/run-chaos.ts";
import { type ChaosReport, ChaosRun } from "./chaos-run.ts";
import { type FaultName, FAULTS, isFault } from "./faults.ts";
import type { MeasuredFault } from "./measure-fault.ts";

const ALL = Object.keys(FAULTS).filter(isFault);
/** Small enough to be filled in seconds, and several times what a run of an hour needs. */
const QUOTA_BYTES = 64 * 1024 * 1024;
/** A few seconds of the clients' work. */
const SNAPSHOT_EVERY = 150;

function readFaults(text: string | undefined): readonly FaultName[] {
  const names = text?.split(",") ?? ALL;
  const known = names.filter(isFault);
  if (known.length === names.length && known.length > 0) return known;
  const wrong = names.filter((name) => !isFault(name)).join(", ");
  throw new Error(`--faults: found ${wrong}, expected some of ${ALL.join(", ")}.`);
}

/** Each once in every round, in another order. */
function draw(seed: number, faults: readonly FaultName[], index: number): FaultName | undefined {
  const random = new KeyedRandom(seed, "schedule");
  const at = index % faults.length;
  const round = index - at;
  const order = faults.toSorted((a, b) => random.draw(a, round) - random.draw(b, round));
  return order[at];
}

const seconds = (ms: number | undefined): string =>
  ms === undefined ? "-" : (ms / 1_000).toFixed(1);

const COLUMNS: readonly (readonly [string, (one: MeasuredFault) => string])[] = [
  ["fault", ({ fault }) => fault],
  ["lasted s", ({ lastedMs }) => seconds(lastedMs)],
  ["new leader s", ({ newLeaderMs }) => seconds(newLeaderMs)],
  ["no writes s", ({ noWritesMs }) => seconds(noWritesMs)],
  ["no reads s", ({ noReadsMs }) => seconds(noReadsMs)],
  ["acked", ({ acknowledged }) => String(acknowledged)],
  ["unknown", ({ unknown }) => String(unknown)],
  ["refused", ({ refused }) => String(refused)],
  ["lost", ({ lost }) => String(lost)],
  ["twice", ({ duplicated }) => String(duplicated)],
  ["stale", ({ stale }) => String(stale)],
  ["other", ({ otherwise }) => String(otherwise)],
];

function tableOf(faults: readonly MeasuredFault[]): string {
  const rows = [
    COLUMNS.map(([name]) => name),
    ...faults.map((fault) => COLUMNS.map(([, cell]) => cell(fault))),
  ];
  const widths = COLUMNS.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function show(report: ChaosReport): void {
  const { faults, findings, watches, replayed } = report;
  console.log(`\n${tableOf(faults)}\n`);
  console.log(
    `${report.calls} calls, ${report.acknowledged} acknowledged, ${report.sentAgain} sent again, ${report.revisions} revisions`,
  );
  for (const { plane, events, connections, lists } of watches) {
    console.log(
      `watch at ${plane}: ${events} events over ${connections} connections, ${lists} lists`,
    );
  }
  for (const [plane, how] of Object.entries(replayed)) console.log(`replay of ${plane}: ${how}`);
  for (const { kind, text } of findings.slice(0, 50)) console.log(`WRONG ${kind}: ${text}`);
  console.log(`${findings.length} findings`);
}

async function runClusterChaos(): Promise<void> {
  const { values } = parseArgs({
    options: {
      minutes: { type: "string", default: "5" },
      seed: { type: "string", default: String(Date.now() % 1_000_000) },
      faults: { type: "string" },
      lease: { type: "string", default: "2" },
      out: { type: "string", default: ".tsbuild/chaos.json" },
    },
  });
  const seed = Number(values.seed);
  const faults = readFaults(values.faults);
  const endMs = performance.now() + Number(values.minutes) * 60_000;
  console.log(`chaos: --seed ${seed} --faults ${faults.join(",")}`);
  const run = new ChaosRun({
    seed,
    leaseSeconds: Number(values.lease),
    quotaBytes: QUOTA_BYTES,
    snapshotEvery: SNAPSHOT_EVERY,
    next: (index) => (performance.now() < endMs ? draw(seed, faults, index) : undefined),
    onFault: (index, name) => console.log(`${index + 1}. ${name}`),
  });
  const report = await run.run();
  writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  show(report);
  const isSame = Object.values(report.replayed).every((how) => how === "the same");
  process.exitCode = report.findings.length === 0 && isSame ? 0 : 1;
}

if (process.argv.includes("--regional")) await runRegionalChaos(process.argv.slice(2));
else await runClusterChaos();
