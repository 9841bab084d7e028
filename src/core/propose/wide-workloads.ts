/**
 * A look at a workload walks over its indexes. While thousands of replicas of one come and go, each
 * change would bring another such walk; so what happens to a wide one is gathered for a moment
 * between two looks that find little. Counted on the controller's own clock; nothing of it has to
 * survive.
 */
import type { Decision } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Workload } from "../model/objects.ts";

/** From here on a walk takes a good part of a millisecond. */
const WIDE_INDEXES = 1_024;

/**
 * Short beside starting a process, and long enough that walks over twenty thousand indexes are a
 * small part of it.
 */
const GATHER_MS = 50;

/** A look that proposes as much is in the middle of something, and goes on at once. */
const MUCH_INDEXES = 256;

export class WideWorkloads {
  private readonly lookedMs = new Map<ObjectKey, number>();

  /** When it may be looked at again; a time that has passed means now. */
  dueMs(workload: Workload | undefined): number {
    if (workload === undefined || workload.spec.replicas < WIDE_INDEXES) return 0;
    const lookedMs = this.lookedMs.get(workload.key);
    return lookedMs === undefined ? 0 : lookedMs + GATHER_MS;
  }

  looked(key: ObjectKey, workload: Workload | undefined, decision: Decision, nowMs: number): void {
    const isWide = workload !== undefined && workload.spec.replicas >= WIDE_INDEXES;
    if (isWide && !proposesMuch(decision)) this.lookedMs.set(key, nowMs);
    else this.lookedMs.delete(key);
  }
}

const proposesMuch = (decision: Decision): boolean =>
  decision.kind === "propose" &&
  decision.intents.some(
    (intent) => intent.kind === "enqueue" && intent.indexes.length >= MUCH_INDEXES,
  );
