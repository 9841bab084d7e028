/** Planes of one process around one log in memory, each with its API on a real socket. */
import type { AddressInfo } from "node:net";
import { type ApiServerOptions, createApiServer } from "../../src/api/http/create-api-server.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { PlaneOptions } from "../../src/host/plane-options.ts";
import { SharedMemory, SharedMemoryLog } from "../builders/shared-memory-log.ts";
import { until } from "./a-running-plane.ts";

const SILENT = { info: () => {}, warn: () => {}, error: () => {} };

export interface OnePlane {
  readonly name: string;
  readonly plane: Plane;
  readonly log: SharedMemoryLog;
  readonly url: string;
  readonly leads: boolean[];
  readonly troubles: string[];
  /** As a plane that is told to stop: hands the lead over, then closes. */
  stop(): Promise<void>;
}

export class SeveralPlanes {
  readonly shared: SharedMemory;
  private readonly opened: OnePlane[] = [];

  constructor(of: { readonly keptRevisions?: number } = {}) {
    this.shared = new SharedMemory(of);
  }

  async open(
    name: string,
    of: Partial<PlaneOptions> & {
      readonly limits?: Partial<ApiLimits>;
      readonly webFolder?: string;
      /** Left out: plain HTTP, for this machine alone. */
      readonly guards?: Pick<ApiServerOptions, "auth" | "tls" | "signer" | "peers" | "auditFolder">;
    } = {},
  ): Promise<OnePlane> {
    const log = new SharedMemoryLog(this.shared);
    const clock = createHostClock();
    const leads: boolean[] = [];
    const troubles: string[] = [];
    const { limits = {}, webFolder, guards = {}, ...options } = of;
    // The address is known before the plane is: whoever hears that it leads may speak to it at once.
    const port = await freePort();
    const isSecure = guards.tls !== undefined;
    const url = isSecure ? `https://localhost:${port}` : `http://127.0.0.1:${port}`;
    const plane = await Plane.open({
      name,
      store: log,
      shared: { log, url },
      clock,
      createControllers: () => [],
      onLead: (isLeading) => leads.push(isLeading),
      onTrouble: (message) => troubles.push(message),
      ...options,
    });
    const app = createApiServer({
      plane,
      clock,
      log: SILENT,
      limits,
      ...guards,
      ...(webFolder === undefined ? {} : { webFolder }),
    });
    await app.listen({ host: "127.0.0.1", port });
    const stop = async (): Promise<void> => {
      await plane.handOver();
      await app.close();
      await plane.close();
    };
    const one = { name, plane, log, url, leads, troubles, stop };
    this.opened.push(one);
    return one;
  }

  /** The one that leads, once one does. */
  leader(): Promise<OnePlane> {
    return until("a plane to lead", () => this.opened.find(({ plane }) => plane.isLeading));
  }

  async close(): Promise<void> {
    for (const one of this.opened.toReversed()) await one.stop();
  }
}

async function freePort(): Promise<number> {
  const { createServer } = await import("node:net");
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((closed) => server.close(() => closed()));
  return port;
}
