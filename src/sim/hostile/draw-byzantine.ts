/**
 * Draws nodes whose agents lie about their machines for one world in twelve, among those without
 * other attacks. Work there needs secrets, which such an agent asks for.
 */
import { KeyedRandom } from "../faults/keyed-random.ts";
import { giveSecrets } from "../swarm/swarm-secrets.ts";
import { hasSecrets } from "../world/secrets-of-world.ts";
import type { World } from "../world/world.ts";
import { AGENT_ATTACKS, type Attack } from "./attack.ts";
import { BYZANTINE } from "./byzantine-lies.ts";

const ONE_IN = 12;
/** As long after the healing as other attacks. */
const LASTS_AFTER_MS = 150_000;
const MOST_TIMES = 12;
const SECRETS_UNTIL_MS = 10_000;

export function withByzantine(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-byzantine");
  const isDrawn = random.draw("byzantine") % ONE_IN === 0;
  return isDrawn && world.attacks === undefined ? lying(seed, world) : world;
}

/** The same world with one or two lying nodes in it, whatever the seed. */
export function lying(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-byzantine");
  const { faultsUntilMs, nodes } = world;
  const liars = Array.from(
    { length: random.between("liars", 0, 1, 2) },
    (_, at) => nodes[random.draw("liar", at) % Math.max(1, nodes.length)]?.name,
  );
  const attacks = [...new Set(liars)].flatMap((node, of) =>
    Array.from({ length: random.between("lies", of, 10, 35) }, (_, at): Attack => {
      const index = of * 64 + at;
      // Every second one is a lie about the machine.
      const kinds = random.chance("of the machine", index, 50) ? BYZANTINE : AGENT_ATTACKS;
      return {
        by: `agent:${node}`,
        attack: kinds[random.draw("lie", index) % kinds.length] ?? "twin",
        atMs: random.between("time", index, 1_000, faultsUntilMs + LASTS_AFTER_MS),
        times: random.between("times", index, 1, MOST_TIMES),
      };
    }),
  );
  const withSecrets = hasSecrets(world)
    ? world
    : giveSecrets(random, world, faultsUntilMs + SECRETS_UNTIL_MS);
  return { ...withSecrets, attacks };
}
