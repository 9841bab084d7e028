/**
 * Whom to stop so that an overdue job fits. Only jobs of tenants that hold more than the waiting one would
 * with it, so that two tenants never take turns in stopping each other, and the least work lost first.
 */
import type { Packer } from "../trace/packer.ts";
import type { Job } from "./philly-trace.ts";
import type { RunningJob } from "./running-job.ts";

export interface ReclaimRequest {
  readonly job: Job;
  /** Devices wanted on each of as many nodes. */
  readonly replicas: readonly number[];
  readonly running: Iterable<RunningJob>;
  readonly nowS: number;
  readonly held: (tenant: string) => number;
  /** Whether this job may be stopped at all. */
  readonly mayStop: (job: Job) => boolean;
}

/** Undefined when no lawful choice makes enough room. */
export function chooseVictims(
  packer: Packer,
  request: ReclaimRequest,
): readonly RunningJob[] | undefined {
  const spare = new Spare(request);
  const byRow = residents(request, spare);
  const idle = Int16Array.from(packer.fleet.idleUnits);
  const chosen = new Set<RunningJob>();
  for (const devices of request.replicas) {
    const best = cheapest({ idle, byRow, chosen, devices, nowS: request.nowS, spare });
    if (best === undefined) return undefined;
    for (const victim of best.victims) {
      chosen.add(victim);
      spare.use(victim);
      for (const { row, units } of victim.places) idle[row] = (idle[row] ?? 0) + units.length;
    }
    idle[best.row] = (idle[best.row] ?? 0) - devices;
  }
  return [...chosen];
}

/** How many devices each tenant can lose before it holds no more than the waiting one would. */
class Spare {
  private readonly left = new Map<string, number>();
  private readonly request: ReclaimRequest;

  constructor(request: ReclaimRequest) {
    this.request = request;
  }

  allows({ job }: RunningJob): boolean {
    return this.request.mayStop(job) && this.of(job.tenant) >= job.devices;
  }

  use({ job }: RunningJob): void {
    this.left.set(job.tenant, this.of(job.tenant) - job.devices);
  }

  private of(tenant: string): number {
    const { job, held } = this.request;
    return this.left.get(tenant) ?? held(tenant) - held(job.tenant) - job.devices;
  }
}

function residents(
  { running, nowS }: ReclaimRequest,
  spare: Spare,
): ReadonlyMap<number, readonly RunningJob[]> {
  const byRow = new Map<number, RunningJob[]>();
  for (const one of running) {
    if (!spare.allows(one)) continue;
    for (const row of new Set(one.places.map((place) => place.row))) {
      const known = byRow.get(row);
      if (known === undefined) byRow.set(row, [one]);
      else known.push(one);
    }
  }
  for (const jobs of byRow.values()) {
    jobs.sort((a, b) => lostWork(a, nowS) - lostWork(b, nowS) || a.job.id - b.job.id);
  }
  return byRow;
}

const lostWork = ({ job, startedS }: RunningJob, nowS: number): number =>
  (nowS - startedS) * job.devices;

interface Search {
  readonly idle: Int16Array;
  readonly byRow: ReadonlyMap<number, readonly RunningJob[]>;
  readonly chosen: ReadonlySet<RunningJob>;
  readonly devices: number;
  readonly nowS: number;
  readonly spare: Spare;
}

interface Clearing {
  readonly row: number;
  readonly victims: readonly RunningJob[];
  readonly lost: number;
}

function cheapest(search: Search): Clearing | undefined {
  let best: Clearing | undefined;
  for (let row = 0; row < search.idle.length; row += 1) {
    const found = clear(search, row);
    if (found !== undefined && (best === undefined || found.lost < best.lost)) best = found;
  }
  return best;
}

function clear(search: Search, row: number): Clearing | undefined {
  const { devices, nowS, chosen, spare } = search;
  let idle = search.idle[row] ?? 0;
  let lost = 0;
  const victims: RunningJob[] = [];
  for (const one of search.byRow.get(row) ?? []) {
    if (idle >= devices) break;
    if (chosen.has(one) || !spare.allows(one)) continue;
    victims.push(one);
    lost += lostWork(one, nowS);
    for (const place of one.places) if (place.row === row) idle += place.units.length;
  }
  return idle >= devices ? { row, victims, lost } : undefined;
}
