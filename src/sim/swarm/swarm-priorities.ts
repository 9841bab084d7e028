/**
 * Draws classes and what workloads let be taken from them. Few values and two bands, so that
 * classes meet each other in every way: higher and lower, of one band, unwilling to preempt, not to
 * be preempted.
 */
import type { Disruption } from "../../core/model/disruption.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { WorldPriorityClass } from "../world/world.ts";

const NAMES = ["idle", "low", "middle", "high", "urgent"] as const;

export const drawPriorityClasses = (random: KeyedRandom): readonly WorldPriorityClass[] =>
  NAMES.map((name, at) => ({ name, spec: drawSpec(random, at) }));

function drawSpec(random: KeyedRandom, at: number): WorldPriorityClass["spec"] {
  const band = random.chance("class in band", at, 50)
    ? { band: random.chance("class band", at, 70) ? "base" : "batch" }
    : {};
  return {
    // Mostly in the order of their names, sometimes in another.
    value: 10 * at + random.between("class value", at, -12, 12),
    ...(random.chance("class preempts never", at, 15) ? { preempts: "never" } : {}),
    ...band,
    ...(random.chance("class is safe", at, 10) ? { preemptible: false } : {}),
  };
}

export const drawPriorityClass = (random: KeyedRandom, at: number): string =>
  random.chance("workload has class", at, 75)
    ? (NAMES[random.draw("workload class", at) % NAMES.length] ?? "")
    : "";

export function drawDisruption(random: KeyedRandom, at: number): Disruption | undefined {
  if (!random.chance("workload has budget", at, 30)) return undefined;
  return { maxUnavailable: random.between("workload budget", at, 0, 3) };
}

/** A class changes while its work runs: who may preempt whom is another question from then on. */
export const drawClassChange = (random: KeyedRandom, at: number): WorldPriorityClass => ({
  name: NAMES[random.draw("action class", at) % NAMES.length] ?? "low",
  spec: drawSpec(random, at + NAMES.length),
});
