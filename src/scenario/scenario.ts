/** What a scenario file says: a world, what goes wrong in it, and how the run is meant to end. */
import type { Fault } from "../sim/faults/fault.ts";
import type { World } from "../sim/world/world.ts";

export type WorldSource =
  | { readonly kind: "standard" }
  | { readonly kind: "inline"; readonly world: World }
  /** Relative to the scenario's own file. */
  | { readonly kind: "file"; readonly path: string };

export type Expectation =
  | { readonly kind: "clean" }
  | { readonly kind: "violation"; readonly rule: string };

export interface Scenario {
  readonly name: string;
  readonly about: string;
  readonly world: WorldSource;
  /** Latencies and every other choice that is not a fault come from here. */
  readonly seed: number;
  readonly expect: Expectation;
  readonly faults: readonly Fault[];
}
