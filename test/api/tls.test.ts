/** The server with TLS: the same routes, and the same limits on what a connection may cost. */
import { request } from "node:https";
import { connect as connectPlain, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, expect, it } from "vitest";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { addressOf } from "./a-watch.ts";
import { anApi, type Api } from "./an-api.ts";

let api: Api;
afterEach(() => api.close());

const tls = aCertificate();
const served = async (limits: Partial<ApiLimits> = {}): Promise<number> => {
  api = await anApi({ tls, limits });
  const address = await addressOf(api.app);
  expect(address).toMatch(/^https:\/\//);
  return Number(new URL(address).port);
};

/** A socket that nobody reads does not notice that it was closed; once open, it may well be cut. */
function opened(socket: Socket, event: string): Promise<Socket> {
  socket.resume();
  return new Promise((resolve, reject) => {
    socket.on("error", reject);
    socket.once(event, () => resolve(socket));
  });
}

const plain = (port: number): Promise<Socket> =>
  opened(connectPlain({ port, host: "127.0.0.1" }), "connect");
const secure = (port: number): Promise<Socket> =>
  opened(
    connectTls({ port, host: "127.0.0.1", servername: "localhost", ca: tls.cert }),
    "secureConnect",
  );
const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    if (socket.closed) resolve();
    else socket.once("close", () => resolve());
  });

/** Longer than a machine that stands still keeps us from shaking hands and asking. */
const SHORT_MS = 3_000;

const healthOf = (port: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const sent = request(
      { port, host: "127.0.0.1", servername: "localhost", path: "/healthz", ca: tls.cert },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject).end();
  });

it("[AP97] a server that is given a certificate speaks TLS and nothing else", async () => {
  const port = await served();
  expect(await healthOf(port)).toBe(200);
  const socket = await plain(port);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await closed(socket);
});

it("[AP97] connections that never shake hands are closed", async () => {
  const port = await served({ headersTimeoutMs: SHORT_MS, connectionCheckMs: 50 });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => plain(port)));
  await Promise.all(sockets.map(closed));
  expect(await healthOf(port)).toBe(200);
});

it("[AP97] connections that shake hands and send nothing are closed", async () => {
  const port = await served({ headersTimeoutMs: SHORT_MS, connectionCheckMs: 50 });
  const sockets = await Promise.all(Array.from({ length: 20 }, () => secure(port)));
  await Promise.all(sockets.map(closed));
  expect(await healthOf(port)).toBe(200);
});

it("[AP97] headers that never end are cut off", async () => {
  const port = await served({ headersTimeoutMs: SHORT_MS, connectionCheckMs: 50 });
  const socket = await secure(port);
  socket.write("GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-More: ");
  await closed(socket);
  expect(await healthOf(port)).toBe(200);
});

it("[AP97] [HB3] for one connection too many the oldest silent one is closed, and those that speak go on", async () => {
  const port = await served({ connections: 3 });
  const there: Socket[] = [];
  for (let at = 0; at < 3; at += 1) there.push(await secure(port));
  const answer = (): Promise<string> =>
    new Promise((resolve) =>
      there[0]!.once("data", (chunk: Buffer) => resolve(String(chunk).split("\r\n")[0] ?? "")),
    );
  const ask = "GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n";
  there[0]!.write(ask);
  expect(await answer()).toContain("200 OK");
  expect(await healthOf(port)).toBe(200);
  await closed(there[1]!);
  there[0]!.write(ask);
  expect(await answer()).toContain("200 OK");
  for (const socket of there) socket.destroy();
});

it("[AP97] [HB4] with every connection busy health checks are answered", async () => {
  const port = await served({ connections: 1 });
  const busy = await secure(port);
  const begun = new Promise((resolve) => busy.once("data", resolve));
  busy.write("GET /audit?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n");
  await begun;
  expect(await healthOf(port)).toBe(200);
  busy.destroy();
});

it("[AP97] a body over the limit is 413", async () => {
  const port = await served({ bodyBytes: 1_000 });
  const status = await new Promise<number>((resolve, reject) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        servername: "localhost",
        method: "POST",
        path: "/apis/berth.dev/v1/tenants",
        headers: { "content-type": "application/json" },
        ca: tls.cert,
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject).end("x".repeat(2_000));
  });
  expect(status).toBe(413);
});
