/** Reads and durable creates through HTTP, from clients in another process. */
import { atLeast, type Figure, figure } from "./figure.ts";
import { rounded } from "../../measure/latencies.ts";
import type { ServedPlane } from "./served-plane.ts";
import { drive, type Driven, type Errand } from "./traffic.ts";

const CLIENTS = 64;
const READS = 5_000;
const CREATES = 2_000;

export interface Holding {
  /** How the plane is called in the report. */
  readonly size: string;
  readonly namespaces: readonly string[];
  /** Each namespace has about this many workloads. */
  readonly workloadsOf: (namespace: string) => readonly string[];
}

const folder = (namespace: string): string =>
  `/apis/berth.dev/v1/namespaces/${namespace}/workloads`;

export async function measureReads(
  plane: ServedPlane,
  { size, namespaces, workloadsOf }: Holding,
  seconds: number,
): Promise<readonly Figure[]> {
  const one = namespaces.flatMap((namespace) =>
    workloadsOf(namespace)
      .slice(0, 20)
      .map((name) => `${folder(namespace)}/${name}`),
  );
  const few = namespaces.map((namespace) => `${folder(namespace)}?limit=10`);
  return [
    await measure(plane, {
      name: `reads of one object, ${size}`,
      errand: { kind: "read", paths: one },
      least: READS,
      seconds,
    }),
    await measure(plane, {
      name: `lists of ten objects, ${size}`,
      errand: { kind: "read", paths: few },
      least: READS,
      seconds,
    }),
  ];
}

export function measureCreates(
  plane: ServedPlane,
  { size, namespaces }: Holding,
  seconds: number,
): Promise<Figure> {
  return measure(plane, {
    name: `durable creates, ${CLIENTS} clients, ${size}`,
    errand: { kind: "create", namespaces, prefix: "new" },
    least: CREATES,
    seconds,
  });
}

async function measure(
  plane: ServedPlane,
  of: { name: string; errand: Errand; least: number; seconds: number },
): Promise<Figure> {
  const { url } = plane;
  const warmUp = of.errand.kind === "read" ? of.errand : { ...of.errand, prefix: "warm" };
  await drive({ url, clients: CLIENTS, seconds: 1, errand: warmUp });
  const before = await plane.usage();
  const driven = await drive({ url, clients: CLIENTS, seconds: of.seconds, errand: of.errand });
  const after = await plane.usage();
  return figure({
    name: of.name,
    value: driven.answered / driven.seconds,
    unit: "/s",
    aim: atLeast(of.least),
    cpuMicrosPerOperation: (after.cpuMicros - before.cpuMicros) / driven.answered,
    besides: besidesOf(driven),
  });
}

const besidesOf = (driven: Driven): Record<string, number> => ({
  "p50 ms": driven.p50Ms,
  "p99 ms": driven.p99Ms,
  "client CPU µs": rounded(driven.clientCpuMicros / driven.answered),
  ...(driven.failed > 0 ? { failed: driven.failed } : {}),
});
