/**
 * Role `drive`: clients that each ask one thing after another over a connection of their own, for a
 * while or at a rate. Every request is bounded by the time given and ends with it.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { rounded } from "../../measure/latencies.ts";
import { ownCpuMicros } from "../../measure/process-usage.ts";
import { answerParent } from "../../part/answer-parent.ts";
import { PartProcess } from "../../part/part-process.ts";
import { Connection } from "../../path/connection.ts";

export type Errand =
  /** The paths, over and over. */
  | { readonly kind: "read"; readonly paths: readonly string[] }
  /** Workloads without replicas, each in the next of the namespaces, none twice. */
  | { readonly kind: "create"; readonly namespaces: readonly string[]; readonly prefix: string }
  /** Priority classes, which are the smallest objects there are. */
  | { readonly kind: "create-class"; readonly prefix: string };

export interface DriveOptions {
  readonly url: string;
  readonly clients: number;
  readonly seconds: number;
  /** Ends after so many requests, if that comes first. */
  readonly count?: number;
  /** Left out: as fast as they are answered. */
  readonly perSecond?: number;
  readonly errand: Errand;
}

export interface Driven {
  readonly answered: number;
  readonly failed: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly clientCpuMicros: number;
}

/** How long the last answers may take. */
const PATIENCE_MS = 15_000;

/** Runs clients in a process of their own, which is there for one drive after another. */
export class Driver {
  private readonly child = PartProcess.start("drive", { args: ["drive"] });

  drive(options: DriveOptions): Promise<Driven> {
    return this.child.ask("drive", options);
  }

  stop(): Promise<void> {
    return this.child.stop();
  }
}

export async function drive(options: DriveOptions): Promise<Driven> {
  const driver = new Driver();
  try {
    return await driver.drive(options);
  } finally {
    await driver.stop();
  }
}

export const runDriver = (): Promise<void> => answerParent({ drive: driveHere });

async function driveHere(options: DriveOptions): Promise<Driven> {
  const url = new URL(options.url);
  const requests = requestsFor(options.errand, url.host);
  const opening = Array.from({ length: options.clients }, () => Connection.open(url));
  const connections = await Promise.all(opening);
  const waits: number[] = [];
  let failed = 0;
  const cpuBegan = ownCpuMicros();
  const began = performance.now();
  const endMs = began + options.seconds * 1000;
  const pace = rateOf(options.perSecond, began);
  let left = options.count ?? Number.POSITIVE_INFINITY;
  const work = async (connection: Connection): Promise<void> => {
    for (let dueMs = pace(); dueMs < endMs; dueMs = pace()) {
      const early = dueMs - performance.now();
      if (early > 0) await sleep(early);
      const sent = performance.now();
      if (sent >= endMs || left === 0) return;
      left -= 1;
      const { status } = await connection.send(requests());
      waits.push(performance.now() - sent);
      if (status >= 300) failed += 1;
    }
  };
  const tooLong = setTimeout(
    () => {
      for (const connection of connections) connection.abandon();
    },
    options.seconds * 1000 + PATIENCE_MS,
  );
  await Promise.all(connections.map(work));
  clearTimeout(tooLong);
  const seconds = (performance.now() - began) / 1000;
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(waits).toSorted();
  return {
    answered: waits.length - failed,
    failed,
    seconds,
    p50Ms: rounded(sorted[Math.floor(sorted.length / 2)] ?? 0),
    p99Ms: rounded(sorted[Math.floor(sorted.length * 0.99)] ?? 0),
    clientCpuMicros: ownCpuMicros() - cpuBegan,
  };
}

/** When the next request is due: at once, or in its turn. */
function rateOf(perSecond: number | undefined, began: number): () => number {
  if (perSecond === undefined) return () => 0;
  let next = 0;
  return () => {
    next += 1;
    return began + (next * 1000) / perSecond;
  };
}

const BASE = "/apis/berth.dev/v1";

function requestsFor(errand: Errand, host: string): () => Buffer | string {
  let next = -1;
  switch (errand.kind) {
    case "read": {
      const asked = errand.paths.map((path) =>
        Buffer.from(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAccept: application/json\r\n\r\n`),
      );
      return () => {
        next += 1;
        return asked[next % asked.length] ?? "";
      };
    }
    case "create":
      return () => {
        next += 1;
        const namespace = errand.namespaces[next % errand.namespaces.length] ?? "";
        const name = `${errand.prefix}-${next}`;
        return post(host, `${BASE}/namespaces/${namespace}/workloads`, workload(namespace, name));
      };
    case "create-class":
      return () => {
        next += 1;
        return post(host, `${BASE}/priorityclasses`, priorityClass(`${errand.prefix}-${next}`));
      };
  }
}

const workload = (namespace: string, name: string): string =>
  `{"apiVersion":"berth.dev/v1","kind":"Workload","metadata":{"name":"${name}","namespace":"${namespace}"},"spec":{"replicas":0,"resources":{"cpu":"100m","memory":"64Mi"},"run":{"command":["true"]}}}`;

const priorityClass = (name: string): string =>
  `{"apiVersion":"berth.dev/v1","kind":"PriorityClass","metadata":{"name":"${name}"},"spec":{"value":1}}`;

/** Bodies are plain ASCII, so their length in letters is their length in bytes. */
const post = (host: string, path: string, body: string): string =>
  `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
