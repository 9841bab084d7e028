/** The twin of a fleet: what happens to it, in virtual time, with the product's own core. */
import { playTwin } from "./play-twin.ts";
import type { RunTwin } from "./twin-run.ts";

export const runTwin: RunTwin = (fleet, scenario, seed) =>
  playTwin({ fleet, scenario, seed, agentsRest: true }).run;
