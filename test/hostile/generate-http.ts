/** Requests that are odd below the level of objects: as bytes on a socket, with headers and lengths that no client sends. */
import type { Draw } from "./draw.ts";
import type { BodyPart, CallerName, HostileRequest } from "./hostile-case.ts";

const NODES = "/apis/berth.dev/v1/nodes";
const TENANTS = "/apis/berth.dev/v1/tenants";

/** `{token}` becomes the caller's own token when it is sent. */
const AUTHORIZED = "Host: localhost\r\nAuthorization: Bearer {token}\r\n";

export function generateHttp(draw: Draw, caller: CallerName): HostileRequest {
  const times = draw.size(5_000);
  const forms: readonly (() => readonly BodyPart[])[] = [
    // Pipelined.
    () => [{ text: `GET ${NODES} HTTP/1.1\r\n${AUTHORIZED}\r\n`, times: draw.between(2, 40) }],
    // A chunked body that stops, or lies about its size.
    () => [`POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":`],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFF\r\nx`,
    ],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`,
      { text: "1\r\n[\r\n", times },
      "0\r\n\r\n",
    ],
    // Two lengths, two bodies.
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Length: 2\r\nContent-Length: 5\r\n\r\n{}abc`,
    ],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n`,
    ],
    () => [`POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Length: -1\r\n\r\n`],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Length: 99999999999999999999\r\n\r\n{}`,
    ],
    // Many headers, long headers, long addresses.
    () => [`GET ${NODES} HTTP/1.1\r\n${AUTHORIZED}`, { text: "X-{i}: a\r\n", times }, "\r\n"],
    () => [
      `GET ${NODES} HTTP/1.1\r\n${AUTHORIZED}X: `,
      { text: "a", times: times * 10 },
      "\r\n\r\n",
    ],
    () => [`GET ${NODES}?`, { text: "a{i}=b&", times }, ` HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [`GET /`, { text: "../", times }, ` HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [`GET /`, { text: "%2f", times }, ` HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [`GET /%zz%ff%c0%af HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [`GET http://other.example${NODES} HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [`GET * HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    // Upgrades, expectations, other versions.
    () => [
      `GET ${NODES} HTTP/1.1\r\n${AUTHORIZED}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
    ],
    () => [`PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n`],
    () => [`GET ${NODES} HTTP/0.9\r\n\r\n`],
    () => [`CONNECT localhost:1 HTTP/1.1\r\n${AUTHORIZED}\r\n`],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Expect: 100-continue\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc`,
    ],
    // Bytes that are no text.
    () => [
      `POST ${TENANTS} HTTP/1.1\r\n${AUTHORIZED}Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"a":"`,
      { base64: Buffer.from([0xff, 0xc0, 0x80]).toString("base64") },
    ],
    () => [
      {
        base64: Buffer.from(Array.from({ length: times }, () => draw.below(256))).toString(
          "base64",
        ),
      },
    ],
    () => [`GET ${NODES} HTTP/1.1\nHost: localhost\nX: a\n b\n\n`],
    () => [
      `GET ${NODES} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\u0000\r\n\r\n`,
    ],
    // Nothing more comes.
    () => [`GET ${NODES} HTTP/1.1\r\nHost: loc`],
  ];
  return { caller, method: "RAW", path: "", how: "raw", body: draw.pick(forms)() };
}
