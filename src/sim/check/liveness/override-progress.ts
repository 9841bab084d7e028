/**
 * The part of overrides in `unfinished.ts`: an override goes when its time is over, and an override
 * excuses the deviations it causes. Time counts anew once the last such override has ended.
 */
import { parseKey } from "../../../core/model/ids.ts";
import type { Override } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { holdingAt, isAbout } from "../models/naive-overrides.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * In the simulator, the wall clocks of two leaderships may differ by this much, in either
 * direction.
 */
const CLOCKS_APART_MS = 170_000;

/** An override that outlives the run does not prolong it. */
const WAITED_FOR_MS = 300_000;

export function* overridesLeft(truth: Truth, stallMs: number): Iterable<Unfinished> {
  for (const { key, meta, spec, status } of truth.objects.all("Override").values()) {
    if (spec.ttlMs > WAITED_FOR_MS) continue;
    yield {
      rule: "LIV55",
      key,
      stuckAs: `until ${status.untilMs} in generation ${meta.generation}`,
      patienceMs: stallMs + spec.ttlMs + CLOCKS_APART_MS,
      message: `${key} was to hold for ${spec.ttlMs} ms and is still there.`,
    };
  }
}

/** Whether an override prevents the end of this deviation. */
export function isHeldBack(truth: Truth, found: Unfinished): boolean {
  for (const override of holdingAt(truth.objects)) if (holds(override, found)) return true;
  return false;
}

/** pause-repair stops releases, replacements and evictions. */
const REPAIRED: ReadonlySet<string> = new Set(["LIV3", "LIV4", "LIV10", "LIV11", "LIV12", "LIV58"]);

/** A pin keeps its workload in place: no rollout, release or policy moves its replicas. */
const PINNED: ReadonlySet<string> = new Set(["LIV4", "LIV20", "LIV58"]);

/** Replicas and reserved room stay; nothing is evicted there to make room. */
const KEPT: ReadonlySet<string> = new Set(["LIV9", "LIV40", "LIV58"]);

/** An index begins, alone or in a gang. */
const BEGINS: ReadonlySet<string> = new Set(["LIV6", "LIV20", "LIV30", "LIV40"]);

function holds(override: Override, { rule, key, stuckAs }: Unfinished): boolean {
  const { kind, namespace, name } = parseKey(key);
  // The name of a replica consists of its workload, its generation and its index.
  const workload = kind === "Replica" ? name.replace(/(\.\d+){2}(\.r)?$/, "") : name;
  const isIts = namespace !== "" && isAbout(override, namespace, workload);
  switch (override.spec.action) {
    case "freeze-tenant":
      // Others may wait for its room, or for its node to drain.
      return isIts || rule === "LIV9";
    case "pause-expansion":
      return isIts && (BEGINS.has(rule) || (rule === "LIV1" && stuckAs === "none"));
    case "pause-repair":
      return REPAIRED.has(rule);
    case "pin":
      return rule === "LIV9" || (isIts && PINNED.has(rule));
    case "avoid-zone":
    case "avoid-node":
      // The remaining nodes decide where other work goes; room that is already reserved stays.
      return rule === "LIV40";
    case "mark-partitioned":
      return REPAIRED.has(rule) || KEPT.has(rule);
    case "raise-budget":
      return false;
  }
}
