/**
 * How long the leases of agents still last, by what each agent writes down for the leashes of its processes. A test that is about
 * what happens to a lease says with it at which moment, where chance would choose between two stories.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LEASE_MS, RENEW_EVERY_MS } from "../../src/core/model/timing.ts";

const HUNDREDTH_MS = 10;
const LOOK_MS = 20;

/** In milliseconds since boot; undefined while there is none, or the file is on its way into place. */
export function leaseEndMs(agentFolder: string): number | undefined {
  try {
    return Number(readFileSync(join(agentFolder, "leash"), "utf8")) * HUNDREDTH_MS;
  } catch {
    return undefined;
  }
}

/** The next renewal: what follows has nearly a whole lease of time. */
export async function untilRenewed(agentFolder: string): Promise<void> {
  const before = leaseEndMs(agentFolder);
  for (let now = before; now === undefined || now === before; now = leaseEndMs(agentFolder)) {
    await sleep(LOOK_MS);
  }
}

/**
 * Leases that end within half a renewal of each other. Two agents renew one after the other all the time, so one of the two
 * distances between their renewals is that short, and comes round with every renewal.
 */
export async function untilLeasesEndTogether(one: string, other: string): Promise<void> {
  const isTogether = (): boolean => {
    const apart = (leaseEndMs(one) ?? 0) - (leaseEndMs(other) ?? Number.POSITIVE_INFINITY);
    return Math.abs(apart) <= RENEW_EVERY_MS / 2 + LOOK_MS;
  };
  while (!isTogether()) await sleep(LOOK_MS);
}

/** As much of their leases is left as can be: waits for one renewal of each at most, because they renew at times of their own. */
export async function untilLeasesAreFresh(agentFolders: readonly string[]): Promise<void> {
  const leftMs = (): number => {
    const [uptime = ""] = readFileSync("/proc/uptime", "utf8").split(" ");
    const ends = agentFolders.map((folder) => leaseEndMs(folder) ?? 0);
    return Math.min(...ends) - Number(uptime) * 1_000;
  };
  const looks = RENEW_EVERY_MS / LOOK_MS;
  for (let look = 0; look < looks && leftMs() < LEASE_MS - RENEW_EVERY_MS / 4; look += 1) {
    await sleep(LOOK_MS);
  }
}
