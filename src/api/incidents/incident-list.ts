/**
 * The incidents of a plane's log, as far back as readers have asked. A request looks at a bounded
 * number of changes, some hundreds in one turn of the event loop; the next request goes on where
 * this one stopped. The list keeps the incidents that it found, and adds later commits on the next
 * request.
 */
import { nextSlice } from "../http/next-slice.ts";
import type { Revision } from "../../core/model/ids.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { ApiLimits } from "../http/limits.ts";
import { type FoundIncident, IncidentScan, type ScannedCommit } from "./incident-scan.ts";

type Limits = Pick<ApiLimits, "incidentChanges" | "incidentObjects">;
type LogPort = Pick<PlanePort, "past" | "revision" | "since">;

/** Looked at in one turn of the event loop: about a millisecond. */
const TURN_CHANGES = 500;
/** Read from the store at once: about a megabyte. */
const STORE_PAGE = 1_000;

export interface IncidentPage {
  /** How far the log had come. */
  readonly revision: Revision;
  /** Newest first. */
  readonly found: readonly FoundIncident[];
  /** Everything after this revision was looked at. */
  readonly lookedTo: Revision;
  /** Whether there is nothing older to look at, and why. */
  readonly end: "beginning" | "compacted" | "memory" | undefined;
}

export class IncidentList {
  private readonly plane: LogPort;
  private readonly limits: Limits;
  private scan = new IncidentScan();
  /** Every commit after `low`, up to `high`, was looked at. */
  private low: Revision;
  private high: Revision;
  private end: IncidentPage["end"];
  /** Requests take turns: two would look at the same commits. */
  private busy: Promise<unknown> = Promise.resolve();

  constructor(plane: LogPort, limits: Limits) {
    this.plane = plane;
    this.limits = limits;
    this.low = plane.revision;
    this.high = plane.revision;
  }

  /** As many as `most` that began before a revision, unless the log or the work ends first. */
  read(of: {
    readonly before: Revision;
    readonly most: number;
    readonly fits: (incident: FoundIncident) => boolean;
  }): Promise<IncidentPage> {
    const page = this.busy.then(() => this.readNow(of));
    this.busy = page.catch(() => undefined);
    return page;
  }

  private async readNow({
    before,
    most,
    fits,
  }: Parameters<IncidentList["read"]>[0]): Promise<IncidentPage> {
    await this.lookAhead();
    const older = (): readonly FoundIncident[] =>
      this.scan.found.filter((each) => each.began.revision < before && fits(each));
    let left = this.limits.incidentChanges;
    while (left > 0 && this.end === undefined && older().length < most) {
      left -= await this.lookBack();
    }
    const found = older().toSorted((a, b) => b.began.revision - a.began.revision);
    const { high: revision, low: lookedTo, end } = this;
    return { revision, found: found.slice(0, most), lookedTo, end };
  }

  /** What was committed since; if memory has lost some of it, everything begins anew. */
  private async lookAhead(): Promise<void> {
    const { plane } = this;
    const fresh = plane.since(this.high);
    if (fresh === undefined) {
      this.scan = new IncidentScan();
      this.low = plane.revision;
      this.high = plane.revision;
      this.end = undefined;
      return;
    }
    let turn = 0;
    for (const commit of fresh) {
      this.scan.newer(commit);
      this.high = commit.revision;
      turn += weightOf(commit);
      if (turn < TURN_CHANGES) continue;
      turn = 0;
      await nextSlice();
    }
  }

  /** One page back; how many changes it had. */
  private async lookBack(): Promise<number> {
    const { past } = this.plane;
    const { commits, from, isCompacted } =
      this.low > past.start ? this.inMemory() : await this.inStore();
    let looked = 1;
    let turn = 0;
    for (const commit of commits.toReversed()) {
      this.scan.older(commit);
      looked += weightOf(commit);
      turn += weightOf(commit);
      if (turn < TURN_CHANGES) continue;
      turn = 0;
      await nextSlice();
    }
    this.low = from;
    if (isCompacted) this.end = "compacted";
    else if (from === 0) this.end = "beginning";
    else if (this.scan.size > this.limits.incidentObjects) this.end = "memory";
    return looked;
  }

  /** Taken in one turn: what is in memory now may not be in the next. */
  private inMemory(): Part {
    const { past } = this.plane;
    const from = Math.max(past.start, this.low - STORE_PAGE);
    const commits: ScannedCommit[] = [];
    for (let at = from + 1; at <= this.low; at += 1) {
      const commit = past.commit(at);
      if (commit !== undefined) commits.push(commit);
    }
    return { commits, from, isCompacted: false };
  }

  private async inStore(): Promise<Part> {
    const wanted = Math.max(0, this.low - STORE_PAGE);
    const { commits, from, compactedTo } = await this.plane.past.page(wanted, this.low);
    return { commits, from, isCompacted: compactedTo !== undefined };
  }
}

interface Part {
  /** Oldest first. */
  readonly commits: readonly ScannedCommit[];
  /** Before the first of them. */
  readonly from: Revision;
  readonly isCompacted: boolean;
}

/** A commit without changes takes time, too. */
const weightOf = ({ changes }: ScannedCommit): number => Math.max(1, changes.length);
