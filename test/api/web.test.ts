import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SeveralPlanes } from "../host/several-planes.ts";
import { anApi, type Api, aTenantObject, BERTH } from "./an-api.ts";

const SCRIPT = "export const berth = 1;\n".repeat(100);
const PAGE = "<!doctype html><title>Berth</title>";
const BROWSER = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const TOKENS = { tokens: [{ token: "secret-of-ana", kind: "user", name: "ana" }] } as const;
const ANA = { authorization: "Bearer secret-of-ana" };

let folder: string;
let api: Api;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-web-"));
});
afterEach(async () => {
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

function build(): void {
  mkdirSync(join(folder, "assets"));
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "assets", "index-1a2b.js"), SCRIPT);
}

describe("the dashboard", () => {
  it("[AP170] opens at / for browsers, and other clients find nothing there", async () => {
    build();
    api = await anApi({ webFolder: folder });
    for (const url of ["/", "/ui"]) {
      const { status, headers } = await api.get(url, BROWSER);
      expect(status).toBe(302);
      expect(headers["location"]).toBe("/ui/fleet");
    }
    for (const accept of ["application/json", "*/*"]) {
      const { status, json } = await api.get("/", { accept });
      expect(status).toBe(404);
      expect(json).toMatchObject({ kind: "Status", reason: "NotFound" });
    }
  });

  it("[AP170] has its page under every path of /ui/, and needs no token for it", async () => {
    build();
    api = await anApi({ webFolder: folder, auth: TOKENS });
    for (const url of ["/ui/fleet", "/ui/workloads/payments/api?tab=events"]) {
      const { status, text, headers } = await api.get(url);
      expect([status, text]).toEqual([200, PAGE]);
      expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    }
    expect((await api.get("/", BROWSER)).status).toBe(302);
    expect((await api.get("/")).status).toBe(401);
    expect((await api.get("/", ANA)).status).toBe(404);
    expect((await api.get(`${BERTH}/tenants`, BROWSER)).status).toBe(401);
    const head = await api.app.inject({ method: "HEAD", url: "/ui/fleet" });
    expect(head.statusCode).toBe(200);
    expect(head.headers["content-length"]).toBe(String(PAGE.length));
  });

  it("[AP170] is served by a plane that follows, not by the one that leads", async () => {
    api = await anApi();
    build();
    const planes = new SeveralPlanes();
    try {
      await planes.open("a", { webFolder: join(folder, "nothing") });
      await planes.leader();
      const follower = await planes.open("b", { webFolder: folder });
      for (const [method, text] of [
        ["GET", PAGE],
        ["HEAD", ""],
      ] as const) {
        const answer = await fetch(`${follower.url}/ui/fleet`, { method });
        expect([answer.status, await answer.text()]).toEqual([200, text]);
      }
      const made = await fetch(`${follower.url}${BERTH}/tenants`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          origin: follower.url,
          "sec-fetch-site": "same-origin",
        },
        body: JSON.stringify(aTenantObject("shop")),
      });
      expect(made.status).toBe(201);
    } finally {
      await planes.close();
    }
  });

  it("[AP171] has files that may be kept for good, and a page that is asked for each time", async () => {
    build();
    api = await anApi({ webFolder: folder });
    const file = await api.get("/assets/index-1a2b.js");
    expect(file.text).toBe(SCRIPT);
    expect(file.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(file.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    const page = await api.get("/ui/fleet");
    expect(page.headers["cache-control"]).toBe("no-cache");
    for (const { headers } of [file, page]) {
      expect(headers["content-security-policy"]).toMatch(/^default-src 'self';/);
      expect(headers["x-content-type-options"]).toBe("nosniff");
    }
    const known = { "if-none-match": `"other", ${String(page.headers["etag"])}` };
    const again = await api.get("/ui/queue", known);
    expect([again.status, again.text]).toEqual([304, ""]);
    expect((await api.get("/ui/queue", { "if-none-match": '"other"' })).status).toBe(200);
    expect((await api.get("/assets/index-older.js")).status).toBe(404);
    expect((await api.get("/assets/../index.html")).status).toBe(404);
  });

  it("[AP171] comes in the form that the client accepts", async () => {
    build();
    api = await anApi({ webFolder: folder });
    const fetched = async (accepted: string) => {
      const headers = { "accept-encoding": accepted };
      const answer = await api.app.inject({ url: "/assets/index-1a2b.js", headers });
      return { ...answer.headers, bytes: answer.rawPayload };
    };
    const brotli = await fetched("gzip, deflate, br");
    expect(brotli["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(SCRIPT);
    const gzip = await fetched("gzip, br;q=0");
    expect(gzip["content-encoding"]).toBe("gzip");
    expect(gunzipSync(gzip.bytes).toString()).toBe(SCRIPT);
    const plain = await fetched("identity");
    expect(plain["content-encoding"]).toBeUndefined();
    expect(plain.bytes.toString()).toBe(SCRIPT);
    expect(new Set([brotli, gzip, plain].map(({ etag }) => etag)).size).toBe(3);
    expect(plain["vary"]).toBe("Accept-Encoding");
  });

  it("[AP172] that is not built says so, and is there once it is", async () => {
    api = await anApi({ webFolder: folder });
    for (const url of ["/", "/ui/fleet"]) {
      const { status, text } = await api.get(url, BROWSER);
      expect(status).toBe(404);
      expect(text).toContain("npm run build");
    }
    build();
    expect((await api.get("/ui/fleet")).text).toBe(PAGE);
  });
});

describe("a page of another site", () => {
  const host = "127.0.0.1:6900";

  it.each([
    ["of anywhere", { "sec-fetch-site": "cross-site" }],
    ["of another port", { "sec-fetch-site": "same-site" }],
    ["of another host", { origin: "http://evil.example" }],
    ["of another port, in an older browser", { origin: "http://127.0.0.1:8080" }],
    ["in a sandbox", { origin: "null" }],
  ])("[AP173] %s reads and writes nothing", async (_, headers) => {
    build();
    api = await anApi({ webFolder: folder });
    for (const url of [`${BERTH}/tenants`, "/healthz", "/metrics", "/nothing"]) {
      const { status, json } = await api.get(url, { ...headers, host });
      expect(status).toBe(403);
      expect(json["message"]).toMatch(/^Cross-site request rejected\./);
    }
    const made = await api.post(`${BERTH}/tenants`, aTenantObject(), { ...headers, host });
    expect(made.status).toBe(403);
    expect(api.plane.objects.all("Tenant").size).toBe(0);
    expect((await api.get("/ui/fleet", { ...headers, host })).status).toBe(200);
    expect((await api.get("/", { ...headers, ...BROWSER, host })).status).toBe(302);
  });

  it("[AP173] a token does not help it, and the plane's own pages are not refused", async () => {
    build();
    api = await anApi({ webFolder: folder, auth: TOKENS });
    const url = `${BERTH}/tenants`;
    const elsewhere = { ...ANA, "sec-fetch-site": "cross-site" };
    expect((await api.get(url, elsewhere)).status).toBe(403);
    for (const [own, origin] of [
      ["berth.example:443", "https://berth.example"],
      ["berth.example", "https://berth.example"],
      ["Berth.Example:6900", "http://berth.example:6900"],
    ] as const) {
      const headers = { ...ANA, host: own, origin, "sec-fetch-site": "same-origin" };
      expect((await api.get(url, headers)).status).toBe(200);
    }
    expect((await api.get(url, { ...ANA, "sec-fetch-site": "none" })).status).toBe(200);
  });

  it("[AP174] that names this machine as its own host gets nothing, not even the dashboard", async () => {
    build();
    api = await anApi({ webFolder: folder });
    const rebound = { host: "evil.example:6900", origin: "http://evil.example:6900" };
    for (const url of [`${BERTH}/tenants`, "/ui/fleet", "/assets/index-1a2b.js"]) {
      const { status, json } = await api.get(url, { ...rebound, "sec-fetch-site": "same-origin" });
      expect(status).toBe(401);
      expect(json["message"]).toContain('"evil.example:6900"');
    }
    expect((await api.get("/ui/fleet", { host: "localhost:6900" })).status).toBe(200);
  });
});
