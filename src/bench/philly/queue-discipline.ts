/**
 * Who is tried next. A discipline knows the waiting jobs and what each tenant holds; whether a job fits is
 * found out by trying, and what was too large a moment ago need not be tried again.
 */
import type { Job } from "./philly-trace.ts";

export interface QueueTurn {
  readonly nowS: number;
  /** Devices that the tenant's jobs hold. */
  readonly held: (tenant: string) => number;
  /** Jobs of this many devices and more do not fit at present. */
  readonly tooLarge: number;
}

export interface QueueDiscipline {
  readonly name: string;
  add(job: Job): void;
  remove(job: Job): void;
  /** Undefined ends the turn. */
  next(turn: QueueTurn): Job | undefined;
  /** The job for which room may be made by force now. */
  overdue(turn: QueueTurn): Job | undefined;
  /** Tenants with somebody waiting. */
  waiting(): readonly string[];
}
