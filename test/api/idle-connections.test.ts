/**
 * Ten thousand connections that say nothing: the plane serves those who do, its memory stays within bounds, the oldest silent
 * ones give way to more, and all of them are closed when their time is up.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { Agent, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ApiLimits } from "../../src/api/http/limits.ts";
import { aTenantObject, BERTH } from "./an-api.ts";

const CROWD = 10_000;
/** Each has a time of its own, however many there are. */
const CLOSED = 2_000;
/** Our own connection, which is kept alive while the crowd is there. */
const OURS = 1;
/** Files of a process besides its sockets: its program, its libraries, its pipes. */
const OTHER_FILES = 200;
/** What a silent connection may cost: node's own objects for a socket and a parser are some ten kilobytes. */
const BYTES_EACH_MAX = 40 * 1024;
/** The collector takes its time on a busy machine; this much may lie around besides. */
const SLACK_BYTES = 150 * 1024 * 1024;

const children: ChildProcess[] = [];
const agent = new Agent({ keepAlive: true, maxSockets: OURS });

beforeEach(() => {
  const most = execFileSync("/bin/sh", ["-c", "ulimit -Hn"], { encoding: "utf8" }).trim();
  if (most === "unlimited" || Number(most) >= CROWD + OTHER_FILES) return;
  throw new Error(
    `A process may have ${most} files open here, and this test needs ${CROWD + OTHER_FILES}: raise the hard limit (ulimit -Hn) and run it again.`,
  );
});
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
  agent.destroy();
});

const scriptOf = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** Node raises its own limit of open files to the hard one; sh does it for a node that does not. */
function start(script: string, argument: string): ChildProcess {
  const words = [process.execPath, "--import", "tsx", scriptOf(script), argument];
  const line = 'ulimit -n "$(ulimit -Hn)"; exec "$@"';
  const child = spawn("/bin/sh", ["-c", line, "sh", ...words], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  children.push(child);
  return child;
}

const heard = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    const ended = (code: number | null): void =>
      reject(new Error(`The process ended with ${code}.`));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });

function ask<T>(child: ChildProcess, message: object): Promise<T> {
  const answer = heard<T>(child);
  child.send(message);
  return answer;
}

interface Doing {
  readonly connections: number;
  readonly rss: number;
}
interface Crowd {
  readonly open: number;
  readonly closed: number;
  readonly failed: number;
}

/** On the one connection that is kept alive. */
const call = (url: string, method: "GET" | "POST", body?: unknown): Promise<number> =>
  new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json" };
    const sent = request(url, { method, agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

async function serve(limits: Partial<ApiLimits>): Promise<{ server: ChildProcess; url: string }> {
  const server = start("./crowd-server.ts", JSON.stringify(limits));
  const { url } = await heard<{ readonly url: string }>(server);
  expect(await call(`${url}/healthz`, "GET")).toBe(200);
  return { server, url };
}

async function gather(url: string): Promise<ChildProcess> {
  const crowd = start("./crowd.ts", new URL(url).port);
  await heard(crowd);
  return crowd;
}

it("[AP98] [HB3] ten thousand silent connections are borne, and give way to more", async () => {
  // Longer than the test may last, so that none of them is closed before all are there.
  const anHour = { headersTimeoutMs: 3_600_000, requestTimeoutMs: 3_600_000 };
  const { server, url } = await serve({
    connections: CROWD + OURS,
    connectionsPerAddress: CROWD + OURS,
    ...anHour,
  });
  const before = await ask<Doing>(server, {});
  const crowd = await gather(url);
  expect(await ask<Crowd>(crowd, { add: CROWD })).toEqual({ open: CROWD, closed: 0, failed: 0 });
  await until(async () => (await ask<Doing>(server, {})).connections === CROWD + OURS);
  const { rss } = await ask<Doing>(server, {});
  expect(rss - before.rss).toBeLessThan(CROWD * BYTES_EACH_MAX + SLACK_BYTES);

  // Whoever speaks is served, reads and writes alike.
  for (let at = 0; at < 20; at++) {
    expect(await call(`${url}${BERTH}/tenants`, "POST", aTenantObject(`t-${at}`))).toBe(201);
    expect(await call(`${url}${BERTH}/tenants/t-${at}`, "GET")).toBe(200);
  }
  // The oldest silent ones are closed for more, and our own is not.
  await ask<Crowd>(crowd, { add: 5 });
  await until(async () => (await ask<Crowd>(crowd, { add: 0 })).closed === 5);
  expect((await ask<Crowd>(crowd, { add: 0 })).open).toBe(CROWD);
  expect((await ask<Doing>(server, {})).connections).toBe(CROWD + OURS);
  expect(await call(`${url}/healthz`, "GET")).toBe(200);
  // Neither is anybody else kept out.
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it("[AP98] silent connections are closed when their time is up", async () => {
  const { server, url } = await serve({
    headersTimeoutMs: 1_000,
    connectionCheckMs: 200,
  });
  const crowd = await gather(url);
  await ask<Crowd>(crowd, { add: CLOSED });
  await until(async () => {
    expect(await call(`${url}/healthz`, "GET")).toBe(200);
    const { open, closed, failed } = await ask<Crowd>(crowd, { add: 0 });
    return open === 0 && closed + failed === CLOSED;
  });
  expect((await ask<Doing>(server, {})).connections).toBe(OURS);
  expect((await ask<Crowd>(crowd, { add: 1 })).open).toBe(1);
});

/** Bounded by the test's own patience. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(100);
}
