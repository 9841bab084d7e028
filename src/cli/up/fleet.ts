/**
 * The nodes that `berth up` makes believe this machine is: spread over regions and zones, one with
 * a GPU.
 */
import { DEFAULT_TENANT } from "../manifests/locate-manifests.ts";
import { join } from "node:path";
import type { NodeApproval } from "../../core/model/node/node-approval.ts";

export const agentFolderIn = (folder: string, node: string): string => join(folder, "agents", node);

export interface FleetNode {
  readonly name: string;
  readonly region: string;
  readonly zone: string;
  readonly hasGpu: boolean;
}

/** The first three are those of the examples. */
const REGIONS = ["eu-west", "eu-central", "us-east", "us-west", "ap-south", "ap-east"] as const;
export const MOST_REGIONS = REGIONS.length;
/** Each is a process of some sixty megabytes; more of them try this machine and not Berth. */
export const MOST_AGENTS = 50;

const ZONES = ["a", "b"] as const;

export function fleetOf(of: {
  readonly regions: number;
  readonly agents: number;
}): readonly FleetNode[] {
  return Array.from({ length: of.agents }, (_, at) => {
    const region = REGIONS[at % of.regions] ?? REGIONS[0];
    const round = Math.floor(at / of.regions);
    const zone = `${region}-${ZONES[round % ZONES.length] ?? "a"}`;
    const number = Math.floor(round / ZONES.length) + 1;
    return { name: `${zone}-${number}`, region, zone, hasGpu: at === 0 };
  });
}

/**
 * The regions of the fleet as objects: nodes name them, whether or not anything else is applied.
 */
export function regionObjects(regions: number): readonly Readonly<Record<string, unknown>>[] {
  return REGIONS.slice(0, regions).map((name) => ({
    apiVersion: "berth.dev/v1",
    kind: "Region",
    metadata: { name },
    spec: { zones: ZONES.map((zone) => `${name}-${zone}`) },
  }));
}

const CPUS = 2;
const MEMORY_MIB = 1_024;

/** Where manifests without a namespace go: it may use all that the agents have. */
export const defaultTenant = (agents: number): readonly Readonly<Record<string, unknown>>[] => [
  {
    apiVersion: "berth.dev/v1",
    kind: "Tenant",
    metadata: { name: DEFAULT_TENANT },
    spec: { displayName: "Default" },
  },
  {
    apiVersion: "berth.dev/v1",
    kind: "Quota",
    metadata: { name: "default", namespace: DEFAULT_TENANT },
    spec: { limit: { cpu: agents * CPUS, memory: `${agents * MEMORY_MIB}Mi` } },
  },
];

/** What its agent will say of a node: it was planned here, so it is approved here. */
export const plannedFor = ({ region, zone, hasGpu }: FleetNode): NodeApproval => ({
  cpuMillis: CPUS * 1_000,
  memoryMiB: MEMORY_MIB,
  region,
  zone,
  ...(hasGpu ? { devices: { gpu: 1 } } : {}),
});

export function agentArguments(
  node: FleetNode,
  of: {
    readonly urls: readonly string[];
    readonly folder: string;
    /** The file with the agent's own token. */
    readonly tokenFile: string;
  },
): readonly string[] {
  const { urls, tokenFile } = of;
  const { name, region, zone, hasGpu } = node;
  const gpu = hasGpu ? ["--device-class", "gpu", "--device-ids", "gpu-0"] : [];
  const place = ["--name", name, "--region", region, "--zone", zone];
  const capacity = ["--cpu", `${CPUS}`, "--memory", `${MEMORY_MIB}Mi`, ...gpu];
  const files = ["--data", agentFolderIn(of.folder, name), "--token-file", tokenFile];
  // Ctrl-C ends all of it.
  const server = ["--server", urls.join(",")];
  // A fleet of one's own, on a machine of one's own: its programs are anywhere on it.
  const rest = ["--drivers", "process", "--stop-processes-on-exit"];
  return ["agent", ...server, ...place, ...capacity, ...files, ...rest];
}
