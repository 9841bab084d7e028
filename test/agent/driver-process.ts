/**
 * An agent's driver in a process of its own, so that a test can kill it without warning. Takes orders as JSON
 * on its command line and says a word for every process that is alive.
 */
import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { BootClock } from "../../src/agent/process/boot-clock.ts";
import type { StartOrder } from "../../src/agent/process/order-process.ts";
import type { DriverName } from "../../src/core/model/node/driver-name.ts";
import { driversOf } from "./drivers/drivers-of.ts";
import { Supervisor } from "../../src/agent/process/supervisor.ts";

export interface DriverProcessOrders {
  readonly folder: string;
  readonly leashMs: number;
  readonly start: readonly StartOrder[];
  /** The leash is counted from when each of them has written this file in its own folder; left out: from when all run. */
  readonly wrote?: string;
  /** Left out: plain processes. */
  readonly driver?: DriverName;
  readonly images?: string;
}

const orders = JSON.parse(process.argv[2] ?? "") as DriverProcessOrders;
const { folder, leashMs, start, wrote } = orders;
const LONG_MS = 600_000;
const clock = new BootClock();
let alive = 0;
const driver = new Supervisor({
  folder,
  node: "a-1",
  host: "127.0.0.1",
  clock,
  tell: ({ kind }) => {
    if (kind !== "alive") return;
    alive += 1;
    if (alive < start.length) process.stdout.write("alive\n");
    else void leashAll();
  },
  note: () => undefined,
  drivers: await driversOf(folder, orders),
  // So that a test sees several looks in a second.
  guardLookMs: 200,
});

/** Only when they have come so far: on a slow machine that may take longer than the leash is. */
async function leashAll(): Promise<void> {
  const processes = join(folder, "processes");
  const hasWritten = (name: string): boolean =>
    wrote === undefined ||
    (statSync(join(processes, name, "work", wrote), { throwIfNoEntry: false })?.size ?? 0) > 0;
  while (!readdirSync(processes).every(hasWritten)) await sleep(10);
  driver.leash(clock.nowMs() + leashMs);
  process.stdout.write("alive\n");
}

driver.adopt({ isNewBoot: false });
driver.begin();
driver.leash(clock.nowMs() + LONG_MS);
for (const order of start) driver.start(order);
