/**
 * What becomes of a world in which a replica waits when a suggested change is made for real: room is given back by the
 * replicas that hold it, and the scheduler places what waits.
 */
import { nodeKey, quotaKey } from "../../src/core/model/ids.ts";
import type { AnyObject, Node, Quota, Replica, Template } from "../../src/core/model/objects.ts";
import { NOTHING } from "../../src/core/model/amounts.ts";
import { overrideKey } from "../../src/core/model/override.ts";
import { ObjectIndex } from "../../src/core/observe/object-index.ts";
import { View } from "../../src/core/observe/view.ts";
import { createAdmit } from "../../src/core/propose/admit.ts";
import { createPlace } from "../../src/core/propose/place.ts";
import type { Remedy } from "../../src/core/rules/obstacles/remedy.ts";
import { aNode } from "../builders/a-node.ts";
import { aQuota } from "../builders/a-quota.ts";
import { aLook } from "../builders/a-turn.ts";
import { API } from "./what-if-world.ts";

export function indexOf(objects: readonly AnyObject[]): ObjectIndex {
  const index = new ObjectIndex();
  for (const after of objects) index.fold({ key: after.key, before: undefined, after });
  return index;
}

/** The world after the change, made for real. Undefined: it cannot be made there. */
export function changed(
  objects: readonly AnyObject[],
  remedy: Remedy,
  replica: Replica,
): readonly AnyObject[] | undefined {
  const on = (name: string, change: (node: Node) => Node): readonly AnyObject[] =>
    objects.map((each) => (each.key === nodeKey(name) ? change(each as Node) : each));
  const asking = (change: (template: Template) => Partial<Template>): readonly AnyObject[] =>
    objects.map((each) => {
      if (each.kind !== "Replica" || each.spec.workload !== "api") return each;
      if (each.status.node !== undefined) return each;
      const { template } = each.spec;
      return { ...each, spec: { ...each.spec, template: { ...template, ...change(template) } } };
    });
  switch (remedy.kind) {
    case "free":
      return withoutAmount(objects, remedy);
    case "free-devices":
      return withoutDevices(objects, remedy, replica);
    case "free-place":
      return on(remedy.node, (node) => ({
        ...node,
        spec: { ...node.spec, maxReplicas: (node.spec.maxReplicas ?? 0) + 1 },
      }));
    case "uncordon":
      return on(remedy.node, (node) => ({ ...node, spec: { ...node.spec, cordons: [] } }));
    case "end-drain":
      return on(remedy.node, (node) => ({ ...node, spec: { ...node.spec, draining: false } }));
    case "release-override":
      return objects.filter(({ key }) => key !== overrideKey(remedy.override));
    case "grant-budget":
      return undefined;
    case "tolerate":
      return asking(({ ask }) => ({
        ask: { ...ask, tolerations: [...ask.tolerations, { key: remedy.taint.key, value: "" }] },
      }));
    case "drop-label":
    case "drop-expression":
      return asking(({ ask }) => ({ ask: { ...ask, nodeSelector: {} } }));
    case "drop-fixed-port":
      return asking(({ ask }) => ({ ask: { ...ask, fixedPorts: {} } }));
    case "drop-driver":
      return asking(({ ask }) => {
        const { driver: _, ...rest } = ask;
        return { ask: rest };
      });
    case "allow-region":
      return asking(({ ask }) => ({ ask: { ...ask, regions: [...ask.regions, remedy.region] } }));
    case "allow-zone":
      return asking(({ ask }) => ({ ask: { ...ask, zones: [...ask.zones, remedy.zone] } }));
    case "loosen-spread":
      return asking(({ spread }) => ({
        spread: spread.map((each) =>
          each.by === remedy.by ? { ...each, maxSkew: remedy.maxSkew } : each,
        ),
      }));
    case "raise-max-per-node":
      return asking(() => ({ maxPerNode: remedy.to }));
    case "raise-quota":
      return objects.map((each) =>
        each.key === quotaKey("payments") ? raised(each as Quota, remedy) : each,
      );
    case "create-quota":
      return [...objects, aQuota(remedy.amounts)];
    case "add-node": {
      const { region, zone, amounts, device, count = 1 } = remedy;
      const { nodeSelector } = replica.spec.template.ask;
      const added = Array.from({ length: count }, (_, at) =>
        aNode({
          name: `added-${at}`,
          region,
          zone,
          labels: { ...nodeSelector },
          cpuMillis: amounts.cpuMillis,
          memoryMiB: amounts.memoryMiB,
          deviceIds: Array.from({ length: device?.count ?? 0 }, (__, unit) => `new-${at}-${unit}`),
        }),
      );
      return [...objects, ...added];
    }
  }
}

function withoutAmount(
  objects: readonly AnyObject[],
  { node, name, amount }: Extract<Remedy, { kind: "free" }>,
): readonly AnyObject[] | undefined {
  let left = amount;
  const after = objects.map((each) => {
    if (each.kind !== "Replica" || each.status.node !== node) return each;
    const { template } = each.spec;
    const { amounts } = template.ask;
    const freed = Math.min(left, amounts[name]);
    left -= freed;
    const ask = { ...template.ask, amounts: { ...amounts, [name]: amounts[name] - freed } };
    return { ...each, spec: { ...each.spec, template: { ...template, ask } } };
  });
  return left > 0 ? undefined : after;
}

function withoutDevices(
  objects: readonly AnyObject[],
  { node, count }: Extract<Remedy, { kind: "free-devices" }>,
  { key }: Replica,
): readonly AnyObject[] | undefined {
  let left = count;
  const after = objects.map((each) => {
    if (each.kind !== "Replica" || each.key === key || each.status.node !== node) return each;
    const { template } = each.spec;
    const freed = Math.min(left, each.status.deviceIds.length);
    left -= freed;
    const amounts = {
      ...template.ask.amounts,
      deviceMillis: template.ask.amounts.deviceMillis - 1000 * freed,
    };
    return {
      ...each,
      spec: { ...each.spec, template: { ...template, ask: { ...template.ask, amounts } } },
      status: { ...each.status, deviceIds: each.status.deviceIds.slice(freed) },
    };
  });
  return left > 0 ? undefined : after;
}

function raised(quota: Quota, remedy: Extract<Remedy, { kind: "raise-quota" }>): Quota {
  const { bound, name, amount } = remedy;
  const { spec } = quota;
  const more = (of = NOTHING) => ({ ...of, [name]: of[name] + amount });
  if (bound.of === "tenant") return { ...quota, spec: { ...spec, limit: more(spec.limit) } };
  if (bound.of === "class") {
    const classes = {
      ...spec.classes,
      [bound.priorityClass]: more(spec.classes?.[bound.priorityClass]),
    };
    return { ...quota, spec: { ...spec, classes } };
  }
  const regions = { ...spec.regions, [bound.region]: more(spec.regions?.[bound.region]) };
  return { ...quota, spec: { ...spec, regions } };
}

/** Whether admission lets it into the queue, and the scheduler then binds all that waits. */
export function isPlaced(objects: readonly AnyObject[]): boolean {
  const waiting = objects.filter(
    (each): each is Replica => each.kind === "Replica" && each.status.stage === "admitted",
  );
  if (waiting.length > 0 && !isAdmitted(objects)) return false;
  const queue = objects.map((each) =>
    each.kind === "Replica" && each.status.stage === "admitted"
      ? { ...each, status: { ...each.status, stage: "queued" as const } }
      : each,
  );
  const controller = createPlace();
  const view = new View(controller.interest);
  for (const after of queue) {
    if (!controller.interest.kinds.has(after.kind)) continue;
    const change = { key: after.key, before: undefined, after };
    view.objects.fold(change);
    controller.follow?.(change, view);
  }
  const decision = controller.reconcile(API, view, aLook(1_000));
  if (decision.kind !== "propose") return false;
  const bound = decision.intents.flatMap((intent) =>
    intent.kind === "bind-all" ? intent.bindings.length : intent.kind === "bind" ? 1 : 0,
  );
  const queued = queue.filter((each) => each.kind === "Replica" && each.status.stage === "queued");
  return bound.reduce((sum, count) => sum + count, 0) === queued.length;
}

function isAdmitted(objects: readonly AnyObject[]): boolean {
  const controller = createAdmit();
  const view = new View(controller.interest);
  for (const after of objects) {
    if (!controller.interest.kinds.has(after.kind)) continue;
    view.objects.fold({ key: after.key, before: undefined, after });
  }
  const decision = controller.reconcile(API, view, aLook(1_000));
  return (
    decision.kind === "propose" &&
    decision.intents.some(({ kind }) => kind === "reserve" || kind === "enqueue")
  );
}
