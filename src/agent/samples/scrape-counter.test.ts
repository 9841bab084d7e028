import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { scrapeCounter, type ScrapeBounds } from "./scrape-counter.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** So large that only what is meant to be cut off is. */
const AMPLE: ScrapeBounds = { timeoutMs: 60_000, bytes: 1_000 };
const metrics = { port: "http", path: "/metrics?all", requests: "calls_total" };

async function scraped(listener: RequestListener, bounds = AMPLE) {
  const own = createServer(listener);
  servers.push(own);
  await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
  const { port } = own.address() as AddressInfo;
  const address = { host: "127.0.0.1", ports: { http: port } };
  const answer = await scrapeCounter({ metrics, address }, bounds);
  return JSON.parse(JSON.stringify(answer).replaceAll(String(port), "PORT")) as unknown;
}

const drip: RequestListener = (_, response) => void response.write("calls_total 7\n");

const missing = (why: string) => ({
  missing: `GET /metrics?all at 127.0.0.1:PORT ${why}`,
  atMs: expect.any(Number) as number,
});

describe("a look at a process's counter", () => {
  test("asks its page for the one format that is read, on a connection of its own [AS10]", async () => {
    const asked: unknown[] = [];
    const answer = await scraped(({ method, url, headers }, response) => {
      asked.push([method, url, headers.accept, headers.connection]);
      response.end("calls_total 7\n");
    });
    expect(answer).toEqual({ total: 7, atMs: expect.any(Number) as number });
    expect(asked).toEqual([["GET", "/metrics?all", "text/plain;version=0.0.4", "close"]]);
  });

  test.each([
    [404, "answered 404"],
    [500, "answered 500"],
    [204, "answered 204"],
  ])("that is answered with %d says so [AS10]", async (status, why) => {
    const answer = await scraped((_, response) =>
      response.writeHead(status).end("calls_total 7\n"),
    );
    expect(answer).toEqual(missing(why));
  });

  test("follows no redirect [AS10]", async () => {
    let asked = 0;
    const answer = await scraped((_, response) => {
      asked += 1;
      response.writeHead(302, { location: "/other" }).end();
    });
    expect(answer).toEqual(missing("answered 302, and redirects are not followed"));
    expect(asked).toBe(1);
  });

  test("ends with what it was promised: time, size, text, no encoding [AS10]", async () => {
    const bounds = { timeoutMs: 100, bytes: 1_000 };
    const late = missing("did not answer within 100 ms");
    expect(await scraped(() => {}, bounds)).toEqual(late);
    // One that begins and never ends is cut off in the same time.
    expect(await scraped(drip, bounds)).toEqual(late);
    const long = "calls_total 7\n".repeat(100);
    expect(await scraped((_, response) => response.end(long))).toEqual(
      missing("answered with more than 1000 bytes"),
    );
    const binary = Buffer.from([0x63, 0xff, 0x0a]);
    expect(await scraped((_, response) => response.end(binary))).toMatchObject({
      missing: expect.stringContaining("failed: ") as string,
    });
    const zipped = { "content-encoding": "gzip" };
    expect(await scraped((_, response) => response.writeHead(200, zipped).end("x"))).toEqual(
      missing("answered in the encoding gzip, which was not requested"),
    );
  });

  test("that finds no listener, half an answer or no port says what it found [AS10]", async () => {
    const cut = await scraped((_, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("calls_total 7\n", () => response.destroy());
    });
    expect(cut).toMatchObject({ missing: expect.stringContaining("failed: aborted") as string });
    const nobody = { host: "127.0.0.1", ports: { http: 1 } };
    expect(await scrapeCounter({ metrics, address: nobody }, AMPLE)).toMatchObject({
      missing: expect.stringMatching(/at 127\.0\.0\.1:1 failed: connect ECONNREFUSED/) as string,
    });
    expect(await scrapeCounter({ metrics, address: undefined })).toMatchObject({
      missing: "it has no port http",
    });
    const wild = { metrics: { ...metrics, path: "/a b" }, address: nobody };
    expect(await scrapeCounter(wild)).toMatchObject({
      missing: expect.stringContaining("failed: Request path contains unescaped") as string,
    });
  });
});
