/**
 * The worst run of a promise as a file: what the twin was put through, with which seed, on which
 * fleet, and what came of it. Nothing else is needed to run it again and to see whether it is the
 * same run.
 */
import { UserError } from "../../shell/errors.ts";
import type { TwinScenario } from "../../twin/twin-run.ts";
import type { Judged } from "../check/judged.ts";
import type { WorstRun } from "../check/run-seeds.ts";
import type { StatedPromise } from "../promise.ts";
import type { Review } from "../review.ts";

const FORMAT = 1;

export interface WorstRunFile {
  readonly berthTwinRun: typeof FORMAT;
  /** Version of Berth that ran it. */
  readonly build: string;
  readonly profile: Review["profile"];
  readonly fleet: {
    readonly source: string;
    readonly hash: string;
    /** Beside this file. */
    readonly file: string;
  };
  readonly promise: StatedPromise;
  /** e.g. "the loss of zone eu-a"; left out: the promise names none. */
  readonly failure?: string;
  readonly seed: number;
  readonly scenario: TwinScenario;
  readonly outcome: Pick<Judged, "is" | "ms" | "why">;
  /** Of the run. */
  readonly hash: string;
}

export interface OfWorstRun {
  readonly build: string;
  readonly profile: Review["profile"];
  readonly fleet: WorstRunFile["fleet"];
  readonly promise: StatedPromise;
}

export function worstRunText(worst: WorstRun, of: OfWorstRun): string {
  const { seed, failure, scenario, hash, is, ms, why } = worst;
  const { build, profile, fleet, promise } = of;
  const file: WorstRunFile = {
    berthTwinRun: FORMAT,
    build,
    profile,
    fleet,
    promise,
    ...(failure === undefined ? {} : { failure: failure.text }),
    seed,
    scenario,
    outcome: { is, ...(ms === undefined ? {} : { ms }), ...(why === undefined ? {} : { why }) },
    hash,
  };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

/** `file` is what people are told when it is wrong. */
export function parseWorstRun(text: string, file: string): WorstRunFile {
  let found: unknown;
  try {
    found = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UserError("invalid-file", `It is not JSON: ${reason}. ${WHERE_FROM}`, { file });
  }
  if (!isRecord(found) || found["berthTwinRun"] === undefined) {
    throw new UserError("invalid-file", `It is no run of a review. ${WHERE_FROM}`, { file });
  }
  if (found["berthTwinRun"] !== FORMAT) {
    const format = JSON.stringify(found["berthTwinRun"]);
    const why = `It is a run of format ${format}; this version reads format ${FORMAT}.`;
    throw new UserError("invalid-file", `${why} Replay it with the version that wrote it.`, {
      file,
    });
  }
  const wrong = FIELDS.find(([path, isRight]) => !isRight(at(found, path)));
  if (wrong !== undefined) {
    const [path, , expected] = wrong;
    throw new UserError("invalid-file", `${path}: expected ${expected}. ${WHERE_FROM}`, { file });
  }
  return found as unknown as WorstRunFile;
}

const WHERE_FROM = "`berth review --evidence DIR` writes such files as DIR/*.run.json.";

type Test = (value: unknown) => boolean;

const isText: Test = (value) => typeof value === "string" && value !== "";
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isEvent: Test = (event) =>
  isRecord(event) && typeof event["atMs"] === "number" && isText(event["do"]);

const FIELDS: readonly (readonly [string, Test, string])[] = [
  ["build", isText, "a version"],
  ["profile", (value) => value === "berth" || value === "kubernetes", "berth or kubernetes"],
  ["fleet.source", isText, "a text"],
  ["fleet.hash", isText, "a hash"],
  ["fleet.file", isText, "the name of a file"],
  ["promise.namespace", isText, "a namespace"],
  ["promise.name", isText, "a name"],
  ["promise.spec", isRecord, "a promise"],
  ["seed", (value) => Number.isInteger(value) && Number(value) > 0, "a whole number above 0"],
  ["scenario.events", (value) => Array.isArray(value) && value.every(isEvent), "a list of events"],
  ["scenario.watchMs", (value) => Number.isInteger(value) && Number(value) > 0, "milliseconds"],
  ["scenario.hasFaults", (value) => typeof value === "boolean", "true or false"],
  ["outcome.is", isText, "kept, broken or unknown"],
  ["hash", isText, "a hash"],
];

function at(found: Readonly<Record<string, unknown>>, path: string): unknown {
  let value: unknown = found;
  for (const part of path.split(".")) value = isRecord(value) ? value[part] : undefined;
  return value;
}
