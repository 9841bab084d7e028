/**
 * What overrides mean for `unfinished.ts`: that an override is gone once its time is over, and
 * which of what is not as it should be is so because somebody said so. Time counts anew once nobody
 * says so any more.
 */
import { parseKey } from "../../../core/model/ids.ts";
import type { Override } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { holdingAt, isAbout } from "../models/naive-overrides.ts";
import type { Unfinished } from "./unfinished-work.ts";

/**
 * Two leaderships may differ by as much as wall clocks do in the simulator, in either direction.
 */
const CLOCKS_APART_MS = 170_000;

/** One that outlives the run is no reason to go on with it. */
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

/** Whether people hold back what would end it. */
export function isHeldBack(truth: Truth, found: Unfinished): boolean {
  for (const override of holdingAt(truth.objects)) if (holds(override, found)) return true;
  return false;
}

/** What is paused by pause-repair: to release, to replace, to evict. */
const REPAIRED: ReadonlySet<string> = new Set(["LIV3", "LIV4", "LIV10", "LIV11", "LIV12", "LIV58"]);

/**
 * What a pin keeps of its workload: that nothing of it is rolled away, released or moved for a
 * policy.
 */
const PINNED: ReadonlySet<string> = new Set(["LIV4", "LIV20", "LIV58"]);

/** What is there stays, and so does room that is kept; nobody makes room for others there. */
const KEPT: ReadonlySet<string> = new Set(["LIV9", "LIV40", "LIV58"]);

/** That indexes begin, one by one or together. */
const BEGINS: ReadonlySet<string> = new Set(["LIV6", "LIV20", "LIV30", "LIV40"]);

function holds(override: Override, { rule, key, stuckAs }: Unfinished): boolean {
  const { kind, namespace, name } = parseKey(key);
  // A replica is named after its workload, its generation and its index.
  const workload = kind === "Replica" ? name.replace(/(\.\d+){2}(\.r)?$/, "") : name;
  const isIts = namespace !== "" && isAbout(override, namespace, workload);
  switch (override.spec.action) {
    case "freeze-tenant":
      // What it has may be what others would take the place of, or wait to see drained.
      return isIts || rule === "LIV9";
    case "pause-expansion":
      return isIts && (BEGINS.has(rule) || (rule === "LIV1" && stuckAs === "none"));
    case "pause-repair":
      return REPAIRED.has(rule);
    case "pin":
      return rule === "LIV9" || (isIts && PINNED.has(rule));
    case "avoid-zone":
    case "avoid-node":
      // Where else work would go is asked of the nodes that are left; what is kept there already
      // stays.
      return rule === "LIV40";
    case "mark-partitioned":
      return REPAIRED.has(rule) || KEPT.has(rule);
    case "raise-budget":
      return false;
  }
}
