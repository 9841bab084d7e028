/**
 * A person logs in at a plane through an OpenID provider, and works with `berth` and with the real kubectl. The
 * plane and the provider are on real sockets over TLS, and the command line is the built one.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { AnIssuer } from "../../builders/an-issuer.ts";
import { type Running, startPlane } from "../../cli/a-running-plane.ts";
import { BuiltBerth, type Said } from "./a-built-berth.ts";
import { scratchFolder } from "../../contract/scratch-folder.ts";

const folder = scratchFolder();
const data = join(folder, "plane");
const berth = new BuiltBerth(folder);
const logins = join(folder, "config", "berth", "logins.json");
const issuerCa = join(folder, "issuer.crt");
const serverCa = join(data, "loopback.crt");
let issuer: AnIssuer;
let plane: Running;
let server: string;

/** As a browser would: follows the provider to the local port. */
function visit(address: string): void {
  request(address, { ca: issuer.ca }, (answer) => {
    answer.resume();
    void fetch(answer.headers.location ?? "");
  }).end();
}

async function login(...more: readonly string[]): Promise<Said> {
  let visited = false;
  return berth.run(
    ["login", "--server", server, "--ca-file", serverCa, "--no-browser", ...more],
    (err) => {
      const address = /https:\/\/\S+authorize\S+\n/.exec(err)?.[0];
      if (address === undefined || visited) return;
      visited = true;
      visit(address.trim());
    },
  );
}

beforeAll(async () => {
  await berth.build();
  issuer = await AnIssuer.start();
  writeFileSync(issuerCa, issuer.ca);
  const authConfig = join(folder, "auth.json");
  writeFileSync(
    authConfig,
    JSON.stringify({
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "AuthenticationConfiguration",
      jwt: [
        {
          issuer: { url: issuer.url, audiences: ["cli"], certificateAuthority: issuer.ca },
          claimMappings: {
            username: { claim: "sub", prefix: "oidc:" },
            groups: { claim: "groups", prefix: "oidc:" },
          },
        },
      ],
    }),
  );
  plane = await startPlane({ data, authConfig });
  server = plane.url.replace("http:", "https:");
});
afterAll(async () => {
  await plane.stop();
  await issuer.close();
});

describe("a person who logs in", () => {
  test("[LI1] is known by the plane, and the login is kept in a file of the person alone", async () => {
    const first = await login(
      "--issuer",
      issuer.url,
      "--client-id",
      "cli",
      "--issuer-ca",
      issuerCa,
    );
    expect(first).toMatchObject({ code: 0 });
    expect(first.out).toMatch(
      /Logged in at https.*\nUser {5}oidc:ana\nGroups {3}oidc:devs, system:auth/,
    );
    expect(statSync(logins).mode & 0o777).toBe(0o600);
    const who = await berth.run(["whoami", "--server", server]);
    expect(who.out).toMatch(/oidc:ana/);
    // A login at one address opens no other: the same plane under its plain address gets no token.
    expect((await berth.run(["whoami", "--server", plane.url])).err).toMatch(/Send a token/);
  });

  test("[LI2] is renewed by itself, once for all commands at the same time", async () => {
    const stored = JSON.parse(readFileSync(logins, "utf8")) as { logins: { expiresMs: number }[] };
    for (const each of stored.logins) each.expiresMs = 0;
    writeFileSync(logins, JSON.stringify(stored));
    issuer.asked.length = 0;
    const both = await Promise.all([1, 2].map(() => berth.run(["whoami", "--server", server])));
    expect(both.map(({ out }) => out)).toEqual([
      expect.stringMatching(/ana/),
      expect.stringMatching(/ana/),
    ]);
    expect(issuer.asked.filter((path) => path === "/token")).toHaveLength(1);
  });

  test("[LI3] works with kubectl through a kubeconfig without a token", async () => {
    const made = await berth.run(["kubeconfig", "--exec", "--server", server]);
    expect(made.code).toBe(0);
    expect(made.out).not.toMatch(/ token:/);
    const file = join(folder, "kubeconfig");
    writeFileSync(file, made.out);
    const get = await berth.run(
      ["--kubeconfig", file, "get", "--raw", "/whoami"],
      () => {},
      "kubectl",
    );
    expect(get.out).toMatch(/"user":"oidc:ana"/);
  });

  test("[LI4] on a machine without a browser types a code elsewhere", async () => {
    const said = await login("--device");
    expect(said.err).toMatch(/type the code ABCD-EFGH/);
    expect(said.out).toMatch(/oidc:ana/);
  });

  test("[LI1] is told the cause when the plane or the provider refuses, and keeps the old login", async () => {
    const before = readFileSync(logins, "utf8");
    const wrong = await login("--client-id", "other");
    expect(wrong).toMatchObject({ code: 2, err: expect.stringMatching(/for another audience/) });
    const plain = await berth.run([
      "login",
      "--server",
      "http://plane.example:6900",
      "--issuer",
      issuer.url,
      "--client-id",
      "cli",
    ]);
    expect(plain.err).toMatch(/sent in clear: use https/);
    expect(readFileSync(logins, "utf8")).toBe(before);
    issuer.refreshTokens.clear();
    writeFileSync(logins, before.replaceAll(/"expiresMs": \d+/g, '"expiresMs": 0'));
    const ended = await berth.run(["whoami", "--server", server]);
    expect(ended.err).toMatch(/has ended: run `berth login`/);
    await berth.run(["logout", "--server", server]);
    expect((await berth.run(["credential", "--server", server])).err).toMatch(/There is no login/);
  });
});
