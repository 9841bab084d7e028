/** Controllers that only one of several planes needs, by the place of that plane among them. */
import type { World } from "./world.ts";

const OF_GLOBAL = ["apportion"] as const;
const OF_REGIONS = ["end-term", "end-learning"] as const;

/** Those that have nothing to do at this plane. */
export function idleInRole({ role }: World): readonly string[] {
  if (role === "global") return OF_REGIONS;
  return role === "regional" ? OF_GLOBAL : [...OF_GLOBAL, ...OF_REGIONS];
}
