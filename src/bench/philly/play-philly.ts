/**
 * Plays jobs in virtual time: each is a gang that starts with all its places or not at all, runs as long as
 * it did, and leaves. Placing is done by a policy on the scheduler's own columns, the order by a queue.
 */
import { type AskShape, WHOLE_UNIT } from "../../core/propose/fleet/fleet.ts";
import type { ScoringPolicy } from "../../core/propose/policies/scoring-policy.ts";
import { Packer, type Placement } from "../trace/packer.ts";
import { Departures } from "./departures.ts";
import { Measures, type PhillyFigures } from "./measures.ts";
import type { Job } from "./philly-trace.ts";
import type { QueueDiscipline, QueueTurn } from "./queue-discipline.ts";
import { chooseVictims } from "./reclaim.ts";
import type { RunningJob } from "./running-job.ts";

export interface PhillyWorld {
  readonly nodes: number;
  readonly devicesEach: number;
  readonly policy: ScoringPolicy;
  readonly queue: QueueDiscipline;
  readonly onProgress?: (submitted: number) => void;
}

/** Preemption is bounded in rate: whoever is stopped had at least this long, and a look costs more than a turn. */
const RECLAIM_EVERY_S = 600;

/** Often enough to look alive, seldom enough to cost nothing. */
const PROGRESS_EVERY = 4_096;

export function playPhilly(jobs: readonly Job[], world: PhillyWorld): PhillyFigures {
  const play = new Play(jobs, world);
  for (const [at, job] of jobs.entries()) {
    play.leaveUntil(job.submittedS);
    play.submit(job);
    // Jobs of the same second come together, as to a scheduler that looks once a second.
    if (jobs[at + 1]?.submittedS !== job.submittedS) play.takeTurn();
    if (at % PROGRESS_EVERY === 0) world.onProgress?.(at);
  }
  play.leaveUntil(Infinity);
  return play.figures();
}

class Play {
  private readonly world: PhillyWorld;
  private readonly packer: Packer;
  private readonly measures: Measures;
  private readonly departures = new Departures<RunningJob>();
  private readonly running = new Map<number, RunningJob>();
  private readonly held = new Map<string, number>();
  private readonly everStarted = new Set<number>();
  private readonly everStopped = new Set<number>();
  private readonly shapes: readonly AskShape[];
  private heldInAll = 0;
  private nowS = 0;
  private nextReclaimS = 0;
  private starts = 0;

  constructor(jobs: readonly Job[], world: PhillyWorld) {
    const { nodes, devicesEach, policy } = world;
    this.world = world;
    this.packer = new Packer(
      // The trace has devices only, so nodes have nothing else that could run out.
      Array.from({ length: nodes }, (_, at) => ({
        name: `node-${String(at).padStart(5, "0")}`,
        cpuMillis: 0,
        memoryMiB: 0,
        devices: devicesEach,
        kind: 0,
      })),
      policy,
    );
    this.measures = new Measures(nodes * devicesEach, jobs.at(-1)?.submittedS ?? 0);
    this.shapes = Array.from({ length: devicesEach + 1 }, (_, units) => ({
      cpuMillis: 0,
      memoryMiB: 0,
      kinds: undefined,
      units,
      unitMillis: WHOLE_UNIT,
    }));
  }

  submit(job: Job): void {
    this.passTo(job.submittedS);
    for (const devices of this.replicasOf(job)) this.world.policy.arrived(this.shapeOf(devices));
    this.world.queue.add(job);
  }

  /** Everybody whose time is up by then leaves, and those who wait take their turns in between. */
  leaveUntil(untilS: number): void {
    for (;;) {
      const next = this.departures.next;
      if (next === undefined || next.atS > untilS) return;
      this.departures.take();
      // It was stopped before its time.
      if (this.running.get(next.job.id) !== next) continue;
      this.passTo(next.atS);
      this.leave(next);
      if (this.departures.next?.atS !== next.atS) this.takeTurn();
    }
  }

  takeTurn(): void {
    const { queue } = this.world;
    let tooLarge = Infinity;
    for (;;) {
      const job = queue.next(this.turn(tooLarge));
      if (job === undefined) break;
      if (!this.start(job)) tooLarge = job.devices;
    }
    if (this.nowS < this.nextReclaimS) return;
    const overdue = queue.overdue(this.turn(tooLarge));
    if (overdue === undefined) return;
    this.nextReclaimS = this.nowS + RECLAIM_EVERY_S;
    this.makeRoom(overdue);
  }

  figures(): PhillyFigures {
    return this.measures.figures();
  }

  private turn(tooLarge: number): QueueTurn {
    return { nowS: this.nowS, tooLarge, held: (tenant) => this.held.get(tenant) ?? 0 };
  }

  private passTo(nowS: number): void {
    if (nowS === this.nowS) return;
    const waiting = this.world.queue.waiting().map((tenant) => this.held.get(tenant) ?? 0);
    this.measures.until(nowS, this.heldInAll, waiting);
    this.nowS = nowS;
  }

  private start(job: Job): boolean {
    const places: Placement[] = [];
    for (const devices of this.replicasOf(job)) {
      const place = this.packer.place(this.shapeOf(devices));
      if (place === undefined) {
        for (const taken of places) this.packer.giveBack(taken);
        return false;
      }
      places.push(place);
    }
    this.world.queue.remove(job);
    this.hold(job, job.devices);
    this.starts += 1;
    const running: RunningJob = {
      job,
      places,
      startedS: this.nowS,
      order: this.starts,
      atS: this.nowS + job.durationS,
    };
    this.running.set(job.id, running);
    this.departures.add(running);
    if (!this.everStarted.has(job.id)) this.measures.started(this.nowS - job.submittedS);
    this.everStarted.add(job.id);
    return true;
  }

  private leave({ job, places }: RunningJob): void {
    this.running.delete(job.id);
    for (const place of places) this.packer.giveBack(place);
    this.hold(job, -job.devices);
  }

  private makeRoom(job: Job): void {
    const victims = chooseVictims(this.packer, {
      job,
      replicas: this.replicasOf(job),
      running: this.running.values(),
      nowS: this.nowS,
      held: (tenant) => this.held.get(tenant) ?? 0,
      // Nobody is stopped twice: everybody finishes in the end.
      mayStop: ({ id }) => !this.everStopped.has(id),
    });
    if (victims === undefined) return;
    for (const victim of victims) {
      this.leave(victim);
      this.everStopped.add(victim.job.id);
      this.measures.stopped((this.nowS - victim.startedS) * victim.job.devices);
      this.world.queue.add(victim.job);
    }
    this.start(job);
  }

  private hold({ tenant }: Job, devices: number): void {
    this.held.set(tenant, (this.held.get(tenant) ?? 0) + devices);
    this.heldInAll += devices;
  }

  /** As many full nodes as it takes, and the rest on one more. */
  private replicasOf({ devices }: Job): readonly number[] {
    const { devicesEach } = this.world;
    const full = Array.from({ length: Math.floor(devices / devicesEach) }, () => devicesEach);
    const rest = devices % devicesEach;
    return rest === 0 ? full : [...full, rest];
  }

  private shapeOf(devices: number): AskShape {
    const shape = this.shapes[devices];
    if (shape === undefined) throw new Error(`No node has ${devices} devices.`);
    return shape;
  }
}
