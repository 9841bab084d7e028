/**
 * How a controller waits for people: it names the override, is woken by whatever becomes of it, and
 * looks again in time.
 */
import type { Intent } from "../../protocol/command.ts";
import { type Because, type Decision, type Look, wait } from "../../protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";
import { overrideText } from "../../model/override.ts";
import type { Override } from "../../model/objects.ts";
import { objectFact } from "../../observe/facts.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { View } from "../../observe/view.ts";
import { calmDelayMs } from "./calm-delay.ts";
import { heldByOverride } from "./held-by-override.ts";
import { overridesInForce } from "./overrides-in-force.ts";

/** The name under which decisions count what an override turned away. */
export const OVERRIDE_RULE = "override";

/**
 * Whatever else is due under the same key is not put off until the override ends. Half of it is
 * drawn for each key, so that those that were held back at one moment do not come back at one
 * moment.
 */
const PATIENCE_MS = 15_000;

export interface Sifted {
  readonly free: readonly Intent[];
  /** Those who hold the others back, each once, in the order of their names. */
  readonly holders: readonly Override[];
  readonly heldCount: number;
}

export function sift(
  objects: ObjectIndex,
  intents: readonly Intent[],
  overrides: readonly Override[],
): Sifted {
  const holders = new Set<Override>();
  const free = intents.filter((intent) => {
    const holder = heldByOverride(objects, intent, overrides);
    if (holder !== undefined) holders.add(holder);
    return holder === undefined;
  });
  return {
    free,
    holders: overrides.filter((each) => holders.has(each)),
    heldCount: intents.length - free.length,
  };
}

export function rejectedBy(
  holders: readonly Override[],
  count: number,
): NonNullable<Because["rejected"]> {
  return { [OVERRIDE_RULE]: { count, example: holders.map(overrideText).join(", ") } };
}

/** `what` was to be done, and waits. */
export function waitForOverride(
  key: ObjectKey,
  look: Look,
  waiting: { readonly holders: readonly Override[]; readonly count: number; readonly what: string },
): Decision {
  const { holders, count, what } = waiting;
  const patienceMs = (PATIENCE_MS >> 1) + (look.random("override", key) % (PATIENCE_MS >> 1));
  // By our clock, which may be another's: the end is told by its removal, and looked for when it
  // should have come. It is one moment for all of them, and stands when the override is released
  // just before it: each has its own after it.
  const afterMs = calmDelayMs(key, look);
  const ends = holders.map(({ status }) => status.untilMs + afterMs);
  return wait({
    reason: "override",
    wakes: holders.map(({ key: holder }) => objectFact(holder)),
    deadlineMs: Math.min(look.now + patienceMs, ...ends.filter((atMs) => atMs > look.now)),
    because: {
      summary: `${what}: held back by ${holders.map(overrideText).join(", ")}`,
      rejected: rejectedBy(holders, count),
    },
  });
}

/** The overrides under which a tenant gets no place at all. */
export const frozenBy = (objects: ObjectIndex, tenant: string): readonly Override[] =>
  overridesInForce(objects).filter(
    ({ spec }) => spec.action === "freeze-tenant" && spec.target.tenant === tenant,
  );

/**
 * For a tenant that gets no place, looking for one would only keep it from others; undefined: it is
 * not frozen.
 */
export function frozenWait(workload: ObjectKey, view: View, look: Look): Decision | undefined {
  const { namespace } = parseKey(workload);
  const holders = frozenBy(view.objects, namespace);
  if (holders.length === 0) return undefined;
  return waitForOverride(workload, look, { holders, count: 1, what: `${workload} is not placed` });
}
