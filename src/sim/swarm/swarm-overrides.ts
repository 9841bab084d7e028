/** People who steer: what they hold back, for how long, and who tries to lift what is another's. */
import type { OverrideAction, OverrideSpec, OverrideTarget } from "../../core/model/override.ts";
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, World, WorldNode, WorldWorkload } from "../world/world.ts";
import { personOf } from "./swarm-people.ts";

/** Of a hundred worlds. The others have no override, and none of their draws knows of this file. */
const WORLDS_PERCENT = 22;

/**
 * Mostly over before a healed world is checked; a few outlive the run, and what they do not hold
 * must go on.
 */
const SHORT_MS = { least: 2_000, most: 60_000 };
const LONG_MS = 3_600_000;

/** Marks of regions come with all that they need in `swarm-partitioned-regions.ts`. */
const DRAWN = [
  "avoid-zone",
  "avoid-node",
  "pause-expansion",
  "pause-repair",
  "pin",
  "raise-budget",
  "freeze-tenant",
] as const satisfies readonly OverrideAction[];
type Drawn = (typeof DRAWN)[number];

interface Scene {
  readonly nodes: readonly WorldNode[];
  readonly workloads: readonly WorldWorkload[];
  readonly regions: World["regions"];
}

export function drawOverrides(
  random: KeyedRandom,
  scene: Scene,
  untilMs: number,
): readonly TimelineEntry[] {
  if (!random.chance("overrides", 0, WORLDS_PERCENT)) return [];
  const count = random.between("override count", 0, 1, 5);
  return Array.from({ length: count }, (_, at) => drawOne(random, { scene, at, untilMs })).flat();
}

function drawOne(
  random: KeyedRandom,
  { scene, at, untilMs }: { readonly scene: Scene; readonly at: number; readonly untilMs: number },
): readonly TimelineEntry[] {
  const name = `ov-${at}`;
  const spec = drawSpec(random, scene, at);
  const atMs = random.between("override time", at, 1_000, untilMs);
  const entries: TimelineEntry[] = [
    { atMs, action: { do: "override", name, as: personOf(at), spec } },
  ];
  const laterMs = (): number =>
    random.between("override later", at, 500, Math.min(spec.ttlMs, SHORT_MS.most));
  const who = (what: string): string => personOf(at + (random.chance(what, at, 35) ? 1 : 0));
  if (random.chance("override extended", at, 40)) {
    const ttlMs = spec.ttlMs + random.between("override more", at, 1_000, 30_000);
    const action = { do: "extend-override", name, as: who("extends another's"), ttlMs } as const;
    entries.push({ atMs: atMs + laterMs(), action });
  }
  if (random.chance("override released", at, 40)) {
    const action = { do: "release-override", name, as: who("releases another's") } as const;
    entries.push({ atMs: atMs + laterMs() + 1_000, action });
  }
  return entries;
}

function drawSpec(random: KeyedRandom, scene: Scene, at: number): OverrideSpec {
  const action = DRAWN[random.between("override action", at, 0, DRAWN.length - 1)] ?? "pin";
  const isLong = random.chance("override long", at, 8);
  return {
    action,
    target: drawTarget(random, scene, { action, at }),
    reason: "drawn",
    ttlMs: isLong ? LONG_MS : random.between("override ttl", at, SHORT_MS.least, SHORT_MS.most),
    ...(action === "raise-budget" ? { amount: random.between("override by", at, 1, 3) } : {}),
  };
}

function drawTarget(
  random: KeyedRandom,
  { nodes, workloads, regions }: Scene,
  { action, at }: { readonly action: Drawn; readonly at: number },
): OverrideTarget {
  const one = <T>(what: string, from: readonly T[]): T | undefined =>
    from[random.between(`override ${what}`, at, 0, Math.max(0, from.length - 1))];
  const node = one("node", nodes);
  const zone = node?.spec.zone ?? regions[0]?.zones[0] ?? "r1-a";
  const of = one("workload", workloads);
  const tenant = of?.tenant ?? "t1";
  const workload = of?.name ?? "w1";
  switch (action) {
    case "avoid-zone":
      return { zone };
    case "avoid-node":
      return { node: node?.name ?? "n1" };
    case "freeze-tenant":
      return { tenant };
    case "pin":
    case "raise-budget":
      return { tenant, workload };
    case "pause-expansion":
      return [{}, { tenant }, { tenant, workload }][random.between("override of", at, 0, 2)] ?? {};
    case "pause-repair": {
      const region = node?.spec.region ?? "r1";
      const scopes = [{}, { region }, { zone }, { node: node?.name ?? "n1" }, { tenant }];
      return scopes[random.between("override of", at, 0, scopes.length - 1)] ?? {};
    }
  }
}
