/**
 * Plays jobs in virtual time: each is a gang that starts with all its devices or not at all, runs
 * for its recorded duration, and leaves. The scheduler decides which of them start, and where.
 */
import { type Departure, Departures } from "./departures.ts";
import type { GangScheduler } from "./gang-scheduler.ts";
import { Measures, type PhillyFigures } from "./measures.ts";
import type { Job } from "./philly-trace.ts";

export interface PhillyWorld {
  readonly devices: number;
  readonly scheduler: GangScheduler;
  readonly onProgress?: (submitted: number) => void;
}

interface RunningJob extends Departure {
  readonly job: Job;
}

/** Often enough to look alive, seldom enough to cost nothing. */
const PROGRESS_EVERY = 256;

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
  private readonly scheduler: GangScheduler;
  private readonly measures: Measures;
  private readonly departures = new Departures<RunningJob>();
  private readonly held = new Map<string, number>();
  private readonly waiting = new Map<string, number>();
  private heldInAll = 0;
  private nowS = 0;
  private starts = 0;

  constructor(jobs: readonly Job[], { devices, scheduler }: PhillyWorld) {
    this.scheduler = scheduler;
    this.measures = new Measures(devices, jobs.at(-1)?.submittedS ?? 0);
  }

  submit(job: Job): void {
    this.passTo(job.submittedS);
    this.scheduler.submit(job, this.nowS);
    this.waits(job, 1);
  }

  /** Jobs whose time is up by then leave, and waiting jobs take their turns in between. */
  leaveUntil(untilS: number): void {
    for (;;) {
      const next = this.departures.next;
      if (next === undefined || next.atS > untilS) return;
      this.departures.take();
      this.passTo(next.atS);
      this.scheduler.leave(next.job);
      this.hold(next.job, -next.job.devices);
      if (this.departures.next?.atS !== next.atS) this.takeTurn();
    }
  }

  takeTurn(): void {
    for (const job of this.scheduler.takeTurn(this.nowS)) {
      this.starts += 1;
      this.waits(job, -1);
      this.hold(job, job.devices);
      this.departures.add({ job, order: this.starts, atS: this.nowS + job.durationS });
      this.measures.started(this.nowS - job.submittedS);
    }
  }

  figures(): PhillyFigures {
    return this.measures.figures();
  }

  private passTo(nowS: number): void {
    if (nowS === this.nowS) return;
    const shares = [...this.waiting.keys()].map((tenant) => this.held.get(tenant) ?? 0);
    this.measures.until(nowS, this.heldInAll, shares);
    this.nowS = nowS;
  }

  private waits({ tenant }: Job, by: 1 | -1): void {
    const count = (this.waiting.get(tenant) ?? 0) + by;
    if (count === 0) this.waiting.delete(tenant);
    else this.waiting.set(tenant, count);
  }

  private hold({ tenant }: Job, devices: number): void {
    this.held.set(tenant, (this.held.get(tenant) ?? 0) + devices);
    this.heldInAll += devices;
  }
}
