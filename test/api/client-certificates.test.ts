/** Callers that are known by the certificate of their connection, on real connections over TLS. */
import { Agent, request } from "node:https";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listen } from "../../src/api/http/listen.ts";
import { TokenRegistry } from "../../src/api/identity/token-registry.ts";
import { Certificates } from "../../src/api/identity/certificates.ts";
import {
  type KeyAndCertificate,
  makeAuthority,
  makeRequest,
  readRequest,
  signCertificate,
  type SubjectNames,
} from "../../src/shell/certificates/sign-certificate.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { anApi, type Api, BERTH } from "./an-api.ts";

const LIFE = { fromMs: Date.UTC(2000, 0), untilMs: Date.UTC(2040, 0) };
const server = aCertificate();
const ROOT = { kind: "local", name: "root", token: "secret-of-root-0001" } as const;
const BOB = { kind: "user", name: "bob", token: "secret-of-bob-0001" } as const;

let clients: KeyAndCertificate;
let nodes: KeyAndCertificate;
let strangers: KeyAndCertificate;
let certificates: Certificates;
let api: Api;
let url: string;

beforeAll(async () => {
  [clients, nodes, strangers] = (await Promise.all(
    ["clients", "nodes", "strangers"].map((name) => makeAuthority(name, LIFE)),
  )) as [KeyAndCertificate, KeyAndCertificate, KeyAndCertificate];
  certificates = new Certificates({ clients: clients.cert, nodes: nodes.cert });
  const auth = { registry: new TokenRegistry([BOB, ROOT]), bearers: [], certificates };
  const tls = { ...server, clientCas: [clients.cert, nodes.cert] };
  api = await anApi({ auth, tls });
  url = await listen(api.app, { port: 0, auth });
});
afterAll(() => api.close());

const leaf = async (
  by: KeyAndCertificate,
  subject: SubjectNames,
  life = LIFE,
): Promise<KeyAndCertificate> => {
  const { key, request: asked } = await makeRequest(subject.name);
  const { publicKey } = await readRequest(asked);
  return { key, cert: await signCertificate(by, publicKey, { subject, life }) };
};

interface Said {
  readonly status: number;
  readonly body: Record<string, unknown> & { readonly message?: string };
}

function ask(
  pair: KeyAndCertificate | undefined,
  { path = "/whoami", token = "" } = {},
): Promise<Said> {
  const headers = token === "" ? {} : { authorization: `Bearer ${token}` };
  return new Promise((resolve, reject) => {
    const options = { ca: server.cert, servername: "localhost", headers, agent: false, ...pair };
    const sent = request(`${url}${path}`, options, (answer) => {
      let text = "";
      answer.on("data", (part: Buffer) => (text += part.toString()));
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, body: JSON.parse(text) as Said["body"] }),
      );
    });
    sent.once("error", reject);
    sent.end();
  });
}

/** Resolves with the head of the answer; `over` when the stream has ended, however it does. */
function openStream(
  pair: KeyAndCertificate,
  path: string,
): Promise<{ readonly over: Promise<void> }> {
  return new Promise((resolve, reject) => {
    const options = { ca: server.cert, servername: "localhost", agent: false, ...pair };
    request(`${url}${path}`, options, (answer) => {
      answer.on("error", () => undefined).resume();
      resolve({ over: new Promise((ended) => void answer.once("close", ended)) });
    })
      .once("error", reject)
      .end();
  });
}

const says = async (pair: KeyAndCertificate | undefined): Promise<string> => {
  const { status, body } = await ask(pair);
  return `${status} ${body.message}`;
};

describe("a client certificate", () => {
  it("[CC1] makes its common name the user and its organizations the groups", async () => {
    const ana = await leaf(clients, { name: "ana", organizations: ["devs", "ops"] });
    expect((await ask(ana)).body).toMatchObject({
      kind: "user",
      user: "ana",
      groups: ["devs", "ops", "system:authenticated"],
      how: "certificate",
      credential: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    // A token says more of the request than the connection does.
    expect((await ask(ana, { token: BOB.token })).body).toMatchObject({ user: "bob" });
    expect((await ask(ana, { token: "unknown-token-0001" })).status).toBe(401);
  });

  it("[CC1] of a stranger's authority, of none and past its end is refused with the cause", async () => {
    expect(await says(undefined)).toMatch(/^401 .*Send a token/);
    expect(await says(await leaf(strangers, { name: "ana" }))).toMatch(
      /^401 .*not signed by an auth/,
    );
    const over = { fromMs: LIFE.fromMs, untilMs: Date.UTC(2001, 0) };
    expect(await says(await leaf(clients, { name: "ana" }, over))).toMatch(/CERT_HAS_EXPIRED/);
  });

  it("[CC2] of people states no reserved name, and one of the signer states no person", async () => {
    const refused: readonly (readonly [KeyAndCertificate, SubjectNames, RegExp])[] = [
      [clients, { name: "system:node:n1", organizations: ["system:nodes"] }, /plane's own/],
      [clients, { name: "ana", organizations: ["system:masters"] }, /plane's own/],
      [clients, { name: "berth:x" }, /plane's own/],
      [clients, { name: "a\nb" }, /printable/],
      [nodes, { name: "ana", organizations: ["devs"] }, /of no node/],
      [nodes, { name: "system:node:n1", organizations: ["system:nodes"] }, /of no node/],
    ];
    for (const [by, subject, why] of refused) {
      const { status, body } = await ask(await leaf(by, subject));
      expect([status, body.message]).toEqual([401, expect.stringMatching(why)]);
    }
  });

  it("[CC3] of an agent holds for the node of its uid, and ends with that node", async () => {
    const made = await api.post(`${BERTH}/nodes`, aNode("n1"), bearer);
    const { uid } = made.json["metadata"] as unknown as { uid: string };
    const organizations = ["system:nodes"];
    const agent = await leaf(nodes, { name: "system:node:n1", organizations, serial: uid });
    const list = { path: "/stream/list?node=n1" };
    expect((await ask(agent, list)).status).toBe(200);
    expect((await ask(agent, { path: "/stream/list?node=n2" })).status).toBe(403);
    const other = await leaf(nodes, { name: "system:node:n1", organizations, serial: "other" });
    expect((await ask(other, list)).body.message).toMatch(/of a node that was deleted/);
    const watch = await openStream(agent, "/stream/watch?node=n1&from=1");
    await api.app.inject({ method: "DELETE", url: `${BERTH}/nodes/n1`, headers: bearer });
    certificates.look(Date.now(), () => false);
    await watch.over;
    expect((await ask(agent, list)).body.message).toMatch(/of a node that was deleted/);
    await api.post(`${BERTH}/nodes`, aNode("n1"), bearer);
    expect((await ask(agent, list)).body.message).toMatch(/of a node that was deleted/);
  });

  it("[CC4] of an authority that is gone opens nothing, also on a connection that was open before", async () => {
    const ana = await leaf(clients, { name: "ana" });
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: server.cert, ...ana });
    const status = (): Promise<number> =>
      new Promise((resolve, reject) => {
        request(`${url}/whoami`, { agent, servername: "localhost" }, (answer) => {
          answer.resume();
          answer.on("end", () => resolve(answer.statusCode ?? 0));
        })
          .once("error", reject)
          .end();
      });
    expect(await status()).toBe(200);
    certificates.replace({ clients: strangers.cert, nodes: nodes.cert });
    expect(await status()).toBe(401);
    agent.destroy();
  });
});

const bearer = { authorization: `Bearer ${ROOT.token}` };

const aNode = (name: string) => ({
  apiVersion: "berth.dev/v1",
  kind: "Node",
  metadata: { name },
  spec: { region: "eu", zone: "eu-a", capacity: { cpu: "2", memory: "2Gi" } },
});
