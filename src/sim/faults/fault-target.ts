/**
 * The components that faults can hit in a given world. A scenario that names an absent component
 * would pass for the wrong reason, and a shrinker that removes a node must also remove its faults.
 */
import { allControllers } from "../../core/all-controllers.ts";
import { RECOVERY_BUDGET_COMPONENTS, isBudgeted } from "../world/budgeted.ts";
import type { Fault } from "./fault.ts";
import { machinesOfPools } from "../world/machine-provider.ts";
import { hasOwners, OWNER_COMPONENTS } from "../world/owned.ts";
import { idleInRole } from "../world/regional-components.ts";
import type { UserAction, World } from "../world/world.ts";

export interface WorldNames {
  readonly nodes: ReadonlySet<string>;
  readonly components: ReadonlySet<string>;
}

/** The second stands for every component in a partition. */
const OTHER_COMPONENTS = ["user", "*"] as const;

/** Controllers that a world without pools does not run. */
export const POOL_COMPONENTS: readonly string[] = ["provision", "retire-idle"];
export const PROVISIONER = "provisioner";

/** Where one plane runs at a time, a second one stands by. */
export const planeNames = ({ planes = 1 }: World): readonly string[] =>
  Array.from({ length: Math.max(2, planes) }, (_, at) => `plane-${at + 1}`);

const isMark = (action: UserAction): boolean =>
  action.do === "override" && action.spec.action === "mark-partitioned";

export function namesInWorld(world: World): WorldNames {
  const nodes = new Set(world.nodes.map((node) => node.name));
  for (const { action } of world.timeline) {
    if (action.do === "add-node") nodes.add(action.node.name);
  }
  const components = new Set<string>([...planeNames(world), ...OTHER_COMPONENTS]);
  if (world.autoscalers !== undefined) components.add("gauge");
  if (world.nodePools !== undefined) {
    components.add(PROVISIONER);
    for (const { name } of machinesOfPools(world)) nodes.add(name);
  }
  for (const name of controllersIn(world)) components.add(name);
  for (const node of nodes) components.add(`agent:${node}`);
  return { nodes, components };
}

/**
 * The controllers that have work in this world: a fault that hits an idle one has no effect. Faults
 * hit a new controller without an entry here.
 */
function controllersIn(world: World): readonly string[] {
  if (world.controllersShareView === true) return ["controllers"];
  const { timeline } = world;
  const idle = new Set<string>([
    "expire-binding",
    ...(timeline.some(({ action }) => action.do === "override") ? [] : ["expire-override"]),
    ...(timeline.some(({ action }) => isMark(action)) ? [] : ["settle-region"]),
    ...(world.policies === undefined ? ["unwind-policy"] : []),
    ...(world.autoscalers === undefined ? ["scale"] : []),
    ...(world.nodePools === undefined ? POOL_COMPONENTS : []),
    ...(isBudgeted(world) ? [] : RECOVERY_BUDGET_COMPONENTS),
    ...(hasOwners(world) ? [] : OWNER_COMPONENTS),
    ...idleInRole(world),
  ]);
  const names = allControllers(world.schedulers).map(([name]) => name);
  return names.filter((name) => !idle.has(name));
}

/** Whether the world has every component that the fault names. */
export function isAimed(fault: Fault, names: WorldNames): boolean {
  if ("node" in fault && !names.nodes.has(fault.node)) return false;
  if ("component" in fault && !names.components.has(fault.component)) return false;
  if ("plane" in fault && !names.components.has(fault.plane)) return false;
  if ("from" in fault && !names.components.has(fault.from)) return false;
  return !("to" in fault) || names.components.has(fault.to);
}
