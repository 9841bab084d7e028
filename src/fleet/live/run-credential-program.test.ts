import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aKubeApi } from "../../../test/builders/a-kube-api.ts";
import { kubeNodes, owned } from "../../../test/builders/a-kube-cluster.ts";
import { runBerth } from "../../../test/builders/run-berth.ts";
import { readKubeconfig } from "./read-kubeconfig.ts";
import { withCredential } from "./run-credential-program.ts";

const VERSION = "client.authentication.k8s.io/v1";

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-credential-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A program of its own, as a cloud's command line is one. */
function program(name: string, lines: readonly string[]): string {
  const file = join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${lines.join("\n")}\n`);
  chmodSync(file, 0o755);
  return file;
}

function config(exec: object, server = "https://127.0.0.1:1"): string {
  const file = join(folder, "config");
  const whole = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "main",
    contexts: [{ name: "main", context: { cluster: "one", user: "me" } }],
    clusters: [{ name: "one", cluster: { server } }],
    users: [{ name: "me", user: { exec: { apiVersion: VERSION, ...exec } } }],
  };
  writeFileSync(file, JSON.stringify(whole));
  return file;
}

const credential = (status: object): string =>
  JSON.stringify({ apiVersion: VERSION, kind: "ExecCredential", status });

const access = (exec: object, named: string | undefined, timeoutMs?: number) =>
  withCredential(readKubeconfig(config(exec), undefined), named, timeoutMs);

describe("a kubeconfig whose user runs a program", () => {
  test("is read with the token that the program prints, told its arguments as they are", async () => {
    const command = program("token", [
      `[ "$1" = 'a; $(b)' ] && [ "$REGION" = eu ] || exit 3`,
      `case "$KUBERNETES_EXEC_INFO" in *'"interactive":false'*) ;; *) exit 4 ;; esac`,
      `echo '${credential({ token: "from-program" })}'`,
    ]);
    const exec = { command, args: ["a; $(b)"], env: [{ name: "REGION", value: "eu" }] };
    const api = await aKubeApi({ objects: [...kubeNodes("a", 1), ...owned("web", ["a-0"])] });
    try {
      const file = config(exec, api.url);
      const { out, code } = await runBerth(
        "import",
        "kubernetes",
        "--kubeconfig",
        file,
        "--exec",
        command,
      );
      expect(out).toContain("1 node, 1 pod (1 on a node)");
      expect(code).toBe(0);
      expect(api.seen.every(({ authorization }) => authorization === "Bearer from-program")).toBe(
        true,
      );
    } finally {
      await api.close();
    }
  });

  test("is read with its certificate, and is told of the cluster if it asks to be", async () => {
    const command = program("certificate", [
      `case "$KUBERNETES_EXEC_INFO" in *127.0.0.1*) ;; *) exit 4 ;; esac`,
      `echo '${credential({ clientCertificateData: "C", clientKeyData: "K" })}'`,
    ]);
    const found = await access({ command, provideClusterInfo: true }, command);
    expect(found).toMatchObject({ clientCert: "C", clientKey: "K" });
    expect(found).not.toHaveProperty("authorization");
  });

  test("runs nothing that a person has not named", async () => {
    const left = join(folder, "left");
    const command = program("unnamed", [`touch ${left}`]);
    await expect(access({ command }, undefined)).rejects.toThrow(/Say --exec .*unnamed to run it/);
    await expect(access({ command }, "aws")).rejects.toThrow(/--exec names aws, and the user/);
    expect(existsSync(left)).toBe(false);
  });

  test.each([
    { lines: ["echo not now >&2", "exit 7"], why: /ended with code 7: not now\./ },
    { lines: ["echo '{}'"], why: /printed no ExecCredential of client/ },
    { lines: [`echo '${credential({})}'`], why: /neither a token nor a certificate/ },
    { lines: ["head -c 2000000 /dev/zero"], why: /printed more than 1048576 bytes/ },
  ])("fails with the cause: $why", async ({ lines, why }) => {
    const command = program("fails", lines);
    await expect(access({ command }, command)).rejects.toThrow(why);
  });

  test("does not wait for a program without an end", async () => {
    const command = program("endless", ["sleep 1000"]);
    await expect(access({ command }, command, 100)).rejects.toThrow(/did not end within 0\.1 s/);
  });

  test("says that a program is not there", async () => {
    await expect(access({ command: "no-such-program" }, "no-such-program")).rejects.toThrow(
      /cannot be run: .*ENOENT/,
    );
  });

  test("sends its credential over no network unencrypted", () => {
    expect(() => readKubeconfig(config({ command: "aws" }, "http://10.0.0.1"), undefined)).toThrow(
      /unencrypted/,
    );
  });
});

test("a kubeconfig without a program takes none", async () => {
  const file = config({ command: "aws" });
  const { program: _, ...plain } = readKubeconfig(file, undefined);
  await expect(withCredential(plain, "aws")).rejects.toThrow(/runs no program.*Leave it out/);
});
