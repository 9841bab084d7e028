/**
 * `berth bench openb`: how much of all devices a policy allocates, beside the published policies.
 */
import { setImmediate as breathe } from "node:timers/promises";
import type { Command } from "commander";
import { ALL_POLICIES, RECOMMENDED_POLICY } from "../../src/core/propose/policies/all-policies.ts";
import { rounded } from "../measure/latencies.ts";
import { OPENB_ORIGIN, OpenbTrace } from "../openb/openb-trace.ts";
import { createPublishedBestFit } from "../openb/published-best-fit.ts";
import { type PublishedPolicy, publishedPolicies } from "../openb/published-policies.ts";
import { type MakePolicy, runOpenb } from "../openb/run-openb.ts";
import { createToldFgd } from "../openb/told-fgd.ts";
import { lineChart } from "../svg/line-chart.ts";
import type { Benchmark, BenchFrame, BenchReport } from "./benchmark.ts";
import { readSeeds } from "../../src/shell/read-seeds.ts";
import { chooseByName, neededData, traceMistakes } from "./trace-options.ts";

interface OpenbOptions {
  readonly data?: string;
  readonly workload?: string;
  readonly policy?: string;
  readonly seeds?: string;
}

/** The policies of Berth, and two controls that show whether the protocol is played right. */
const POLICIES: Readonly<Record<string, MakePolicy>> = {
  ...ALL_POLICIES,
  "published-best-fit": createPublishedBestFit,
  "told-fgd": createToldFgd,
};

/** The seeds of the published orders. */
const PUBLISHED_SEEDS = "42..51";

export const openbBench: Benchmark<OpenbOptions> = {
  name: "openb",
  description: "compare device allocation on the openb trace",
  addOptions(command: Command): void {
    command
      .option("--data <dir>", "directory of the trace and the published results")
      .option("--workload <name>", "default, cpu250, gpushare100, … (default: default)")
      .option(
        "--policy <name>",
        `${Object.keys(POLICIES).join(", ")} (default: ${RECOMMENDED_POLICY})`,
      )
      .option("--seeds <range>", `seeds of the arrival orders (default: ${PUBLISHED_SEEDS})`);
  },
  run: (options, frame) => traceMistakes(() => runSeeds(options, frame)),
};

interface SeedRow {
  readonly seed: number;
  readonly order: "published" | "shuffled";
  readonly placed: number;
  readonly dropped: number;
  readonly allocated: Allocated;
}

async function runSeeds(options: OpenbOptions, { progress }: BenchFrame): Promise<BenchReport> {
  const { workload = "default", policy = RECOMMENDED_POLICY } = options;
  const makePolicy = chooseByName("--policy", policy, POLICIES);
  const { first, last } = readSeeds({ seeds: options.seeds ?? PUBLISHED_SEEDS });
  const trace = new OpenbTrace(neededData(options.data, OPENB_ORIGIN), workload);
  const published = publishedPolicies(trace);
  const rows: SeedRow[] = [];
  for (let seed = first; seed <= last; seed += 1) {
    progress(seed - first, last - first + 1, `orders of ${workload}, ${policy}`);
    // An order takes a second or so; in between, Ctrl-C is heard.
    await breathe();
    const arrivals = trace.arrivals(seed);
    rows.push({ seed, order: arrivals.order, ...runOpenb(arrivals, makePolicy) });
  }
  return reportOf({ workload, policy, rows, published });
}

interface Found {
  readonly workload: string;
  readonly policy: string;
  readonly rows: readonly SeedRow[];
  readonly published: readonly PublishedPolicy[];
}

type Allocated = ReadonlyMap<number, number>;

function at(curve: Allocated, percent: number): number | null {
  const value = curve.get(percent);
  return value === undefined ? null : rounded(value);
}

const both = (curve: Allocated) => ({
  allocatedPercentAt100: at(curve, 100),
  allocatedPercentAt130: at(curve, 130),
});

const cells = (name: string, curve: Allocated, count: number): readonly string[] => [
  name,
  String(at(curve, 100) ?? "none"),
  String(at(curve, 130) ?? "none"),
  String(count),
];

function reportOf({ workload, policy, rows, published }: Found): BenchReport {
  const mean = meanOf(rows);
  return {
    store: "none",
    figures: {
      workload,
      policy,
      ...both(mean),
      perSeed: rows.map(({ seed, order, placed, dropped, allocated }) => ({
        seed,
        order,
        placed,
        dropped,
        ...both(allocated),
      })),
      published: published.map((other) => ({ policy: other.policy, ...both(other.allocated) })),
    },
    table: [
      ["POLICY", "ALLOCATED % AT 100 % ARRIVED", "AT 130 %", "ORDERS"],
      cells(`${policy} (Berth)`, mean, rows.length),
      ...published.map((other) => cells(other.policy, other.allocated, other.seeds)),
    ],
    notes: notesOf(workload, rows, published),
    plot: () => plotOf({ workload, policy, rows, published }),
    isComplete: true,
  };
}

function notesOf(
  workload: string,
  rows: readonly SeedRow[],
  published: readonly PublishedPolicy[],
): readonly string[] {
  const shuffled = rows.filter(({ order }) => order === "shuffled").length;
  return [
    `Workload ${workload}: per cent of all devices that is allocated, mean over the orders of arrival.`,
    ...(published.length === 0 ? ["There are no published results of this workload."] : []),
    ...(shuffled === 0
      ? []
      : [
          `${shuffled} of ${rows.length} orders are not the published ones but drawn by the same rules: compare means only.`,
        ]),
  ];
}

/** Where all orders have a value: the mean of them. */
function meanOf(rows: readonly SeedRow[]): Allocated {
  const mean = new Map<number, number>();
  for (const percent of rows[0]?.allocated.keys() ?? []) {
    const values = rows.flatMap(({ allocated }) => allocated.get(percent) ?? []);
    if (values.length === rows.length) {
      mean.set(percent, values.reduce((sum, value) => sum + value, 0) / rows.length);
    }
  }
  return mean;
}

/** Before that, every policy allocates whatever arrives. */
const PLOT_FROM = 80;

function plotOf({ workload, policy, rows, published }: Found): string {
  const line = (name: string, curve: Allocated) => ({
    name,
    points: [...curve].filter(([percent]) => percent >= PLOT_FROM).toSorted(([a], [b]) => a - b),
  });
  return lineChart({
    title: `Devices allocated by devices asked for (openb, ${workload})`,
    x: { label: "arrived", unit: "%", scale: "linear", from: PLOT_FROM },
    y: { label: "allocated", unit: "%", scale: "linear", from: PLOT_FROM },
    series: [
      line(`${policy} (Berth)`, meanOf(rows)),
      ...published.map((other) => line(other.policy, other.allocated)),
    ],
  });
}
