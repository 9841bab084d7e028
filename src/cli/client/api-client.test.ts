import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { ApiClient } from "./api-client.ts";

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Gives these answers one after the other, the last for ever, and remembers the key of each
 * request.
 */
async function aServer(...answers: readonly Answer[]) {
  const keys: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    const { status, headers = {} } = answers[Math.min(keys.length, answers.length - 1)]!;
    keys.push(request.headers["idempotency-key"] as string | undefined);
    response.writeHead(status, headers).end("{}");
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const client = new ApiClient({
    urls: [url],
    token: undefined,
    ca: undefined,
    origin: "the test",
  });
  return { client, keys };
}

describe("a request that a plane turns away for now", () => {
  test.each([429, 502, 503, 504])(
    "with %i is sent again under the same key [HC3]",
    async (status) => {
      const { client, keys } = await aServer({ status }, { status: 200 });
      await expect(client.send("POST", "/x", { body: {} })).resolves.toEqual({});
      expect(keys).toHaveLength(2);
      expect(keys[0]).toBe(keys[1]);
    },
  );

  test("is sent five times at most [HC3]", async () => {
    const { client, keys } = await aServer({ status: 503 });
    await expect(client.get("/x")).rejects.toMatchObject({ status: { code: 503 } });
    expect(keys).toHaveLength(5);
  });

  test("and told to come back much later is given up at once, with the answer [HC3]", async () => {
    const { client, keys } = await aServer({ status: 429, headers: { "retry-after": "3600" } });
    await expect(client.get("/x")).rejects.toMatchObject({
      status: { code: 429, details: { retryAfterSeconds: 30 } },
    });
    expect(keys).toHaveLength(1);
  });
});

test.each([400, 401, 404, 409, 500])("a no of %i is not asked for twice [HC3]", async (status) => {
  const { client, keys } = await aServer({ status });
  await expect(client.get("/x")).rejects.toMatchObject({ status: { code: status } });
  expect(keys).toHaveLength(1);
});

/**
 * Lists its objects at this revision, or at the one it is asked for at least; remembers the
 * queries.
 */
async function aLister(revision: number) {
  const queries: string[] = [];
  const server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://plane");
    queries.push(searchParams.toString());
    const resourceVersion = searchParams.get("resourceVersion") ?? String(revision);
    response.end(JSON.stringify({ metadata: { resourceVersion }, items: [] }));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { url, queries, server };
}

test("what another plane shows is not older than what was seen: it is asked again for that [HC5]", async () => {
  const newer = await aLister(12);
  const older = await aLister(7);
  const urls = [newer.url, older.url];
  const client = new ApiClient({ urls, token: undefined, ca: undefined, origin: "the test" });
  const list = (path: string) => client.get<{ metadata: { resourceVersion: string } }>(path);
  const nodes = "/apis/berth.dev/v1/nodes";
  expect((await list(nodes)).metadata.resourceVersion).toBe("12");
  newer.server.closeAllConnections();
  newer.server.close();
  expect((await list(nodes)).metadata.resourceVersion).toBe("12");
  expect(older.queries).toEqual(["", "resourceVersion=12&resourceVersionMatch=NotOlderThan"]);
  // Events and single objects have versions of their own.
  await list("/api/v1/events");
  await list(`${nodes}/one`);
  expect(older.queries.slice(2)).toEqual(["", ""]);
});
