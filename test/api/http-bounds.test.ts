/** Clients that hold connections, bodies and answers, and those beside them that are served all the same. */
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { tenantKey } from "../../src/core/model/ids.ts";
import { afterEach, describe, expect, it } from "vitest";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { aWatch, addressOf } from "./a-watch.ts";
import {
  anApiWithTenant,
  type Api,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  WORKLOADS,
} from "./an-api.ts";

const TENANTS = `${BERTH}/tenants`;

let api: Api;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await api.close();
});

const served = async (limits: Partial<ApiLimits>): Promise<number> => {
  api = await anApiWithTenant({ limits });
  return Number(new URL(await addressOf(api.app)).port);
};

interface Raw {
  readonly socket: Socket;
  text: string;
  isClosed: boolean;
}

function open(port: number, text: string): Raw {
  const socket = connect({ port, host: "127.0.0.1" });
  sockets.push(socket);
  const raw: Raw = { socket, text: "", isClosed: false };
  socket.on("data", (chunk: Buffer) => (raw.text += String(chunk)));
  socket.on("error", () => undefined);
  socket.on("close", () => (raw.isClosed = true));
  socket.write(text);
  return raw;
}

/** Headers of a write whose body does not come. */
const bodiless = (port: number, bytes = 100): Raw =>
  open(
    port,
    `POST ${TENANTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`,
  );

const statuses = ({ text }: Raw): readonly string[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status = ""]) => status);

const get = (port: number, path: string): Raw =>
  open(port, `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

/** On a connection of its own. */
const send = (
  port: number,
  path: string,
  body?: unknown,
): Promise<{ readonly status: number; readonly headers: Record<string, unknown> }> =>
  new Promise((resolve, reject) => {
    const sent = request(
      {
        port,
        host: "127.0.0.1",
        path,
        method: body === undefined ? "GET" : "POST",
        agent: false,
        headers: { "content-type": "application/json" },
      },
      (response) => {
        response.resume();
        response.on("end", () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers }),
        );
      },
    );
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Not over a connection: what is asked must not be changed by the asking. */
const metric = async (name: string): Promise<number> =>
  Number(new RegExp(`^${name} (\\d+)$`, "m").exec((await api.get("/metrics")).text)?.[1]);

const seats = async (): Promise<number> => metric('berth_api_seats\\{level="people"\\}');

describe("bodies", () => {
  it("[HB1] requests without their body take no place among the writes", async () => {
    const port = await served({ peopleSeats: 1, commonSeats: 0, levelWaiting: 2 });
    for (let at = 0; at < 10; at += 1) bodiless(port);
    await until(async () => (await metric("berth_api_bodies_receiving")) === 10);
    expect(await seats()).toBe(0);
    expect((await send(port, TENANTS, aTenantObject("risk"))).status).toBe(201);
  });

  it("[HB11] writes whose answers wait behind another on their connection hold no place among the writes", async () => {
    const port = await served({ peopleSeats: 2, commonSeats: 0, levelWaiting: 2 });
    const write = (name: string): string => {
      const body = JSON.stringify(aTenantObject(name));
      return `POST ${TENANTS} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    };
    const watch = `GET ${TENANTS}?watch=1 HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const raw = open(port, `${watch}${write("late-1")}${write("late-2")}`);
    // Not by requests: they would take places of the same caller, and a late write be refused for it.
    for (const name of ["late-1", "late-2"])
      await until(() => api.plane.objects.get(tenantKey(name)) !== undefined);
    // Both were carried out, and neither answer is sent before the watch ends.
    expect((await send(port, TENANTS, aTenantObject("next"))).status).toBe(201);
    expect(await seats()).toBe(0);
    expect(raw.text).not.toContain("201 Created");
  });

  it("[HB1] more bodies on their way than a caller may have are 429", async () => {
    const port = await served({ bodiesReceivingPerCaller: 2, bodyGraceMs: 3_600_000 });
    bodiless(port);
    bodiless(port);
    await until(async () => (await metric("berth_api_bodies_receiving")) === 2);
    const refused = await send(port, TENANTS, aTenantObject("risk"));
    expect([refused.status, refused.headers["retry-after"]]).toEqual([429, "1"]);
    expect(await metric("berth_api_bodies_turned_away_total")).toBe(1);
  });

  it("[HB1] a body that does not come gives its place to the next", async () => {
    const port = await served({ bodiesReceivingPerCaller: 2, bodyGraceMs: 0 });
    const oldest = bodiless(port);
    await until(async () => (await metric("berth_api_bodies_receiving")) === 1);
    const next = bodiless(port);
    await until(async () => (await metric("berth_api_bodies_receiving")) === 2);
    expect((await send(port, TENANTS, aTenantObject("risk"))).status).toBe(201);
    await until(() => oldest.isClosed);
    expect(next.isClosed).toBe(false);
    expect(await metric("berth_api_bodies_cut_off_total")).toBe(1);
  });

  it("[HB2] bytes of bodies are bounded before they are read, and agents' apart from users'", async () => {
    const port = await served({ bodyBytesHeld: 10_000, bodyBytesHeldPerCaller: 10_000 });
    bodiless(port, 9_990);
    await until(async () => (await metric("berth_api_body_bytes")) === 9_990);
    expect((await send(port, TENANTS, aTenantObject("risk"))).status).toBe(429);
    // It is no command, and that is what it is told.
    expect((await send(port, "/commands", "none")).status).toBe(400);
  });
});

describe("connections", () => {
  it("[HB3] silent connections give way to those that speak", async () => {
    const port = await served({ connections: 3 });
    const silent = ["a", "b", "c"].map(() => open(port, ""));
    await until(async () => (await metric("berth_api_connections")) === 3);
    for (let at = 0; at < 3; at += 1) expect((await send(port, "/healthz")).status).toBe(200);
    await until(() => silent.some(({ isClosed }) => isClosed));
    expect(await metric("berth_api_connections_refused_total")).toBe(0);
  });

  it("[HB3] an address has a bound of its own", async () => {
    const port = await served({ connectionsPerAddress: 2 });
    const silent = ["a", "b", "c", "d"].map(() => open(port, ""));
    await until(() => silent.filter(({ isClosed }) => isClosed).length === 2);
    expect(await metric("berth_api_connections")).toBe(2);
  });

  it("[HB4] with every connection busy health and leases are answered, and nothing else", async () => {
    const port = await served({ connections: 2, connectionsReserved: 1 });
    const watches = [get(port, `${TENANTS}?watch=1`), get(port, `${TENANTS}?watch=1`)];
    await until(() => watches.every(({ text }) => text.includes("ADDED")));
    for (const path of ["/healthz", "/livez", "/readyz"]) {
      const { status, headers } = await send(port, path);
      expect([path, status, headers["connection"]]).toEqual([path, 200, "close"]);
    }
    expect((await send(port, "/commands", "none")).status).toBe(400);
    const { status, headers } = await send(port, TENANTS);
    expect([status, headers["retry-after"]]).toEqual([429, "1"]);
    expect(watches.some(({ isClosed }) => isClosed)).toBe(false);
  });
});

const namesIn = (json: unknown): readonly string[] =>
  (json as { items: { metadata: { name: string } }[] }).items.map(({ metadata }) => metadata.name);

describe("lists", () => {
  const notes = { note: "x".repeat(3_000) };
  const names = ["a", "b", "c", "d", "e", "f"];
  const fill = async (): Promise<void> => {
    for (const name of names) {
      await api.post(WORKLOADS, aWorkloadObject(name, { metadata: { annotations: notes } }));
    }
  };

  it("[HB5] [HB6] a full list comes in parts, and a page ends when it is long enough", async () => {
    const port = await served({ answerChunkBytes: 5_000, turnItems: 3, pageBytes: 10_000 });
    await fill();
    const response = await fetch(`http://127.0.0.1:${port}${WORKLOADS}`);
    expect(response.headers.get("transfer-encoding")).toBe("chunked");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    const list = (await response.json()) as Record<string, unknown>;
    expect(namesIn(list)).toEqual(names);
    expect(list["metadata"]).toEqual({ resourceVersion: String(api.plane.revision) });

    const seen: string[] = [];
    for (let token = ""; ;) {
      const { json } = await api.get(`${WORKLOADS}?limit=10&continue=${token}`);
      const page = namesIn(json);
      seen.push(...page);
      expect(page.length).toBeLessThanOrEqual(4);
      const metadata = json["metadata"] as unknown as Record<string, string | number>;
      expect(metadata["remainingItemCount"] ?? 0).toBe(names.length - seen.length);
      if (metadata["continue"] === undefined) break;
      token = String(metadata["continue"]);
    }
    expect(seen).toEqual(names);
  });

  it("[HB5] a view that is not watched comes in parts", async () => {
    const port = await served({ answerChunkBytes: 200 });
    await fill();
    const response = await fetch(`http://127.0.0.1:${port}/views/workloads`);
    expect(response.headers.get("transfer-encoding")).toBe("chunked");
    const { view, rows } = (await response.json()) as Record<string, unknown>;
    expect([view, (rows as unknown[]).length]).toEqual(["workloads", names.length]);
  });

  it("[HB5] what changes while a list is made has no revision after the list's own", async () => {
    await served({ answerChunkBytes: 1e6, turnItems: 1 });
    await fill();
    const { revision } = api.plane;
    const list = api.get(`${WORKLOADS}?resourceVersion=${revision}`);
    await api.patch(`${WORKLOADS}/f`, { spec: { replicas: 2 } });
    const { json } = await list;
    const at = Number(json["metadata"]!["resourceVersion"]);
    const items = json["items"] as unknown as { metadata: { resourceVersion: string } }[];
    expect(items).toHaveLength(names.length);
    expect(
      Math.max(...items.map(({ metadata }) => Number(metadata.resourceVersion))),
    ).toBeLessThanOrEqual(at);
  });

  it("[HB7] an answer over the bound on unread bytes is 429 with Retry-After", async () => {
    const limits = { answerBytesPerCaller: 20_000, pageBytes: 1e6, answerChunkBytes: 1e6 };
    const port = await served(limits);
    await fill();
    // Sent as one, both are made before either is taken.
    const asked = `GET ${WORKLOADS}?limit=4 HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const raw = open(port, asked + asked);
    await until(() => statuses(raw).length === 2);
    expect(statuses(raw)).toEqual(["200", "429"]);
    expect(raw.text).toMatch(/^retry-after: \d+\r$/m);
    await until(async () => (await metric("berth_api_answer_bytes")) === 0);
  });

  it("[HB8] reads beyond a caller's own wait for their turn, and all are answered", async () => {
    await served({ peopleSeats: 4, commonSeats: 0, levelWaiting: 10 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.get(TENANTS)));
    const counted = answers.map(({ status }) => status);
    expect(counted.filter((status) => status === 200)).toHaveLength(6);
    expect(counted.filter((status) => status === 429)).toHaveLength(2);
    const { text } = await api.get("/metrics");
    expect(text).toContain('berth_api_refused_total{level="people",bound="caller"} 2');
    expect(await seats()).toBe(0);
  });
});

describe("watches", () => {
  it("[HB9] one watch more than a caller may have is 429", async () => {
    await served({ watchersPerCaller: 1 });
    const first = await aWatch(api.app, `${TENANTS}?watch=1`);
    for (const path of [TENANTS, "/api/v1/events", "/audit", "/views/fleet"]) {
      expect((await api.get(`${path}?watch=1`)).status).toBe(429);
    }
    first.close();
  });

  it("[HB9] of a node's streams the oldest is ended", async () => {
    const port = await served({ streamsPerNode: 1 });
    const path = `/stream/watch?node=a-1&from=${api.plane.revision}`;
    const first = get(port, path);
    await until(() => first.text.includes("commits"));
    const second = get(port, path);
    await until(() => first.text.endsWith("0\r\n\r\n"));
    await until(() => second.text.includes("commits"));
    expect(second.text.endsWith("0\r\n\r\n")).toBe(false);
  });
});

it("[HB10] every answer is taken for what its type says", async () => {
  const port = await served({ bodyBytes: 200 });
  const requests = [
    "GET /healthz",
    "GET /nowhere",
    "GET /ui/fleet",
    `GET ${TENANTS}`,
    `GET ${TENANTS}?watch=1`,
    "GET /api/v1/events?watch=1",
    "GET /audit?watch=1",
    "GET /views/fleet?watch=1",
    "GET /metrics",
    "GET /backup",
    `GET /stream/watch?node=a-1&from=${api.plane.revision}`,
    "GET /%",
    "PUT /healthz",
    "NONSENSE",
    "GET /version HTTP/1.1\r\nExpect: wonders",
  ];
  for (const line of requests) {
    const start = line.includes(" HTTP/") ? line : `${line} HTTP/1.1`;
    const raw = open(port, `${start}\r\nHost: localhost\r\n\r\n`);
    await until(() => raw.text.includes("\r\n\r\n"));
    const head = raw.text.slice(0, raw.text.indexOf("\r\n\r\n")).toLowerCase();
    expect([line, head]).toEqual([
      line,
      expect.stringContaining("x-content-type-options: nosniff"),
    ]);
    expect([line, head]).toEqual([line, expect.stringContaining("frame-ancestors 'none'")]);
  }
  const large = await send(port, TENANTS, { note: "x".repeat(300) });
  expect([large.status, large.headers["x-content-type-options"]]).toEqual([413, "nosniff"]);
});
