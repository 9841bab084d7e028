/** Two planes of one log, and callers that show a certificate to the one that follows. */
import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Certificates } from "../../src/api/identity/certificates.ts";
import { NodeSigner } from "../../src/api/identity/node-signer.ts";
import { TokenRegistry } from "../../src/api/identity/token-registry.ts";
import { VOUCHED, Voucher } from "../../src/api/identity/voucher.ts";
import {
  type KeyAndCertificate,
  makeAuthority,
  makeRequest,
  readRequest,
  signCertificate,
  type SubjectNames,
} from "../../src/shell/certificates/sign-certificate.ts";
import { aCertificate } from "../builders/a-certificate.ts";
import { grant } from "../builders/grant.ts";
import { until } from "../host/a-running-plane.ts";
import { type OnePlane, SeveralPlanes } from "../host/several-planes.ts";
import { aNodeObject, aTenantObject, BERTH } from "./an-api.ts";

const LIFE = { fromMs: Date.UTC(2000, 0), untilMs: Date.UTC(2040, 0) };
const ROOT = { kind: "local", name: "root", token: "secret-of-root-0001" } as const;
const asRoot = { authorization: `Bearer ${ROOT.token}` };
const server = aCertificate();
const planes = new SeveralPlanes();
let clients: KeyAndCertificate;
let nodes: KeyAndCertificate;
let others: KeyAndCertificate;
let a: OnePlane;
let b: OnePlane;
/** Follows, and has another signer. */
let stranger: OnePlane;

const open = (name: string, signer: KeyAndCertificate): Promise<OnePlane> => {
  const certificates = new Certificates({ clients: clients.cert, nodes: nodes.cert });
  return planes.open(name, {
    limits: { leaderWaitMs: 20_000 },
    guards: {
      auth: { registry: new TokenRegistry([ROOT]), bearers: [], certificates },
      tls: { ...server, clientCas: [clients.cert, nodes.cert] },
      signer: new NodeSigner(signer),
      peers: { ca: server.cert },
    },
  });
};

beforeAll(async () => {
  [clients, nodes, others] = (await Promise.all(
    ["clients", "nodes", "others"].map((name) => makeAuthority(name, LIFE)),
  )) as [KeyAndCertificate, KeyAndCertificate, KeyAndCertificate];
  a = await open("a", nodes);
  await planes.leader();
  b = await open("b", nodes);
  stranger = await open("stranger", others);
  await grant(a.plane, { user: "ana", role: { kind: "ClusterRole", name: "cluster-admin" } });
});
afterAll(() => planes.close());

async function leaf(by: KeyAndCertificate, subject: SubjectNames): Promise<KeyAndCertificate> {
  const { key, request: asked } = await makeRequest(subject.name);
  const { publicKey } = await readRequest(asked);
  return { key, cert: await signCertificate(by, publicKey, { subject, life: LIFE }) };
}

interface Asked {
  readonly pair?: KeyAndCertificate;
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function ask(at: OnePlane, path: string, { pair, method = "GET", body, headers }: Asked = {}) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const sent = { ...type, "content-length": Buffer.byteLength(text), ...headers };
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const options = { method, ca: server.cert, agent: false, headers: sent, ...pair };
    request(`${at.url}${path}`, options, (answer) => {
      let said = "";
      answer.on("data", (part: Buffer) => (said += part.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: said }));
    })
      .once("error", reject)
      .end(text);
  });
}

const create = (at: OnePlane, name: string, of: Asked) =>
  ask(at, `${BERTH}/tenants`, { method: "POST", body: aTenantObject(name), ...of });

async function aNodeWithCertificate(name: string): Promise<KeyAndCertificate> {
  const body = aNodeObject(name);
  const made = await ask(a, `${BERTH}/nodes`, { method: "POST", body, headers: asRoot });
  const { uid } = (JSON.parse(made.text) as { metadata: { uid: string } }).metadata;
  await until("the follower to see the node", () => b.plane.objects.nodeNamed(name));
  const of = { name: `system:node:${name}`, organizations: ["system:nodes"], serial: uid };
  return leaf(nodes, of);
}

describe("a caller with a certificate at a plane that follows", () => {
  test("is the same caller at the leader, by name, groups and serial [CC5]", async () => {
    const ana = await leaf(clients, { name: "ana", organizations: ["devs"] });
    expect((await create(b, "shop", { pair: ana })).status).toBe(201);
    const audit = await ask(a, "/audit?actor=ana", { headers: asRoot });
    const [entry] = (JSON.parse(audit.text) as { entries: { actor: { by: object } }[] }).entries;
    expect(entry?.actor.by).toMatchObject({ kind: "user", groups: ["devs"] });
    const bob = await leaf(clients, { name: "bob" });
    expect((await create(b, "more", { pair: bob })).status).toBe(403);
  });

  test("renews the certificate of its node there [CC5]", async () => {
    const pair = await aNodeWithCertificate("n1");
    const { request: asked } = await makeRequest("system:node:n1");
    const body = { node: "n1", request: asked };
    const renewed = await ask(b, "/node-certificates", { pair, method: "POST", body });
    expect([renewed.status, renewed.text]).toEqual([200, expect.stringContaining("BEGIN CERT")]);
    expect((await ask(b, "/stream/list?node=n1", { pair })).status).toBe(200);
    expect((await ask(b, "/stream/list?node=n2", { pair })).status).toBe(403);
  });

  test("is refused once its node is gone [CC3]", async () => {
    const pair = await aNodeWithCertificate("n2");
    await ask(a, `${BERTH}/nodes/n2`, { method: "DELETE", headers: asRoot });
    await until("the follower to see that it is gone", () =>
      b.plane.objects.nodeNamed("n2") === undefined ? true : undefined,
    );
    expect((await ask(b, "/stream/list?node=n2", { pair })).text).toMatch(/node that was deleted/);
  });

  test("goes to the next plane where the planes have different signers [CC5]", async () => {
    const ana = await leaf(clients, { name: "ana" });
    expect((await create(stranger, "none", { pair: ana })).status).toBe(503);
  });
});

describe("a client that claims to be vouched for", () => {
  const certificate = {
    id: "x",
    caller: { kind: "local", name: "root", groups: [] },
    untilMs: LIFE.untilMs,
  } as const;

  test("is not believed: without the signer's key, for another request, or later [CC5]", async () => {
    const asked = { method: "POST", url: `${BERTH}/tenants` };
    const atMs = Date.now();
    const seal = (by: KeyAndCertificate, of = asked, when = atMs) =>
      new Voucher(by.key).seal({ certificate, atMs: when }, of);
    const forged = [
      "x",
      "eyJ9.x",
      seal(others),
      seal(nodes, { ...asked, method: "DELETE" }),
      seal(nodes, { ...asked, url: `${BERTH}/nodes` }),
      seal(nodes, asked, atMs - 120_000),
    ];
    for (const header of forged) {
      for (const at of [a, b]) {
        const { status } = await create(at, "forged", { headers: { [VOUCHED]: header } });
        expect([header.slice(0, 10), status]).toEqual([header.slice(0, 10), 503]);
      }
    }
    expect(a.plane.objects.get("Tenant//forged" as never)).toBeUndefined();
  });

  test("gets nothing by it beside a certificate of its own [CC5]", async () => {
    const bob = await leaf(clients, { name: "bob" });
    const header = new Voucher(others.key).seal(
      { certificate, atMs: Date.now() },
      { method: "POST", url: `${BERTH}/tenants` },
    );
    const { status } = await create(b, "forged", { pair: bob, headers: { [VOUCHED]: header } });
    expect([403, 503]).toContain(status);
    expect(a.plane.objects.get("Tenant//forged" as never)).toBeUndefined();
  });
});
