/** The API of a plane that has taken a leap: nothing of before is told to anybody. */
import { expect, it } from "vitest";
import { PlaneCredentials } from "../../src/serve/plane-credentials.ts";
import type { PlaneSettings } from "../../src/cli/plane/plane-settings.ts";
import { ServedAgain } from "../../src/cli/plane/served-again.ts";
import { findFreePort } from "../../src/serve/free-port.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";

const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

it("who waits for an answer when the plane leaps gets none, and is served when it asks again", async () => {
  const clock = createHostClock();
  const plane = await Plane.open({ store: new MemoryLog(), clock, createControllers: () => [] });
  const address = { host: "127.0.0.1", port: await findFreePort("127.0.0.1") };
  const credentials = new PlaneCredentials({});
  const settings = { address, credentials, store: "memory" } as PlaneSettings;
  const api = new ServedAgain({ settings, clock, log: SILENT as never });
  try {
    const tenants = `${await api.serve(plane)}/apis/berth.dev/v1/tenants`;
    expect((await fetch(tenants)).status).toBe(200);
    // For a revision that is not there yet, it would be answered after some seconds.
    const waiting = fetch(`${tenants}?resourceVersion=1000`).then(
      ({ status }) => status,
      (error: Error) => error.message,
    );
    const stream = await fetch(`${tenants}?watch=true`);
    api.again();
    expect(await waiting).toBe("fetch failed");
    await expect(stream.text()).rejects.toThrow("terminated");
    const ask = () =>
      fetch(tenants).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(ask, { timeout: 120_000 }).toBe(200);
  } finally {
    await api.close();
    await plane.close();
  }
});
