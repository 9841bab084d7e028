/**
 * `npm run bench:plane [-- --json] [--only memory,requests,watches,recording,restart] [--seconds N]
 * [--profile DIR] [--dir PATH]`: what a plane on one machine can take. Each figure is given with
 * its aim and whether it was met; missing one fails nothing, because the machine may be busy with
 * something else.
 *
 * The plane, its clients and its watchers run in processes of their own and speak over 127.0.0.1
 * only. `--profile` leaves a processor profile of every plane in a folder.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { isMainThread } from "node:worker_threads";
import { killAll } from "../part/end-with-us.ts";
import { type Figure, tableOf } from "./plane/figure.ts";
import { growLog, namespaceOf, desiredObjects } from "./plane/grow-log.ts";
import { measureIdleMemory } from "./plane/measure-idle-memory.ts";
import { measureRecording } from "./plane/measure-recording.ts";
import { type Holding, measureCreates, measureReads } from "./plane/measure-requests.ts";
import { growFleet, growDesired, LARGE, measureRestart } from "./plane/measure-restart.ts";
import { measureBroadcast, measureNamespaces } from "./plane/measure-watches.ts";
import { serve, ServedPlane } from "./plane/served-plane.ts";
import { runDriver } from "./plane/traffic.ts";
import { runCrowd } from "./plane/watch-crowd.ts";

/** On a machine this slow the parts that are left are skipped, and the report says so. */
const BEGIN_NO_MORE_MS = 130_000;
/** The bench is given up after this long, whatever it is doing. */
const LONGEST_MS = 175_000;

const SMALL = { namespaces: 50, workloads: 1_000 } as const;

interface Options {
  readonly folder: string;
  readonly seconds: number;
  readonly profile: string | undefined;
}

type Part = (options: Options) => Promise<readonly Figure[]>;

const PARTS: Readonly<Record<string, Part>> = { memory, requests, watches, recording, restart };

async function restart({ folder, seconds, profile }: Options): Promise<readonly Figure[]> {
  const fleet = join(folder, "fleet.db");
  await growFleet(fleet);
  const recorded = join(folder, "fleet-recording");
  const ofFleet = [
    ...(await measureRestart("replicas at work", { file: fleet, profile })),
    ...(await measureRestart("recorded", { file: fleet, recording: recorded, profile })),
  ];
  rmSync(fleet);
  rmSync(recorded, { recursive: true });
  const file = join(folder, "large.db");
  await growDesired(file);
  const names = holding("of 200,000", LARGE.namespaces, LARGE.objects - LARGE.namespaces);
  const afterwards = async (plane: ServedPlane): Promise<readonly Figure[]> => [
    ...(await measureReads(plane, names, seconds)),
    await measureCreates(plane, names, seconds),
  ];
  return [...ofFleet, ...(await measureRestart("workloads", { file, profile, afterwards }))];
}

async function requests(options: Options): Promise<readonly Figure[]> {
  const plane = await smallPlane("requests", options);
  const names = holding("of 1,000", SMALL.namespaces, SMALL.workloads);
  try {
    const reads = await measureReads(plane, names, options.seconds);
    return [...reads, await measureCreates(plane, names, options.seconds)];
  } finally {
    await plane.stop();
  }
}

async function watches(options: Options): Promise<readonly Figure[]> {
  const plane = await smallPlane("watches", options);
  try {
    return [
      ...(await measureNamespaces(plane, SMALL.namespaces, options.seconds)),
      ...(await measureBroadcast(plane, options.seconds)),
    ];
  } finally {
    await plane.stop();
  }
}

async function recording({ folder, profile }: Options): Promise<readonly Figure[]> {
  return [await measureRecording(folder, profile)];
}

async function memory({ folder }: Options): Promise<readonly Figure[]> {
  return [await measureIdleMemory(folder)];
}

async function smallPlane(name: string, { folder, profile }: Options): Promise<ServedPlane> {
  const file = join(folder, `${name}.db`);
  await growLog(file, desiredObjects(SMALL), { count: SMALL.workloads, tail: 0 });
  return ServedPlane.start({ file, profile });
}

function holding(size: string, namespaces: number, workloads: number): Holding {
  return {
    size,
    namespaces: Array.from({ length: namespaces }, (_, at) => namespaceOf(at)),
    workloadsOf: (namespace) => {
      const first = Number(namespace.slice(namespaceOf(0).length - 1));
      const count = Math.floor(workloads / namespaces);
      return Array.from({ length: count }, (_, at) => `app-${first + at * namespaces}`);
    },
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      only: { type: "string", default: Object.keys(PARTS).join(",") },
      seconds: { type: "string", default: "4" },
      profile: { type: "string" },
      dir: { type: "string", default: tmpdir() },
    },
  });
  const folder = mkdtempSync(join(values.dir, "berth-bench-plane-"));
  const giveUp = setTimeout(() => {
    killAll();
    rmSync(folder, { recursive: true, force: true });
    process.stderr.write(`bench:plane: given up after ${LONGEST_MS / 1000} s.\n`);
    process.exit(1);
  }, LONGEST_MS);
  const options = { folder, seconds: Number(values.seconds), profile: values.profile };
  const began = performance.now();
  const loadBefore = loadavg()[0];
  try {
    const figures: Figure[] = [];
    const skipped: string[] = [];
    for (const name of values.only.split(",")) {
      const part = PARTS[name];
      if (part === undefined) throw new Error(`No part ${name}: ${Object.keys(PARTS).join(", ")}.`);
      if (performance.now() - began > BEGIN_NO_MORE_MS) {
        skipped.push(name);
        continue;
      }
      const found = await part(options);
      figures.push(...found);
      if (!values.json) process.stdout.write(tableOf(found));
    }
    const seconds = Math.round((performance.now() - began) / 1000);
    const machine = {
      node: process.version,
      processors: cpus().length,
      loadBefore,
      seconds,
      skipped,
    };
    if (values.json) process.stdout.write(`${JSON.stringify({ ...machine, figures })}\n`);
    else process.stdout.write(`${JSON.stringify(machine)}\n`);
  } finally {
    clearTimeout(giveUp);
    killAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

const ROLES: Readonly<Record<string, () => Promise<void>>> = {
  serve,
  drive: runDriver,
  crowd: runCrowd,
};

// The log's thread runs this same bundle, and so do the processes of the bench.
if (isMainThread) {
  const role = process.send === undefined ? undefined : ROLES[process.argv[2] ?? ""];
  if (role !== undefined) await role();
  else await main();
}
