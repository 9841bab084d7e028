/**
 * Two agents join a plane with bootstrap tokens, as processes of their own. The key of one is in hostile hands: it
 * tries everything that it can reach, and the other notices nothing.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeRequest } from "../../../src/shell/certificates/sign-certificate.ts";
import { type Running, startPlane } from "../../cli/a-running-plane.ts";
import { scratchFolder } from "../../contract/scratch-folder.ts";
import { BuiltBerth } from "./a-built-berth.ts";

const folder = scratchFolder();
const data = join(folder, "plane");
const ca = join(data, "loopback.crt");
const berth = new BuiltBerth(folder);
const PATIENCE = { timeout: 180_000, interval: 200 };
const BERTH = "/apis/berth.dev/v1";
let plane: Running;
let server: string;

interface Answer {
  readonly status: number;
  readonly json: Readonly<Record<string, never>> & {
    readonly message?: string;
    readonly certificate?: string;
    readonly metadata?: { readonly uid: string; readonly labels?: Record<string, string> };
    readonly status?: { readonly health: string };
    readonly spec?: { readonly cordons?: readonly object[] };
  };
}

interface Asked {
  readonly token?: string;
  /** The text of a file with a key and a certificate. */
  readonly pem?: string;
  readonly method?: string;
  readonly body?: unknown;
}

function ask(path: string, { token, pem, method = "GET", body }: Asked): Promise<Answer> {
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    "content-length": Buffer.byteLength(text),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  const shown = pem === undefined ? {} : { key: pem, cert: pem };
  return new Promise((resolve, reject) => {
    const options = { method, headers, ca: readFileSync(ca), agent: false, ...shown };
    const sent = request(`${server}${path}`, options, (answer) => {
      let said = "";
      answer.on("data", (part: Buffer) => (said += part.toString()));
      answer.on("end", () => {
        const json = JSON.parse(said || "{}") as Answer["json"];
        resolve({ status: answer.statusCode ?? 0, json });
      });
    });
    sent.once("error", reject);
    sent.end(text);
  });
}

const admin = (): string => readFileSync(join(data, "admin.token"), "utf8").trim();
const nodeOf = (name: string) => ask(`${BERTH}/nodes/${name}`, { token: admin() });
const healthOf = async (name: string) => (await nodeOf(name)).json.status?.health;
const agentFolder = (name: string): string => join(folder, name);
const pemOf = (name: string): string => readFileSync(join(agentFolder(name), "node.pem"), "utf8");
const outputs: (() => string)[] = [];

async function bootstrap(...args: readonly string[]): Promise<string> {
  const { out, err, code } = await berth.run(["token", "create", ...args, "--data", data]);
  expect([code, err]).toEqual([0, expect.stringMatching(/shown only now/)]);
  return out.trim();
}

function startAgent(name: string, token: string) {
  const file = join(folder, `${name}.token`);
  writeFileSync(file, token, { mode: 0o600 });
  const where = ["--server", server, "--ca-file", ca, "--data", agentFolder(name)];
  const what = ["--region", "eu", "--zone", "eu-a", "--cpu", "2", "--memory", "1Gi"];
  const given = ["--bootstrap-token-file", file, "--address", "127.0.0.1"];
  const agent = berth.start(["agent", "--name", name, ...what, ...where, ...given]);
  outputs.push(agent.said);
  return agent;
}

async function until(isSo: () => Promise<boolean>, why: () => string): Promise<void> {
  const endMs = Date.now() + PATIENCE.timeout;
  while (!(await isSo())) {
    if (Date.now() > endMs) throw new Error(`Waited in vain: ${why()}`);
    await sleep(PATIENCE.interval);
  }
}

const STATED = ["--cpu", "2", "--memory", "1Gi", "--region", "eu", "--zone", "eu-a"];
const tokens = new Map<string, string>();

beforeAll(async () => {
  await berth.build();
  plane = await startPlane({ data });
  server = plane.url.replace("http:", "https:");
  for (const name of ["n1", "n2"]) {
    tokens.set(name, await bootstrap("--node", name, ...STATED));
    startAgent(name, tokens.get(name) ?? "");
  }
  for (const name of ["n1", "n2"]) {
    await until(
      async () => (await healthOf(name)) === "ready",
      () => outputs.map((each) => each()).join(),
    );
  }
});
afterAll(async () => {
  await berth.stop();
  await plane.stop();
});

describe("a node that joins with a bootstrap token", () => {
  test("[NJ1] gets a certificate, a key that only its agent reads, and takes work without approval", async () => {
    expect(statSync(join(agentFolder("n1"), "node.pem")).mode & 0o777).toBe(0o600);
    const known = await ask("/whoami", { pem: pemOf("n1") });
    // Agents use no more of the API than they need.
    expect(known.status).toBe(403);
    expect((await ask("/stream/list?node=n1", { pem: pemOf("n1") })).status).toBe(200);
    expect((await nodeOf("n1")).json.spec?.cordons ?? []).toEqual([]);
  });

  test("[NJ3] renews its certificate with the one it has, for its own name only", async () => {
    const of = async (name: string, node = name) => {
      const { request: asked } = await makeRequest(`system:node:${name}`);
      const body = { node, request: asked };
      return ask("/node-certificates", { pem: pemOf("n2"), method: "POST", body });
    };
    const { status, json } = await of("n2");
    expect([status, json.certificate]).toEqual([200, expect.stringMatching(/BEGIN CERTIFICATE/)]);
    expect((await of("n1")).json.message).toMatch(/n2 asks for the certificate of node n1/);
    expect((await of("n1", "n2")).json.message).toMatch(/expected "system:node:n2"/);
    expect((await of("n3")).status).toBe(404);
    const body = { node: "n2", request: "x".repeat(10_000) };
    const long = await ask("/node-certificates", { pem: pemOf("n2"), method: "POST", body });
    expect(long.json.message).toMatch(/more than 8192 bytes/);
  });
});

const hostile = (path: string, asked: Asked = {}) => ask(path, { pem: pemOf("n2"), ...asked });

const lease = (actor: string) => {
  const of = { operation: "lease/n1", node: "n1", session: 9, seq: 9, kept: [] };
  const intent = { kind: "lease", ...of };
  const command = { intent, epoch: 1, basis: 1, actor: { role: "agent", name: actor } };
  return { from: actor, request: { kind: "command", attempt: 1, command } };
};

describe("a hostile agent with its own certificate", () => {
  test("[NJ4] renews no other node's lease, and sees nothing that is bound there", async () => {
    const answers = ["agent:n1", "agent:n2"].map((actor) =>
      hostile("/commands", { method: "POST", body: lease(actor) }),
    );
    const refused = await Promise.all(answers);
    expect(refused.map(({ status }) => status)).toEqual([403, 403]);
    expect((await hostile("/stream/list?node=n1")).status).toBe(403);
    expect((await hostile("/stream/watch?node=n1&from=1")).status).toBe(403);
    expect(await healthOf("n1")).toBe("ready");
  });

  test("[NJ5] changes neither labels, nor taints, nor owners, also not of its own node", async () => {
    const before = (await nodeOf("n2")).json.metadata;
    const change = { labels: { "berth.dev/tier": "gold" }, ownerReferences: [] };
    for (const node of ["n1", "n2"]) {
      for (const method of ["PATCH", "PUT", "DELETE"]) {
        const asked = { method, body: { metadata: { name: node, ...change } } };
        const { status, json } = await hostile(`${BERTH}/nodes/${node}`, asked);
        expect([method, status, json.message]).toEqual([method, 403, expect.anything()]);
      }
    }
    const again = { apiVersion: "berth.dev/v1", kind: "Node", ...ANOTHER("n2") };
    const made = await hostile(`${BERTH}/nodes`, { method: "POST", body: again });
    expect(made.status).toBeGreaterThanOrEqual(403);
    expect((await nodeOf("n2")).json.metadata).toEqual(before);
    const other = { apiVersion: "berth.dev/v1", kind: "Node", ...ANOTHER("n9") };
    expect((await hostile(`${BERTH}/nodes`, { method: "POST", body: other })).status).toBe(403);
  });

  test("[NJ2] finds no use in a bootstrap token that was used, whatever it asks for", async () => {
    const token = tokens.get("n1") ?? "";
    const { request: asked } = await makeRequest("system:node:n1");
    const body = { node: "n1", request: asked };
    const bought = await ask("/node-certificates", { token, method: "POST", body });
    expect(bought).toMatchObject({ status: 403, json: { message: /with another key/ } });
    expect((await ask("/stream/list?node=n1", { token })).status).toBe(403);
    expect((await ask(`${BERTH}/nodes`, { token })).status).toBe(403);
    expect((await ask("/whoami", { token })).json.message).toMatch(/no good/);
  });

  test("[NJ6] is out when its node is deleted, and does not come back with what it has", async () => {
    const kept = pemOf("n2");
    const token = tokens.get("n2") ?? "";
    const gone = await ask(`${BERTH}/nodes/n2`, { token: admin(), method: "DELETE" });
    expect(gone.status).toBe(200);
    await expect.poll(async () => (await nodeOf("n2")).status, PATIENCE).toBe(404);
    const list = await ask("/stream/list?node=n2", { pem: kept });
    expect(list).toMatchObject({ status: 401, json: { message: /node that was deleted/ } });
    const again = { apiVersion: "berth.dev/v1", kind: "Node", ...ANOTHER("n2") };
    const asked = { method: "POST", body: again };
    expect((await ask(`${BERTH}/nodes`, { pem: kept, ...asked })).status).toBe(401);
    expect((await ask(`${BERTH}/nodes`, { token, ...asked })).status).toBe(403);
    // An operator lets the machine in again: a new node, and a new certificate.
    const next = await bootstrap("--node", "n2", ...STATED);
    const made = () => ask(`${BERTH}/nodes`, { token: next, ...asked });
    await expect.poll(async () => (await made()).status, PATIENCE).not.toBe(401);
    expect((await ask("/stream/list?node=n2", { pem: kept })).status).toBe(401);
    expect(await healthOf("n1")).toBe("ready");
    expect(outputs[0]?.()).not.toMatch(/cannot renew|deleted|revoked/);
  });
});

const ANOTHER = (name: string) => ({
  metadata: { name },
  spec: { region: "eu", zone: "eu-a", capacity: { cpu: "1", memory: "1Gi" } },
});
