import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { aWatch, addressOf } from "./a-watch.ts";
import { anApiWithTenant, type Api, aTenantObject, BERTH } from "./an-api.ts";
import { ShownEvent } from "../../src/api/list/shown-event.ts";
import { aWorkload } from "../builders/a-workload.ts";

let api: Api;
afterEach(() => api.close());

const TENANTS = `${BERTH}/tenants`;

/** Asks for a watch and then never reads. */
async function deafReader(): Promise<Socket> {
  const { port } = new URL(await addressOf(api.app));
  const socket = connect({ port: Number(port), host: "127.0.0.1" });
  socket.pause();
  socket.write(`GET ${TENANTS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await api.get("/metrics")).text)?.[1]);
const watchers = (): Promise<number> => metric("berth_api_watchers");

describe("limits of watches", () => {
  it("[AP44] a reader that never reads is ended with 410, and others go on", async () => {
    api = await anApiWithTenant({ limits: { watchBufferBytes: 500_000 } });
    const reader = await aWatch(api.app, `${TENANTS}?watch=1`);
    await reader.take(1);
    const deaf = await deafReader();
    await until(async () => (await watchers()) === 2);
    const annotations = { note: "x".repeat(200_000) };
    // The kernel takes some megabytes for a reader that does not read; only then lines wait here. Two
    // may, the third is too much. The reader has ten seconds for the last word from then on, so that
    // a slow machine must not write on.
    let mostWaiting = 0;
    for (let at = 0; at < 200; at++) {
      await api.patch(`${TENANTS}/payments`, {
        metadata: { annotations: { ...annotations, at: String(at) } },
      });
      await reader.take(1);
      const waiting = await metric("berth_api_watch_bytes");
      if (mostWaiting > 400_000 && waiting === 0) break;
      mostWaiting = Math.max(mostWaiting, waiting);
    }
    expect(mostWaiting).toBeGreaterThan(400_000);
    let text = "";
    deaf.setEncoding("utf8");
    deaf.on("data", (chunk: string) => {
      text += chunk;
    });
    deaf.resume();
    await until(() => text.endsWith("0\r\n\r\n") || deaf.destroyed);
    const last = text
      .trimEnd()
      .split("\n")
      .findLast((line) => line.startsWith("{"));
    expect(JSON.parse(last ?? "")).toMatchObject({
      type: "ERROR",
      object: { kind: "Status", reason: "Expired", code: 410 },
    });
    await until(async () => (await watchers()) === 1);
    reader.close();
    deaf.destroy();
  });

  it("[AP47] bookmarks say how far the stream has come, though nothing concerned it", async () => {
    api = await anApiWithTenant({ limits: { bookmarkEveryMs: 30 } });
    const stream = await aWatch(api.app, `${BERTH}/nodes?watch=1&allowWatchBookmarks=true`);
    await api.post(TENANTS, aTenantObject("risk"));
    const { revision } = api.plane;
    await until(async () => {
      const [line] = await stream.take(1);
      expect(line).toMatchObject({ type: "BOOKMARK", object: { kind: "Node" } });
      expect(Object.keys(line!["object"]!["metadata"]!)).toEqual(["resourceVersion"]);
      return line!["object"]!["metadata"]!["resourceVersion"] === (String(revision) as unknown);
    });
    stream.close();
  });

  it("[AP51] an event is encoded once for all watchers of one shape", () => {
    const workload = aWorkload();
    const event = new ShownEvent({ revision: 7, before: undefined, after: workload });
    let encoded = 0;
    const shape = {
      id: "workloads",
      isVeiled: () => false,
      encode: () => {
        encoded += 1;
        return Buffer.from("line");
      },
      encodeStanding: () => Buffer.from("line"),
    };
    const lines = Array.from({ length: 100 }, () => event.lineFor(shape, () => true));
    expect(encoded).toBe(1);
    expect(new Set(lines).size).toBe(1);
    event.lineFor({ ...shape, id: "workloads as a table" }, () => true);
    expect(encoded).toBe(2);
  });

  it("[AP52] one watch more than allowed is 429 with Retry-After", async () => {
    api = await anApiWithTenant({ limits: { watchers: 1 } });
    const first = await aWatch(api.app, `${TENANTS}?watch=1`);
    const { status, headers, json } = await api.get(`${TENANTS}?watch=1`);
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe("1");
    expect(json["reason"]).toBe("TooManyRequests");
    first.close();
    await until(async () => (await watchers()) === 0);
    const again = await aWatch(api.app, `${TENANTS}?watch=1`);
    expect(again.status).toBe(200);
    again.close();
  });
});
