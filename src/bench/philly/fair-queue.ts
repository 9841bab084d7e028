/**
 * Fair between tenants: next is the oldest job that may fit of the tenant that holds least. A job that does
 * not fit is passed, so nobody blocks the line. One that was passed for too long is passed by its own tenant's
 * jobs no more: what that tenant holds shrinks, until room may be made by force at the cost of the others.
 */
import type { Job } from "./philly-trace.ts";
import type { QueueDiscipline, QueueTurn } from "./queue-discipline.ts";

/** Half a day: longer than nine in ten jobs run. From then on room may be made by force. */
const PATIENCE_S = 43_200;

/** A week: from then on its tenant's other jobs pass it no more. Sooner costs the small jobs more than it gives. */
const PASSED_AT_MOST_S = 604_800;

/** The jobs of one size of one tenant, oldest first: they were added in that order. */
type Line = Map<number, Job>;

export class FairQueue implements QueueDiscipline {
  readonly name = "fair";
  private readonly lines = new Map<string, Map<number, Line>>();

  add(job: Job): void {
    let sizes = this.lines.get(job.tenant);
    if (sizes === undefined) this.lines.set(job.tenant, (sizes = new Map<number, Line>()));
    let line = sizes.get(job.devices);
    if (line === undefined) sizes.set(job.devices, (line = new Map<number, Job>()));
    line.set(job.id, job);
  }

  remove(job: Job): void {
    const sizes = this.lines.get(job.tenant);
    const line = sizes?.get(job.devices);
    line?.delete(job.id);
    if (line?.size === 0) sizes?.delete(job.devices);
    if (sizes?.size === 0) this.lines.delete(job.tenant);
  }

  next({ tooLarge, held, nowS }: QueueTurn): Job | undefined {
    let best: Job | undefined;
    let least = Infinity;
    for (const [tenant, sizes] of this.lines) {
      const first = oldest(sizes, () => true);
      const isHeld = first !== undefined && waited(first, nowS) >= PASSED_AT_MOST_S;
      const job = isHeld ? first : oldest(sizes, (devices) => devices < tooLarge);
      if (job === undefined || job.devices >= tooLarge) continue;
      const holds = held(tenant);
      if (holds > least || (holds === least && best !== undefined && best.id < job.id)) continue;
      least = holds;
      best = job;
    }
    return best;
  }

  overdue({ nowS }: QueueTurn): Job | undefined {
    let found: Job | undefined;
    for (const sizes of this.lines.values()) {
      const job = oldest(sizes, () => true);
      if (job === undefined || waited(job, nowS) < PATIENCE_S) continue;
      if (found === undefined || job.id < found.id) found = job;
    }
    return found;
  }

  waiting(): readonly string[] {
    return [...this.lines.keys()];
  }
}

const waited = ({ submittedS }: Job, nowS: number): number => nowS - submittedS;

function oldest(
  sizes: ReadonlyMap<number, Line>,
  mayFit: (devices: number) => boolean,
): Job | undefined {
  let found: Job | undefined;
  for (const [devices, line] of sizes) {
    if (!mayFit(devices)) continue;
    for (const job of line.values()) {
      if (found === undefined || job.id < found.id) found = job;
      break;
    }
  }
  return found;
}
