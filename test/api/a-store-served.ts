/** A plane on a store of the test's own with its API in front, open to its administrator, one agent and one controller. */
import type { FastifyInstance } from "fastify";
import { afterEach } from "vitest";
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import type { LogStore } from "../../src/host/store/log-store.ts";

const silent = { info: () => {}, warn: () => {}, error: () => {} };

export const TOKENS = [
  { kind: "local", name: "ann", token: "0123456789abcdef" },
  { kind: "agent", name: "n1", token: "fedcba9876543210" },
  { kind: "controller", name: "scaler", token: "00112233445566778899" },
] as const;

/** Called at the top of a test file; what it opens is closed after each test. */
export function aStoreServed(): (store: LogStore) => Promise<FastifyInstance> {
  const closings: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closings.splice(0).toReversed()) await close();
  });
  return async (store) => {
    const clock = createHostClock();
    const plane = await Plane.open({ store, clock, createControllers: () => [] });
    const app = createApiServer({ plane, clock, log: silent, auth: { tokens: TOKENS } });
    closings.push(
      () => plane.close(),
      () => app.close(),
    );
    return app;
  };
}
