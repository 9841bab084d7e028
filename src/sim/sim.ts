/**
 * What every part of one simulated run shares: time, the queue, the log, the truth and the checks.
 */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { Checker } from "./check/checker.ts";
import { Checks } from "./checks.ts";
import { CommitRouter } from "./hosts/commit-router.ts";
import { EventQueue } from "./event-queue.ts";
import { FaultInjector } from "./faults/fault-injector.ts";
import { hashText } from "../core/kernel/keyed-hash.ts";
import type { Revision } from "../core/model/ids.ts";
import { Partitions } from "./faults/partitions.ts";
import type { PlaneProcess } from "./hosts/plane-process.ts";
import { RunHash } from "./report/run-hash.ts";
import type { RunOptions } from "./report/run-result.ts";
import type { SimEvent } from "./sim-event.ts";
import { StoreModel } from "./hosts/store-model.ts";
import { Trace } from "./report/trace.ts";
import { SimTruth } from "./truth.ts";
import { Witness } from "./report/witness.ts";

export class Sim {
  readonly options: RunOptions;
  readonly seed: number;
  readonly queue = new EventQueue<SimEvent>();
  readonly store = new StoreModel();
  readonly truth: SimTruth;
  readonly checks: Checks;
  readonly injector: FaultInjector;
  readonly partitions = new Partitions();
  readonly router = new CommitRouter();
  readonly hash = new RunHash();
  readonly trace: Trace | undefined;
  readonly witness: Witness | undefined;
  /** The run stops after exactly so many turns, even where one event gives several. */
  readonly maxTurns: number;
  nowMs = 0;
  turns = 0;
  /** Turns that a watch brought. */
  deliveries = 0;
  /** Told when a leadership has begun. */
  onLead: (() => void) | undefined;
  /** Told when a plane shows its log up to a revision. */
  onShown: ((plane: PlaneProcess, to: Revision) => void) | undefined;
  /** Every process that starts from now on needs so much longer until it is ready. */
  startDelayMs = 0;
  /** Requests are turned away until this true time. */
  overloadedUntilMs = 0;

  constructor(options: RunOptions, checkers: readonly Checker[]) {
    const { world, seed, faults } = options;
    this.options = options;
    this.seed = seed;
    this.maxTurns = options.untilTurn ?? Infinity;
    this.truth = new SimTruth(world, this.store.commits);
    this.checks = new Checks(checkers, this.truth);
    this.injector = new FaultInjector({ seed, source: faults, untilMs: world.faultsUntilMs });
    if (options.trace === true || options.witness === true) {
      this.trace = new Trace(() => ({ turn: this.turns, atMs: this.nowMs }));
    }
    if (options.witness === true) this.witness = new Witness(this);
  }

  after(delayMs: number, event: SimEvent): void {
    this.witness?.sent(event);
    this.queue.push(this.nowMs + delayMs, event);
  }

  /**
   * One commit becomes durable: the log, the truth, the checkers and the watchers-to-be learn of
   * it.
   */
  land(commit: Commit): void {
    const { store, truth, checks, hash } = this;
    store.land(commit);
    hash.add(commit.revision);
    hash.add(hashText(commit.operation));
    hash.add(commit.changes.length);
    truth.damage?.see(commit);
    checks.beforeCommit(commit);
    for (const change of commit.changes) truth.objects.fold(change);
    checks.afterCommit(commit);
    if (commit.command === "lease") this.noteRenewal(commit);
    else if (commit.command === "lead") this.onLead?.();
    this.router.land(commit);
  }

  private noteRenewal(commit: Commit): void {
    for (const { after } of commit.changes) {
      if (after?.kind !== "Lease") continue;
      const node = this.truth.nodes.get(after.spec.node);
      const sentMs = node?.renewals.get(commit.operation);
      if (node === undefined || sentMs === undefined) continue;
      node.leaseSentMs = sentMs;
      node.renewals.delete(commit.operation);
    }
  }
}
