/**
 * Draws policies for a part of the worlds: a few revisions that differ in every field, and people
 * who move the pointer, first in one region, then everywhere, and back, also during faults. Some
 * activations name a revision that is no longer in force, and are refused.
 */
import type { PolicyRules, RollbackWay } from "../../core/model/policy.ts";
import {
  HEALTH_BOUNDS_MS,
  RETRY_BOUNDS,
  ROLLBACK_WAYS,
  SCORINGS,
} from "../../core/model/policy.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, World, WorldPolicyRevision } from "../world/world.ts";

/** The percentage of worlds with policies. */
const PRESENT_PERCENT = 30;

const POLICY = "default";

export interface DrawnPolicies {
  readonly world: Partial<World>;
  readonly timeline: readonly TimelineEntry[];
}

export function drawPolicies(
  random: KeyedRandom,
  regions: World["regions"],
  untilMs: number,
): DrawnPolicies {
  if (!random.chance("policies", 0, PRESENT_PERCENT)) return { world: {}, timeline: [] };
  return drawSomePolicies(random, regions, untilMs);
}

export function drawSomePolicies(
  random: KeyedRandom,
  regions: World["regions"],
  untilMs: number,
): DrawnPolicies {
  const count = random.between("policy revisions", 0, 2, 4);
  const policyRevisions = Array.from({ length: count }, (_, at) => drawRevision(random, at));
  const active = revisionName(random.between("policy first", 0, 0, count - 1));
  const moves = random.between("policy moves", 0, 1, 6);
  const timeline = Array.from({ length: moves }, (_, at): TimelineEntry => {
    const atMs = random.between("policy move time", at, 2_000, untilMs);
    if (random.chance("policy rewritten", at, 10)) {
      const { spec } = drawRevision(random, at + count);
      const policyRevision = { name: revisionName(at % count), spec };
      return { atMs, action: { do: "put-policy-revision", policyRevision } };
    }
    const region = regions[random.draw("policy region", at) % Math.max(1, regions.length)]?.name;
    const isStaged = region !== undefined && random.chance("policy staged", at, 40);
    return {
      atMs,
      action: {
        do: "activate",
        policy: POLICY,
        to: revisionName(random.draw("policy to", at) % count),
        ...(isStaged ? { region } : {}),
        ...(random.chance("policy stale", at, 10) ? { stale: true } : {}),
      },
    };
  });
  return { world: { policyRevisions, policies: [{ name: POLICY, active }] }, timeline };
}

const revisionName = (at: number): string => `${POLICY}-${at + 1}`;

function drawRevision(random: KeyedRandom, at: number): WorldPolicyRevision {
  const spread = random.chance("policy spreads", at, 40)
    ? {
        spread: [
          {
            by: random.chance("policy spreads by zone", at, 50) ? "zone" : "node",
            maxSkew: random.between("policy skew", at, 1, 3),
            ...(random.chance("policy spreads softly", at, 40) ? { soft: true } : {}),
          },
        ],
      }
    : {};
  const spec: PolicyRules = {
    scoring: random.pick("policy scoring", at, SCORINGS),
    ...spread,
    ...drawPreemption(random, at),
    ...drawTimes(random, at),
    onRollback: {
      bindings: drawWay(random, "policy bindings", at),
      reservations: drawWay(random, "policy reservations", at),
    },
  };
  return { name: revisionName(at), spec };
}

const drawWay = (random: KeyedRandom, what: string, at: number): RollbackWay =>
  random.pick(what, at, ROLLBACK_WAYS);

function drawPreemption(random: KeyedRandom, at: number): Pick<PolicyRules, "preemption"> {
  const apart = random.chance("policy bands apart", at, 40) ? { apart: [["base", "batch"]] } : {};
  const never = random.chance("policy band never", at, 25) ? { never: ["batch"] } : {};
  return "apart" in apart || "never" in never ? { preemption: { ...apart, ...never } } : {};
}

/** At most so much longer than the defaults that a healed world does not look stuck. */
function drawTimes(random: KeyedRandom, at: number): Pick<PolicyRules, "health" | "retries"> {
  const { suspect, unknown } = HEALTH_BOUNDS_MS;
  const { attempts, backoffFirstMs } = RETRY_BOUNDS;
  const health = random.chance("policy health", at, 30)
    ? {
        health: {
          suspectAfterMs: random.between("policy suspect", at, suspect.least, 12_000),
          unknownAfterMs: random.between("policy unknown", at, unknown.least, unknown.most),
        },
      }
    : {};
  const retries = random.chance("policy retries", at, 30)
    ? {
        retries: {
          attempts: random.between("policy attempts", at, 2, attempts.most),
          backoffFirstMs: random.between("policy backoff", at, backoffFirstMs.least, 1_000),
        },
      }
    : {};
  return { ...health, ...retries };
}
