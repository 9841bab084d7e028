/** The controllers a plane runs in its own process: all of them around one view. */
import { allControllers } from "../core/all-controllers.ts";
import { ControllerGroup } from "../core/controller-group.ts";
import type { ClientComponent } from "./local-client.ts";

export type Controllers = readonly ClientComponent[];

export interface ControllersOptions {
  readonly schedulers: number;
  /** Names of controllers to leave out: for benchmarks of nodes without agents. */
  readonly without?: readonly string[];
}

export function createControllers({ schedulers, without = [] }: ControllersOptions): Controllers {
  const controllers = allControllers(schedulers)
    .filter(([name]) => !without.includes(name))
    .map(([name, create]) => [name, create()] as const);
  return [new ControllerGroup({ name: "controllers", controllers })];
}
