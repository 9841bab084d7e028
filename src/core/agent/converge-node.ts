/**
 * The agent's whole logic: makes the processes of one node match its bindings and reports on them.
 * It starts a process only after its `starting` report is committed, so a stale list starts
 * nothing. It stops one only on a view that can know it, and refuses what its machine lacks.
 *
 * Observes the replicas of its node; the driver runs and kills, the runner retries.
 */
import type { Change } from "../protocol/commit-record.ts";
import { type Decision, type Look, settled } from "../protocol/decision.ts";
import type {
  AgentEffect,
  AgentInput,
  ClientInput,
  Component,
  ProcessEvent,
} from "../kernel/component.ts";
import type { Turn } from "../protocol/turn.ts";
import type { Epoch, ObjectKey } from "../model/ids.ts";
import { type Machine, NO_MACHINE } from "../model/node/machine.ts";
import type { Replica } from "../model/objects.ts";
import { sentence } from "../model/text/sentence.ts";
import { holdsNode } from "../model/stage.ts";
import type { View } from "../observe/view.ts";
import { probeOperation, reportOperation } from "../protocol/operations.ts";
import { type Owed, Runner } from "../runner/runner.ts";
import { awaitLease, awaitStop, awaitTurn } from "./agent-waits.ts";
import { leaseFirst } from "./effect-order.ts";
import { dueReport, lapse } from "./failed-probes.ts";
import { Inventory } from "./inventory.ts";
import { LeaseKeeper } from "./lease-keeper.ts";
import { machineMisfit } from "./machine-misfit.ts";
import { type Ending, endingOf, finalWord, UNSEEN } from "./process-ending.ts";
import {
  adoptedProcess,
  claimOf,
  exists,
  isKeptFor,
  isOf,
  type Process,
  ProcessTable,
  stageFor,
  tookProbe,
} from "./process-table.ts";
import { type ReportedHow, type ReportedStage, reportOf } from "./report-of.ts";
import { SecretAsks, type SecretsWait } from "./secret-asks.ts";
import { startOf } from "./start-of.ts";
import { StartLimiter } from "./start-limiter.ts";

export class ConvergeNode implements Component<AgentInput, AgentEffect> {
  readonly node: string;
  private readonly runner: Runner;
  private readonly lease: LeaseKeeper;
  readonly processes = new ProcessTable();
  private readonly inventory = new Inventory();
  private readonly limiter = new StartLimiter();
  private readonly secrets = new SecretAsks();
  machine: Machine = NO_MACHINE;
  /** Orders of an older leadership than this are refused. */
  private epoch: Epoch = 0;
  private timerMs = Number.POSITIVE_INFINITY;
  private runnerTimerMs = Number.POSITIVE_INFINITY;
  private effects: AgentEffect[] = [];

  constructor(options: { readonly node: string }) {
    this.node = options.node;
    this.lease = new LeaseKeeper(options.node);
    this.runner = new Runner({
      name: `agent:${options.node}`,
      controller: {
        role: "agent",
        interest: { kinds: new Set(["Replica"]), node: options.node },
        keysFor: ({ key }: Change) => [key],
        allKeys: (view) => [...view.objects.all("Replica").keys(), ...this.knownKeys()],
        reconcile: (key, view, look) => this.converge(key, view, look),
      },
    });
  }

  get view(): View {
    return this.runner.view;
  }
  owed(): readonly Owed[] {
    return this.runner.owed();
  }
  isTracking(key: ObjectKey): boolean {
    return this.runner.isTracking(key);
  }

  receive(input: AgentInput, turn: Turn): readonly AgentEffect[] {
    this.effects = [];
    switch (input.kind) {
      case "adopted":
        this.adopt(input);
        break;
      case "process":
        this.heardOfProcess(input.event, turn);
        this.run({ kind: "timer" }, turn);
        break;
      case "reply":
        this.heardReply(input, turn);
        break;
      case "watch":
      case "listed":
        // A deposed leader may not know that it is; its view is old at best (AG3).
        if (input.epoch >= this.epoch) this.run(input, turn);
        break;
      case "started":
      case "timer":
        this.timerMs = Number.POSITIVE_INFINITY;
        this.run(input, turn);
        break;
    }
    this.callNext(turn);
    this.keepLease(turn);
    this.probeDue(turn);
    this.setTimer(turn);
    return leaseFirst(this.effects);
  }

  private adopt(input: Extract<AgentInput, { kind: "adopted" }>): void {
    this.lease.session = input.session;
    this.epoch = input.epoch;
    this.machine = input.machine;
    for (const found of input.processes) this.processes.set(found.replica, adoptedProcess(found));
  }

  /** Starts that waited for their turn. */
  private callNext(turn: Turn): void {
    const keys = this.limiter.call(turn.now);
    if (keys.length === 0) return;
    for (const key of keys) this.runner.poke(key);
    this.run({ kind: "timer" }, turn);
  }

  /** Hands an input to the runner and takes its effects over; the one timer is shared. */
  private run(input: ClientInput, turn: Turn): void {
    const effects = this.runner.receive(input, turn);
    // First of all: a higher epoch is made durable before anything is sent under it.
    this.obey(this.runner.view.epoch);
    for (const effect of effects) {
      if (effect.kind === "timer") this.runnerTimerMs = effect.atMs;
      else this.effects.push(effect);
    }
  }

  private obey(epoch: Epoch): void {
    if (epoch <= this.epoch) return;
    this.epoch = epoch;
    this.remember();
  }

  private remember(): void {
    this.effects.push({ kind: "remember", session: this.lease.session, epoch: this.epoch });
  }

  private heardReply(input: Extract<AgentInput, { kind: "reply" }>, turn: Turn): void {
    const { reply } = input;
    const given = this.secrets.heard(input.call, reply, turn.now);
    if (given !== undefined) {
      this.runner.poke(given);
      this.run({ kind: "timer" }, turn);
      return;
    }
    const untilMs = this.lease.heldUntilMs;
    if (!this.lease.replied(input.call, reply, turn.now)) {
      this.run(input, turn);
      return;
    }
    if (reply.kind !== "unavailable" && reply.epoch > this.runner.view.epoch) {
      this.runner.view.epoch = reply.epoch;
      this.obey(reply.epoch);
    }
    if (this.lease.isFenced) {
      for (const replica of this.processes.living({ leashed: true })) this.stop(replica);
    } else if (this.lease.heldUntilMs > untilMs) {
      this.effects.push({ kind: "leash", untilMs: this.lease.heldUntilMs });
      if (turn.now >= untilMs) this.leaseRegained(turn);
    }
  }

  /** Claims and reports have waited for the right to run anything here. */
  private leaseRegained(turn: Turn): void {
    for (const key of [...this.view.objects.all("Replica").keys()].toSorted())
      this.runner.poke(key);
    this.run({ kind: "timer" }, turn);
  }

  private keepLease(turn: Turn): void {
    if (this.lease.isFenced && this.processes.living({ leashed: true }).length === 0) {
      this.lease.beginSession(turn.now);
      this.remember();
    }
    if (this.lease.session === 0 || turn.now < this.lease.dueMs()) return;
    this.effects.push(
      this.lease.renew({
        call: this.runner.takeCall(),
        nowMs: turn.now,
        epoch: this.runner.view.epoch,
        basis: this.runner.view.revision,
        kept: this.processes.living({ leashed: false }),
        ...this.inventory.tell(turn.now, this, this.lease),
      }),
    );
  }

  private knownKeys(): readonly ObjectKey[] {
    return [...this.processes.entries()].map(([key]) => key).toSorted();
  }

  private heardOfProcess(event: ProcessEvent, turn: Turn): void {
    const process = this.processes.get(event.replica);
    if (process?.incarnation !== event.incarnation) return;
    switch (event.kind) {
      case "alive":
        this.limiter.over(event.replica);
        process.probeMs = turn.now;
        process.address = event.address;
        break;
      case "probed":
        if (!exists(process) || process.phase === "stopping") return;
        tookProbe(process, event, turn.now);
        break;
      case "exited":
        process.ending = endingOf(process, event, {
          nowMs: turn.now,
          isLeaseHeld: !this.lease.hasLapsed(turn.now),
        });
        process.phase = "gone";
        this.limiter.over(event.replica);
        break;
    }
    this.runner.poke(event.replica);
  }

  private converge(key: ObjectKey, view: View, look: Look): Decision {
    const replica = view.objects.replica(key);
    const process = this.processes.get(key);
    const isOurs =
      replica !== undefined &&
      replica.status.node === this.node &&
      replica.status.session === this.lease.session &&
      holdsNode(replica.status.stage);
    // A namesake's process has the same incarnations; only the uid tells them apart (AG7).
    if (!isOurs || (process !== undefined && !isOf(process, replica))) {
      return this.dismiss(key, process, view, look);
    }
    if (process === undefined) return this.begin(replica, look);
    if (process.phase === "claiming") return this.startClaimed(replica, process, view, look);
    if (process.phase === "gone") {
      return this.reportEnd(replica, finalWord(replica, process.ending));
    }
    if (replica.status.stopping !== undefined) {
      this.stop(key);
      return awaitStop(look);
    }
    if (process.phase === "stopping") return awaitStop(look);
    const stage = stageFor(replica, process);
    if (stage === "as-it-is") return settled;
    const probe = dueReport(process.failing, replica.status, look.now);
    if (stage === replica.status.stage) {
      if (probe === undefined) return settled;
      return this.report(replica, "starting", { probe }, probeOperation(replica));
    }
    return this.report(replica, stage, lapse(stage, process.failing, look.now));
  }

  /**
   * A process without a binding here. A view older than its permission cannot know, so it waits.
   */
  private dismiss(key: ObjectKey, process: Process | undefined, view: View, look: Look): Decision {
    if (process === undefined || !exists(process)) this.limiter.over(key);
    if (process === undefined) return settled;
    if (!exists(process)) {
      this.processes.forget(key);
      // The next incarnation of the same replica may already wait for the place.
      if (view.objects.replica(key)?.status.node === this.node) this.runner.poke(key);
      return settled;
    }
    const isKept = isKeptFor(view.objects.replica(key), this.node, process);
    if (view.revision < process.permittedAt || isKept) return awaitStop(look);
    this.stop(key);
    return awaitStop(look);
  }

  private begin(replica: Replica, look: Look): Decision {
    const { stage, stopping: isStopping } = replica.status;
    // Never started, and not to start any more.
    if (isStopping !== undefined) {
      this.limiter.over(replica.key);
      return this.report(replica, "released");
    }
    // Its start was lost with the connection. Starting it in the same incarnation might run it
    // twice.
    if (stage === "unknown") return this.report(replica, "released");
    // The log says it had started, and there is no process: it ended in an unknown way.
    if (stage !== "bound") return this.reportEnd(replica, UNSEEN);
    if (!this.lease.isHeld(look.now)) return awaitLease(look);
    if (!this.limiter.take(replica.key, look.now)) return awaitTurn(look);
    this.processes.set(replica.key, claimOf(replica));
    return this.report(replica, "starting");
  }

  private startClaimed(replica: Replica, process: Process, view: View, look: Look): Decision {
    const { stage, stopping: isStopping } = replica.status;
    if (isStopping !== undefined) return this.giveBack(replica);
    if (stage !== "starting") {
      // The claim is remembered: it proves that this incarnation has started nothing.
      return this.lease.isHeld(look.now) ? this.report(replica, "starting") : awaitLease(look);
    }
    // Our claim is committed. Without a lease the leash would kill the process, so it waits.
    if (!this.lease.isHeld(look.now)) return awaitLease(look);
    const misfit = machineMisfit(replica, this.machine, this.processes.taken());
    if (misfit !== undefined) return this.refuse(replica, process, misfit, look);
    const secrets = this.secretsFor(replica, look);
    if (secrets === "over") return this.giveBack(replica);
    if (secrets !== "ready") return secrets;
    const permittedAt = view.revision;
    this.processes.set(replica.key, { ...process, phase: "starting", permittedAt });
    this.effects.push(startOf(replica, { leashed: process.leashed, permittedAt }));
    return settled;
  }

  /** Claimed, and not begun: it may run elsewhere. */
  private giveBack(replica: Replica): Decision {
    this.processes.forget(replica.key);
    this.secrets.forget(replica.key);
    this.limiter.over(replica.key);
    return this.report(replica, "released");
  }

  private secretsFor(replica: Replica, look: Look): SecretsWait {
    const { node, effects, runner } = this;
    const { session } = this.lease;
    const takeCall = (): number => runner.takeCall();
    return this.secrets.look(replica, { look, node, session, takeCall, effects });
  }

  /**
   * Only claimed resources are refused. A refusal of a mere binding could arrive late, when a later
   * agent has found its machine whole and started the process.
   */
  private refuse(replica: Replica, process: Process, reason: string, look: Look): Decision {
    // The only obstacle may be processes that are stopping.
    if (this.processes.isStoppingAny()) return awaitStop(look);
    const ending: Ending = { stage: "failed", reason, wasStable: false, rejected: true };
    this.processes.set(replica.key, { ...process, phase: "gone", ending });
    this.limiter.over(replica.key);
    return this.reportEnd(replica, ending);
  }

  private stop(key: ObjectKey): void {
    const process = this.processes.get(key);
    if (process === undefined || !exists(process)) return;
    process.phase = "stopping";
    process.probeMs = Number.POSITIVE_INFINITY;
    this.effects.push({ kind: "stop-process", replica: key, incarnation: process.incarnation });
  }

  private reportEnd(replica: Replica, ending: Ending): Decision {
    const { stage, reason, wasStable, rejected } = ending;
    const said = sentence(reason);
    return this.report(replica, stage, {
      ...(said === undefined ? {} : { reason: said }),
      ...(wasStable ? { wasStable } : {}),
      ...(rejected === true && stage === "failed" ? { rejected } : {}),
    });
  }

  private report(
    replica: Replica,
    stage: ReportedStage,
    how: ReportedHow = {},
    operation = reportOperation(replica, stage),
  ): Decision {
    const { address } = this.processes.get(replica.key) ?? {};
    const from = { node: this.node, session: this.lease.session, address };
    return reportOf({ replica, stage, how, operation, from });
  }

  private probeDue(turn: Turn): void {
    for (const [replica, { incarnation }] of this.processes.takeProbes(turn.now)) {
      this.effects.push({ kind: "probe-process", replica, incarnation });
    }
  }

  private setTimer(turn: Turn): void {
    const atMs = Math.min(
      this.runnerTimerMs,
      this.limiter.nextMs(turn.now),
      this.lease.session === 0 ? Infinity : this.lease.dueMs(),
      this.processes.nextProbeMs(),
    );
    if (atMs === this.timerMs || atMs === Number.POSITIVE_INFINITY) return;
    this.timerMs = atMs;
    this.effects.push({ kind: "timer", atMs });
  }
}
