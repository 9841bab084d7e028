/** The forms of one request that Kubernetes' clients write: each means the same. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { addressOf, aWatch } from "./a-watch.ts";
import { type Api, anApiWithTenant, aWorkloadObject, BERTH, WORKLOADS } from "./an-api.ts";

let api: Api;
beforeEach(async () => {
  api = await anApiWithTenant();
  await api.post(WORKLOADS, aWorkloadObject("api", { metadata: { labels: { rank: "7" } } }));
});
afterEach(() => api.close());

const ask = (method: "HEAD" | "OPTIONS", url: string) => api.app.inject({ method, url });

describe("a request as Kubernetes' clients write it", () => {
  it.each([
    `${WORKLOADS}?watch=True`,
    `${WORKLOADS}?watch=`,
    `${WORKLOADS}/?watch=1`,
    `${BERTH}/watch/namespaces/payments/workloads`,
    `${BERTH}/watch/workloads`,
    `${BERTH}/watch/namespaces/payments/workloads/api`,
  ])("[AP226] [AP227] the server takes %s for a watch", async (url) => {
    const watch = await aWatch(api.app, url);
    expect(await watch.story(1)).toEqual(["ADDED api"]);
    watch.close();
  });

  it("[AP226] the server takes false in any case for false", async () => {
    for (const no of ["0", "false", "False"]) {
      expect((await api.get(`${WORKLOADS}?watch=${no}`)).json["kind"]).toBe("WorkloadList");
    }
  });

  it("[AP227] a path may end with a slash", async () => {
    expect((await api.get(`${WORKLOADS}/api/`)).json["kind"]).toBe("Workload");
    expect((await api.get("/apis/")).json["kind"]).toBe("APIGroupList");
    expect((await api.get("/openapi/v3/")).status).toBe(200);
  });

  it("[AP228] the path names the type of an object that does not", async () => {
    const { apiVersion: _, kind: __, ...bare } = aWorkloadObject("bare");
    const made = await api.post(WORKLOADS, bare);
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({ apiVersion: "berth.dev/v1", kind: "Workload" });
    expect((await api.put(`${WORKLOADS}/bare`, bare)).status).toBe(200);
    const other = await api.post(WORKLOADS, { ...bare, kind: "Node" });
    expect(other.status).toBe(400);
  });

  it("[AP229] a client that likes YAML best gets objects, lists and errors in it", async () => {
    const yaml = { accept: "application/yaml" };
    const one = await api.get(`${WORKLOADS}/api`, yaml);
    expect(one.headers["content-type"]).toBe("application/yaml");
    expect(one.text).toContain("kind: Workload\n");
    expect(parse(one.text)).toEqual((await api.get(`${WORKLOADS}/api`)).json);
    const all = await api.get(WORKLOADS, yaml);
    expect(parse(all.text)).toMatchObject({ items: [{ metadata: { name: "api" } }] });
    const none = await api.get(`${WORKLOADS}/none`, yaml);
    expect([none.status, parse(none.text)]).toEqual([404, expect.objectContaining({ code: 404 })]);
    const both = await api.get(WORKLOADS, { accept: "application/json, application/yaml" });
    expect(both.headers["content-type"]).toContain("application/json");
    expect((await api.get(`${WORKLOADS}?watch=true`, yaml)).status).toBe(406);
  });

  it("[AP230] HEAD answers as GET without the body, and opens no watch", async () => {
    const { text } = await api.get(`${WORKLOADS}/api`);
    const address = await addressOf(api.app);
    const one = await fetch(`${address}${WORKLOADS}/api`, { method: "HEAD" });
    expect([one.status, await one.text()]).toEqual([200, ""]);
    expect(Number(one.headers.get("content-length"))).toBe(Buffer.byteLength(text));
    expect((await ask("HEAD", `${WORKLOADS}/none`)).statusCode).toBe(404);
    expect((await ask("HEAD", `${WORKLOADS}?watch=true`)).statusCode).toBe(200);
    for (const url of ["/readyz", "/version", "/apis", BERTH, "/api/v1/events"]) {
      expect([url, (await ask("HEAD", url)).statusCode]).toEqual([url, 200]);
    }
  });

  it("[AP230] OPTIONS answers with the methods of the path", async () => {
    const { statusCode, headers } = await ask("OPTIONS", WORKLOADS);
    expect([statusCode, headers["allow"]]).toEqual([204, "GET, HEAD, POST, DELETE, OPTIONS"]);
    const replica = await ask("OPTIONS", `${BERTH}/namespaces/payments/replicas/x`);
    expect(replica.headers["allow"]).toBe("GET, HEAD, DELETE, OPTIONS");
  });

  it.each([
    ["rank>6", 1],
    ["rank > 7", 0],
    ["rank<8,rank>-1", 1],
    ["rank<7", 0],
    ["none>1", 0],
  ])("[AP26] the label selector %s compares whole numbers", async (selector, count) => {
    const { json } = await api.get(`${WORKLOADS}?labelSelector=${encodeURIComponent(selector)}`);
    expect(json["items"]).toHaveLength(count);
  });

  it("[AP26] a label selector compares with nothing but a whole number", async () => {
    for (const selector of ["rank>six", "rank>", "rank>>1", ">1"]) {
      const url = `${WORKLOADS}?labelSelector=${encodeURIComponent(selector)}`;
      expect([selector, (await api.get(url)).status]).toEqual([selector, 400]);
    }
  });
});
