/** An etcd behind TLS that wants certificates of its clients, and then also passwords. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EtcdTls, parseEtcdAddress } from "../../src/host/etcd/etcd-address.ts";
import { EtcdUnavailable } from "../../src/host/etcd/etcd-api.ts";
import { EtcdClient } from "../../src/host/etcd/etcd-client.ts";
import { EtcdRefused } from "../../src/host/etcd/etcd-refused.ts";
import { LocalEtcd } from "../../src/host/etcd/local-etcd.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { bytes, put, texts, until } from "./etcd-words.ts";

const folder = scratchFolder();
const file = (name: string): string => join(folder, name);
const openssl = (...args: readonly string[]): void =>
  void execFileSync("openssl", args, { stdio: "pipe" });

/** A certificate authority, and a certificate of it for etcd and one for its clients. */
function makeCertificates(): void {
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const authority = ["-subj", "/CN=test authority", "-days", "2"];
  openssl("req", "-x509", ...key, ...authority, "-keyout", file("ca.key"), "-out", file("ca.pem"));
  for (const name of ["server", "client"]) {
    const request = ["-subj", `/CN=${name}`, "-keyout", file(`${name}.key`)];
    openssl("req", "-new", ...key, ...request, "-out", file(`${name}.csr`));
    const use = "extendedKeyUsage=serverAuth,clientAuth";
    writeFileSync(file(`${name}.ext`), `subjectAltName=DNS:${name}.test\n${use}\n`);
    const signer = ["-CA", file("ca.pem"), "-CAkey", file("ca.key"), "-CAcreateserial"];
    const signed = ["-extfile", file(`${name}.ext`), "-out", file(`${name}.pem`)];
    openssl("x509", "-req", "-in", file(`${name}.csr`), ...signer, "-days", "2", ...signed);
  }
}

let tls: Required<EtcdTls>;
let etcd: LocalEtcd;
const clients: EtcdClient[] = [];

beforeAll(async () => {
  makeCertificates();
  const pem = (name: string): string => readFileSync(file(name), "utf8");
  const [ca, cert, key] = [pem("ca.pem"), pem("client.pem"), pem("client.key")];
  tls = { ca, cert, key, serverName: "server.test" };
  etcd = new LocalEtcd({
    folder: file("etcd"),
    members: 1,
    tls: { cert: file("server.pem"), key: file("server.key"), ca: file("ca.pem"), client: tls },
  });
  await etcd.start();
});
afterAll(async () => {
  for (const client of clients) client.close();
  await etcd.kill();
});

function aClient(options: Omit<ConstructorParameters<typeof EtcdClient>[0], "endpoints">) {
  const client = new EtcdClient({ endpoints: etcd.endpoints, deadlineMs: 60_000, ...options });
  clients.push(client);
  return client;
}

const etcdctl = (...args: readonly string[]): string => {
  const how = [
    `--endpoints=https://${etcd.endpoints[0]}`,
    "--insecure-skip-tls-verify",
    `--cacert=${file("ca.pem")}`,
    `--cert=${file("client.pem")}`,
    `--key=${file("client.key")}`,
  ];
  const env = { ...process.env, ETCDCTL_API: "3" };
  return execFileSync("etcdctl", [...how, ...args], { encoding: "utf8", env, stdio: "pipe" });
};

const write = (client: EtcdClient, key: string): Promise<unknown> =>
  client.txn({ compare: [], success: [put(key, "x")] });

describe("TLS", () => {
  test("a client with a certificate is served, by the address as people write it", async () => {
    const files = `ca=${file("ca.pem")}&cert=${file("client.pem")}&key=${file("client.key")}`;
    const address = `etcds://${etcd.endpoints[0]}/somewhere?${files}&server-name=server.test`;
    const client = aClient(parseEtcdAddress(address));
    await write(client, "secure");
    expect(etcdctl("get", "secure")).toBe("secure\nx\n");
  });

  test("without a certificate, without TLS or with another name, nothing is sent", async () => {
    const { ca, cert, key } = tls;
    const others = [{ tls: { ca, serverName: "server.test" } }, {}, { tls: { ca, cert, key } }];
    for (const options of [...others, { tls: { cert, key, serverName: "server.test" } }]) {
      const client = aClient({ ...options, deadlineMs: 300 });
      const error: unknown = await write(client, "open").catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(EtcdUnavailable);
    }
    expect(etcdctl("get", "open")).toBe("");
  });
});

describe("users", () => {
  const user = { name: "berth", password: "open %& sesame" };

  beforeAll(() => {
    etcdctl("user", "add", "root:root");
    etcdctl("user", "add", `${user.name}:${user.password}`);
    etcdctl("role", "add", "writer");
    etcdctl("role", "grant-permission", "writer", "readwrite", "--prefix", "own/");
    etcdctl("user", "grant-role", user.name, "writer");
    etcdctl("user", "grant-role", "root", "root");
  });

  test("a password is used once it is wanted, and the token is renewed when it has ended", async () => {
    const client = aClient({ tls, user });
    // Nobody asks for it yet.
    await write(client, "own/before");
    const told: string[] = [];
    etcdctl("auth", "enable");
    await write(client, "own/after");
    const { revision } = await client.range({ key: bytes("own/"), end: bytes("own0") });
    client.watch({
      key: bytes("own/"),
      end: bytes("own0"),
      from: revision + 1n,
      onEvents: (events) => told.push(...events.map(({ kv }) => Buffer.from(kv.key).toString())),
      onCompacted: () => told.push("compacted"),
    });
    // A second client of the same user ends nothing of the first; a restart ends every token there is.
    await write(aClient({ tls, user }), "own/second");
    await etcd.member(0).restart();
    await etcd.healthy();
    await write(client, "own/third");
    await until(() => told.length === 2);
    expect(told).toEqual(["own/second", "own/third"]);
    const seen = await client.range({ key: bytes("own/"), end: bytes("own0"), keysOnly: true });
    expect(texts(seen)).toEqual(["own/after=", "own/before=", "own/second=", "own/third="]);
  });

  test("what the user may not write, a wrong password and no password are refused, and no message shows it", async () => {
    await expect(write(aClient({ tls, user }), "others/x")).rejects.toThrow("permission denied");
    // The name in the certificate stands in for the user's, and is nobody's.
    await expect(write(aClient({ tls }), "own/x")).rejects.toThrow("permission denied");
    const wrong = { name: user.name, password: "wrong secret" };
    const error: unknown = await write(aClient({ tls, user: wrong }), "own/x").catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(EtcdRefused);
    expect(String(error)).toContain("Etcd rejected the request to log in as berth");
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toContain("wrong secret");
  });
});
