/**
 * A replica proves who it is: with a real plane, a real agent in a process of its own, and a service that checks the
 * token with the published keys alone.
 */
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReplicaFiles } from "../../../src/agent/replica-files.ts";
import { ReplicaIdentities } from "../../../src/agent/replica-identities.ts";
import type { ObjectKey, Uid } from "../../../src/core/model/ids.ts";
import { type Running, startPlane } from "../../cli/a-running-plane.ts";
import { scratchFolder } from "../../contract/scratch-folder.ts";
import { BuiltBerth } from "./a-built-berth.ts";

const folder = scratchFolder();
const data = join(folder, "plane");
const berth = new BuiltBerth(folder);
const ISSUER = "https://berth.example.com";
const seen = join(folder, "seen-token");
let plane: Running;
let server: string;

interface Answer {
  readonly status: number;
  readonly text: string;
}

function ask(
  path: string,
  of: { readonly token?: string; readonly method?: string; readonly body?: unknown } = {},
): Promise<Answer> {
  const { token, method = "GET", body } = of;
  const text = body === undefined ? "" : JSON.stringify(body);
  const headers = {
    "content-length": Buffer.byteLength(text),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
  return new Promise((resolve, reject) => {
    const options = { method, headers, ca: readFileSync(join(data, "loopback.crt")), agent: false };
    const sent = request(`${server}${path}`, options, (answer) => {
      let said = "";
      answer.on("data", (part: Buffer) => (said += part.toString()));
      answer.on("end", () => resolve({ status: answer.statusCode ?? 0, text: said }));
    });
    sent.once("error", reject);
    sent.end(text);
  });
}

const admin = (): string => readFileSync(join(data, "admin.token"), "utf8").trim();
const post = (path: string, body: unknown) => ask(path, { token: admin(), method: "POST", body });

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  for (const endMs = Date.now() + 180_000; ; await sleep(200)) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > endMs) throw new Error(`Waited in vain for ${what}: ${agent?.said()}`);
  }
}

let agent: ReturnType<BuiltBerth["start"]> | undefined;

const BERTH = "/apis/berth.dev/v1";
const object = (kind: string, metadata: object, spec: object) => ({
  apiVersion: "berth.dev/v1",
  kind,
  metadata,
  spec,
});

beforeAll(async () => {
  await berth.build();
  plane = await startPlane({ data, issuer: ISSUER });
  server = plane.url.replace("http:", "https:");
  const what = ["--region", "eu", "--zone", "eu-a", "--cpu", "2", "--memory", "1Gi"];
  const made = await berth.run(["token", "create", "--node", "n1", ...what, "--data", data]);
  const where = ["--server", server, "--ca-file", join(data, "loopback.crt")];
  const file = join(folder, "n1.token");
  writeFileSync(file, made.out, { mode: 0o600 });
  const own = ["--data", join(folder, "n1"), "--address", "127.0.0.1", "--drivers", "process"];
  const given = ["--bootstrap-token-file", file];
  agent = berth.start(["agent", "--name", "n1", ...what, ...where, ...own, ...given]);
  await post(`${BERTH}/tenants`, object("Tenant", { name: "shop" }, {}));
  const limit = { cpu: "1", memory: "512Mi" };
  await post(
    `${BERTH}/namespaces/shop/quotas`,
    object("Quota", { name: "default", namespace: "shop" }, { limit }),
  );
  const command = [
    "sh",
    "-c",
    `cp "$BERTH_FILES/berth-token" ${seen}.new; mv ${seen}.new ${seen}; sleep 1000`,
  ];
  const spec = {
    type: "service",
    replicas: 1,
    resources: { cpu: "100m", memory: "32Mi" },
    run: { command, identity: ["vault", "cloud"] },
  };
  const said = await post(
    `${BERTH}/namespaces/shop/workloads`,
    object("Workload", { name: "api", namespace: "shop" }, spec),
  );
  if (said.status !== 201) throw new Error(said.text);
});
afterAll(async () => {
  await berth.stop();
  await plane.stop();
});

const theToken = () =>
  until("the token of the replica", async () => {
    try {
      return readFileSync(seen, "utf8");
    } catch {
      return undefined;
    }
  });

describe("a replica with run.identity", () => {
  test("[WI1] finds a token that others check with the published keys alone", async () => {
    const token = await theToken();
    const found = JSON.parse((await ask("/.well-known/openid-configuration")).text) as {
      readonly issuer: string;
      readonly jwks_uri: string;
    };
    expect(found.jwks_uri).toBe(`${ISSUER}/openid/v1/jwks`);
    const keys = JSON.parse((await ask("/openid/v1/jwks")).text) as { readonly keys: object[] };
    expect(keys.keys[0]).not.toHaveProperty("d");
    const options = { issuer: ISSUER, audience: "vault", algorithms: ["ES256"] };
    const { payload } = await jwtVerify(token, createLocalJWKSet(keys as never), options);
    expect(payload.sub).toMatch(/^shop\/api\/api\./);
    expect(payload["berth"]).toMatchObject({ tenant: "shop", workload: "api", node: "n1" });
    expect((payload.exp ?? 0) - (payload.iat ?? 0)).toBeLessThanOrEqual(600);
  });

  test("[WI2] is known to the plane by the token, and no read of an object shows one", async () => {
    const token = await theToken();
    const known = JSON.parse((await ask("/whoami", { token })).text) as object;
    expect(known).toMatchObject({
      user: "berth:workload:shop:api",
      groups: ["berth:workloads", "berth:workloads:shop", "system:authenticated"],
      how: "workload",
    });
    const shown = await ask(`${BERTH}/namespaces/shop/replicas`, { token: admin() });
    expect(shown.text).not.toContain(token.split(".")[2]);
    expect((await ask(`${BERTH}/nodes`, { token })).status).toBe(403);
  });

  test("[WI3] gets it through the agent of its own node, and through no other caller", async () => {
    const listed = JSON.parse((await ask(`${BERTH}/replicas`, { token: admin() })).text) as {
      readonly items: { readonly metadata: { readonly name: string; readonly uid: string } }[];
    };
    const [{ metadata } = { metadata: { name: "", uid: "" } }] = listed.items;
    const of = { replica: `Replica/shop/${metadata.name}`, uid: metadata.uid, incarnation: 1 };
    const asked = (token: string, node: string) =>
      ask("/commands/identities", { token, method: "POST", body: { ...of, node } });
    expect((await asked(admin(), "n1")).status).toBe(403);
    expect((await asked(await theToken(), "n1")).status).toBe(403);
    const { out } = await berth.run(["token", "create", "--node", "n2", "--data", data]);
    expect((await asked(out.trim(), "n2")).status).toBeGreaterThanOrEqual(401);
  });

  test("[WI5] has a fresh one after half of the life of the last, from an agent that came back", async () => {
    const files = new ReplicaFiles(join(folder, "n1"));
    const [process = ""] = readdirSync(join(folder, "n1", "processes"));
    const read = () => files.read(process, "berth-token")?.toString() ?? "";
    const before = read();
    const { berth: of } = decodeJwt<{ berth: { uid: Uid; replica: string } }>(before);
    const replica = `Replica/shop/${of.replica}` as ObjectKey;
    const pem = readFileSync(join(folder, "n1", "node.pem"), "utf8");
    const ca = readFileSync(join(data, "loopback.crt"), "utf8");
    const identities = new ReplicaIdentities({
      node: "n1",
      servers: [new URL(server)],
      credentials: { ca, pair: { key: pem, cert: pem } },
      files,
      note: (message) => expect(message).toBe(""),
      running: () => [{ replica, uid: of.uid, incarnation: 1, folder: process }],
    });
    await identities.renewOld(Date.now());
    expect(read()).toBe(before);
    await identities.renewOld(Date.now() + 400_000);
    expect(read()).not.toBe(before);
    expect((await ask("/whoami", { token: read() })).status).toBe(200);
    await identities.close();
  });

  test("[WI4] loses it at the plane when its process has ended", async () => {
    const token = await theToken();
    const path = `${BERTH}/namespaces/shop/workloads/api`;
    await ask(path, { token: admin(), method: "DELETE" });
    const says = await until("the end of the replica", async () => {
      const { status, text } = await ask("/whoami", { token });
      return status === 401 ? text : undefined;
    });
    expect(says).toMatch(/process that has ended/);
  });
});
