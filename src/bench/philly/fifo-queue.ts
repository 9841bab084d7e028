/** First come, first served, and nobody passes the first one: what a fair queue is compared with. */
import type { Job } from "./philly-trace.ts";
import type { QueueDiscipline, QueueTurn } from "./queue-discipline.ts";

export class FifoQueue implements QueueDiscipline {
  readonly name = "fifo";
  private readonly jobs = new Map<number, Job>();
  private readonly countOf = new Map<string, number>();

  add(job: Job): void {
    this.jobs.set(job.id, job);
    this.count(job.tenant, 1);
  }

  remove(job: Job): void {
    this.jobs.delete(job.id);
    this.count(job.tenant, -1);
  }

  next({ tooLarge }: QueueTurn): Job | undefined {
    for (const job of this.jobs.values()) return job.devices < tooLarge ? job : undefined;
    return undefined;
  }

  overdue(): undefined {
    return undefined;
  }

  waiting(): readonly string[] {
    return [...this.countOf.keys()];
  }

  private count(tenant: string, by: 1 | -1): void {
    const count = (this.countOf.get(tenant) ?? 0) + by;
    if (count === 0) this.countOf.delete(tenant);
    else this.countOf.set(tenant, count);
  }
}
