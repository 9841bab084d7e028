/**
 * Puts what a store holds together again, without trust: the order of revisions and epochs is held
 * against what the log says of itself, every commit is folded, and each snapshot compared with what
 * the commits before it come to. Where a commit cannot be folded the replay goes on from the next
 * snapshot.
 */
import { isDeepStrictEqual } from "node:util";
import { Ledger } from "../../core/commit/ledger.ts";
import { restoreLedger, takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { Epoch, Revision } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { KeptBatch, KeptBounds, KeptPart } from "../backup/kept-log.ts";
import { decodeBatch, fillInBefore } from "../store/batch-encoding.ts";
import type { StoredCommit } from "../store/log-store.ts";
import { TemplateReader } from "../store/shared-templates.ts";
import { SnapshotReader } from "../store/snapshot-chunks.ts";
import { ChainCheck } from "./chain-check.ts";
import type { CheckName, Finding } from "./check-names.ts";
import type { StateCheck } from "./state-check.ts";

export interface FoldOptions {
  /**
   * As a plane loads it: from the newest snapshot on. Everything is read all the same, but nothing
   * compared.
   */
  readonly isQuick?: boolean;
}

export class KeptFold {
  readonly findings: Finding[] = [];
  readonly counts: Partial<Record<CheckName, number>> = { storage: 1 };
  bounds: KeptBounds | undefined;
  /** What the log comes to; undefined when it cannot be put together up to its end. */
  ledger: Ledger | undefined;
  readonly chain = new ChainCheck();
  private readonly checks: readonly StateCheck[];
  private readonly isQuick: boolean;
  private readonly templates = new TemplateReader();
  private readonly whole: Snapshot[] = [];
  private reader: SnapshotReader | undefined;
  /** Up to where batches were told. */
  private at: Revision = 0;
  private epoch: Epoch = 0;
  /** What is before this cannot be folded, for want of something. */
  private from: Revision = 0;
  private replaying: Ledger | undefined;
  private isAfterFlaw = false;

  constructor(checks: readonly StateCheck[] = [], { isQuick = false }: FoldOptions = {}) {
    this.checks = checks;
    this.isQuick = isQuick;
  }

  /** The snapshots that are whole, oldest first. */
  get snapshots(): readonly Snapshot[] {
    return this.whole;
  }

  add(part: KeptPart): void {
    this.chain.add(part);
    switch (part.kind) {
      case "log":
        this.bounds = part.log;
        this.at = part.log.oldest;
        this.from = part.log.oldest;
        this.count("bounds");
        break;
      case "snapshot":
        this.reader = new SnapshotReader(part.head, this.templates);
        this.count("snapshots");
        break;
      case "chunk":
        this.addChunk(part.body);
        break;
      case "snapshot-end":
        this.endSnapshot(part.isWhole);
        break;
      case "batch":
        this.addBatch(part.batch);
        break;
      case "flaw": {
        const { kind: check, ...flaw } = part.flaw;
        this.findings.push({ check, ...flaw });
        // Its missing parts are reported already, and the next batch is not to blame.
        if (check === "batches" || check === "revisions") this.isAfterFlaw = true;
        break;
      }
    }
  }

  /** Nothing more comes: looks at the end, and at what all of it comes to. */
  finish(): void {
    const { bounds } = this;
    if (bounds === undefined) return;
    const { end } = bounds;
    const { misfit, linkedBatches } = this.chain;
    this.count("chain", linkedBatches);
    if (misfit !== undefined) this.find("chain", misfit.found, misfit.revision);
    if (this.at !== end && !this.isAfterFlaw)
      this.find("revisions", `it ends at ${this.at} and should end at ${end}`, end);
    for (const { revision } of this.whole) {
      if (revision <= end) continue;
      this.find(
        "revisions",
        `its snapshot of ${revision} is newer than its end at ${end}`,
        revision,
      );
    }
    this.replaying ??= this.baseAt(end);
    if (this.replaying?.revision !== end) {
      if (this.findings.every(({ check }) => check === "snapshots")) {
        this.find("replay", "there is no complete snapshot to start from", bounds.oldest);
      }
      return;
    }
    this.ledger = this.replaying;
    const { objects } = this.ledger;
    for (const check of this.checks)
      check.atEnd(objects, end, (found) => this.findings.push(found));
    for (const check of this.checks) Object.assign(this.counts, check.counts());
  }

  private addChunk(body: Uint8Array): void {
    try {
      this.reader?.add(body);
    } catch (error) {
      this.find("snapshots", `a piece cannot be read: ${textOf(error)}`);
      this.reader = undefined;
    }
  }

  private endSnapshot(isWhole: boolean): void {
    const snapshot = this.reader?.snapshot();
    this.reader = undefined;
    if (snapshot === undefined) return;
    if (isWhole) this.whole.push(snapshot);
    else if (!this.findings.some(({ check }) => check === "snapshots")) {
      this.find("snapshots", "it was already damaged when the backup was made", snapshot.revision);
    }
  }

  private addBatch(batch: KeptBatch): void {
    this.count("batches");
    const { first, last, epoch } = batch;
    if (first !== this.at + 1 || last < first) {
      if (!this.isAfterFlaw) {
        this.find(
          "revisions",
          `after revision ${this.at} comes a batch of ${first} to ${last}`,
          first,
        );
      }
      this.begunAnew(first - 1);
    }
    this.isAfterFlaw = false;
    this.at = last;
    this.checkEpoch(epoch, first);
    let commits: readonly StoredCommit[];
    try {
      commits = decodeBatch(batch.body, this.templates);
    } catch (error) {
      this.find("replay", `the batch cannot be read: ${textOf(error)}`, first);
      this.begunAnew(last);
      return;
    }
    this.checkPlaces(batch, commits);
    for (const commit of commits) this.replay(commit);
  }

  private checkPlaces(batch: KeptBatch, commits: readonly StoredCommit[]): void {
    this.count("revisions", commits.length);
    const wrong = commits.find(({ revision }, at) => revision !== batch.first + at);
    if (wrong !== undefined || commits.length !== batch.last - batch.first + 1) {
      const found = `the batch of ${batch.first} to ${batch.last} has ${commits.length} other commits`;
      this.find("revisions", found, wrong?.revision ?? batch.first);
    }
    const foreign = commits.find(({ epoch }) => epoch !== batch.epoch);
    if (foreign === undefined) return;
    const found = `a commit of epoch ${foreign.epoch} is in a batch of epoch ${batch.epoch}`;
    this.find("epochs", found, foreign.revision);
  }

  private checkEpoch(epoch: Epoch, first: Revision): void {
    if (epoch !== this.epoch) this.count("epochs");
    if (epoch < this.epoch) {
      this.find("epochs", `epoch ${epoch} comes after epoch ${this.epoch}`, first);
    }
    if (epoch > (this.bounds?.epoch ?? 0)) {
      const found = `it is of epoch ${epoch}, and the newest claimed epoch is ${this.bounds?.epoch}`;
      this.find("epochs", found, first);
    }
    this.epoch = epoch;
  }

  private replay(commit: StoredCommit): void {
    const ledger = (this.replaying ??= this.baseAt(commit.revision - 1));
    if (ledger === undefined || commit.revision <= ledger.revision) return;
    try {
      const [full] = fillInBefore([commit], ledger.objects);
      if (full === undefined) return;
      ledger.fold(full);
      this.count("replay");
      for (const check of this.checks)
        check.afterCommit?.(full, (found) => this.findings.push(found));
    } catch (error) {
      this.find("replay", textOf(error), commit.revision);
      this.begunAnew(commit.revision);
      return;
    }
    this.compare(ledger);
  }

  /**
   * Something up to this revision is missing: what can be folded begins at a snapshot of it or of
   * later.
   */
  private begunAnew(missing: Revision): void {
    this.from = Math.max(missing, 1);
    this.replaying = undefined;
  }

  /**
   * The state to fold the commit after `revision` onto: from the beginning, or from a snapshot that
   * is no older.
   */
  private baseAt(revision: Revision): Ledger | undefined {
    const isEnough = (each: Snapshot): boolean => each.revision >= Math.max(this.from, revision);
    const snapshot = this.isQuick ? this.whole.findLast(isEnough) : this.whole.find(isEnough);
    const isFromTheBeginning = this.from === 0 && revision === 0;
    if (!isFromTheBeginning && snapshot === undefined) return undefined;
    const isSkipping = !isFromTheBeginning || this.isQuick;
    const ledger = isSkipping && snapshot ? restoreLedger(snapshot) : new Ledger();
    for (const check of this.checks) check.begin(ledger.objects);
    return ledger;
  }

  private compare(ledger: Ledger): void {
    const snapshot = this.whole.find(({ revision }) => revision === ledger.revision);
    if (snapshot === undefined || this.isQuick) return;
    this.count("equality");
    const made = takeSnapshot(ledger);
    const key = firstDifference(snapshot.objects, made.objects);
    const { objects: _, ...rest } = snapshot;
    const { objects: __, ...own } = made;
    if (key === undefined && isSame(rest, own)) return;
    const what = key === undefined ? "its header" : key;
    const found = `the snapshot and the commits before it differ in ${what}`;
    this.findings.push({
      check: "equality",
      where: key ?? "snapshot",
      revision: ledger.revision,
      found,
    });
  }

  private find(check: CheckName, found: string, revision?: Revision): void {
    const where = "the log";
    this.findings.push({ check, where, found, ...(revision === undefined ? {} : { revision }) });
  }

  private count(check: CheckName, more = 1): void {
    this.counts[check] = (this.counts[check] ?? 0) + more;
  }
}

/** The first key, by name, under which the two do not hold the same. */
function firstDifference(
  left: readonly AnyObject[],
  right: readonly AnyObject[],
): string | undefined {
  const others = new Map(right.map((object) => [object.key, object]));
  const different: string[] = [];
  for (const object of left) {
    const other = others.get(object.key);
    others.delete(object.key);
    if (other === object) continue;
    if (!isSame(object, other)) different.push(object.key);
  }
  return [...different, ...others.keys()].toSorted()[0];
}

/**
 * As the store has it, which omits undefined fields. By their text first: it is nearly always the
 * same.
 */
function isSame(left: unknown, right: unknown): boolean {
  const one = JSON.stringify(left);
  const other = JSON.stringify(right);
  if (one === other || other === undefined) return one === other;
  return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
}

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
