/** What a workload asks for each of its replicas: little of everything, anywhere, unless told otherwise. */
import type { Amounts } from "../../src/core/model/amounts.ts";
import type { Ask, Template } from "../../src/core/model/objects.ts";
import { amounts } from "./amounts.ts";

export type TemplateParts = Partial<Omit<Template, "ask">> &
  Partial<Omit<Ask, "amounts">> &
  Partial<Amounts>;

export function aTemplate(of: TemplateParts = {}): Template {
  const { cpuMillis = 100, memoryMiB = 100, devices = 0 } = of;
  return {
    ask: {
      amounts: amounts({ cpuMillis, memoryMiB, devices }),
      deviceClass: of.deviceClass ?? (devices > 0 ? "gpu" : ""),
      regions: of.regions ?? [],
      zones: of.zones ?? [],
      nodeSelector: of.nodeSelector ?? {},
      tolerations: of.tolerations ?? [],
    },
    spread: of.spread ?? [],
    priorityClass: of.priorityClass ?? "",
    onDisconnect: of.onDisconnect ?? "stop",
    command: of.command ?? ["serve"],
    ...(of.run === undefined ? {} : { run: of.run }),
    ...(of.probe === undefined ? {} : { probe: of.probe }),
  };
}
