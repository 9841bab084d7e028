import { defineConfig } from "vitest/config";
import { mutateSources } from "./test/mutants/mutate-sources.ts";

/** Tests of what has no state of its own beside what it is given, or cleans up after itself. */
const BESIDE = "{src,bench,web/src}/**/*.test.{ts,tsx}";
const TOGETHER = [
  BESIDE,
  "test/*.test.ts",
  "test/{api,builders,host,mutants,properties,scenarios,tidy}/**/*.test.ts",
];
/** Attacks and floods: they fill a processor, and how much of one they take is part of the result. */
const ALONE = ["test/hostile/**/*.test.ts", "test/agent/flooded-agent.test.ts"];
/** Agents and whole clusters: mostly they wait for leases, restarts and deadlines. */
const WAITING = ["test/{agent,e2e}/**/*.test.ts"];
const IN_A_BROWSER = ["test/web/**/*.test.ts"];
/** Commands against planes of their own, which compute more than they wait. */
const COMMANDS = ["test/cli/**/*.test.ts"];
/** Minutes of computing in one file: begun first, so that no thread is left alone with one at the end. */
const LONG = ["test/clean-code.test.ts", "test/properties/apply.test.ts", "src/sim/run.test.ts"];
const ALL = [BESIDE, "test/**/*.test.ts"];

/**
 * Tests with real connections run in processes: Node may spin for ever when it ends a worker thread that still
 * has a request on a closed HTTP/2 connection (`Environment::CleanupHandles`).
 */
const IN_PROCESSES = "forks";

/** `npm test` runs two halves at once and says how many threads each has. */
const THREADS = Number(process.env["BERTH_TEST_THREADS"] ?? 2);

/** Two of them leave time to the other half; their planes have ports, folders and cgroups of their own. */
const WAITING_AT_ONCE = 2;

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
    projects: [
      // One file after the other, with no other real processes beside it.
      {
        extends: true,
        test: {
          name: "alone",
          pool: IN_PROCESSES,
          include: ALONE,
          maxWorkers: 1,
          sequence: { groupOrder: 0 },
        },
      },
      // Real processes of their own, several files at once.
      {
        extends: true,
        test: {
          name: "waiting",
          pool: IN_PROCESSES,
          include: WAITING,
          exclude: ALONE,
          maxWorkers: WAITING_AT_ONCE,
          sequence: { groupOrder: 3 },
        },
      },
      // Real disks, real etcd, real commands: each file in a thread of its own.
      {
        extends: true,
        test: {
          name: "apart",
          pool: IN_PROCESSES,
          include: ALL,
          exclude: [...TOGETHER, ...ALONE, ...WAITING, ...IN_A_BROWSER, ...COMMANDS],
          maxWorkers: THREADS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "commands",
          include: COMMANDS,
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: "long",
          include: LONG,
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 1 },
        },
      },
      // Loading the modules takes longer than most of these tests: each thread does it once for all of them.
      {
        extends: true,
        test: {
          name: "together",
          include: TOGETHER,
          exclude: LONG,
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 2 },
        },
      },
      // The dashboard is built once for all of them; a browser waits as much as it works, so two take turns well.
      {
        extends: true,
        test: {
          name: "web",
          include: IN_A_BROWSER,
          globalSetup: "test/web/build-dashboard.ts",
          isolate: false,
          maxWorkers: THREADS,
          sequence: { groupOrder: 4 },
        },
      },
    ],
  },
});
