/**
 * The folder of `berth review --evidence`: for each promise that does not hold its worst run as a
 * file that replays, and as a page about the incident; beside them the fleet, once.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fleetText } from "../../fleet/fleet-file.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { documentOfRun } from "../../incident/document-of-run.ts";
import type { WorstRun } from "../../review/check/run-seeds.ts";
import { worstRunText } from "../../review/evidence/worst-run.ts";
import { nameOf, type StatedPromise } from "../../review/promise.ts";
import type { Review } from "../../review/review.ts";
import type { LeftFiles } from "../../review/reviewer.ts";
import { UserError } from "../../shell/errors.ts";
import { VERSION } from "../../shell/version.ts";
import { CHECKED_WHOLE } from "../../twin/checkers-of-twin.ts";
import { playTwin } from "../../twin/play-twin.ts";
import { hasViewer, writeIncident } from "../simulate/write-incident.ts";
import { ownCommand } from "../text/own-command.ts";
import { shellWord } from "../../steering/shell-word.ts";
import { writeOutput } from "../write-output.ts";

/** Tells the fleets of one folder apart. */
const HASH_SHOWN = 12;

export interface EvidenceOf {
  readonly fleet: Fleet;
  /** As the review names the fleet. */
  readonly hash: string;
  readonly profile: Review["profile"];
  /** For tests: another page than the one that was built. */
  readonly viewer?: string | undefined;
}

export class EvidenceFolder {
  private readonly folder: string;
  private readonly of: EvidenceOf;
  private fleetFile: string | undefined;
  /** Why a worst run has no page; undefined: each has one. */
  private without: string | undefined;

  constructor(folder: string, of: EvidenceOf) {
    this.folder = folder;
    this.of = of;
    try {
      mkdirSync(folder, { recursive: true });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new UserError("unwritable-file", `${reason}.`, { file: folder });
    }
  }

  /** A note for people about pages that were not written. */
  get note(): string | undefined {
    return this.without;
  }

  leave(promise: StatedPromise, worst: WorstRun): LeftFiles {
    const { fleet, hash, profile } = this.of;
    // Names have no underscore, so two promises never share a file.
    const base = `${promise.namespace}_${promise.name}`;
    const scenario = join(this.folder, `${base}.run.json`);
    const file = this.writeFleet();
    const of = { build: VERSION, profile, fleet: { source: fleet.source, hash, file }, promise };
    writeOutput(scenario, worstRunText(worst, of));
    const page = this.page(promise, worst, { base, scenario });
    return page === undefined ? { scenario } : { scenario, incident: page };
  }

  private writeFleet(): string {
    if (this.fleetFile !== undefined) return this.fleetFile;
    const { fleet, hash } = this.of;
    this.fleetFile = `fleet-${hash.slice(0, HASH_SHOWN)}.jsonl`;
    writeOutput(join(this.folder, this.fleetFile), fleetText(fleet));
    return this.fleetFile;
  }

  private page(
    promise: StatedPromise,
    { scenario, seed, failure, why }: WorstRun,
    names: { readonly base: string; readonly scenario: string },
  ): string | undefined {
    const { fleet, viewer } = this.of;
    this.without ??= this.whyWithout();
    if (this.without !== undefined) return undefined;
    const play = { fleet, scenario, seed, agentsRest: true, hasWitness: true };
    const { result, base } = playTwin(play);
    const after = failure === undefined ? "" : ` after ${failure.text}`;
    const came = why === undefined ? "" : `: ${why}`;
    const file = join(this.folder, `${names.base}.html`);
    const document = documentOfRun(result, {
      title: `${nameOf(promise)}${after}, seed ${seed}${came}`,
      version: VERSION,
      again: `${ownCommand()} review --replay ${shellWord(names.scenario)}`,
      base,
    });
    writeIncident({ file, document, viewer });
    return file;
  }

  private whyWithout(): string | undefined {
    const { fleet, profile, viewer } = this.of;
    if (profile === "kubernetes") {
      return "No incident pages: the forecast of Kubernetes is about times and has no turns to show.";
    }
    const size = fleet.objects.filter(({ kind }) => kind === "Node" || kind === "Replica").length;
    if (size > CHECKED_WHOLE) {
      return `No incident pages: the fleet has ${size} nodes and replicas, and a page shows runs of up to ${CHECKED_WHOLE}.`;
    }
    return hasViewer(viewer)
      ? undefined
      : "No incident pages: their viewer is not built. Build it with `npm run build`.";
  }
}
