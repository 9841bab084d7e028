/** Long answers are compressed for clients that accept it; streams and short ones are not. */
import { get } from "node:http";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { addressOf, aWatch } from "./a-watch.ts";
import { type Api, anApiWithTenant, aWorkloadObject, WORKLOADS } from "./an-api.ts";

const GZIP = { "accept-encoding": "gzip" };

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
});
afterEach(() => api.close());

async function raw(path: string, headers: Record<string, string>) {
  const address = await addressOf(api.app);
  return new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
    get(`${address}${path}`, { headers, agent: false }, (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () =>
        resolve({ encoding: response.headers["content-encoding"], bytes: Buffer.concat(parts) }),
      );
    }).on("error", reject);
  });
}

it("[AP231] the server compresses long lists and schemas for a client that accepts gzip", async () => {
  const annotations = { note: "long ".repeat(8_000) };
  for (const name of ["a", "b", "c", "d", "e"]) {
    await api.post(WORKLOADS, aWorkloadObject(name, { metadata: { annotations } }));
  }
  for (const path of [WORKLOADS, "/openapi/v3/apis/berth.dev/v1"]) {
    const plain = await raw(path, {});
    const packed = await raw(path, GZIP);
    expect([plain.encoding, packed.encoding]).toEqual([undefined, "gzip"]);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 5);
    expect(gunzipSync(packed.bytes).equals(plain.bytes)).toBe(true);
    expect((await raw(path, { "accept-encoding": "gzip;q=0" })).encoding).toBeUndefined();
  }
});

it("[AP231] the server compresses neither short answers nor watches", async () => {
  await api.post(WORKLOADS, aWorkloadObject("a"));
  expect((await raw(WORKLOADS, GZIP)).encoding).toBeUndefined();
  const watch = await aWatch(api.app, `${WORKLOADS}?watch=true`, GZIP);
  expect(await watch.story(1)).toEqual(["ADDED a"]);
  watch.close();
});
