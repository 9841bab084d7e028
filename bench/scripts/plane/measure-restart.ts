/**
 * How long a plane that has grown large takes from opening its log to answering its first request.
 */
import { statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { atMost, type Figure, figure } from "./figure.ts";
import { rounded } from "../../measure/latencies.ts";
import { growLog, runningFleet, desiredObjects } from "./grow-log.ts";
import { ServedPlane } from "./served-plane.ts";

/** What a plane that takes a snapshot every 50,000 revisions has after it on average. */
const TAIL = 25_000;
const NAMESPACES = 200;
const SETTLE_MS = 1_500;

export const LARGE = { objects: 200_000, namespaces: NAMESPACES } as const;

export async function growDesired(file: string): Promise<void> {
  const workloads = LARGE.objects - NAMESPACES;
  const objects = desiredObjects({ namespaces: NAMESPACES, workloads });
  await growLog(file, objects, { count: LARGE.objects, tail: TAIL });
}

export async function growFleet(file: string): Promise<void> {
  await growLog(file, runningFleet(LARGE), { count: LARGE.objects, tail: TAIL });
}

export async function measureRestart(
  name: string,
  of: {
    readonly file: string;
    readonly recording?: string;
    readonly profile: string | undefined;
    /** What else is measured on the plane that has come up. */
    readonly afterwards?: (plane: ServedPlane) => Promise<readonly Figure[]>;
  },
): Promise<readonly Figure[]> {
  const fileMiB = Math.round(statSync(of.file).size / 2 ** 20);
  const { file, recording, profile, afterwards } = of;
  const plane = await ServedPlane.start({ file, recording, profile });
  try {
    const { openMs, storeMs, planeMs, cpuMicros, revision } = plane.opened;
    // Controllers go on looking at what they were shown; whatever they wrote would show here.
    await sleep(SETTLE_MS);
    const after = await plane.usage();
    const restart = figure({
      name: `restart, 200,000 objects, ${name}: open to first answer`,
      value: openMs / 1000,
      unit: "s",
      aim: atMost(3),
      cpuMicrosPerOperation: cpuMicros / LARGE.objects,
      besides: {
        "open the file": `${rounded(storeMs / 1000)} s`,
        "load and lead": `${rounded(planeMs / 1000)} s`,
        "CPU in all": `${rounded(cpuMicros / 1e6)} s`,
        "file MiB": fileMiB,
        "RSS MiB": Math.round(after.rssMiB),
        "written since": after.revision - revision,
      },
    });
    return [restart, ...((await afterwards?.(plane)) ?? [])];
  } finally {
    await plane.stop();
  }
}
