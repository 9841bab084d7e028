/** Sessions at the plane: who gets one, how many, and what a hostile client or agent can do. */
import { request } from "node:http";
import { request as secureRequest } from "node:https";
import { afterEach, describe, expect, it, test } from "vitest";
import { CHANNELS, exitStatus, onChannel } from "../../src/shell/web-socket/channels.ts";
import {
  NoWebSocket,
  openWebSocket,
  upgradeHeaders,
} from "../../src/shell/web-socket/open-web-socket.ts";
import type { WebSocketLink } from "../../src/shell/web-socket/web-socket.ts";
import { TokenRegistry } from "../../src/api/identity/token-registry.ts";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { bind } from "./a-bound-replica.ts";
import { addressOf, aWatch, type AWatch } from "./a-watch.ts";
import { type Api, anApi, anApiWithTenant, aTenantObject, BERTH, WORKLOADS } from "./an-api.ts";

const REPLICA = `${BERTH}/namespaces/payments/replicas/api.1.0`;
const EXEC = `${REPLICA}/exec?command=ls&command=-l&stdin=true`;

const TOKENS = [
  { token: "of-ana", kind: "user", name: "ana" },
  { token: "of-a-1", kind: "agent", name: "a-1" },
  { token: "of-b-1", kind: "agent", name: "b-1" },
] as const;

const as = (name: string): Record<string, string> => ({ authorization: `Bearer of-${name}` });

let api: Api;
const streams: AWatch[] = [];
const links: WebSocketLink[] = [];
afterEach(async () => {
  for (const stream of streams.splice(0)) stream.close();
  for (const link of links.splice(0)) link.destroy("the test is over");
  await api.close();
});

async function open(path: string, headers: Record<string, string> = {}): Promise<WebSocketLink> {
  const url = new URL(path, await addressOf(api.app));
  const link = await openWebSocket(
    request(url, { headers: { ...upgradeHeaders(), ...headers }, agent: false }),
  );
  links.push(link);
  return link;
}

/** The Status that was answered in place of a session. */
async function refused(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ readonly status: number | undefined; readonly message: string }> {
  try {
    await open(path, headers);
  } catch (error) {
    if (!(error instanceof NoWebSocket)) throw error;
    let text = "";
    for await (const part of error.response) text += String(part);
    const { message } = JSON.parse(text) as { message: string };
    return { status: error.response.statusCode, message };
  }
  throw new Error("A session was opened.");
}

async function anAgent(headers: Record<string, string> = {}): Promise<AWatch> {
  const path = `/stream/watch?node=a-1&from=${api.plane.revision}`;
  const stream = await aWatch(api.app, path, headers);
  streams.push(stream);
  await stream.next();
  return stream;
}

interface Asked {
  readonly id: string;
  readonly command: readonly string[];
}

/** The next session that the agent is asked for; commits come on the same stream. */
async function nextSession(agent: AWatch): Promise<Asked> {
  for (;;) {
    const line = await agent.next();
    if (line === "end") throw new Error("The stream ended.");
    const { session } = line as unknown as { readonly session?: Asked };
    if (session !== undefined) return session;
  }
}

/** Both sides of a session, and what each was sent. */
async function aSession(of: Partial<ApiLimits> = {}, path = EXEC) {
  api = await anApiWithTenant({ limits: of });
  await bind(api);
  const agent = await anAgent();
  return beginSession(agent, path);
}

async function beginSession(
  agent: AWatch,
  path = EXEC,
  { ana = {}, a1 = {} }: { ana?: Record<string, string>; a1?: Record<string, string> } = {},
) {
  const opening = open(path, ana);
  const asked = await nextSession(agent);
  const node = heard(await open(`/stream/sessions/${asked.id}`, a1));
  const client = heard(await opening);
  return { asked, node, client, agent };
}

function heard(link: WebSocketLink) {
  const messages: Buffer[] = [];
  let tell: (() => void) | undefined;
  link.onMessage = (message) => {
    messages.push(message);
    tell?.();
  };
  const ended = new Promise<string>((resolve) => {
    link.onEnd = resolve;
  });
  link.begin();
  const next = async (): Promise<Buffer> => {
    while (messages.length === 0) await new Promise<void>((resolve) => (tell = resolve));
    return messages.shift()!;
  };
  return { link, messages, ended, next };
}

describe("a session", () => {
  it("[AP360] carries input and output between the client and the agent, and the end", async () => {
    const { asked, node, client } = await aSession();
    expect(asked.command).toEqual(["ls", "-l"]);
    client.link.send(onChannel(CHANNELS.stdin, Buffer.from("in")));
    expect(await node.next()).toEqual(onChannel(CHANNELS.stdin, Buffer.from("in")));
    node.link.send(onChannel(CHANNELS.stdout, Buffer.from("out")));
    expect(await client.next()).toEqual(onChannel(CHANNELS.stdout, Buffer.from("out")));
    node.link.send(exitStatus(0));
    node.link.close(1000);
    expect((await client.next())[0]).toBe(CHANNELS.error);
    await client.ended;
    // The agent's word is the last: the plane adds none.
    expect(client.messages).toEqual([]);
  });

  it("[AP360] drops what a side sends on a channel that is not its own", async () => {
    const { node, client } = await aSession();
    client.link.send(onChannel(CHANNELS.stdout, Buffer.from("forged")));
    client.link.send(onChannel(CHANNELS.error, Buffer.from("forged")));
    client.link.send(onChannel(CHANNELS.stdin, Buffer.from("real")));
    expect((await node.next()).subarray(1).toString()).toBe("real");
    node.link.send(onChannel(CHANNELS.stdin, Buffer.from("forged")));
    node.link.send(onChannel(CHANNELS.stderr, Buffer.from("real")));
    expect((await client.next()).subarray(1).toString()).toBe("real");
  });

  it("[AP363] ends at both sides when one of them goes", async () => {
    const first = await aSession();
    first.client.link.destroy("killed");
    await first.node.ended;
    const second = await beginSession(first.agent);
    second.node.link.destroy("killed");
    const [channel, ...rest] = await second.client.next();
    expect(channel).toBe(CHANNELS.error);
    expect(Buffer.from(rest).toString()).toContain("The agent ended the session");
    await second.client.ended;
  });

  it("[AP363] ends when it is idle, and when it lasts too long", async () => {
    const idle = await aSession({ sessionIdleMs: 50 });
    expect((await idle.client.next()).toString()).toContain("was idle");
    await idle.node.ended;
    await api.close();
    const long = await aSession({ sessionMs: 50 });
    expect((await long.client.next()).toString()).toContain("which is the limit");
    await long.node.ended;
  });

  it("[AP363] ends when the plane no longer leads", async () => {
    const { client, node } = await aSession();
    api.stopLeading();
    expect((await client.next()).toString()).toContain("Another plane leads now");
    await node.ended;
    expect(await refused(EXEC)).toMatchObject({ status: 503 });
  });

  it("[AP362] is committed by its caller before the agent hears of it", async () => {
    const { asked, agent } = await aSession();
    expect(asked.id).toMatch(/^[0-9a-f-]{36}$/);
    const { json } = await api.get(`${WORKLOADS}/api`);
    const note = json["metadata"]!["annotations"]!["berth.dev/last-session"] as unknown as string;
    expect(note).toMatch(/^\S+Z api\.1\.0: exec \["ls","-l"\]$/);
    expect(json["metadata"]!["generation"]).toBe(1);
    // A plane that cannot commit begins no session.
    api.stopLeading();
    expect(await refused(EXEC)).toMatchObject({ status: 503 });
    expect(agent).toBeDefined();
  });

  it("[AP365] is refused beyond the bounds of caller, tenant, node and plane", async () => {
    const bounds = ["sessions", "sessionsPerCaller", "sessionsPerTenant", "sessionsPerNode"];
    for (const bound of bounds) {
      const { client, node, agent } = await aSession({ [bound]: 1 });
      expect(await refused(EXEC)).toMatchObject({ status: 429 });
      client.link.destroy("the client has left");
      // The plane tells the agent when it gives the place back.
      await node.ended;
      const again = await beginSession(agent);
      again.client.link.destroy("the client has left");
      for (const stream of streams.splice(0)) stream.close();
      await api.close();
    }
    api = await anApi();
  });

  it("[AP365] of a node whose agent does not answer, or is not there, is refused", async () => {
    api = await anApiWithTenant({ limits: { sessionFirstMs: 20 } });
    await bind(api);
    expect(await refused(EXEC)).toMatchObject({ status: 504 });
    await anAgent();
    const { status, message } = await refused(EXEC);
    expect({ status, message }).toMatchObject({ status: 504 });
    expect(message).toContain("has not answered");
  });
});

async function anApiWithTokens(): Promise<TokenRegistry> {
  const registry = new TokenRegistry(TOKENS);
  api = await anApi({ auth: registry, admins: TOKENS });
  await api.post(`${BERTH}/tenants`, aTenantObject(), as("ana"));
  const asAna: Api = {
    ...api,
    post: (url, body, headers = {}) => api.post(url, body, { ...headers, ...as("ana") }),
  };
  await bind(asAna);
  return registry;
}

describe("with tokens, a session", () => {
  it("[AP362] is for callers who may change the workload, and for no page of another site", async () => {
    await anApiWithTokens();
    expect(await refused(EXEC)).toMatchObject({ status: 401 });
    expect(await refused(EXEC, as("a-1"))).toMatchObject({ status: 403 });
    const origin = { ...as("ana"), origin: "http://evil.example" };
    expect(await refused(EXEC, origin)).toMatchObject({ status: 403 });
    // Its agent is not there, and that is all that is missing.
    expect(await refused(EXEC, as("ana"))).toMatchObject({ status: 504 });
  });

  it("[AP362] is answered by the agent of its node alone, once", async () => {
    await anApiWithTokens();
    const agent = await anAgent(as("a-1"));
    const opening = open(EXEC, as("ana"));
    const { id } = await nextSession(agent);
    const path = `/stream/sessions/${id}`;
    expect(await refused(path, as("ana"))).toMatchObject({ status: 403 });
    expect(await refused(path, as("b-1"))).toMatchObject({ status: 403 });
    const node = heard(await open(path, as("a-1")));
    heard(await opening).link.send(onChannel(CHANNELS.stdin, Buffer.from("x")));
    expect((await node.next()).toString("latin1")).toBe("\0x");
    expect(await refused(path, as("a-1"))).toMatchObject({ status: 410 });
  });

  it("[AP363] ends when the token of its caller is revoked", async () => {
    const registry = await anApiWithTokens();
    const agent = await anAgent(as("a-1"));
    const tokens = { ana: as("ana"), a1: as("a-1") };
    const { client, node } = await beginSession(agent, EXEC, tokens);
    registry.replace(TOKENS.filter(({ name }) => name !== "ana"));
    expect(await client.ended).toContain("closed");
    await node.ended;
  });
});

test("[AP360] a client that does not read holds up the agent, not the plane", async () => {
  const { client, node } = await aSession();
  client.link.pause();
  const message = onChannel(CHANNELS.stdout, Buffer.alloc(64 * 1024, "x"));
  const MOST = 64 * 2 ** 20;
  let sent = 0;
  let isHeld = false;
  while (!isHeld && sent < MOST) {
    sent += message.length;
    isHeld = await new Promise<boolean>((resolve) => {
      if (node.link.send(message)) resolve(false);
      else {
        // Not taken for a second: sockets and the plane are full.
        const held = setTimeout(() => resolve(true), 1_000);
        node.link.onDrain = () => {
          clearTimeout(held);
          resolve(false);
        };
      }
    });
  }
  expect(sent).toBeLessThan(MOST);
  client.link.resume();
  let got = 0;
  while (got < sent) got += (await client.next()).length;
  expect(got).toBe(sent);
});

test.each([
  [`${REPLICA}/exec`, "An exec needs a command"],
  [`${REPLICA}/exec?command=a%00b`, "NUL"],
  [`${REPLICA}/exec?command=${"a".repeat(600)}`, "at most 512 bytes"],
  [`${REPLICA}/exec?command=ls&container=other`, "its only container is api"],
  [`${REPLICA}/portforward?port=a/b`, "name or number of a port"],
  ["/api/v1/namespaces/payments/pods/api.1.0/portforward", "berth port-forward"],
])("[AP365] %s is refused", async (path, message) => {
  api = await anApiWithTenant({ limits: { commandBytes: 512 } });
  await bind(api);
  const answer = await refused(path);
  expect(answer.status).toBe(400);
  expect(answer.message).toContain(message);
});

test("[AP360] a request for another protocol is served as if it had not asked", async () => {
  api = await anApiWithTenant();
  await bind(api);
  const url = new URL(`${BERTH}/tenants`, await addressOf(api.app));
  const post = (upgrade: string, path = url): Promise<{ status: number; text: string }> =>
    new Promise((resolve, reject) => {
      const body = JSON.stringify({
        apiVersion: "berth.dev/v1",
        kind: "Tenant",
        metadata: { name: "made" },
      });
      const headers = {
        connection: "Upgrade, HTTP2-Settings",
        upgrade,
        "content-type": "application/json",
        "content-length": String(body.length),
      };
      const sent = request(path, { method: "POST", headers, agent: false }, (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString()));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, text }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  expect((await post("h2c")).status).toBe(201);
  const old = await post("SPDY/3.1", new URL(EXEC, url));
  expect(old.status).toBe(400);
  expect(old.text).toContain("kubectl 1.31 or newer");
});

test("[AP360] over TLS, sessions are refused like requests, and other protocols are passed over", async () => {
  api = await anApiWithTenant({ tls: aCertificate() });
  await bind(api);
  const url = new URL(EXEC, await addressOf(api.app));
  const ask = (headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const of = { headers, agent: false, rejectUnauthorized: false } as const;
      const sent = secureRequest(url, of, (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      sent.on("error", reject);
      sent.end();
    });
  // The agent of its node is not connected.
  expect(await ask(upgradeHeaders())).toBe(504);
  expect(await ask({ connection: "Upgrade", upgrade: "h2c" })).toBe(400);
});
