/**
 * How late watchers hear of a change: from when it was durable and visible to when the line had
 * arrived in the process of the watchers.
 */
import { atLeast, atMost, type Figure, figure } from "./figure.ts";
import { rounded } from "../../measure/latencies.ts";
import { namespaceOf } from "./grow-log.ts";
import type { ServedPlane } from "./served-plane.ts";
import { drive, type Errand } from "./traffic.ts";
import { Crowd, type CrowdOptions } from "./watch-crowd.ts";

const WATCHERS = 1_000;
const CHANGES_A_SECOND = 500;
const P99_MS = 250;
/** Of the changes that were to be made, the part that the sender's clock explains. */
const PACE_LOST = 0.02;
/** Enough writers that none waits for another's disk. */
const WRITERS = 32;
const PATIENCE_MS = 20_000;

const BASE = "/apis/berth.dev/v1";

/** Every watcher is shown every change: half a million lines a second. */
export function measureBroadcast(plane: ServedPlane, seconds: number): Promise<readonly Figure[]> {
  return measure(plane, {
    name: "1,000 watchers of all 500 changes/s",
    watches: [{ path: `${BASE}/priorityclasses?watch=1&resourceVersion=NOW`, namespace: "" }],
    errand: { kind: "create-class", prefix: "class" },
    seconds,
  });
}

/** Every watcher looks at one namespace of many, as tenants do. */
export function measureNamespaces(
  plane: ServedPlane,
  namespaces: number,
  seconds: number,
): Promise<readonly Figure[]> {
  const names = Array.from({ length: namespaces }, (_, at) => namespaceOf(at));
  return measure(plane, {
    name: `1,000 watchers of 1 in ${namespaces} of 500 changes/s`,
    watches: names.map((namespace) => ({
      path: `${BASE}/namespaces/${namespace}/workloads?watch=1&resourceVersion=NOW`,
      namespace,
    })),
    errand: { kind: "create", namespaces: names, prefix: "seen" },
    seconds,
  });
}

async function measure(
  plane: ServedPlane,
  of: { name: string; watches: CrowdOptions["watches"]; errand: Errand; seconds: number },
): Promise<readonly Figure[]> {
  const { url } = plane;
  const crowd = new Crowd();
  try {
    const { revision } = await plane.usage();
    const watches = of.watches.map(({ path, namespace }) => ({
      path: path.replace("NOW", String(revision)),
      namespace,
    }));
    await crowd.gather({ url, watchers: WATCHERS, watches });
    await plane.publishTimes();
    const before = await plane.usage();
    const driven = await drive({
      url,
      clients: WRITERS,
      seconds: of.seconds,
      perSecond: CHANGES_A_SECOND,
      errand: of.errand,
    });
    const published = await plane.publishTimes();
    const lags = await crowd.lags(published, PATIENCE_MS);
    const after = await plane.usage();
    const cpu = after.cpuMicros - before.cpuMicros;
    const lines = Math.max(1, lags.lines);
    const changes = Math.max(1, driven.answered);
    return [
      figure({
        name: `${of.name}: lag p99`,
        value: lags.p99Ms,
        unit: "ms",
        aim: atMost(P99_MS),
        cpuMicrosPerOperation: cpu / lines,
        besides: {
          "p50 ms": lags.p50Ms,
          "max ms": lags.maxMs,
          lines: lags.lines,
          missing: lags.missing,
          "watchers' CPU µs a line": rounded(lags.crowdCpuMicros / lines),
        },
      }),
      figure({
        name: `${of.name}: changes taken`,
        value: driven.answered / driven.seconds,
        unit: "/s",
        aim: atLeast(CHANGES_A_SECOND * (1 - PACE_LOST)),
        cpuMicrosPerOperation: cpu / changes,
        besides: { "write p50 ms": driven.p50Ms, "write p99 ms": driven.p99Ms },
      }),
    ];
  } finally {
    await crowd.stop();
  }
}
