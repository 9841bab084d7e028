/** What keeps a replica from a node, and what would change that, in words. */
import type { Obstacle } from "../../core/rules/obstacles/obstacle.ts";
import type { Remedy } from "../../core/rules/obstacles/remedy.ts";
import { rfc3339 } from "../rfc3339.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { firstQuotaCommand } from "../../core/model/text/first-quota.ts";
import type { DeviceAsk } from "../../core/model/objects.ts";
import { WHOLE_DEVICE_MILLIS } from "../../core/rules/feasibility/devices.ts";

export function remedyText(remedy: Remedy): string {
  switch (remedy.kind) {
    case "free":
      return `free ${amountText(remedy.name, remedy.amount)} on ${remedy.node} (zone ${remedy.zone})`;
    case "free-place":
      return `remove one replica from ${remedy.node}, which is at its maxReplicas`;
    case "free-devices":
      return `free ${remedy.count} ${remedy.count === 1 ? "device" : "devices"} on ${remedy.node}`;
    case "uncordon":
      return `lift the cordon of ${remedy.holder} on ${remedy.node}`;
    case "end-drain":
      return `stop draining ${remedy.node}`;
    case "release-override":
      return `release override ${remedy.override} (owner ${remedy.owner}), or wait until ${rfc3339(remedy.untilMs)}`;
    case "grant-budget":
      return `grant a budget in ${remedy.region} of at least ${amountsText(remedy.amounts, undefined)} (berth budget grant ${remedy.region})`;
    case "tolerate": {
      const { key, value, effect } = remedy.taint;
      return `tolerate the taint ${key}=${value} (${effect})`;
    }
    case "drop-label":
      return `drop the node selector ${remedy.label}=${remedy.value}`;
    case "drop-expression": {
      const { key, operator, values } = remedy.expression;
      const wanted = values.length === 0 ? "" : ` ${values.join("|")}`;
      return `drop the node expression ${key} ${operator}${wanted}`;
    }
    case "drop-fixed-port":
      return `drop the fixed port of ${remedy.name} (${remedy.port}), so that the agent picks one`;
    case "drop-driver":
      return `drop the driver ${remedy.driver}, so that the node's usual one runs it`;
    case "allow-region":
      return `allow the region ${remedy.region}`;
    case "allow-zone":
      return `allow the zone ${remedy.zone}`;
    case "loosen-spread":
      return `raise maxSkew by ${remedy.by} to ${remedy.maxSkew}`;
    case "raise-max-per-node":
      return `raise maxPerNode to ${remedy.to}`;
    case "raise-quota":
      return `raise ${quotaText(remedy.bound)} by ${amountText(remedy.name, remedy.amount)}`;
    case "create-quota":
      return `create a quota for ${remedy.tenant} of at least ${amountsText(remedy.amounts, undefined)}: ${firstQuotaCommand(remedy.tenant, remedy.amounts)}`;
    case "add-node":
      return `add ${remedy.count === undefined ? "a node" : `${remedy.count} nodes, each`} with at least ${amountsText(remedy.amounts, remedy.device)} in ${remedy.region}/${remedy.zone}`;
  }
}

function quotaText(bound: Extract<Remedy, { kind: "raise-quota" }>["bound"]): string {
  switch (bound.of) {
    case "tenant":
      return `the quota of ${bound.tenant}`;
    case "class":
      return `the quota of ${bound.tenant} for class ${bound.priorityClass}`;
    case "region":
      return `the quota of ${bound.tenant} in region ${bound.region}`;
  }
}

function amountText(name: AmountName, amount: number): string {
  switch (name) {
    case "cpuMillis":
      return `${amount}m of CPU`;
    case "memoryMiB":
      return `${amount}Mi of memory`;
    case "deviceMillis":
      return `${amount}m of devices`;
  }
}

function amountsText({ cpuMillis, memoryMiB }: Amounts, device: DeviceAsk | undefined): string {
  const size = [amountText("cpuMillis", cpuMillis), amountText("memoryMiB", memoryMiB)];
  return [...size, ...(device === undefined ? [] : [devicesText(device)])].join(", ");
}

/** e.g. "2 devices gpu A100|V100", "500m of a device gpu" */
function devicesText({ class: kind, models, count, shareMillis }: DeviceAsk): string {
  const which = [kind, ...(models.length === 0 ? [] : [models.join("|")])].join(" ");
  if (shareMillis < WHOLE_DEVICE_MILLIS) return `${shareMillis}m of a device ${which}`;
  return `${count} ${count === 1 ? "device" : "devices"} ${which}`;
}

/** e.g. "capacity: cpuMillis: asked 2000, free 500" */
export function obstacleText({ rule, what, expected, actual }: Obstacle): string {
  const about = what === "" || what === rule ? "" : `${what}: `;
  const isRoom = rule === "capacity" || rule === "quota" || rule === "region-quota";
  const [wanted, found] = isRoom ? ["asked", "free"] : ["wanted", "found"];
  return `${rule}: ${about}${wanted} ${expected}, ${found} ${actual}`;
}
