/**
 * `berth review --replay FILE`: runs the worst run of a promise again, says whether it is the same
 * run, and what came of it. Exits with 0 if the promise was kept, with 1 if it was broken, and with
 * 3 if the run is another one or does not tell.
 */
import { dirname, join } from "node:path";
import { readFleet } from "../../fleet/fleet-file.ts";
import { indexOf } from "../../fleet/fleet.ts";
import { judgeRun } from "../../review/check/judge-run.ts";
import { parseWorstRun, type WorstRunFile } from "../../review/evidence/worst-run.ts";
import { factsOf } from "../../review/fleet-facts.ts";
import { runKubernetes } from "../../review/kubernetes/run-kubernetes.ts";
import { nameOf } from "../../review/promise.ts";
import { spanText } from "../../review/report/span-text.ts";
import { UserError } from "../../shell/errors.ts";
import { readInput } from "../../shell/read-input.ts";
import { VERSION } from "../../shell/version.ts";
import { runTwin } from "../../twin/run-twin.ts";
import type { Terminal } from "../main.ts";

const EXIT = { kept: 0, broken: 1, unknown: 3 } as const;

const VERDICTS = { kept: "Kept", broken: "Broken", unknown: "Not shown" } as const;

export interface ReplayOptions {
  /** Another place of the fleet than beside the file. */
  readonly fleet?: string;
}

export function replayRun(file: string, options: ReplayOptions, terminal: Terminal): void {
  const past = parseWorstRun(readInput(file), file);
  const { profile, promise, scenario, seed, failure } = past;
  const fleetFile = options.fleet ?? join(dirname(file), past.fleet.file);
  const fleet = readFleet(fleetFile);
  const { hash } = factsOf(fleet);
  if (hash !== past.fleet.hash) {
    const why = `The fleet has the hash ${hash}, and the run is about ${past.fleet.hash}.`;
    const then = "Name the fleet of the run with --fleet, or review the promise anew.";
    throw new UserError("invalid-file", `${why} ${then}`, { file: fleetFile });
  }
  const run = (profile === "kubernetes" ? runKubernetes : runTwin)(fleet, scenario, seed);
  const { is, ms, why } = judgeRun(run, promise, indexOf(fleet));
  const isSame = run.hash === past.hash;
  const what = failure === undefined ? "" : `, ${failure}`;
  const took = ms === undefined || ms === 0 || why !== undefined ? "" : ` after ${spanText(ms)}`;
  const lines = [
    `Replay of ${nameOf(promise)}: seed ${seed}${what}.`,
    `Fleet: ${past.fleet.source} (${hash.slice(0, 12)}).`,
    `${VERDICTS[is]}${took}${why === undefined ? "" : `: ${why}`}.`,
    isSame ? `Run ${run.hash}: the same run.` : otherText(past, run.hash),
  ];
  terminal.out(`${lines.join("\n")}\n`);
  terminal.exitCode = isSame ? EXIT[is] : EXIT.unknown;
}

function otherText({ hash, build }: WorstRunFile, now: string): string {
  const by = build === VERSION ? "The file was changed" : `Version ${build} made it`;
  return `Run ${now}: another run than ${hash}. ${by}; review the promise anew with ${VERSION}.`;
}
