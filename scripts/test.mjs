/**
 * The gate: tools, format, lint, types, tests. Every stage runs, so that one run shows everything
 * there is to correct. Arguments go to vitest, as in `npm test -- -t place`. The last line is
 * always "N passed, N failed", counted from vitest's own reports.
 *
 * Tests with agents, clusters and browsers mostly wait, tests of the core mostly compute: they run
 * side by side, which takes half the time of one after the other. The computing half has the lower
 * priority, so that it does not delay the leases and deadlines of the other; its threads take
 * the processors that the other leaves idle, and both when that one is done. vitest.config.ts says
 * which files of a half run at once.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, openSync, readFileSync, rmSync } from "node:fs";
import { setPriority } from "node:os";
import { fileURLToPath } from "node:url";

/**
 * @typedef {object} TestReport
 * @property {string} status
 * @property {string} fullName
 * @property {string[]} failureMessages
 *
 * @typedef {object} FileReport
 * @property {string} name
 * @property {string} status
 * @property {string} message
 * @property {TestReport[]} assertionResults
 *
 * @typedef {object} Half
 * @property {string} name
 * @property {string[]} projects
 * @property {number} [threads]
 * @property {number} [niceness]
 * @property {string[]} [paths]
 */

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = fileURLToPath(new URL("../.tsbuild", import.meta.url));

const STAGES = [
  {
    name: "tools",
    command: ["node", "scripts/ensure-tools.mjs"],
    failure: "A program the tests need is missing: see the sentence above.",
  },
  {
    name: "format",
    command: ["npm", "run", "--silent", "format:check"],
    failure: "The format check failed: run `npm run format`.",
  },
  {
    name: "lint",
    command: ["npm", "run", "--silent", "lint"],
    failure: "The linter found faults: correct what it lists above.",
  },
  {
    name: "types",
    command: ["npm", "run", "--silent", "typecheck"],
    failure: "The type check failed: correct what the compiler lists above.",
  },
];

/**
 * The report is the last thing that vitest writes. A worker that Node does not get to end (a
 * request of a closed connection that is never answered) must not hold up the gate for ever; every
 * test is counted by then.
 */
const END_WITHIN_MS = 120_000;

/** Projects of vitest.config.ts; with arguments of one's own, all of them at once. */
const HALVES =
  process.argv.length > 2
    ? [{ name: "all", projects: [] }]
    : [
        { name: "processes", projects: ["alone", "apart", "web"] },
        { name: "core", projects: ["commands", "together"], niceness: 10 },
      ];

/**
 * Tests with processes, sockets and browsers of their own. A shared machine can stand still for
 * longer than any lease; ADR 24 says why these alone get a second run in CI, and how many.
 */
const REAL_PARTS = /^test\/(?:agent|backup|bench|cli|contract|e2e|etcd|hostile|web)\//;
const SECOND_RUNS_MOST = 2;

const failures = STAGES.flatMap(({ name, command: [program = "", ...args], failure }) => {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  return status === 0 ? [] : [failure];
});

console.log("\n== tests");
mkdirSync(folder, { recursive: true });
const first = (await Promise.all(HALVES.map(runHalf))).flatMap(({ testResults }) => testResults);
const { files, unstable } = await withSecondRun(first);
const counts = count(files);
console.log();
for (const each of unstable.flatMap(failedTests)) {
  console.log(`UNSTABLE, passed alone: a bug to be found (ADR 24).\n${each}\n`);
}
for (const failed of files.flatMap(failedTests)) console.log(`${failed}\n`);
for (const failure of failures) console.log(failure);
if (counts.skipped > 0) console.log(`${counts.skipped} tests did not run.`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = failures.length === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1;

/**
 * The first half is seen as it runs; what the other says is shown whole when it is done.
 * @param {Half} half
 * @param {number} at
 */
async function runHalf({ name, projects, niceness = 0, threads, paths = [] }, at) {
  const report = `${folder}/vitest-${name}.json`;
  const output = `${folder}/vitest-${name}.txt`;
  // A report left from an earlier run must never be counted as this one's.
  rmSync(report, { force: true });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const which = projects.map((project) => `--project=${project}`);
  const program = fileURLToPath(new URL("../node_modules/vitest/vitest.mjs", import.meta.url));
  const args = [program, "run", ...reporters, ...which, ...paths, ...process.argv.slice(2)];
  const to = at === 0 ? "inherit" : openSync(output, "w");
  const env = {
    ...process.env,
    ...(threads === undefined ? {} : { BERTH_TEST_THREADS: `${threads}` }),
  };
  const vitest = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", to, to] });
  if (vitest.pid !== undefined && niceness > 0) setPriority(vitest.pid, niceness);
  let isHanging = false;
  const watch = setInterval(() => {
    if (!existsSync(report)) return;
    clearInterval(watch);
    setTimeout(() => {
      isHanging = true;
      vitest.kill("SIGKILL");
    }, END_WITHIN_MS).unref();
  }, 1_000);
  const status = await new Promise((resolve) => {
    vitest.on("close", (code, signal) => {
      if (isHanging) console.log(`vitest (${name}) did not end after its report.`);
      else if (signal !== null) console.log(`vitest (${name}) was ended by ${signal}.`);
      resolve(isHanging ? 0 : code);
    });
    vitest.on("error", resolve);
  });
  clearInterval(watch);
  if (at > 0) console.log(readFileSync(output, "utf8"));
  const read = readReport(report, name);
  // A status that no test explains, such as an error outside of tests, is a failure of its own.
  if (status !== 0 && !read.testResults.some((file) => file.status === "failed")) {
    failures.push(`The tests failed (${name}): see the list above.`);
  }
  return read;
}

/**
 * In CI, the files of real parts that failed are run once more, one after the other with nothing
 * beside them. What fails again has failed; what passes is told as unstable with its first failure.
 * @param {FileReport[]} all
 * @returns {Promise<{ files: FileReport[], unstable: FileReport[] }>}
 */
async function withSecondRun(all) {
  const failed = all.filter((file) => file.status === "failed");
  const paths = failed.map(({ name }) => name.replace(root, ""));
  const isAllowed =
    process.env["CI"] === "true" &&
    failed.length > 0 &&
    failed.length <= SECOND_RUNS_MOST &&
    paths.every((path) => REAL_PARTS.test(path));
  if (!isAllowed) return { files: all, unstable: [] };
  console.log(`\n== once more, alone: ${paths.join(", ")}`);
  const half = { name: "again", projects: [], threads: 1, paths };
  const { testResults } = await runHalf(half, 0);
  const again = new Map(testResults.map((file) => [file.name, file]));
  return {
    files: all.map((file) => (file.status === "failed" ? (again.get(file.name) ?? file) : file)),
    unstable: failed.filter(({ name }) => again.get(name)?.status === "passed"),
  };
}

/**
 * What failed, said again at the very end: the output of two halves is long, and its beginning is
 * often cut off.
 * @param {FileReport} file
 * @returns {string[]}
 */
function failedTests({ name, status, message, assertionResults }) {
  if (status !== "failed") return [];
  const path = name.replace(root, "");
  const tests = assertionResults.filter((test) => test.status === "failed");
  if (tests.length === 0) return [`FAILED ${path}\n${message}`];
  return tests.map(
    (test) => `FAILED ${path} > ${test.fullName}\n${test.failureMessages.join("\n")}`,
  );
}

/**
 * A file that fails before any of its tests could run counts as one failure, not as none.
 * @param {FileReport[]} testResults
 */
function count(testResults) {
  const brokenFiles = testResults.filter(
    (file) =>
      file.status === "failed" && !file.assertionResults.some((test) => test.status === "failed"),
  ).length;
  const tests = testResults.flatMap((file) => file.assertionResults);
  const having = (/** @type {string} */ status) =>
    tests.filter((test) => test.status === status).length;
  const passed = having("passed");
  const failed = having("failed");
  return { passed, failed: failed + brokenFiles, skipped: tests.length - passed - failed };
}

/**
 * @param {string} report
 * @param {string} name
 * @returns {{ testResults: FileReport[] }}
 */
function readReport(report, name) {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    failures.push(
      `vitest (${name}) left no report, so none of its tests can be counted as passed.`,
    );
    return { testResults: [] };
  }
}
