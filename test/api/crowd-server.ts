/** A plane in a process of its own, so that its memory and its sockets can be told from those of the crowd. */
import { createApiServer } from "../../src/api/http/create-api-server.ts";
import { listen } from "../../src/api/http/listen.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { createHostClock } from "../../src/host/host-clock.ts";
import { Plane } from "../../src/host/plane.ts";
import { MemoryLog } from "../../src/host/store/memory-log.ts";

const limits = JSON.parse(process.argv[2] ?? "{}") as Partial<ApiLimits>;
const clock = createHostClock();
const plane = await Plane.open({ store: new MemoryLog(), clock });
const silent = { info: () => {}, warn: () => {}, error: () => {} };
const app = createApiServer({ plane, clock, log: silent, limits });
const url = await listen(app, { port: 0 });

/** Any message asks how it is doing. */
process.on("message", () => {
  app.server.getConnections((_, connections) => {
    process.send?.({ connections, rss: process.memoryUsage.rss() });
  });
});
process.on("disconnect", () => process.exit(0));
process.send?.({ url });
