/**
 * An agent's driver in a process of its own, so that a test can kill it without warning. Takes orders as JSON
 * on its command line and says a word for every process that is alive.
 */
import { BootClock } from "../../src/agent/process/boot-clock.ts";
import type { StartOrder } from "../../src/agent/process/order-process.ts";
import { ProcessDriver } from "../../src/agent/process/process-driver.ts";

export interface DriverProcessOrders {
  readonly folder: string;
  readonly leashMs: number;
  readonly start: readonly StartOrder[];
}

const { folder, leashMs, start } = JSON.parse(process.argv[2] ?? "") as DriverProcessOrders;
const LONG_MS = 600_000;
const clock = new BootClock();
let alive = 0;
const driver = new ProcessDriver({
  folder,
  node: "a-1",
  host: "127.0.0.1",
  clock,
  tell: ({ kind }) => {
    if (kind !== "alive") return;
    alive += 1;
    // Only now: on a slow machine starting them may take longer than the leash is.
    if (alive === start.length) driver.leash(clock.nowMs() + leashMs);
    process.stdout.write("alive\n");
  },
  note: () => undefined,
  // So that a test sees several looks in a second.
  guardLookMs: 200,
});
driver.adopt({ isNewBoot: false });
driver.begin();
driver.leash(clock.nowMs() + LONG_MS);
for (const order of start) driver.start(order);
