/**
 * Draws how services roll out, and the changes of people: new templates, some of which never work,
 * earlier templates, and pauses. Deadlines are short enough to pass more than once in a run.
 */
import type { RolloutSpec } from "../../core/model/rollout.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import { NEVER_READY } from "../world/never-ready.ts";
import type { TimelineEntry, UserAction, WorldWorkload } from "../world/world.ts";

/** Some services say nothing and get the defaults. */
export function drawRollout(random: KeyedRandom, at: number): RolloutSpec | undefined {
  if (!random.chance("workload says how it rolls out", at, 70)) return undefined;
  const first = random.between("rollout step", at, 1, 3);
  const second = first + random.between("rollout second step", at, 1, 3);
  return {
    ...drawBounds(random, at),
    deadlineMs: random.between("rollout deadline", at, 10, 60) * 1_000,
    ...(random.chance("rollout in steps", at, 35)
      ? {
          steps: [
            { replicas: first, pauseMs: random.between("rollout pause", at, 1, 15) * 1_000 },
            { replicas: second },
          ],
        }
      : {}),
    ...(random.chance("rollout holds", at, 15) ? { onFailure: "hold" as const } : {}),
  };
}

/** Percentages that come to none, one or more of the few replicas. */
const PARTS = ["0%", "10%", "25%", "34%", "50%", "100%"] as const;

/** Numbers or percentages, never zero for both; percentages may still round to zero. */
function drawBounds(
  random: KeyedRandom,
  at: number,
): Pick<RolloutSpec, "maxSurge" | "maxUnavailable"> {
  const surge = random.between("rollout surge", at, 0, 3);
  const unavailable = random.between("rollout unavailable", at, surge === 0 ? 1 : 0, 2);
  const surgePart = random.chance("rollout surge in parts", at, 35)
    ? PARTS[random.between("rollout surge part", at, surge === 0 ? 0 : 1, PARTS.length - 1)]
    : undefined;
  const unavailablePart = random.chance("rollout unavailable in parts", at, 35)
    ? PARTS[random.between("rollout unavailable part", at, unavailable === 0 ? 0 : 1, 4)]
    : undefined;
  return { maxSurge: surgePart ?? surge, maxUnavailable: unavailablePart ?? unavailable };
}

/** New templates for one of the workloads, while faults last and after them. */
export function drawRollouts(
  random: KeyedRandom,
  workloads: readonly WorldWorkload[],
  untilMs: number,
): readonly TimelineEntry[] {
  const services = workloads.filter(
    ({ spec }) => spec.type === "service" && spec.gang === undefined && spec.replicas > 0,
  );
  const service = services[random.draw("rollouts of", 0) % Math.max(1, services.length)];
  if (service === undefined || !random.chance("rollouts", 0, 50)) return [];
  const entries: TimelineEntry[] = [];
  let atMs = random.between("rollout begins", 0, 5_000, 25_000);
  for (let at = 0; atMs < untilMs; at += 1) {
    entries.push({ atMs, action: drawMove(random, at, service) });
    atMs += random.between("rollout follows", at, 1_000, 40_000);
  }
  // A person who pauses a rollout resumes it in the end.
  const { rollout } = service.spec;
  const { tenant, name: workload } = service;
  if (rollout === undefined) return entries;
  return [...entries, { atMs: untilMs, action: { do: "set-rollout", tenant, workload, rollout } }];
}

function drawMove(random: KeyedRandom, at: number, service: WorldWorkload): UserAction {
  const { tenant, name: workload } = service;
  const { rollout } = service.spec;
  const whose = { tenant, workload };
  if (rollout !== undefined && random.chance("rollout paused", at, 20)) {
    return { do: "set-rollout", ...whose, rollout: { ...rollout, paused: true } };
  }
  if (random.chance("rollout scaled", at, 15)) {
    return { do: "scale", ...whose, replicas: random.between("rollout replicas", at, 0, 8) };
  }
  // From a few versions, so that an earlier one returns from time to time.
  const version = `r${random.between("rollout version", at, 1, 3)}`;
  const word = random.chance("rollout never works", at, 35) ? NEVER_READY : "run";
  return { do: "change-template", ...whose, command: [word, workload, version] };
}
