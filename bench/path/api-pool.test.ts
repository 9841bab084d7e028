import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, describe, expect, it, vi } from "vitest";
import { priorityClassManifest, workloadManifest } from "../measure/manifests.ts";
import { ApiPool, Refused } from "./api-pool.ts";

let server: Server | undefined;
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
});

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly body: string;
}

/** `together`: the first so many are answered only when all of them are there. */
async function serving(
  answer: (asked: Asked) => { status: number; body: string },
  { together = 1 } = {},
): Promise<{
  readonly url: string;
  readonly asked: readonly Asked[];
  readonly most: () => number;
}> {
  const asked: Asked[] = [];
  const held: (() => void)[] = [];
  let open = 0;
  let most = 0;
  server = createServer((request, response) => {
    open += 1;
    most = Math.max(most, open);
    let body = "";
    request.on("data", (text: Buffer) => (body += text.toString()));
    request.on("end", () => {
      const one = { method: request.method ?? "", path: request.url ?? "", body };
      asked.push(one);
      held.push(() => {
        open -= 1;
        const { status, body: said } = answer(one);
        response.writeHead(status, { "Content-Length": Buffer.byteLength(said) }).end(said);
      });
      if (asked.length >= together) for (const reply of held.splice(0)) reply();
    });
  });
  await new Promise<void>((resolve) => server?.listen({ host: "127.0.0.1", port: 0 }, resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, asked, most: () => most };
}

const OF = { tenant: "shop", replicas: 1, resources: { cpu: "1", memory: "1Gi" } };

describe("ApiPool", () => {
  it("creates strictly, in the collection of the kind, and deletes by name", async () => {
    const { url, asked } = await serving(() => ({ status: 201, body: "{}" }));
    const pool = await ApiPool.open(url, 1);
    const workload = workloadManifest("w", { ...OF, labels: { note: "größer" } });
    await pool.create(workload, { dryRun: true });
    await pool.create(priorityClassManifest("high", 10));
    await pool.remove(workload);
    pool.close();
    expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /apis/berth.dev/v1/namespaces/shop/workloads?fieldValidation=Strict&dryRun=All",
      "POST /apis/berth.dev/v1/priorityclasses?fieldValidation=Strict",
      "DELETE /apis/berth.dev/v1/namespaces/shop/workloads/w",
    ]);
    expect(JSON.parse(asked[0]?.body ?? "")).toEqual(workload);
  });

  it("asks as many things at once as it has connections, and never loses one", async () => {
    const { url, asked, most } = await serving(() => ({ status: 200, body: "{}" }), {
      together: 3,
    });
    const pool = await ApiPool.open(url, 3);
    await Promise.all(Array.from({ length: 20 }, (_, at) => pool.get(`/${at}`)));
    pool.close();
    expect(new Set(asked.map(({ path }) => path)).size).toBe(20);
    expect(most()).toBe(3);
  });

  it("comes back when the plane has no place for it, and grows by a connection when told to", async () => {
    let refusals = 1;
    const { url, asked, most } = await serving(
      () => (refusals-- > 0 ? { status: 429, body: "{}" } : { status: 200, body: "{}" }),
      { together: 2 },
    );
    const pool = await ApiPool.open(url, 0);
    await pool.grow();
    await pool.grow();
    await Promise.all([pool.get("/a"), pool.get("/b")]);
    pool.close();
    expect(asked.map(({ path }) => path).toSorted()).toHaveLength(3);
    expect(most()).toBe(2);
  });

  it("says no in the plane's own words", async () => {
    const { url } = await serving(({ path }) =>
      path === "/page"
        ? { status: 502, body: "<html>" }
        : { status: 422, body: '{"message":"spec.gang is not supported"}' },
    );
    const pool = await ApiPool.open(url, 1);
    await expect(pool.create(workloadManifest("w", OF))).rejects.toEqual(
      new Refused("spec.gang is not supported"),
    );
    await expect(pool.get("/page")).rejects.toThrow("HTTP 502: <html>");
    pool.close();
  });

  it("opens a connection anew that the plane has closed", async () => {
    const { url, asked } = await serving(() => ({ status: 200, body: "{}" }));
    const pool = await ApiPool.open(url, 1);
    await pool.get("/before");
    server?.closeAllConnections();
    // The first try may still meet the connection that is about to be closed.
    await vi.waitFor(() => pool.get("/after"));
    pool.close();
    expect(asked.map(({ path }) => path)).toEqual(["/before", "/after"]);
  });
});
