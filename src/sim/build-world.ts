/** Short words for nodes and workloads with the usual defaults, for worlds that are written in code. */
import { type Amounts, NOTHING } from "../core/model/amounts.ts";
import type { Ask, Spread, Taint, Template, WorkloadSpec } from "../core/model/objects.ts";
import type { WorldNode, WorldWorkload } from "./world.ts";

export function worldNode(of: {
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  readonly gpus?: number;
  readonly taints?: readonly Taint[];
  readonly labels?: Readonly<Record<string, string>>;
}): WorldNode {
  const gpus = of.gpus ?? 0;
  return {
    name: of.name,
    labels: of.labels ?? {},
    spec: {
      region: of.region,
      zone: of.zone,
      capacity: { cpuMillis: of.cpuMillis, memoryMiB: of.memoryMiB, devices: gpus },
      deviceClass: gpus === 0 ? "" : "gpu",
      deviceIds: Array.from({ length: gpus }, (_, at) => `gpu-${at}`),
      taints: of.taints ?? [],
      cordons: [],
      draining: false,
    },
  };
}

export function worldWorkload(of: {
  readonly tenant: string;
  readonly name: string;
  readonly replicas: number;
  readonly type?: WorkloadSpec["type"];
  readonly amounts: Partial<Amounts>;
  readonly ask?: Partial<Omit<Ask, "amounts">>;
  readonly spread?: readonly Spread[];
  readonly onDisconnect?: Template["onDisconnect"];
}): WorldWorkload {
  const amounts = { ...NOTHING, ...of.amounts };
  const ask: Ask = {
    amounts,
    deviceClass: amounts.devices === 0 ? "" : "gpu",
    regions: [],
    zones: [],
    nodeSelector: {},
    tolerations: [],
    ...of.ask,
  };
  const template: Template = {
    ask,
    spread: of.spread ?? [],
    priorityClass: "",
    onDisconnect: of.onDisconnect ?? "stop",
    command: ["run", of.name],
  };
  const type = of.type ?? "service";
  return {
    tenant: of.tenant,
    name: of.name,
    labels: {},
    spec: { type, replicas: of.replicas, template },
  };
}
