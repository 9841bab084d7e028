import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { workloadKey } from "../../src/core/model/ids.ts";
import { bind, replica } from "./a-bound-replica.ts";
import { addressOf, aWatch, type AWatch } from "./a-watch.ts";
import {
  type Api,
  anApi,
  anApiWithTenant,
  aTenantObject,
  aWorkloadObject,
  BERTH,
  textAt,
  WORKLOADS,
} from "./an-api.ts";

const LOG = `${BERTH}/namespaces/payments/replicas/api.1.0/log`;

const TOKENS = {
  tokens: [
    { token: "of-ana", kind: "user", name: "ana" },
    { token: "of-bea", kind: "user", name: "bea" },
    { token: "of-a-1", kind: "agent", name: "a-1" },
    { token: "of-b-1", kind: "agent", name: "b-1" },
  ],
} as const;
const ANA = { authorization: "Bearer of-ana" };
const BEA = { authorization: "Bearer of-bea" };
const NODE = { authorization: "Bearer of-a-1" };
const OTHER = { authorization: "Bearer of-b-1" };

let api: Api;
let streams: AWatch[];
let readers: IncomingMessage[];
beforeEach(() => {
  streams = [];
  readers = [];
});
afterEach(async () => {
  for (const stream of streams) stream.close();
  for (const reader of readers) reader.destroy();
  await api.close();
});

async function anApiWithLog(of: Partial<ApiLimits> = {}): Promise<void> {
  api = await anApiWithTenant({ limits: of });
  await bind(api);
}

/** The agent's own stream; what it is asked for is the next line of it. */
async function anAgent(headers: Record<string, string> = {}): Promise<AWatch> {
  const from = api.plane.revision;
  const stream = await aWatch(api.app, `/stream/watch?node=a-1&from=${from}`, headers);
  streams.push(stream);
  await stream.next();
  return stream;
}

async function requestOf(stream: AWatch): Promise<{ id: string; text: string }> {
  const line = await stream.next();
  if (line === "end") throw new Error("The stream ended.");
  return { id: textAt(line, "log", "id"), text: textAt(line, "log") };
}

async function read(query = "", headers: Record<string, string> = {}): Promise<IncomingMessage> {
  const address = await addressOf(api.app);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${address}${LOG}${query}`, { headers, agent: false }, resolve).on("error", reject);
  });
  readers.push(response);
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = "";
  for await (const part of response.setEncoding("utf8")) text += String(part);
  return text;
}

async function post(
  id: string,
  query: string,
  body: string | Buffer = "",
  headers: Record<string, string> = {},
): Promise<number> {
  const address = await addressOf(api.app);
  const response = await fetch(`${address}/stream/logs/${id}?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...headers },
    body: typeof body === "string" ? body : new Uint8Array(body),
  });
  await response.arrayBuffer();
  return response.status;
}

describe("the log of a replica", () => {
  it("[AP140] is what its node's agent answers, part by part, byte by byte", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?follow=true&tailLines=5&previous=true&stream=Stderr");
    const { id, text } = await requestOf(agent);
    expect(JSON.parse(text)).toEqual({
      id,
      replica,
      stream: "stderr",
      follow: true,
      previous: true,
      tailLines: 5,
    });
    const euro = Buffer.from("€\n");
    expect(await post(id, "part=0", "one\n")).toBe(200);
    const response = await reading;
    expect(response.statusCode).toBe(200);
    expect(response.headers["content-type"]).toBe("text/plain; charset=utf-8");
    await post(id, "part=1", euro.subarray(0, 2));
    await post(id, "part=2", euro.subarray(2));
    expect(await post(id, "part=3&last=true")).toBe(200);
    expect(await textOf(response)).toBe("one\n€\n");
  });

  it("[AP140] is all of both streams unless something else is asked for", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read();
    const { id, text } = await requestOf(agent);
    expect(JSON.parse(text)).toMatchObject({ stream: "all", follow: false, previous: false });
    expect(text).not.toContain("tailLines");
    await post(id, "part=0&last=true", "all of it");
    expect(await textOf(await reading)).toBe("all of it");
  });

  it("[AP140] ends after limitBytes", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?limitBytes=5&follow=true");
    const { id } = await requestOf(agent);
    await post(id, "part=0", "one\n");
    const response = await reading;
    expect(response.headers["warning"]).toBeUndefined();
    await post(id, "part=1", "two\n");
    expect(await textOf(response)).toBe("one\nt");
    expect(await post(id, "part=2", "three\n")).toBe(410);
    expect((await api.get(`${LOG}?limitBytes=0`)).status).toBe(400);
  });

  it.each([
    { query: "sinceSeconds=600&timestamps=1", asked: { sinceSeconds: 600, timestamps: true } },
    {
      query: "sinceTime=2030-01-31T12:00:00.000000001Z",
      asked: { sinceTime: "2030-01-31T12:00:00.000000001Z" },
    },
  ])("[AP375] asks the agent for $query, and is what the agent answers", async (of) => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read(`?${of.query}`);
    const { id, text } = await requestOf(agent);
    expect(JSON.parse(text)).toEqual({
      id,
      replica,
      stream: "all",
      follow: false,
      previous: false,
      ...of.asked,
    });
    await post(id, "part=0&last=true&times=true", "one\n");
    const response = await reading;
    expect(response.headers["warning"]).toBeUndefined();
    expect(await textOf(response)).toBe("one\n");
  });

  it("[AP376] comes with a warning when the agent, as older ones, says nothing of times", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?timestamps=true");
    const { id } = await requestOf(agent);
    await post(id, "part=0&last=true", "one\n");
    const response = await reading;
    expect(response.headers["warning"]).toContain("the lines of this log have no times");
    expect(await textOf(response)).toBe("one\n");
  });

  it("[AP375] is 400 where since is no number, no time, or both", async () => {
    await anApiWithLog();
    for (const query of [
      "sinceSeconds=0",
      "sinceSeconds=-1",
      "sinceSeconds=1.5",
      "sinceSeconds=9999999999999",
      "sinceTime=yesterday",
      "sinceTime=2030-13-31T12:00:00Z",
      "sinceSeconds=1&sinceTime=2030-01-31T12:00:00Z",
    ]) {
      const { status } = await api.get(`${LOG}?${query}`);
      expect({ query, status }).toEqual({ query, status: 400 });
    }
  });

  it("[AP141] is 404 where there is no replica or never was a process, and 400 for what is no question", async () => {
    await anApiWithLog();
    const gone = await api.get(LOG.replace("api.1.0", "api.1.7"));
    expect(gone.status).toBe(404);
    expect(gone.json["details"]).toMatchObject({ kind: "replicas", name: "api.1.7" });
    await api.post(WORKLOADS, aWorkloadObject("web"));
    const web = workloadKey("payments", "web");
    await api.send(
      { kind: "admit", workload: web, generation: 1, index: 0, incarnation: 1 },
      "admit",
    );
    const young = await api.get(LOG.replace("api.1.0", "web.1.0"));
    expect(young.status).toBe(404);
    expect(young.text).toContain("web.1.0 is admitted and has had no process yet");
    expect((await api.get(`${LOG}?tailLines=-1`)).status).toBe(400);
    expect((await api.get(`${LOG}?stream=both`)).status).toBe(400);
    expect((await api.delete(LOG)).status).toBe(405);
  });

  it("[AP142] is 504 when the agent is not connected, and names the node", async () => {
    await anApiWithLog({ logFirstMs: 50 });
    const { status, text } = await api.get(LOG);
    expect(status).toBe(504);
    expect(text).toContain("The agent of node a-1, which has the log, is not connected");
    (await anAgent()).close();
    // The server hears of it a moment later.
    while ((await api.get(LOG)).text.includes("has not answered")) await sleep(10);
    expect((await api.get(LOG)).status).toBe(504);
  });

  it("[AP142] is 504 when the agent is connected and says nothing", async () => {
    await anApiWithLog({ logFirstMs: 50 });
    await anAgent();
    const response = await read();
    expect(response.statusCode).toBe(504);
    expect(await textOf(response)).toContain("Node a-1 has not answered the log request");
  });

  it("[AP142] ends in the middle when the agent falls silent", async () => {
    await anApiWithLog({ logSilenceMs: 50 });
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    await post(id, "part=0", "half");
    await expect(textOf(await reading)).rejects.toThrow("aborted");
    expect(await post(id, "part=1", "more")).toBe(410);
  });

  it("[AP143] is 404 in the agent's words when the agent has none", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?previous=true");
    const { id } = await requestOf(agent);
    expect(await post(id, "part=0&refusal=It%20has%20had%20no%20other.")).toBe(200);
    const response = await reading;
    expect(response.statusCode).toBe(404);
    expect(await textOf(response)).toContain("It has had no other.");
  });
});

describe("an agent's answer", () => {
  it("[AP144] is taken once and in turn, and only while a client reads", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    expect(await post(id, "part=1", "early")).toBe(400);
    expect(await post(id, "", "unnumbered")).toBe(400);
    expect(await post(id, "part=0", "one ")).toBe(200);
    expect(await post(id, "part=0", "one ")).toBe(200);
    expect(await post(id, "part=1&last=true", "two")).toBe(200);
    expect(await textOf(await reading)).toBe("one two");
    expect(await post(id, "part=2", "three")).toBe(410);
    expect(await post("0000", "part=0", "guessed")).toBe(410);
  });

  it("[AP144] is 410 as soon as its reader has left", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    await post(id, "part=0", "one");
    (await reading).destroy();
    let status = 200;
    for (let part = 1; status === 200; part += 1) {
      await sleep(5);
      status = await post(id, `part=${part}`, "x");
    }
    expect(status).toBe(410);
  });

  it("[AP145] comes only from the agent that was asked", async () => {
    api = await anApi({ auth: TOKENS });
    await withToken(api).post(`${BERTH}/tenants`, aTenantObject());
    await bind(withToken(api));
    const agent = await anAgent(NODE);
    const reading = read("", ANA);
    const { id } = await requestOf(agent);
    expect(await post(id, "part=0&last=true", "forged", OTHER)).toBe(403);
    expect(await post(id, "part=0&last=true", "forged", ANA)).toBe(403);
    expect(await post(id, "part=0&last=true", "true", NODE)).toBe(200);
    expect(await textOf(await reading)).toBe("true");
    expect((await api.get(LOG, NODE)).status).toBe(403);
  });
});

/** The same, as ana. */
const withToken = (of: Api): Api => ({
  ...of,
  post: (url, body, headers = {}) => of.post(url, body, { ...headers, ...ANA }),
});

describe("a reader that is slow", () => {
  const PART = Buffer.alloc(256 * 1024, "x");

  it("[AP146] holds up its agent, and gets everything", async () => {
    await anApiWithLog();
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    const first = post(id, "part=0", PART);
    const response = await reading;
    response.pause();
    await first;
    let sent = 1;
    const sending = (async () => {
      while (sent < 100) {
        if ((await post(id, `part=${sent}`, PART)) !== 200) return;
        sent += 1;
      }
      await post(id, `part=${sent}&last=true`);
    })();
    // Sockets take a few megabytes; then nothing moves until the reader does.
    for (let before = -1; before !== sent;) {
      before = sent;
      await sleep(200);
    }
    expect(sent).toBeLessThan(100);
    let bytes = 0;
    response.on("data", (part: Buffer) => (bytes += part.length));
    const ended = new Promise((resolve) => response.once("end", resolve));
    response.resume();
    await Promise.all([sending, ended]);
    expect(bytes).toBe(100 * PART.length);
  });

  it("[AP146] is cut off when it takes nothing, and so its agent is let go", async () => {
    await anApiWithLog({ logSlowMs: 50 });
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    void reading.then((response) => response.pause());
    let status = 200;
    for (let part = 0; status === 200; part += 1) status = await post(id, `part=${part}`, PART);
    expect(status).toBe(410);
  });

  it("[AP146] is one of so many: the next is 429 until one has left", async () => {
    await anApiWithLog({ logReaders: 1 });
    const agent = await anAgent();
    const reading = read("?follow=true");
    const { id } = await requestOf(agent);
    await post(id, "part=0", "x");
    const { status, headers } = await api.get(LOG);
    expect(status).toBe(429);
    expect(headers["retry-after"]).toBe("1");
    await post(id, "part=1&last=true");
    await textOf(await reading);
    const next = read();
    await post((await requestOf(agent)).id, "part=0&last=true", "next");
    expect(await textOf(await next)).toBe("next");
  });

  it.each([
    { bound: { logReadersPerCaller: 1 }, says: "already reads 1 logs" },
    { bound: { logReadersPerCallerAndNode: 1 }, says: "already reads 1 logs of node a-1" },
  ])("[HB12] leaves places to others: $says", async ({ bound, says }) => {
    api = await anApi({ auth: TOKENS, limits: bound });
    await api.post(`${BERTH}/tenants`, aTenantObject(), ANA);
    await bind(withToken(api));
    const agent = await anAgent(NODE);
    const reading = read("?follow=true", ANA);
    const first = await requestOf(agent);
    const refused = await api.get(LOG, ANA);
    expect(refused.status).toBe(429);
    expect(refused.json["message"]).toContain(says);
    const other = read("", BEA);
    expect(await post((await requestOf(agent)).id, "part=0&last=true", "hers", NODE)).toBe(200);
    expect(await textOf(await other)).toBe("hers");
    // One that is over is not counted any more.
    await post(first.id, "part=0&last=true", "his", NODE);
    expect(await textOf(await reading)).toBe("his");
    const again = read("", ANA);
    await post((await requestOf(agent)).id, "part=0&last=true", "again", NODE);
    expect(await textOf(await again)).toBe("again");
  });
});
