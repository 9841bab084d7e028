/**
 * Short words for nodes and workloads with the usual defaults, for worlds that are written in code.
 */
import { type Amounts, NOTHING } from "../../core/model/amounts.ts";
import { deviceNames } from "../../core/model/text/device-names.ts";
import type {
  Ask,
  DeviceAsk,
  DevicePool,
  Labels,
  NodeSpec,
  Template,
  WorkloadSpec,
} from "../../core/model/objects.ts";
import type { Taint } from "../../core/model/node/taint.ts";
import type { WorldNode, WorldWorkload } from "./world.ts";

/** Amounts of devices are counted in thousandths. */
export const WHOLE_GPU_MILLIS = 1000;

export function worldNode(of: {
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly cpuMillis: number;
  readonly memoryMiB: number;
  /** So many devices without a model; `pools` says it in full. */
  readonly gpus?: number;
  readonly pools?: readonly DevicePool[];
  readonly limits?: Pick<NodeSpec, "maxReplicas" | "supply">;
  readonly taints?: readonly Taint[];
  readonly labels?: Readonly<Record<string, string>>;
}): WorldNode {
  const pools = of.pools ?? poolOf(of.gpus ?? 0);
  const devices = pools.reduce((sum, { ids }) => sum + ids.length, 0);
  return {
    name: of.name,
    labels: of.labels ?? {},
    spec: {
      region: of.region,
      zone: of.zone,
      capacity: {
        cpuMillis: of.cpuMillis,
        memoryMiB: of.memoryMiB,
        deviceMillis: WHOLE_GPU_MILLIS * devices,
      },
      pools,
      taints: of.taints ?? [],
      cordons: [],
      draining: false,
      ...of.limits,
    },
  };
}

const poolOf = (count: number): readonly DevicePool[] =>
  count === 0 ? [] : [{ class: "gpu", model: "", ids: deviceNames({ class: "gpu", count }, []) }];

/** So many whole devices for each replica. */
export const gpus = (count: number): DeviceAsk => ({
  class: "gpu",
  models: [],
  count,
  shareMillis: WHOLE_GPU_MILLIS,
});

/** A part of one device for each replica. */
export const gpuShare = (shareMillis: number, models: readonly string[] = []): DeviceAsk => ({
  class: "gpu",
  models,
  count: 1,
  shareMillis,
});

export function worldWorkload(of: {
  readonly tenant: string;
  readonly name: string;
  readonly replicas: number;
  readonly type?: WorkloadSpec["type"];
  readonly amounts: Partial<Omit<Amounts, "deviceMillis">>;
  readonly device?: DeviceAsk | undefined;
  readonly ask?: Partial<Omit<Ask, "amounts" | "device">>;
  readonly together?: Partial<Pick<Template, "spread" | "affinity" | "maxPerNode">>;
  readonly labels?: Labels;
  readonly priorityClass?: string;
  readonly disconnect?: Pick<Template, "onDisconnect" | "replaceAfterMs" | "reconcile">;
  readonly onDisconnect?: Template["onDisconnect"];
  readonly disruption?: WorkloadSpec["disruption"] | undefined;
  readonly gang?: WorkloadSpec["gang"] | undefined;
  readonly rollout?: WorkloadSpec["rollout"] | undefined;
  readonly recovery?: WorkloadSpec["recovery"] | undefined;
  /** Then there are as many replicas as completions. */
  readonly batch?: WorkloadSpec["batch"] | undefined;
  readonly command?: readonly string[] | undefined;
}): WorldWorkload {
  const { device } = of;
  const deviceMillis = device === undefined ? 0 : device.count * device.shareMillis;
  const amounts = { ...NOTHING, ...of.amounts, deviceMillis };
  const ask: Ask = {
    amounts,
    ...(device === undefined ? {} : { device }),
    regions: [],
    zones: [],
    nodeSelector: {},
    tolerations: [],
    ...of.ask,
  };
  const template: Template = {
    ask,
    spread: [],
    ...of.together,
    priorityClass: of.priorityClass ?? "",
    onDisconnect: of.onDisconnect ?? "stop",
    ...of.disconnect,
    command: of.command ?? ["run", of.name],
  };
  const type = of.type ?? "service";
  return {
    tenant: of.tenant,
    name: of.name,
    labels: of.labels ?? {},
    spec: {
      type,
      replicas: of.batch?.completions ?? of.replicas,
      template,
      ...(of.disruption === undefined ? {} : { disruption: of.disruption }),
      ...(of.gang === undefined ? {} : { gang: of.gang }),
      ...(of.rollout === undefined ? {} : { rollout: of.rollout }),
      ...(of.recovery === undefined ? {} : { recovery: of.recovery }),
      ...(of.batch === undefined ? {} : { batch: of.batch }),
    },
  };
}
