/**
 * Whom faults can hit in a given world. A scenario that aims at somebody who is not there would
 * pass for the wrong reason, and a shrinker that removed a node must not leave its faults behind.
 */
import { allControllers } from "../../core/all-controllers.ts";
import { BUDGET_COMPONENTS, isBudgeted } from "../world/budgeted.ts";
import type { Fault } from "./fault.ts";
import { machinesOfPools } from "../world/machine-provider.ts";
import type { UserAction, World } from "../world/world.ts";

export interface WorldNames {
  readonly nodes: ReadonlySet<string>;
  readonly components: ReadonlySet<string>;
}

/** The second stands for every component in a partition. */
const OTHER_COMPONENTS = ["user", "*"] as const;

/** Controllers that a world without pools does without. */
export const POOL_COMPONENTS: readonly string[] = ["provision", "retire-idle"];
export const PROVISIONER = "provisioner";

/** Where one plane runs at a time, a second one stands by to be brought in. */
export const planeNames = ({ planes = 1 }: World): readonly string[] =>
  Array.from({ length: Math.max(2, planes) }, (_, at) => `plane-${at + 1}`);

const isMark = (action: UserAction): boolean =>
  action.do === "override" && action.spec.action === "cut-off";

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
 * Those that have something to do: a fault that hits another one would be none. A new controller
 * is hit without being named here.
 */
function controllersIn(world: World): readonly string[] {
  if (world.controllersShareView === true) return ["controllers"];
  const { timeline } = world;
  const idle = new Set<string>([
    ...(timeline.some(({ action }) => action.do === "override") ? [] : ["expire-override"]),
    ...(timeline.some(({ action }) => isMark(action)) ? [] : ["settle-region"]),
    ...(world.policies === undefined ? ["unwind-policy"] : []),
    ...(world.autoscalers === undefined ? ["scale"] : []),
    ...(world.nodePools === undefined ? POOL_COMPONENTS : []),
    ...(isBudgeted(world) ? [] : BUDGET_COMPONENTS),
  ]);
  const names = allControllers(world.schedulers).map(([name]) => name);
  return names.filter((name) => !idle.has(name));
}

/** Whether everybody the fault names is in the world. */
export function isAimed(fault: Fault, names: WorldNames): boolean {
  if ("node" in fault && !names.nodes.has(fault.node)) return false;
  if ("component" in fault && !names.components.has(fault.component)) return false;
  if ("plane" in fault && !names.components.has(fault.plane)) return false;
  if ("from" in fault && !names.components.has(fault.from)) return false;
  return !("to" in fault) || names.components.has(fault.to);
}
