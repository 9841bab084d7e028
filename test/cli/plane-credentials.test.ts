/**
 * Who is let in by a plane that was started without saying so, and what becomes of tokens and certificates whose files
 * change while it runs. One plane with files of its own, and one with a list and a certificate, in this process.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { dashboardLine } from "../../src/cli/client/dashboard-line.ts";
import { scratchFolder } from "../contract/scratch-folder.ts";
import { type Running, startPlane } from "./a-running-plane.ts";
import { runCommand } from "./a-served-plane.ts";

const folder = scratchFolder();

const bearer = (token: string): { readonly authorization: string } => ({
  authorization: `Bearer ${token}`,
});

/** What a service manager sends to reload; in this process every plane hears it. */
const hangUp = (): void => void process.emit("SIGHUP", "SIGHUP");

describe("a plane that was told of no tokens", () => {
  const data = join(folder, "own");
  let plane: Running;
  beforeAll(async () => {
    plane = await startPlane({ data });
  });
  afterAll(() => plane.stop());

  it("[AU4] lets in only the user who started it, by a file that only they read", async () => {
    const file = join(data, "admin.token");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(data, "tokens")).mode & 0o777).toBe(0o600);
    const token = readFileSync(file, "utf8").trim();
    const tenants = `${plane.url}/apis/berth.dev/v1/tenants`;
    expect((await fetch(tenants)).status).toBe(401);
    expect((await fetch(tenants, { headers: bearer("0".repeat(64)) })).status).toBe(401);
    expect((await fetch(tenants, { headers: bearer(token) })).status).toBe(200);
    expect((await fetch(`${plane.url}/healthz`)).status).toBe(200);
  });

  it("[AU4] is found by the commands of that user, with nothing to type", async () => {
    expect(await runCommand(["get", "tenants", "--data", data])).toMatchObject({ code: 0 });
    const bySelf = ["get", "tenants", "--data", data, "--server", plane.url];
    expect(await runCommand(bySelf)).toMatchObject({ code: 0 });
    const { out } = await runCommand(["kubeconfig", "--data", data]);
    const token = readFileSync(join(data, "admin.token"), "utf8").trim();
    expect(parse(out)).toMatchObject({ users: [{ user: { token } }] });
    const other = ["get", "tenants", "--data", join(folder, "none"), "--server", plane.url];
    const { code, err } = await runCommand(other);
    expect(code).toBe(2);
    expect(err).toMatch(/Send a token/);
  });

  it("[AU4] says its token only to a terminal", () => {
    const file = join(data, "admin.token");
    const token = readFileSync(file, "utf8").trim();
    expect(dashboardLine(plane.url, file, false)).not.toContain(token);
    expect(dashboardLine(plane.url, file, true)).toBe(`Dashboard: ${plane.url}/#token=${token}`);
    expect(readFileSync(join(data, "plane.json"), "utf8")).not.toContain(token);
  });

  it("[AU4] acts in the name that its user says, which stands in the log", async () => {
    const token = readFileSync(join(data, "admin.token"), "utf8").trim();
    const headers = { ...bearer(token), "berth-as": "ada" };
    const whoami = await fetch(`${plane.url}/whoami`, { headers });
    expect(await whoami.json()).toMatchObject({ kind: "local", name: "ada" });
  });
});

it("[AU4] only --insecure-local lets in every user of the machine", async () => {
  const plane = await startPlane({ data: join(folder, "open"), insecureLocal: true });
  expect((await fetch(`${plane.url}/apis/berth.dev/v1/tenants`)).status).toBe(200);
  await plane.stop();
});

describe("a plane with a list of tokens and a certificate", () => {
  const tokens = join(folder, "list");
  const cert = join(folder, "cert.pem");
  const key = join(folder, "key.pem");
  const [ana, bob] = ["secret-of-ana-0001", "secret-of-bob-0001"];
  let plane: Running;
  beforeAll(async () => {
    makeCertificate("one");
    writeFileSync(tokens, `admin ana ${ana}\nadmin bob ${bob}\n`);
    plane = await startPlane({
      data: join(folder, "listed"),
      tokenFile: tokens,
      tlsCert: cert,
      tlsKey: key,
    });
  });
  afterAll(() => plane.stop());

  function makeCertificate(name: string): void {
    const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
    const said = ["-subj", `/CN=${name}`, "-days", "2", "-keyout", `${key}.new`];
    const all = ["req", "-x509", ...made, ...said, "-out", `${cert}.new`];
    execFileSync("openssl", all, { stdio: "pipe" });
    renameSync(`${key}.new`, key);
    renameSync(`${cert}.new`, cert);
  }

  interface Seen {
    readonly status: number | undefined;
    readonly certificate: string;
    readonly text: Promise<string>;
  }

  /** Over a connection of its own: a kept one has the certificate that it was opened with. */
  const ask = (path: string, token: string): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const headers = bearer(token);
      const url = `${plane.url}${path}`;
      const asked = request(url, { headers, rejectUnauthorized: false, agent: false }, (answer) => {
        const seen = (answer.socket as TLSSocket).getPeerCertificate();
        const text = (async () => {
          let all = "";
          for await (const part of answer.setEncoding("utf8")) all += String(part);
          return all;
        })().catch(() => "cut");
        resolve({ status: answer.statusCode, certificate: String(seen.subject.CN), text });
      });
      asked.once("error", reject);
      asked.end();
    });

  const metric = async (name: string): Promise<number> => {
    const text = await (await ask("/metrics", bob)).text;
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
  };

  it("[AU2] [AU3] drops a token that leaves the list, on SIGHUP, and ends its watch", async () => {
    const watch = await ask("/apis/berth.dev/v1/tenants?watch=true", ana);
    const others = await ask("/apis/berth.dev/v1/tenants?watch=true", bob);
    let isOver = false;
    void others.text.then(() => (isOver = true));
    writeFileSync(tokens, `admin bob ${bob}\n`);
    hangUp();
    await watch.text;
    expect((await ask("/version", ana)).status).toBe(401);
    expect((await ask("/version", bob)).status).toBe(200);
    expect(isOver).toBe(false);
  });

  it("[AU2] finds by itself that the list has changed", async () => {
    writeFileSync(`${tokens}.new`, `admin ana ${ana}\nadmin bob ${bob}\n`);
    renameSync(`${tokens}.new`, tokens);
    const look = async () => (await ask("/version", ana)).status;
    await expect.poll(look, { timeout: 120_000, interval: 100 }).toBe(200);
  });

  it.each([
    ["empty", ""],
    ["half written", `admin ana ${ana}\nadmin bob sec`],
    ["nonsense", "\u0000\u0001"],
  ])("[AU3] goes on with the old list when the new one is %s, and says so", async (_, text) => {
    const failed = 'berth_credential_reload_failures_total\\{what="tokens"\\}';
    const before = await metric(failed);
    writeFileSync(tokens, text);
    hangUp();
    expect((await ask("/version", ana)).status).toBe(200);
    expect(await metric(failed)).toBeGreaterThan(before || 0);
    expect(await metric('berth_credential_stale\\{what="tokens"\\}')).toBe(1);
    writeFileSync(tokens, `admin ana ${ana}\nadmin bob ${bob}\n`);
    hangUp();
    expect(await metric('berth_credential_stale\\{what="tokens"\\}')).toBe(0);
  });

  it("[AU3] serves with a new certificate, and with the old one while the new one fits no key", async () => {
    expect((await ask("/version", bob)).certificate).toBe("one");
    const old = readFileSync(key, "utf8");
    makeCertificate("two");
    const fitting = readFileSync(key, "utf8");
    writeFileSync(key, old);
    hangUp();
    expect((await ask("/version", bob)).certificate).toBe("one");
    expect(await metric('berth_credential_stale\\{what="tls"\\}')).toBe(1);
    writeFileSync(key, fitting);
    chmodSync(key, 0o600);
    hangUp();
    expect((await ask("/version", bob)).certificate).toBe("two");
    expect(await metric('berth_credential_stale\\{what="tls"\\}')).toBe(0);
  });
});
