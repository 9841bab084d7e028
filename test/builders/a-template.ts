/** What a workload asks for each of its replicas: little of everything, anywhere, unless told otherwise. */
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { Ask, DeviceAsk, Template } from "../../src/core/model/objects.ts";
import { amounts } from "./amounts.ts";

export type TemplateParts = Partial<Omit<Template, "ask">> &
  Partial<Omit<Ask, "amounts">> &
  Partial<Omit<Amounts, "deviceMillis">> & {
    /** So many whole devices of the class, or of "gpu". */
    readonly devices?: number;
    readonly deviceClass?: string;
  };

export function aTemplate(of: TemplateParts = {}): Template {
  const { cpuMillis = 100, memoryMiB = 100 } = of;
  const device = of.device ?? wholeDevices(of.devices ?? 0, of.deviceClass ?? "gpu");
  const deviceMillis = device === undefined ? 0 : device.count * device.shareMillis;
  return {
    ask: {
      amounts: amounts({ cpuMillis, memoryMiB, deviceMillis }),
      ...(device === undefined ? {} : { device }),
      regions: of.regions ?? [],
      zones: of.zones ?? [],
      nodeSelector: of.nodeSelector ?? {},
      ...(of.nodeExpressions === undefined ? {} : { nodeExpressions: of.nodeExpressions }),
      ...(of.preferredNodes === undefined ? {} : { preferredNodes: of.preferredNodes }),
      tolerations: of.tolerations ?? [],
      ...(of.fixedPorts === undefined ? {} : { fixedPorts: of.fixedPorts }),
      ...(of.disk === undefined ? {} : { disk: of.disk }),
      ...(of.driver === undefined ? {} : { driver: of.driver }),
    },
    spread: of.spread ?? [],
    ...(of.affinity === undefined ? {} : { affinity: of.affinity }),
    ...(of.maxPerNode === undefined ? {} : { maxPerNode: of.maxPerNode }),
    ...(of.policy === undefined ? {} : { policy: of.policy }),
    priorityClass: of.priorityClass ?? "",
    onDisconnect: of.onDisconnect ?? "stop",
    ...(of.replaceAfterMs === undefined ? {} : { replaceAfterMs: of.replaceAfterMs }),
    ...(of.reconcile === undefined ? {} : { reconcile: of.reconcile }),
    command: of.command ?? ["serve"],
    ...(of.run === undefined ? {} : { run: of.run }),
    ...(of.probe === undefined ? {} : { probe: of.probe }),
    ...(of.metrics === undefined ? {} : { metrics: of.metrics }),
  };
}

const wholeDevices = (count: number, deviceClass: string): DeviceAsk | undefined =>
  count === 0 ? undefined : { class: deviceClass, models: [], count, shareMillis: 1000 };
