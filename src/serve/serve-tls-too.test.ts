import { createServer, request as requestPlain, type RequestOptions, type Server } from "node:http";
import { request as requestSecure } from "node:https";
import { type AddressInfo, connect, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { afterEach, beforeEach, expect, test } from "vitest";
import { selfSignedCertificate } from "./self-signed-certificate.ts";
import { serveTlsToo, type TlsToo } from "./serve-tls-too.ts";

const HOUR_MS = 3_600_000;
const tls = selfSignedCertificate({
  name: "localhost",
  addresses: [Buffer.from([127, 0, 0, 1])],
  fromMs: Date.now() - HOUR_MS,
  untilMs: Date.now() + HOUR_MS,
});

let server: Server;
let too: TlsToo;
let port: number;
const begin = async (withinMs: number): Promise<void> => {
  server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => response.end(`heard ${Buffer.concat(chunks).length}`));
  });
  too = serveTlsToo(server, tls, withinMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  ({ port } = server.address() as AddressInfo);
};
beforeEach(() => begin(60_000));
afterEach(async () => {
  too.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const BODY = "x".repeat(200_000);

function ask(
  how: typeof requestPlain,
  more: RequestOptions & { ca?: string } = {},
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = how({ host: "127.0.0.1", port, method: "POST", ...more }, (response) => {
      let text = "";
      response.on("data", (chunk: Buffer) => (text += chunk.toString()));
      response.on("end", () => resolve(text));
    });
    sent.on("error", reject).end(BODY);
  });
}

const closed = (socket: Socket): Promise<void> =>
  new Promise((resolve) => {
    socket.resume().on("error", () => {});
    socket.once("close", () => resolve());
  });

test("[AP322] the same port answers plain HTTP and TLS, with whole bodies", async () => {
  expect(await ask(requestPlain)).toBe(`heard ${BODY.length}`);
  expect(await ask(requestSecure, { ca: tls.cert })).toBe(`heard ${BODY.length}`);
});

test("[AP322] a client that trusts another certificate sends nothing", async () => {
  await expect(ask(requestSecure)).rejects.toThrow(/self-signed certificate/);
});

test("[AP322] a request that comes byte by byte is read whole", async () => {
  const socket = connect(port, "127.0.0.1");
  const answered = new Promise<string>((resolve) =>
    socket.once("data", (chunk: Buffer) => resolve(chunk.toString())),
  );
  for (const letter of "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n") {
    await new Promise((resolve) => socket.write(letter, resolve));
  }
  expect(await answered).toContain("200 OK");
  socket.destroy();
});

test("[AP322] connections that say nothing, or never shake hands, are closed", async () => {
  too.close();
  await new Promise((resolve) => server.close(resolve));
  await begin(50);
  const silent = connect(port, "127.0.0.1");
  const halfway = connect(port, "127.0.0.1");
  halfway.write(Buffer.from([22, 3, 1]));
  await Promise.all([closed(silent), closed(halfway)]);
  expect(await ask(requestPlain)).toBe(`heard ${BODY.length}`);
});

test("[AP322] closing ends connections that have not said what they speak", async () => {
  const silent = connect(port, "127.0.0.1");
  await new Promise((resolve) => server.once("connection", resolve));
  too.close();
  await closed(silent);
  expect(silent.destroyed).toBe(true);
});

test("[AP322] a connection over TLS that breaks off does not stop the server", async () => {
  const socket = connectTls({ port, host: "127.0.0.1", ca: tls.cert, servername: "localhost" });
  await new Promise((resolve) => socket.once("secureConnect", resolve));
  socket.write("GET / HTTP/1.1\r\n");
  socket.destroy();
  await closed(socket);
  expect(await ask(requestSecure, { ca: tls.cert })).toBe(`heard ${BODY.length}`);
});
