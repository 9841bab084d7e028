/**
 * How late watchers hear of a change: from when it was durable and visible to when the line had arrived in
 * the process of the watchers.
 */
import { atMost, type Figure, figure, round } from "./figure.ts";
import { namespaceOf } from "./grow-log.ts";
import type { ServedPlane } from "./served-plane.ts";
import { drive, type Errand } from "./traffic.ts";
import { Crowd, type CrowdOptions } from "./watch-crowd.ts";

const WATCHERS = 1_000;
const CHANGES_A_SECOND = 500;
const P99_MS = 250;
/** Enough writers that none waits for another's disk. */
const WRITERS = 32;
const PATIENCE_MS = 20_000;

const BASE = "/apis/berth.dev/v1";

/** Every watcher is shown every change: half a million lines a second. */
export function measureBroadcast(plane: ServedPlane, seconds: number): Promise<Figure> {
  return measure(plane, {
    name: "watch lag p99, 1,000 watchers of all 500 changes/s",
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
): Promise<Figure> {
  const names = Array.from({ length: namespaces }, (_, at) => namespaceOf(at));
  return measure(plane, {
    name: `watch lag p99, 1,000 watchers of 1 in ${namespaces} of 500 changes/s`,
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
): Promise<Figure> {
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
    return figure({
      name: of.name,
      value: lags.p99Ms,
      unit: "ms",
      aim: atMost(P99_MS),
      cpuMicrosPerOperation: cpu / Math.max(1, lags.lines),
      besides: {
        "p50 ms": lags.p50Ms,
        "max ms": lags.maxMs,
        "changes/s made": Math.round(driven.answered / driven.seconds),
        "write p99 ms": driven.p99Ms,
        lines: lags.lines,
        missing: lags.missing,
        "CPU µs a change": Math.round(cpu / Math.max(1, driven.answered)),
        "watchers' CPU µs a line": round(lags.crowdCpuMicros / Math.max(1, lags.lines)),
      },
    });
  } finally {
    await crowd.stop();
  }
}
