/**
 * Computes the chain of batches anew from what a store holds, and says from where to where it fits.
 * What a store found to be wrong by itself breaks the chain, too: what cannot be read cannot be
 * vouched for.
 */
import type { Revision } from "../../core/model/ids.ts";
import type { KeptBatch, KeptBounds, KeptPart } from "../backup/kept-log.ts";
import {
  CHAIN_GENESIS,
  type ChainHash,
  type ChainHead,
  hashOf,
  linkInChunk,
  linkOf,
} from "../store/chain-link.ts";

export interface ChainReport {
  /** The first revision that the head vouches for; undefined when there is nothing to vouch for. */
  readonly from: Revision | undefined;
  /** Where the log ends. */
  readonly to: Revision;
  readonly batches: number;
  readonly head: ChainHead | undefined;
  /**
   * Where batches begin that carry no hash although the one before them does: the head vouches for
   * nothing before the last of them.
   */
  readonly gaps: readonly Revision[];
  /** The first batch that does not fit. */
  readonly broken?: ChainBreak;
  readonly kept?: KeptHead;
}

export interface ChainBreak {
  readonly revision: Revision;
  readonly found: string;
}

/** What became of the head that somebody kept. */
export interface KeptHead extends ChainHead {
  readonly outcome:
    /** The log holds what it held. */
    | "fits"
    /** Earlier entries were changed. */
    | "differs"
    /** The log ends before it. */
    | "missing"
    /** What it vouches for was compacted. */
    | "dropped";
}

export class ChainCheck {
  /** How far it has come. */
  at: Revision = 0;
  bounds: KeptBounds | undefined;
  /** What a store did not find by itself. */
  misfit: ChainBreak | undefined;
  linkedBatches = 0;
  private batches = 0;
  private from: Revision | undefined;
  private readonly gaps: Revision[] = [];
  private broken: ChainBreak | undefined;
  /** Whether the batch that came last carries a hash. */
  private isLinked = false;
  /** The hash of all up to `at`; undefined where that is not known. */
  private hash: ChainHash | undefined;
  private readonly wanted: ChainHead | undefined;
  private outcome: KeptHead["outcome"] | undefined;
  private snapshot: Revision = 0;
  /** By the revision of the snapshot that says it. */
  private readonly links = new Map<Revision, ChainHead>();

  constructor(wanted?: ChainHead) {
    this.wanted = wanted;
  }

  add(part: KeptPart): void {
    if (part.kind === "log") this.begin(part.log);
    else if (part.kind === "snapshot") this.snapshot = part.head.revision;
    else if (part.kind === "chunk") this.addChunk(part.body);
    else if (part.kind === "batch") this.addBatch(part.batch);
    else if (part.kind === "flaw" && part.flaw.kind !== "snapshots") {
      const { revision = this.at + 1, found } = part.flaw;
      this.broken ??= { revision, found };
      // What comes next is not to blame.
      this.hash = undefined;
    }
  }

  /** Where the chain ends; undefined when it is unknown. */
  get head(): ChainHead | undefined {
    const hash = this.batches === 0 ? (this.base?.hash ?? this.hash) : this.hash;
    return hash === undefined ? undefined : { revision: this.at, hash };
  }

  report(): ChainReport {
    const { from, batches, gaps, broken, head, wanted } = this;
    const to = this.bounds?.end ?? this.at;
    return {
      from,
      to,
      batches,
      head,
      gaps,
      ...(broken === undefined ? {} : { broken }),
      ...(wanted === undefined ? {} : { kept: { ...wanted, outcome: this.outcomeOf(wanted) } }),
    };
  }

  private begin(bounds: KeptBounds): void {
    this.bounds = bounds;
    this.at = bounds.oldest;
    if (bounds.oldest === 0) this.hash = CHAIN_GENESIS.hash;
  }

  private addChunk(body: Uint8Array): void {
    const link = linkInChunk(body);
    if (link !== undefined) this.links.set(this.snapshot, link);
  }

  private addBatch({ first, last, body }: KeptBatch): void {
    const link = linkOf(body);
    if (this.batches === 0) this.look(link);
    if (link === undefined && this.isLinked) this.gaps.push(first);
    this.isLinked = link !== undefined;
    if (link !== undefined && this.hash !== undefined && link !== this.hash) {
      const found = `its previous hash is ${link}, and the hash of the batches before it is ${this.hash}`;
      this.breakAt(first, found);
    }
    // One without a hash is vouched for by the next one, and nothing before it is.
    if (this.from === undefined || link === undefined) this.from = first;
    this.batches += 1;
    if (link !== undefined) this.linkedBatches += 1;
    this.at = last;
    this.hash = hashOf(body);
    this.hold({ revision: last, hash: this.hash });
    const said = this.links.get(last);
    if (said?.revision === last && said.hash !== this.hash) {
      this.breakAt(first, `its hash is ${this.hash}, and the snapshot of ${last} has ${said.hash}`);
    }
  }

  /**
   * What is known of before the first batch: from a snapshot, or from what the batch itself says.
   */
  private look(link: ChainHash | undefined): void {
    const { base } = this;
    this.hash ??= base?.hash;
    const hash = this.hash ?? link;
    if (hash !== undefined) this.hold({ revision: this.at, hash });
    // A restored log goes on under later revisions than the one it was backed up at.
    if (base !== undefined) this.hold(base);
  }

  /** What the snapshot says that the log begins with. */
  private get base(): ChainHead | undefined {
    return this.links.get(this.bounds?.oldest ?? 0);
  }

  private hold({ revision, hash }: ChainHead): void {
    if (this.wanted?.revision !== revision) return;
    this.outcome = this.wanted.hash === hash ? "fits" : "differs";
  }

  private outcomeOf({ revision }: ChainHead): KeptHead["outcome"] {
    const { bounds } = this;
    if (this.batches === 0) this.look(undefined);
    if (this.outcome !== undefined) return this.outcome;
    if (bounds === undefined || revision > bounds.end) return "missing";
    return revision <= bounds.oldest ? "dropped" : "differs";
  }

  private breakAt(revision: Revision, found: string): void {
    this.misfit ??= { revision, found };
    this.broken ??= { revision, found };
  }
}
