/**
 * Draws secrets for some workloads: they come late or with a key too few, go and come back, and are
 * there at the end. Added to a share of the worlds, so that the others run as before.
 */
import type { KeyedRandom } from "../faults/keyed-random.ts";
import type { TimelineEntry, World, WorldWorkload } from "../world/world.ts";

const WORLDS_PERCENT = 10;
const KEYS = ["password", "token"] as const;
const NAMES = 2;
/** As a template without options has it. */
const RUN = { env: {}, workingDir: "", user: "", ports: [], stopGraceMs: 10_000 } as const;

export function withSecrets(random: KeyedRandom, world: World, untilMs: number): World {
  return random.chance("world has secrets", 0, WORLDS_PERCENT)
    ? giveSecrets(random, world, untilMs)
    : world;
}

/** The same world with secrets in it, whatever the seed. */
export function giveSecrets(random: KeyedRandom, world: World, untilMs: number): World {
  const tenants = world.tenants.map(({ name }) => name);
  return {
    ...world,
    workloads: world.workloads.map((workload, at) => withRefs(random, workload, at)),
    timeline: [
      ...world.timeline,
      ...tenants.flatMap((tenant, of) =>
        Array.from({ length: NAMES }, (_, at) =>
          drawOne(random, of * NAMES + at, { tenant, name: `secret-${at}`, untilMs }),
        ).flat(),
      ),
    ],
  };
}

function withRefs(random: KeyedRandom, workload: WorldWorkload, at: number): WorldWorkload {
  if (!random.chance("needs secrets", at, 60)) return workload;
  const name = `secret-${random.draw("needed secret", at) % NAMES}`;
  const both = random.chance("needs both keys", at, 50);
  const secretEnv = {
    A: { name, key: KEYS[0] },
    ...(both ? { B: { name, key: KEYS[1] } } : {}),
  };
  const { spec } = workload;
  const template = { ...spec.template, run: { ...RUN, secretEnv } };
  return { ...workload, spec: { ...spec, template } };
}

function drawOne(
  random: KeyedRandom,
  at: number,
  {
    tenant,
    name,
    untilMs,
  }: { readonly tenant: string; readonly name: string; readonly untilMs: number },
): readonly TimelineEntry[] {
  const set = (atMs: number, keys: readonly string[]): TimelineEntry => ({
    atMs,
    action: { do: "set-secret", tenant, name, keys },
  });
  const changes = random.between("secret changes", at, 0, 5);
  const later = Array.from({ length: changes }, (_, change) => {
    const index = at * 8 + change;
    const keys = random.chance("secret goes", index, 35)
      ? []
      : random.chance("key is missing", index, 30)
        ? [KEYS[0]]
        : KEYS;
    return set(random.between("secret changes at", index, 1_000, untilMs), keys);
  });
  return [set(random.between("secret comes", at, 0, 10_000), KEYS), ...later, set(untilMs, KEYS)];
}
