/**
 * `berth simulate`: runs seeds or a scenario, and for what goes wrong leaves a scenario file and
 * tells the story. Exits with 1 when a rule was violated.
 */
import { createHash } from "node:crypto";
import { basename, dirname, join } from "node:path";
import type { Command } from "commander";
import { documentOfRun } from "../../incident/document-of-run.ts";
import { formatScenario } from "../../scenario/scenario-file.ts";
import { formatTrace } from "../../scenario/trace-file.ts";
import { UserError } from "../../shell/errors.ts";
import { type Investigation, investigate, storyOf } from "./investigate.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, type ProgressTarget, stderrTarget } from "../text/progress-bar.ts";
import {
  describeRecoveries,
  type RecoveryFigures,
  recoveryFigures,
} from "../text/recovery-figures.ts";
import { defaultWorkers } from "../simulate/default-workers.ts";
import { runNamingSeed, runSeeds, type SeedOutcome } from "../simulate/run-seeds.ts";
import {
  planArguments,
  type PlanOptions,
  planSimulation,
  runOptionsFor,
  type SimulationPlan,
} from "../simulate/simulation-plan.ts";
import { readWholeNumber } from "../../shell/read-whole-number.ts";
import { VERSION } from "../../shell/version.ts";
import { writeIncident } from "../simulate/write-incident.ts";
import { writeOutput } from "../write-output.ts";

export interface SimulateOptions extends PlanOptions {
  readonly shrink?: boolean;
  readonly trace?: string;
  readonly html?: string;
  /** For tests: the page that `html` fills. */
  readonly viewer?: string;
  readonly json?: boolean;
  readonly workers?: string;
}

export function registerSimulate(program: Command, terminal: Terminal): void {
  program
    .command("simulate")
    .description("simulate the control plane under faults and check invariants")
    .option("--world <file>", 'a world file, or "standard" (default: every seed draws its own)')
    .option("--seeds <range>", "range of seeds, such as 1..300 (default: 1..100)")
    .option("--seed <n>", "one seed")
    .option(
      "--faults <which>",
      'swarm, none, or fault names with commas between (default: "swarm")',
    )
    .option("--hostile", "add a malicious agent or user to every world (default: 1 in 8)")
    .option(
      "--two-worlds",
      "run each seed in two worlds that differ in what one tenant wrote; others must read the same",
    )
    .option("--regional", "give every world regions with planes of their own (default: 1 in 10)")
    .option("--scenario <file>", "run a scenario file instead")
    .option("--shrink", "minimize a run that violates an invariant")
    .option("--trace <file>", "record the run (one seed or scenario) for berth replay")
    .option("--html <file>", "write the run (one seed or scenario) as an HTML page")
    .option(
      "--workers <n>",
      "number of worker threads (default: as many as processors, for 25 seeds each)",
    )
    .option("--json", "print the result as JSON")
    .action((options: SimulateOptions) =>
      simulate(
        options,
        terminal,
        stderrTarget((text) => terminal.err(text)),
      ),
    );
}

/** Exactly what `--json` prints. */
export interface SimulateReport {
  readonly seeds: number;
  readonly events: number;
  readonly eventsPerSecond: number;
  readonly violations: readonly {
    readonly seed: number;
    readonly rule: string;
    readonly message: string;
    /** The file that reproduces it; null when the listed faults alone do not. */
    readonly scenario: string | null;
  }[];
  readonly hash: string;
  /** Only when runs had recoveries. */
  readonly recoveries?: RecoveryFigures;
}

export async function simulate(
  options: SimulateOptions,
  terminal: Terminal,
  progress: ProgressTarget,
): Promise<void> {
  const plan = planSimulation(options);
  const workers = workersFor(options, plan);
  assertOneRun(options, plan);
  const bar = new ProgressBar(progress);
  const tally = await runAll(plan, workers, bar);
  if (options.trace !== undefined) recordTrace(plan, options.trace);
  const findings = tally.violating.map((outcome, index) => {
    const before = tally.violating
      .slice(0, index)
      .filter((other) => other.violation?.rule === outcome.violation?.rule).length;
    if (before >= EXAMINED_PER_RULE || plan.isCompared === true)
      return merelyNamed(options, outcome);
    return examine({
      plan,
      options,
      outcome,
      bar,
      shrink: options.shrink === true && before === 0,
    });
  });
  bar.clear();
  if (findings.length > 0) terminal.exitCode = 1;
  const report = reportOf(tally, findings);
  const wrote = options.html === undefined ? "" : showRun(plan, options, findings[0]);
  terminal.out(
    options.json === true ? `${JSON.stringify(report)}\n` : describe(report, findings) + wrote,
  );
}

function workersFor({ workers }: SimulateOptions, { seeds }: SimulationPlan): number {
  if (workers === undefined) return defaultWorkers(seeds.last - seeds.first + 1);
  const count = readWholeNumber("--workers", workers);
  if (count === 0) throw new UserError("bad-usage", "--workers: found 0, expected at least 1.");
  return count;
}

function assertOneRun(options: SimulateOptions, { seeds, isCompared }: SimulationPlan): void {
  const alone = (["trace", "html", "shrink"] as const).find((name) => options[name] !== undefined);
  if (isCompared === true && alone !== undefined) {
    throw new UserError("bad-usage", `--two-worlds and --${alone} cannot be used together.`);
  }
  const clash = (["trace", "html"] as const).find((name) => options[name] !== undefined);
  if (clash === undefined || seeds.first === seeds.last) return;
  const does = clash === "trace" ? "records" : "shows";
  throw new UserError("bad-usage", `--${clash} ${does} one run; add --seed or --scenario.`);
}

interface Tally {
  readonly outcomes: number;
  readonly events: number;
  readonly elapsedMs: number;
  readonly hash: string;
  /** In the order of their seeds. */
  readonly violating: readonly SeedOutcome[];
  readonly recoveries: RecoveryFigures | undefined;
}

async function runAll(plan: SimulationPlan, workers: number, bar: ProgressBar): Promise<Tally> {
  const total = plan.seeds.last - plan.seeds.first + 1;
  const hashes = new Map<number, string>();
  const violating: SeedOutcome[] = [];
  const recoveries: NonNullable<SeedOutcome["recoveries"]>[] = [];
  const startedMs = performance.now();
  let events = 0;
  await runSeeds({
    plan,
    workers,
    onOutcome: (outcome) => {
      events += outcome.events;
      hashes.set(outcome.seed, outcome.hash);
      if (outcome.violation) violating.push(outcome);
      if (outcome.recoveries) recoveries.push(outcome.recoveries);
      const rate = perSecond(events, performance.now() - startedMs);
      const found = violating.length === 0 ? "" : `, ${violating.length} violated`;
      bar.show(hashes.size, total, `seeds, ${rate} events/s${found}`);
    },
  });
  return {
    outcomes: total,
    events,
    elapsedMs: performance.now() - startedMs,
    hash: hashOf(hashes),
    violating: violating.toSorted((a, b) => a.seed - b.seed),
    recoveries: recoveryFigures(recoveries),
  };
}

/** One fingerprint for all runs, in the order of their seeds, whichever thread ran them. */
function hashOf(hashes: ReadonlyMap<number, string>): string {
  const digest = createHash("sha256");
  for (const [seed, hash] of [...hashes].toSorted(([a], [b]) => a - b))
    digest.update(`${seed} ${hash}\n`);
  return digest.digest("hex").slice(0, 16);
}

function perSecond(events: number, elapsedMs: number): number {
  return Math.round((events / Math.max(elapsedMs, 1)) * 1000);
}

function recordTrace(plan: SimulationPlan, file: string): void {
  const options = { ...runOptionsFor(plan, plan.seeds.first), trace: true };
  writeOutput(file, formatTrace(options, runNamingSeed(options)));
}

/** The smallest run that violates the rule, where one was found; otherwise the run as it was. */
function showRun(
  plan: SimulationPlan,
  options: SimulateOptions,
  finding: Finding | undefined,
): string {
  const { html: file = "", viewer } = options;
  const seed = plan.seeds.first;
  const found = finding?.investigation?.scenario && finding.investigation.result;
  const result = found ?? runNamingSeed({ ...runOptionsFor(plan, seed), witness: true });
  const where = options.world === undefined ? "the swarm" : `the world ${basename(options.world)}`;
  const title =
    options.scenario === undefined
      ? `seed ${seed} of ${where}`
      : `scenario ${basename(options.scenario)}`;
  const again = finding?.command ?? `berth simulate ${planArguments(options, seed)}`;
  const document = documentOfRun(result, { title, version: VERSION, again });
  return `${writeIncident({ file, document, viewer })}\n`;
}

interface Finding {
  readonly outcome: SeedOutcome;
  /** Undefined for seeds that were only counted. */
  readonly investigation: Investigation | undefined;
  readonly scenarioFile: string | null;
  /** What a person types to see it again. */
  readonly command: string;
}

interface ToExamine {
  readonly plan: SimulationPlan;
  readonly options: SimulateOptions;
  readonly outcome: SeedOutcome;
  readonly bar: ProgressBar;
  readonly shrink: boolean;
}

/**
 * Files for the first few; a broken build violates one rule hundreds of times and would fill the
 * folder.
 */
const EXAMINED_PER_RULE = 3;

function merelyNamed(options: SimulateOptions, outcome: SeedOutcome): Finding {
  const command = `berth simulate ${planArguments(options, outcome.seed)}`;
  return { outcome, investigation: undefined, scenarioFile: null, command };
}

/**
 * One smallest scenario for each rule is enough; shrinking every seed that met it would take hours.
 */
function examine({ plan, options, outcome, bar, shrink }: ToExamine): Finding {
  const { world } = runOptionsFor(plan, outcome.seed);
  const investigation = investigate({
    world,
    outcome,
    shrink,
    witness: options.html !== undefined,
    onProgress: ({ runs, maxRuns, smallest }) =>
      bar.show(
        runs,
        maxRuns,
        `runs at most, shrinking seed ${outcome.seed}: ${smallest.faults.length} faults`,
      ),
  });
  if (!investigation.scenario) {
    const command = `berth simulate ${planArguments(options, outcome.seed)}`;
    return { outcome, investigation, scenarioFile: null, command };
  }
  const folder = options.trace === undefined ? "" : dirname(options.trace);
  const scenarioFile = join(folder, `berth-violation-${outcome.seed}.yaml`);
  writeOutput(scenarioFile, formatScenario(investigation.scenario));
  return { outcome, investigation, scenarioFile, command: `berth replay ${scenarioFile}` };
}

function reportOf(tally: Tally, findings: readonly Finding[]): SimulateReport {
  return {
    seeds: tally.outcomes,
    events: tally.events,
    eventsPerSecond: perSecond(tally.events, tally.elapsedMs),
    violations: findings.map(({ outcome, scenarioFile }) => ({
      seed: outcome.seed,
      rule: outcome.violation?.rule ?? "",
      message: outcome.violation?.message ?? "",
      scenario: scenarioFile,
    })),
    hash: tally.hash,
    ...(tally.recoveries && { recoveries: tally.recoveries }),
  };
}

/** A screenful of seeds; the JSON object has them all. */
const SHOWN = 20;

/** The story of the first violation of each rule, a line for every other, and the sums. */
function describe(report: SimulateReport, findings: readonly Finding[]): string {
  const told = new Set<string>();
  const stories: string[] = [];
  const others: string[] = [];
  for (const { outcome, investigation, command } of findings) {
    const { rule = "", message = "" } = outcome.violation ?? {};
    if (investigation?.scenario && !told.has(rule)) {
      told.add(rule);
      stories.push(storyOf(investigation.result, command));
    } else {
      const isLost = investigation !== undefined && investigation.scenario === undefined;
      const how = isLost ? " (its listed faults alone do not reproduce it)" : "";
      others.push(`seed ${outcome.seed}: ${rule}: ${message}\n  ${command}${how}`);
    }
  }
  const more = others.length > SHOWN ? [`… and ${others.length - SHOWN} more seeds`] : [];
  const found = findings.length === 0 ? "no violations" : `${findings.length} violated a rule`;
  const seeds = `${report.seeds} ${report.seeds === 1 ? "seed" : "seeds"}`;
  const sums = `${seeds}, ${report.events} events, ${report.eventsPerSecond} events/s: ${found}. hash ${report.hash}`;
  const times = report.recoveries === undefined ? "" : describeRecoveries(report.recoveries);
  return `${[...stories, ...others.slice(0, SHOWN), ...more, sums].join("\n")}\n${times}`;
}
