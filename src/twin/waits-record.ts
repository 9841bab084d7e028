/** How long replicas waited for a place: from the admission of an incarnation to its bind. */
import type { Commit } from "../core/protocol/commit-record.ts";
import type { ObjectKey } from "../core/model/ids.ts";
import type { Replica } from "../core/model/objects.ts";
import { holdsNode } from "../core/model/stage.ts";
import { workloadOf } from "../core/model/workload-of.ts";
import type { Checker, Truth } from "../sim/check/checker.ts";
import { isRenewal } from "../sim/check/fast-path.ts";
import type { TwinWait } from "./twin-run.ts";

interface Waiting {
  readonly workload: ObjectKey;
  readonly sinceMs: number;
}

export class WaitsRecord implements Checker {
  readonly name = "waits-record";
  private readonly waiting = new Map<ObjectKey, Waiting>();
  private readonly over: TwinWait[] = [];
  private hasBegun = false;

  begin(): void {
    this.hasBegun = true;
  }

  afterCommit(commit: Commit, { nowMs }: Truth): void {
    if (!this.hasBegun || isRenewal(commit)) return;
    for (const { key, before, after } of commit.changes) {
      if (after?.kind === "Replica") {
        this.follow(after, before?.kind === "Replica" ? before : undefined, nowMs);
      } else if (before?.kind === "Replica") this.waiting.delete(key);
    }
  }

  /** In the order of their ends; those that still wait come last. */
  waits(): readonly TwinWait[] {
    return [...this.over, ...[...this.waiting.values()].map(({ workload }) => ({ workload }))];
  }

  private follow(after: Replica, before: Replica | undefined, nowMs: number): void {
    const { key } = after;
    if (isPending(after)) {
      if (before !== undefined && isPending(before)) return;
      this.waiting.set(key, { workload: workloadOf(after), sinceMs: nowMs });
      return;
    }
    const wait = this.waiting.get(key);
    if (wait === undefined) return;
    this.waiting.delete(key);
    // Released while it waited: it has no place, and waits for none any more.
    if (!holdsNode(after.status.stage)) return;
    this.over.push({ workload: wait.workload, ms: nowMs - wait.sinceMs });
  }
}

const isPending = ({ status: { stage } }: Replica): boolean =>
  stage === "admitted" || stage === "queued";
