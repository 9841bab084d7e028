/** Imports the dump of a made cluster, from its file to the text of a fleet, and measures that. */
import { statSync } from "node:fs";
import { join } from "node:path";
import { fleetText } from "../../src/fleet/fleet-file.ts";
import { importKubernetes } from "../../src/fleet/kubernetes/import-kubernetes.ts";
import { readDump } from "../../src/fleet/read-dump.ts";
import { ownCpuMicros } from "../measure/process-usage.ts";
import { type DumpTask, writeDump } from "./make-dump.ts";

export interface ImportFigures {
  readonly nodes: number;
  readonly pods: number;
  readonly dumpMiB: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakRssMiB: number;
  /** Pods that the rules of Berth would not place where they run: of this cluster none. */
  readonly differing: number;
}

const MIB = 1_024 * 1_024;

export function runImportBench(task: DumpTask, folder: string): ImportFigures {
  const file = join(folder, "cluster.json");
  const nodes = writeDump(file, task);
  const beganMs = performance.now();
  const beganCpu = ownCpuMicros();
  const { dump } = readDump([file]);
  const { fleet, counts, differences } = importKubernetes(dump);
  fleetText(fleet);
  return {
    nodes,
    pods: counts.pods,
    dumpMiB: Math.round(statSync(file).size / MIB),
    seconds: tenths((performance.now() - beganMs) / 1_000),
    cpuSeconds: tenths((ownCpuMicros() - beganCpu) / 1_000_000),
    peakRssMiB: Math.round(process.resourceUsage().maxRSS / 1_024),
    differing: differences.length,
  };
}

const tenths = (seconds: number): number => Math.round(seconds * 10) / 10;
