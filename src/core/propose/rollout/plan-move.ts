/**
 * What the next step of a rollout begins and ends: as much as its two bounds and its present step
 * allow. Indexes that do not serve are left first, those of templates that never served before all
 * others; an index that serves is left only when enough others do.
 */
import { stepCap } from "../../rules/roll-indexes.ts";
import { INDEXES_PER_COMMAND } from "../../protocol/command.ts";
import type { Workload } from "../../model/objects.ts";
import { hasServed, type Rollout, rolloutBounds } from "../../model/rollout.ts";
import { indexesMissing } from "../../model/index-set.ts";
import type { OldIndex, Survey } from "./survey.ts";
import type { Advance } from "../../rules/roll-indexes.ts";

/**
 * One command names at most so many indexes; it begins as many as it ends, so each gets half of
 * them.
 */
const INDEXES_EACH = INDEXES_PER_COMMAND / 2;

/** Undefined: there is nothing that may be begun or ended now. */
export function planMove(workload: Workload, rollout: Rollout, found: Survey): Advance | undefined {
  const { spec } = workload;
  const { surge, unavailable } = rolloutBounds(spec);
  const cap = stepCap(workload, rollout.step);
  const left = found.idle.length + found.useful.length;
  // What the step leaves to the others stays theirs.
  const most = Math.min(INDEXES_EACH, Math.max(0, left - (spec.replicas - cap)));
  const idle = idleToLeave(workload, rollout, found).slice(0, most);
  const spare = Math.max(0, found.serving - (spec.replicas - unavailable));
  const useful = found.useful.slice(0, Math.min(spare, most - idle.length));
  const dropped = [...idle, ...useful];
  const room = spec.replicas + surge - (left - dropped.length) - found.begun;
  const count = Math.min(INDEXES_EACH, room, cap - found.begun);
  const begin = count > 0 ? indexesMissing(rollout.begun, spec.replicas, count) : [];
  if (begin.length + dropped.length === 0) return undefined;
  return { kind: "advance", begin, drop: byGeneration(dropped), step: rollout.step };
}

/**
 * Those of templates that never served are worth nothing. One of a template that did may serve
 * again any moment, so it is not left for one of a template that has yet to show that it can.
 */
function idleToLeave(workload: Workload, rollout: Rollout, found: Survey): readonly OldIndex[] {
  if (hasServed(workload, rollout.to)) return found.idle;
  const { spec } = workload;
  const hope = found.hope - (spec.replicas - rolloutBounds(spec).unavailable);
  let left = Math.max(0, hope);
  return found.idle.filter(({ generation }) => {
    if (!hasServed(workload, generation)) return true;
    left -= 1;
    return left >= 0;
  });
}

function byGeneration(indexes: readonly OldIndex[]): Advance["drop"] {
  const found = new Map<number, number[]>();
  for (const { generation, index } of indexes) {
    const own = found.get(generation);
    if (own === undefined) found.set(generation, [index]);
    else own.push(index);
  }
  return [...found]
    .toSorted(([a], [b]) => a - b)
    .map(([generation, own]) => ({ generation, indexes: own.toSorted((a, b) => a - b) }));
}
