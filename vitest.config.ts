import { existsSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { mutateSources } from "./test/mutants/mutate-sources.ts";

/** Tests of what has no state of its own beside what it is given, or cleans up after itself. */
const BESIDE = "{src,bench,web/src}/**/*.test.{ts,tsx}";
/** About attacks, without any: they count steps, draw cases and judge made-up answers. */
const HARMLESS = ["test/hostile/{generate-query,oracle,parser-work}.test.ts"];
const TOGETHER = [
  BESIDE,
  ...HARMLESS,
  "test/*.test.ts",
  "test/{api,builders,host,mutants,properties,scenarios,tidy}/**/*.test.ts",
];
/** Attacks and floods: they fill a processor, and how much of one they take is part of the result. */
const ALONE = ["test/hostile/**/*.test.ts", "test/agent/flooded-agent.test.ts"];
const IN_A_BROWSER = ["test/web/**/*.test.ts"];
/** Commands against planes of their own, which compute more than they wait. */
const COMMANDS = ["test/cli/**/*.test.ts"];
const ALL = [BESIDE, "test/**/*.test.ts"];

/**
 * The longest of their groups, which begin first: a worker would be left alone with one of them at the end.
 * Vitest begins with the largest files instead, and these are short.
 */
const BEGIN_FIRST = [
  "test/bench/bench.test.ts",
  "test/e2e/chaos/chaos.test.ts",
  "test/e2e/recovery.test.ts",
  "test/e2e/regional-recovery.test.ts",
  "test/e2e/simulate.test.ts",
  "test/e2e/up-many.test.ts",
  "test/e2e/cluster/cluster.test.ts",
  "test/e2e/provisioning.test.ts",
  "test/e2e/up.test.ts",
  "test/agent/agent.test.ts",
  "test/e2e/two-tenants.test.ts",
  "test/agent/drivers/image-driver.test.ts",
  "test/bench/twin-against-real.test.ts",
  "test/e2e/rolling-upgrade.test.ts",
  "test/web/incident-view.test.ts",
  "test/web/shell.test.ts",
  "test/web/fleet.test.ts",
  "test/clean-code.test.ts",
  "test/properties/apply.test.ts",
  "src/sim/run.test.ts",
  "src/cli/review/review-longer.test.ts",
  "src/cli/review/review-promises.test.ts",
  "test/api/standing-promises.test.ts",
  "bench/scripts/estimates/measure-estimates.test.ts",
  "test/scenarios/scenario-files.test.ts",
  "test/api/access/non-interference.test.ts",
  "test/scenarios/disconnects.test.ts",
  "test/scenarios/regional-recovery.test.ts",
  "test/api/watch-guarantees.test.ts",
];

for (const path of BEGIN_FIRST) {
  if (!existsSync(new URL(path, import.meta.url)))
    throw new Error(`There is no ${path}: correct BEGIN_FIRST in vitest.config.ts.`);
}

function placeOf({ moduleId }: TestSpecification): number {
  const at = BEGIN_FIRST.findIndex((path) => moduleId.endsWith(`/${path}`));
  return at === -1 ? BEGIN_FIRST.length : at;
}

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort.call(this, files);
    // Groups are made of this list afterwards, and each keeps its order.
    return usual.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

/**
 * Tests with real connections run in processes: Node may spin for ever when it ends a worker thread that still
 * has a request on a closed HTTP/2 connection (`Environment::CleanupHandles`).
 */
const IN_PROCESSES = "forks";

/** How many files at once: so many where `npm test` says it, or else what suits each group. */
const SAID = process.env["BERTH_TEST_THREADS"];
const atOnce = (otherwise: number): number => Number(SAID ?? otherwise);

/** One more than the processors of a small machine: tests of the API wait for answers now and then. */
const THREADS = atOnce(3);

/**
 * Each takes a fifth of a processor: four leave time to the other half, and their planes have ports, folders and
 * cgroups of their own.
 */
const WAITING_AT_ONCE = atOnce(4);
/** A browser waits as much as it works, so two take turns well. */
const BROWSERS_AT_ONCE = atOnce(2);

export default defineConfig({
  plugins: mutateSources(process.env["BERTH_MUTANT"]),
  test: {
    pool: "threads",
    // A property or a simulation may run thousands of cases, and a shared runner may be several times slower
    // than a desk machine: the limit is there to end a hang, never to measure speed.
    testTimeout: 600_000,
    hookTimeout: 300_000,
    restoreMocks: true,
    setupFiles: "test/builders/property-seed.ts",
    sequence: { sequencer: LongestFirst },
    projects: [
      // One file after the other, with no other real processes beside it. First, while the other half has enough to
      // compute for the second processor.
      {
        extends: true,
        test: {
          name: "alone",
          pool: IN_PROCESSES,
          include: ALONE,
          exclude: HARMLESS,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
      // Agents, clusters, real disks, real etcd, real commands: each file in a process of its own. Mostly they wait for
      // leases, restarts and deadlines.
      {
        extends: true,
        test: {
          name: "apart",
          pool: IN_PROCESSES,
          include: ALL,
          exclude: [...TOGETHER, ...ALONE, ...IN_A_BROWSER, ...COMMANDS],
          maxWorkers: WAITING_AT_ONCE,
          sequence: { groupOrder: 4 },
        },
      },
      {
        extends: true,
        test: {
          name: "commands",
          include: COMMANDS,
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 2 },
        },
      },
      // Loading the modules takes longer than most of these tests: each thread does it once for all of them.
      {
        extends: true,
        test: {
          name: "together",
          include: TOGETHER,
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 3 },
        },
      },
      // The dashboard is built once for all of them.
      {
        extends: true,
        test: {
          name: "web",
          include: IN_A_BROWSER,
          globalSetup: "test/web/build-dashboard.ts",
          isolate: false,
          maxWorkers: BROWSERS_AT_ONCE,
          sequence: { groupOrder: 5 },
        },
      },
    ],
  },
});
