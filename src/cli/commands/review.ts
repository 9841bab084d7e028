/**
 * `berth review`: checks promises against a fleet. Exits with 0 if all hold, with 1 if one is
 * breached, with 2 for wrong input, and with 3 if one is not shown. With `--lose` it says instead
 * what the fleet can lose.
 */
import { type Command, Option } from "commander";
import { runKubernetes } from "../../review/kubernetes/run-kubernetes.ts";
import { factsOf } from "../../review/fleet-facts.ts";
import { nameOf, promiseOf, type StatedPromise } from "../../review/promise.ts";
import { compareReviews } from "../../review/report/compare-reviews.ts";
import { reportHtml } from "../../review/report/report-html.ts";
import { readReport, reportJson } from "../../review/report/report-json.ts";
import { reportJunit } from "../../review/report/report-junit.ts";
import { reportMarkdown } from "../../review/report/report-markdown.ts";
import { reportTable } from "../../review/report/report-table.ts";
import { REVIEW_EXIT, verdictOf } from "../../review/report/verdict-text.ts";
import type { CapacityClass, Finding, Review } from "../../review/review.ts";
import { Reviewer, type ReviewStep } from "../../review/reviewer.ts";
import { type Fleet, indexOf } from "../../fleet/fleet.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import { VERSION } from "../../shell/version.ts";
import { runTwin } from "../../twin/run-twin.ts";
import { didYouMean } from "../../spelling/nearest.ts";
import { addServerOptions } from "../client/server-options.ts";
import type { Terminal } from "../main.ts";
import { EvidenceFolder } from "../review/evidence-folder.ts";
import { replayRun } from "../review/replay-run.ts";
import { withoutSecrets } from "../../fleet/without-secrets.ts";
import { changeFleet } from "../review/change-fleet.ts";
import { FinishedFindings } from "../review/finished-findings.ts";
import { type FleetOptions, profileOf, readFleetOf } from "../review/read-fleet-of.ts";
import { readPromises } from "../review/read-promises.ts";
import { registerReviewInit } from "../review/review-init.ts";
import { type LossOptions, reviewLosses } from "../review/review-losses.ts";
import { reviewAllLonger } from "../review/review-longer.ts";
import { reviewCommand } from "../review/review-command.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { writeOutput } from "../write-output.ts";

export interface ReviewOptions extends FleetOptions {
  readonly profile?: Review["profile"];
  readonly seeds: string;
  readonly seed?: string;
  readonly only?: string;
  readonly with?: readonly string[];
  readonly against?: string;
  readonly output: keyof typeof REPORTS;
  readonly out?: string;
  readonly resume?: string;
  readonly lose?: string;
  readonly which?: string;
  readonly any?: string;
  readonly counted?: CapacityClass;
  readonly fix?: boolean;
  readonly evidence?: string;
  readonly replay?: string;
  readonly viewer?: string;
  readonly longer?: string;
}

type Against = { readonly against?: ReturnType<typeof compareReviews> | undefined };

const REPORTS = {
  table: (review: Review, against: Against) => reportTable(review, against),
  markdown: (review: Review, against: Against) => reportMarkdown(review, against),
  html: (review: Review, against: Against) => reportHtml(review, against),
  json: (review: Review, against: Against) => reportJson(review, against),
  junit: (review: Review) => reportJunit(review),
} as const;

const NOT_WITH_REPLAY = [
  "world",
  "backup",
  "with",
  "only",
  "seed",
  "lose",
  "against",
  "resume",
  "evidence",
  "out",
] as const;

/** Enough that each place of a usual fleet is lost once, in about a minute for ten promises. */
const SEEDS = "20";
const SEEDS_MOST = 100_000;

export function registerReview(program: Command, terminal: Terminal): void {
  const command = program
    .command("review")
    .description("check promises against a fleet, with evidence and the reason")
    .argument(
      "[file...]",
      "promises: files or folders of Commitment objects (default: the plane's)",
    )
    .option("--fleet <file>", "a fleet that berth import wrote")
    .option("--world <file>", "the fleet that a world of berth simulate comes to")
    .option("--backup <file>", "the fleet in a backup of a plane")
    .addOption(
      new Option(
        "--profile <name>",
        "whose control plane runs it (default: by its source)",
      ).choices(["berth", "kubernetes"]),
    )
    .option("--seeds <count>", "simulated runs for each promise", SEEDS)
    .option("--seed <number>", "only this run")
    .option("--only <name>", "only this promise, such as payments/risk-api-recovers")
    .option("--with <file...>", "apply these manifests to the twin first")
    .option("--against <file>", "show what changed since this review (-o json)")
    .addOption(
      new Option("-o, --output <form>", "output format")
        .choices(Object.keys(REPORTS))
        .default("table"),
    )
    .option("--out <file>", "write the report to this file")
    .option("--longer <times>", "instead: which that hold are breached by so many times the runs")
    .option("--resume <file>", "keep finished findings here, and do not check them again")
    .option("--evidence <folder>", "leave the worst run of each promise that does not hold here")
    .option("--replay <file>", "instead: run such a worst run again")
    .addOption(new Option("--viewer <file>", "page of the viewer").hideHelp())
    .option("--lose <places>", "instead: what can be lost; node, zone, region, or a node label")
    .option("--which <name>", "with --lose: only this node, zone or region")
    .option("--any <count>", "with --lose: so many of them at once, in every combination")
    .addOption(
      new Option(
        "--counted <class>",
        "with --lose: the capacity that counts; hard: free and reserved room; reclaimable: also what preemption frees; soft: also nodes that pools may add",
      )
        .choices(["hard", "reclaimable", "soft"])
        .default("hard"),
    )
    .option("--fix", "with --lose: search the smallest change that makes it hold");
  addServerOptions(command).action((files: readonly string[], options: ReviewOptions) =>
    checkPromises(files, options, terminal),
  );
  registerReviewInit(command, terminal);
}

async function checkPromises(
  files: readonly string[],
  options: ReviewOptions,
  terminal: Terminal,
): Promise<void> {
  if (options.replay !== undefined) {
    const other = NOT_WITH_REPLAY.find((name) => options[name] !== undefined);
    if (files.length > 0 || other !== undefined) {
      const found = other === undefined ? (files[0] ?? "") : `--${other}`;
      const why = `--replay takes the promise and its run from the file; found ${found} beside it.`;
      throw new UserError("bad-usage", `${why} Leave it out; --fleet may name the fleet.`);
    }
    replayRun(options.replay, options, terminal);
    return;
  }
  const stated = files.length === 0 ? undefined : await readPromises(files);
  const before = await readFleetOf(options);
  const given = options.with === undefined ? before : await changeFleet(before, options.with);
  const profile = options.profile ?? profileOf(given);
  // Annotations of an import are what the forecast of Kubernetes goes by; it has no secrets.
  const fleet = profile === "kubernetes" ? given : withoutSecrets(given);
  if (options.lose !== undefined) {
    const objects = indexOf(fleet);
    reviewLosses({ source: fleet.source, objects }, lossOptionsOf(options, options.lose), terminal);
    return;
  }
  const promises = chosen(stated ?? promisesOf(fleet), options.only);
  if (options.longer !== undefined) {
    const terms = {
      profile,
      runTwin: profile === "kubernetes" ? runKubernetes : runTwin,
      seeds: countOf("--seeds", options.seeds),
      times: countOf("--longer", options.longer),
    };
    reviewAllLonger(fleet, promises, { terms, terminal });
    return;
  }
  const made = checkAll(fleet, { files, promises, profile, options, terminal });
  const { against } = options;
  const earlier = against === undefined ? undefined : readReport(readInput(against), against);
  const compared = earlier === undefined ? undefined : compareReviews(earlier, made);
  const text = REPORTS[options.output](made, { against: compared });
  if (options.out === undefined) terminal.out(text);
  else {
    writeOutput(options.out, text);
    if (options.output !== "table") terminal.out(reportTable(made, { against: compared }));
  }
  terminal.exitCode = REVIEW_EXIT[verdictOf(made)];
}

function lossOptionsOf({ output, ...options }: ReviewOptions, lose: string): LossOptions {
  if (output === "table" || output === "json") return { ...options, lose, output };
  throw new UserError("bad-usage", `--lose prints table or json; found -o ${output}.`);
}

const promisesOf = ({ objects }: Fleet): readonly StatedPromise[] =>
  objects.flatMap((object) => (object.kind === "Commitment" ? [promiseOf(object)] : []));

function chosen(
  promises: readonly StatedPromise[],
  only: string | undefined,
): readonly StatedPromise[] {
  if (promises.length === 0) {
    throw new UserError(
      "bad-usage",
      "The fleet has no Commitment. Name a file of promises; `berth review init` writes one.",
    );
  }
  if (only === undefined) return promises;
  const named = promises.filter((promise) => nameOf(promise) === only || promise.name === only);
  if (named.length > 0) return named;
  const hint = didYouMean(only, promises.map(nameOf));
  throw new UserError("not-found", `There is no promise ${only}.${hint}`);
}

interface Asked {
  readonly files: readonly string[];
  readonly promises: readonly StatedPromise[];
  readonly profile: Review["profile"];
  readonly options: ReviewOptions;
  readonly terminal: Terminal;
}

function checkAll(fleet: Fleet, { files, promises, profile, options, terminal }: Asked): Review {
  const seeds = countOf("--seeds", options.seeds);
  const onlySeed = options.seed === undefined ? undefined : countOf("--seed", options.seed);
  const facts = factsOf(fleet);
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  const show = ({ promise, done, of }: ReviewStep): void => {
    bar.show(at + done / of, promises.length, promise);
  };
  let at = 0;
  const left =
    options.evidence === undefined
      ? undefined
      : new EvidenceFolder(options.evidence, {
          fleet,
          hash: facts.hash,
          profile,
          viewer: options.viewer,
        });
  const finished = new FinishedFindings(options.resume, [
    VERSION,
    facts.hash,
    profile,
    seeds,
    onlySeed,
    options.evidence,
  ]);
  const reviewer = new Reviewer(fleet, {
    profile,
    runTwin: profile === "kubernetes" ? runKubernetes : runTwin,
    seeds,
    onlySeed,
    searchesFix: true,
    onProgress: show,
    leave: left && ((promise, worst) => left.leave(promise, worst)),
    replay: (promise, seed) =>
      reviewCommand(files, { ...options, profile, only: nameOf(promise), seed: `${seed}` }),
  });
  const findings = promises.map((promise): Finding => {
    bar.show(at, promises.length, nameOf(promise));
    const finding = finished.find(promise) ?? reviewer.review(promise);
    finished.add(promise, finding);
    at += 1;
    return finding;
  });
  bar.clear();
  if (left?.note !== undefined) terminal.err(`${left.note}\n`);
  const command = reviewCommand(files, { ...options, profile });
  const evidence = { madeMs: Date.now(), build: VERSION, command };
  return { fleet: facts, profile, findings, evidence };
}

function countOf(option: string, text: string): number {
  const count = Number(text);
  if (Number.isInteger(count) && count >= 1 && count <= SEEDS_MOST) return count;
  const expected = `a whole number from 1 to ${SEEDS_MOST}`;
  throw new UserError("bad-usage", `${option}: found "${text}"; expected ${expected}.`);
}
