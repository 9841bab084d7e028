/**
 * Draws people with roles for one world in eight. All other worlds draw nothing and pay nothing for
 * it.
 */
import { KeyedRandom } from "../faults/keyed-random.ts";
import type { World } from "../world/world.ts";
import { OTHERS, PERSON_ACTS, type PersonAct, type PersonActKind } from "./person-act.ts";

const ONE_IN = 8;

/** Before any of it, only `root` may do anything. */
const FIRST: readonly PersonActKind[] = [
  "write-role",
  "bind",
  "bind",
  "write-role",
  "bind",
  "bind",
  "bind",
  "bind",
];
/** Without an act of its own, `root` only gives and takes roles. */
const OF_ROOT: readonly PersonActKind[] = [
  "write-role",
  "bind",
  "bind",
  "rebind",
  "unbind",
  "unbind",
  "drop-role",
  "break-glass",
];

export function withRoles(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-roles");
  return random.draw("roles") % ONE_IN === 0 ? peopled(seed, world) : world;
}

/** The same world with people in it, whatever the seed. */
export function peopled(seed: number, world: World): World {
  const random = new KeyedRandom(seed, "swarm-roles");
  const untilMs = world.faultsUntilMs + 8_000;
  const first = FIRST.map((does, at): PersonAct => ({ by: "root", does, atMs: 3_000 + at * 500 }));
  const roots = Array.from(
    { length: random.between("acts of root", 0, 8, 24) },
    (_, at): PersonAct => ({
      by: "root",
      does: OF_ROOT[random.draw("root does", at) % OF_ROOT.length] ?? "bind",
      atMs: random.between("root acts", at, 8_000, untilMs),
    }),
  );
  const others = Array.from({ length: random.between("acts", 0, 30, 90) }, (_, at): PersonAct => ({
    by: OTHERS[random.draw("person", at) % OTHERS.length] ?? "ana",
    does: PERSON_ACTS[random.draw("does", at) % PERSON_ACTS.length] ?? "bind",
    atMs: random.between("acts at", at, 5_000, untilMs),
  }));
  const acts = [...first, ...roots, ...others].toSorted((a, b) => a.atMs - b.atMs);
  return { ...world, people: acts };
}
