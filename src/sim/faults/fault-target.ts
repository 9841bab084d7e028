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

const SINGLE_COMPONENTS = [
  "admit",
  "node-health",
  "release-lost",
  "release-vanished",
  "release-forgotten",
  "reclaim-leak",
  "reclaim-quota",
  "drain-node",
  "empty-tenant",
  "roll-out",
  "keep-recovery",
  "finish-batch",
  "lift-finalizer",
  "preempt",
  "user",
  // Stands for every component in a partition.
  "*",
] as const;

/** Controllers that a world without pools does without. */
export const POOL_COMPONENTS: readonly string[] = ["provision", "retire-idle"];
export const PROVISIONER = "provisioner";

/** Where one plane runs at a time, a second one stands by to be brought in. */
export const planeNames = ({ planes = 1 }: World): readonly string[] =>
  Array.from({ length: Math.max(2, planes) }, (_, at) => `plane-${at + 1}`);

const isMark = (action: UserAction): boolean =>
  action.do === "override" && action.spec.action === "mark-partitioned";

export function namesInWorld(world: World): WorldNames {
  const nodes = new Set(world.nodes.map((node) => node.name));
  for (const { action } of world.timeline) {
    if (action.do === "add-node") nodes.add(action.node.name);
  }
  const components = new Set<string>([...planeNames(world), ...SINGLE_COMPONENTS]);
  // Only where it has something to do: elsewhere a fault that hits it would be none.
  if (world.timeline.some(({ action }) => action.do === "override")) {
    components.add("expire-override");
  }
  if (world.timeline.some(({ action }) => isMark(action))) components.add("settle-region");
  if (world.policies !== undefined) components.add("unwind-policy");
  if (world.autoscalers !== undefined) components.add("scale").add("gauge");
  if (world.nodePools !== undefined) {
    for (const name of [...POOL_COMPONENTS, PROVISIONER]) components.add(name);
    for (const { name } of machinesOfPools(world)) nodes.add(name);
  }
  if (isBudgeted(world)) for (const name of BUDGET_COMPONENTS) components.add(name);
  if (world.controllersShareView === true) {
    for (const [name] of allControllers(world.schedulers)) components.delete(name);
    components.add("controllers");
  } else for (let index = 1; index <= world.schedulers; index++) components.add(`place-${index}`);
  for (const node of nodes) components.add(`agent:${node}`);
  return { nodes, components };
}

/** Whether everybody the fault names is in the world. */
export function isAimed(fault: Fault, names: WorldNames): boolean {
  if ("node" in fault && !names.nodes.has(fault.node)) return false;
  if ("component" in fault && !names.components.has(fault.component)) return false;
  if ("plane" in fault && !names.components.has(fault.plane)) return false;
  if ("from" in fault && !names.components.has(fault.from)) return false;
  return !("to" in fault) || names.components.has(fault.to);
}
