/**
 * The gate: tools, format, lint, types, tests. Every stage runs, so that one run shows everything there is to correct.
 * Arguments go to vitest, as in `npm test -- -t place`. The last line is always "N passed, N failed", counted
 * from vitest's own report.
 */
import { spawnSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const report = fileURLToPath(new URL("../.tsbuild/vitest.json", import.meta.url));

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
  {
    name: "tests",
    command: [
      "npx",
      "vitest",
      "run",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${report}`,
      ...process.argv.slice(2),
    ],
    failure: "The tests failed: see the list above.",
  },
];

// A report left from an earlier run must never be counted as this one's.
rmSync(report, { force: true });

const failures = STAGES.flatMap(({ name, command: [program = "", ...args], failure }) => {
  console.log(`\n== ${name}`);
  const { status } = spawnSync(program, args, { cwd: root, stdio: "inherit" });
  return status === 0 ? [] : [failure];
});

const counts = count();
console.log();
for (const failure of failures) console.log(failure);
if (counts.skipped > 0) console.log(`${counts.skipped} tests did not run.`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = failures.length === 0 && counts.failed === 0 && counts.passed > 0 ? 0 : 1;

/** A file that fails before any of its tests could run counts as one failure, not as none. */
function count() {
  const { testResults } = readReport();
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

/** @returns {{ testResults: { status: string, assertionResults: { status: string }[] }[] }} */
function readReport() {
  try {
    return JSON.parse(readFileSync(report, "utf8"));
  } catch {
    failures.push("vitest left no report, so no test can be counted as passed.");
    return { testResults: [] };
  }
}
