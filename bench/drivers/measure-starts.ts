/**
 * How long a replica takes from the order to its first own act, by driver: real processes under a
 * real supervisor, one after the other. The replica's first act is a line of output.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Drivers } from "../../src/agent/drivers/drivers.ts";
import { nodeDrivers } from "../../src/agent/drivers/node-drivers.ts";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { BootClock } from "../../src/agent/process/boot-clock.ts";
import type { StartOrder } from "../../src/agent/process/order-process.ts";
import { Supervisor } from "../../src/agent/process/supervisor.ts";
import { ReplicaFiles } from "../../src/agent/replica-files.ts";
import { replicaKey, type Uid } from "../../src/core/model/ids.ts";
import type { DriverName } from "../../src/core/model/node/driver-name.ts";

const DRIVERS: readonly DriverName[] = ["process", "sandbox"];
const LEASH_MS = 600_000;
const LOOK_MS = 0.5;
const PATIENCE_MS = 30_000;

export interface Starts {
  readonly driver: DriverName;
  readonly medianMs: number;
}

/** The drivers take turns, so that what else the machine does meets all of them. */
export async function measureStarts(rounds: number): Promise<readonly Starts[]> {
  const folder = mkdtempSync(join(tmpdir(), "berth-starts-"));
  const files = new ReplicaFiles(folder);
  const drivers = await nodeDrivers({ folder, files, allowed: DRIVERS, servers: [] });
  const supervisor = begun(folder, drivers);
  const took = new Map<DriverName, number[]>(DRIVERS.map((driver) => [driver, []]));
  try {
    for (let round = 0; round < rounds; round += 1) {
      for (const driver of DRIVERS) {
        const order = orderOf(driver, round * DRIVERS.length + DRIVERS.indexOf(driver));
        took.get(driver)?.push(await timeOf(supervisor, folder, order));
      }
    }
  } finally {
    await supervisor.stopAll();
    supervisor.close();
    rmSync(folder, { recursive: true, force: true });
  }
  return DRIVERS.map((driver) => ({ driver, medianMs: median(took.get(driver) ?? []) }));
}

const quiet = (): void => undefined;

function begun(folder: string, drivers: Drivers): Supervisor {
  const clock = new BootClock();
  const of = { folder, node: "n1", host: "127.0.0.1", clock, tell: quiet, note: quiet, drivers };
  const supervisor = new Supervisor(of);
  supervisor.adopt({ isNewBoot: true });
  supervisor.begin();
  supervisor.leash(clock.nowMs() + LEASH_MS);
  return supervisor;
}

async function timeOf(supervisor: Supervisor, folder: string, order: StartOrder): Promise<number> {
  const began = performance.now();
  supervisor.start(order);
  for (;;) {
    const [logs] = findProcessLogs(folder, order.replica);
    const isThere = logs !== undefined && existsSync(logs.stdout) && statSync(logs.stdout).size > 0;
    const ms = performance.now() - began;
    if (isThere) {
      supervisor.stop(order);
      return ms;
    }
    if (ms > PATIENCE_MS) throw new Error(`${order.replica} did not begin.`);
    await sleep(LOOK_MS);
  }
}

function orderOf(driver: DriverName, index: number): StartOrder {
  return {
    replica: replicaKey({ tenant: "bench", workload: "start", generation: 1, index }),
    uid: `u${index}` as Uid,
    incarnation: 1,
    permittedAt: 1,
    leashed: true,
    workload: "start",
    index,
    deviceIds: [],
    template: {
      ask: {
        amounts: { cpuMillis: 1_000, memoryMiB: 64, deviceMillis: 0 },
        regions: [],
        zones: [],
        nodeSelector: {},
        tolerations: [],
        driver,
      },
      spread: [],
      priorityClass: "",
      onDisconnect: "stop",
      command: ["/bin/sh", "-c", "echo begun; exec sleep 600"],
    },
  };
}

const median = (all: readonly number[]): number =>
  all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? Number.NaN;
