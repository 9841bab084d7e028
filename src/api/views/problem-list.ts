/**
 * The answer to `GET /problems`. However many callers ask, there is one walk over the workloads at
 * a time, in turns; callers that come during a walk share the next one, so that an answer is never
 * older than its question.
 */
import type { PlanePort } from "../../host/plane-port.ts";
import { inTurns } from "../http/in-turns.ts";
import { type ProblemSight, problemSteps, type ShownProblems } from "./problems.ts";

/** While nothing is committed, only waits get older, and those count from half a minute on. */
const FRESH_MS = 1_000;

type Port = Pick<PlanePort, "objects" | "decisions" | "revision">;

interface ProblemsAt extends ShownProblems {
  /** As of which the walk began. */
  readonly revision: number;
}

export class ProblemList {
  /** How many walks were made. */
  walks = 0;
  private readonly plane: Port;
  private readonly nowMs: () => number;
  /** Of the callers that share this list; left out: they see everything. */
  private readonly sight: (() => ProblemSight) | undefined;
  private last: { readonly answer: ProblemsAt; readonly atMs: number } | undefined;
  private current: Promise<unknown> | undefined;
  private next: Promise<ProblemsAt> | undefined;

  constructor(plane: Port, nowMs: () => number, sight?: () => ProblemSight) {
    this.plane = plane;
    this.nowMs = nowMs;
    this.sight = sight;
  }

  read(): Promise<ProblemsAt> {
    if (this.current !== undefined) {
      this.next ??= this.current.then(
        () => this.walk(),
        () => this.walk(),
      );
      return this.next;
    }
    const { last } = this;
    const ageMs = this.nowMs() - (last?.atMs ?? 0);
    const isFresh = last?.answer.revision === this.plane.revision && Math.abs(ageMs) < FRESH_MS;
    return isFresh ? Promise.resolve(last.answer) : this.walk();
  }

  private walk(): Promise<ProblemsAt> {
    const { revision } = this.plane;
    const atMs = this.nowMs();
    this.walks += 1;
    this.next = undefined;
    const walk = inTurns(problemSteps(this.plane, atMs, this.sight?.())).then((found) => {
      const answer = { revision, ...found };
      this.last = { answer, atMs };
      return answer;
    });
    const current = walk.finally(() => {
      if (this.current === current) this.current = undefined;
    });
    this.current = current;
    return current;
  }
}
