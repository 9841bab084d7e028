/**
 * Draws hostile senders for one world in eight: a lying agent, a hostile user, or both. All other
 * worlds draw nothing and pay nothing for it.
 */
import { NOTHING, plus } from "../../core/model/amounts.ts";
import { KeyedRandom } from "../faults/keyed-random.ts";
import { part } from "../swarm/swarm-quotas.ts";
import { BYZANTINE } from "./byzantine-lies.ts";
import type { World, WorldTenant } from "../world/world.ts";
import { AGENT_ATTACKS, type AgentAttack, type Attack, USER_ATTACKS } from "./attack.ts";

const ONE_IN = 8;

/**
 * Long enough after the healing that a stall of an honest tenant shows while attacks still go on.
 */
const LASTS_AFTER_MS = 150_000;

/** The name of the hostile tenant. */
const TENANT = "mallory";

/** A machine without a node object: its agent registers it. */
const GHOST = "ghost";

const MOST_TIMES = 12;

/** Strange specs are drawn beside them, so that all other attacks of a seed stay as they were. */
const EARLIER_ATTACKS = USER_ATTACKS.filter((attack) => attack !== "strange-spec");

/** Attacks of a machine without bound replicas. */
const GHOSTS_ATTACKS: readonly AgentAttack[] = [
  "put-node",
  "flood",
  "report-for-another",
  "lease-for-another",
  "look-up",
];

/** Lies about a machine are drawn in worlds of their own: those of a seed stay as they were. */
const EARLIER_LIES = AGENT_ATTACKS.filter((attack) => !BYZANTINE.some((one) => one === attack));

export function withAttacks(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-attacks");
  if (random.draw("hostile") % ONE_IN !== 0) return world;
  return attacked(seed, world);
}

/** The same world with hostile senders in it, whatever the seed. */
export function attacked(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-attacks");
  const who = random.between("who", 0, 0, 2);
  const known = world.nodes[random.draw("node") % Math.max(1, world.nodes.length)]?.name;
  const isGhost = random.chance("ghost", 0, 20);
  const node = isGhost ? GHOST : known;
  const attacks: Attack[] = [];
  if (who !== 1 && node !== undefined) {
    attacks.push(
      ...drawn(random, "agent", world).map(({ kind, ...times }): Attack => {
        const kinds = isGhost ? GHOSTS_ATTACKS : EARLIER_LIES;
        const attack = kinds[kind % kinds.length] ?? "flood";
        return { by: `agent:${node}`, attack, ...times };
      }),
    );
  }
  if (who === 0) return { ...world, attacks };
  attacks.push(
    ...drawn(random, "user", world).map(({ kind, ...times }): Attack => {
      const attack = EARLIER_ATTACKS[kind % EARLIER_ATTACKS.length] ?? "flood";
      return { by: `user:${TENANT}`, attack, ...times };
    }),
    ...drawn(random, "strange", world, { least: 2, most: 8 }).map(({ atMs, times }): Attack => ({
      by: `user:${TENANT}`,
      attack: "strange-spec",
      atMs,
      times,
    })),
  );
  return { ...world, tenants: [...world.tenants, tenantOf(random, world)], attacks };
}

function drawn(
  random: KeyedRandom,
  who: string,
  { faultsUntilMs }: World,
  { least, most } = { least: 10, most: 40 },
): readonly { readonly kind: number; readonly atMs: number; readonly times: number }[] {
  const count = random.between(`${who} attacks`, 0, least, most);
  const untilMs = faultsUntilMs + LASTS_AFTER_MS;
  return Array.from({ length: count }, (_, at) => ({
    kind: random.draw(`${who} attack`, at),
    atMs: random.between(`${who} time`, at, 1_000, untilMs),
    times: random.between(`${who} times`, at, 1, MOST_TIMES),
  }));
}

/** A tenant of its own, with a quota like every other tenant. */
function tenantOf(random: KeyedRandom, { nodes }: World): WorldTenant {
  const whole = nodes.reduce((sum, { spec }) => plus(sum, spec.capacity), NOTHING);
  const tenant = { name: TENANT, quota: part(whole, random.between("quota", 0, 5, 40)) };
  const objects = objectCounts(random);
  if (random.chance("counts", 0, 50)) {
    return objects === undefined ? tenant : { ...tenant, sharing: { counts: { objects } } };
  }
  const workloads = random.between("workloads", 0, 2, 10);
  const replicas = random.between("replicas", 0, 5, 60);
  const counts = { workloads, replicas, ...(objects === undefined ? {} : { objects }) };
  return { ...tenant, sharing: { counts } };
}

/** Strange specs put a few objects of each kind; in half of the worlds fewer are allowed. */
function objectCounts(random: KeyedRandom): Readonly<Record<string, number>> | undefined {
  if (random.chance("object counts", 0, 50)) return undefined;
  const most = random.between("objects", 0, 0, 3);
  return { autoscalers: most, commitments: most, leaderleases: most };
}
