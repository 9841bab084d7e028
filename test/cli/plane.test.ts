import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { deferred } from "../../src/cli/deferred.ts";
import { UserError } from "../../src/shell/errors.ts";
import { runPlane } from "../../src/cli/plane/run-plane.ts";
import type { PlaneCommandOptions } from "../../src/cli/commands/plane.ts";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { VERSION } from "../../src/shell/version.ts";
import { Collector } from "../api/telemetry/a-collector.ts";
import { until } from "../host/a-running-plane.ts";
import { runCommand } from "./a-served-plane.ts";
import { removeFolder } from "../builders/remove-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-plane-"));
afterAll(() => removeFolder(folder));

const quiet = { listen: "127.0.0.1:0", logLevel: "silent" } as const;

interface Running {
  readonly out: string;
  readonly url: string;
  stop(): Promise<void>;
}

async function startPlane(options: PlaneCommandOptions): Promise<Running> {
  const stopped = deferred<string>();
  const said = deferred<string>();
  const terminal = { out: said.resolve, err: () => {}, exitCode: 0 };
  const running = runPlane({ ...quiet, ...options }, terminal, stopped.promise);
  const out = await Promise.race([said.promise, running.then(() => "it ended")]);
  const stop = async (): Promise<void> => {
    stopped.resolve("the test");
    await running;
  };
  return { out, url: /http\S+(?=,)/.exec(out)?.[0] ?? "", stop };
}

async function mistakeOf(options: PlaneCommandOptions): Promise<string> {
  const terminal = { out: () => {}, err: () => {}, exitCode: 0 };
  try {
    await runPlane({ ...quiet, ...options }, terminal, Promise.resolve("at once"));
    return "none";
  } catch (error) {
    if (error instanceof UserError) return `${error.code}: ${error.message}`;
    throw error;
  }
}

describe("berth plane", () => {
  it("leaves its address where other commands find it, keeps what was written, and goes cleanly", async () => {
    const data = join(folder, "whole");
    const first = await startPlane({ data });
    expect(first.out).toContain(
      `Plane at ${first.url}, log in ${join(data, "log.db")}.\nDashboard: ${first.url}/`,
    );
    expect(JSON.parse(readFileSync(join(data, "plane.json"), "utf8"))).toEqual({
      url: first.url,
      pid: process.pid,
      startTicks: startTicksOf(process.pid),
      tokenFile: join(data, "admin.token"),
      caFiles: [join(data, "loopback.crt")],
    });
    const { out: kubeconfig } = await runCommand(["kubeconfig", "--data", data]);
    expect(kubeconfig).toContain(`server: ${first.url.replace("http:", "https:")}`);
    expect(kubeconfig).toContain("certificate-authority-data: ");
    const tenant = join(folder, "tenant.yaml");
    writeFileSync(tenant, "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: kept }\n");
    expect(await runCommand(["apply", "-f", tenant, "--data", data])).toMatchObject({ code: 0 });
    expect(await runCommand(["version", "--data", data])).toMatchObject({
      code: 0,
      out: expect.stringContaining(`plane ${VERSION} at ${first.url}`),
    });
    await first.stop();
    expect(existsSync(join(data, "plane.json"))).toBe(false);
    const second = await startPlane({ data });
    expect(await runCommand(["get", "tenant", "kept", "--data", data])).toMatchObject({ code: 0 });
    await second.stop();
    expect(await runCommand(["replay", data])).toMatchObject({
      code: 0,
      out: expect.stringMatching(/^Replayed \d+ turns of .*: identical to the recording\.\n$/),
    });
  });

  it("keeps no recording when told so, and nothing at all in memory", async () => {
    const data = join(folder, "memory");
    const plane = await startPlane({ data, store: "memory", record: false });
    expect(plane.out).toMatch(/log in memory\.\nDashboard: \S+.*\n$/);
    await plane.stop();
    expect(existsSync(join(data, "log.db"))).toBe(false);
    expect(existsSync(join(data, "recording"))).toBe(false);
  });

  it("says who has the log, and which address is taken", async () => {
    const data = join(folder, "held");
    const plane = await startPlane({ data });
    expect(await mistakeOf({ data })).toMatch(
      new RegExp(`^log-unavailable: .*process ${process.pid} on .* has had it open`),
    );
    const listen = new URL(plane.url).host;
    expect(await mistakeOf({ data: join(folder, "other"), listen })).toMatch(
      /^cannot-listen: .*address already in use/,
    );
    await plane.stop();
  });

  it("changes nothing about a log that is damaged", async () => {
    const data = join(folder, "damaged");
    mkdirSync(data);
    writeFileSync(join(data, "log.db"), "not a log at all".repeat(100));
    expect(await mistakeOf({ data })).toMatch(/^log-damaged: .*Move the file aside/);
  });

  it.each<[PlaneCommandOptions, RegExp]>([
    [{ listen: "0.0.0.0:0" }, /^open-to-all: .*127\.0\.0\.1/],
    [{ schedulers: "0" }, /^bad-usage: .*--schedulers: found 0, expected 1 to 16/],
    [{ tlsCert: "x.pem" }, /^bad-usage: .*--tls-cert and --tls-key must be used together/],
    [{ tokenFile: "no-such-file" }, /^unreadable-file: /],
  ])("refuses %j", async (options, expected) => {
    expect(await mistakeOf({ data: join(folder, "refused"), ...options })).toMatch(expected);
    expect(existsSync(join(folder, "refused", "log.db"))).toBe(false);
  });
});

describe("commands that need no plane", () => {
  it("berth kubeconfig says where the plane is and holds the token that was given", async () => {
    const token = join(folder, "token");
    writeFileSync(token, "0123456789abcdef\n");
    const args = ["--server", "http://127.0.0.1:7", "--token-file", token, "-n", "shop"];
    const { out } = await runCommand(["kubeconfig", ...args]);
    expect(parse(out)).toMatchObject({
      kind: "Config",
      // Without this, the JavaScript client refuses plain HTTP.
      clusters: [{ cluster: { server: "http://127.0.0.1:7", "insecure-skip-tls-verify": true } }],
      users: [{ user: { token: "0123456789abcdef" } }],
      contexts: [{ context: { namespace: "shop" } }],
    });
  });

  it("berth version answers without a plane, too", async () => {
    const { code, out } = await runCommand(["version", "--server", "http://127.0.0.1:9"]);
    expect(code).toBe(0);
    expect(out).toMatch(/^berth \d.*\nno plane responds at http:\/\/127\.0\.0\.1:9\n$/);
  });

  it("berth completion prints scripts that shells can read", async () => {
    const { out } = await runCommand(["completion", "bash"]);
    const asked = `${out}\nCOMP_WORDS=(berth get wor) COMP_CWORD=2; _berth; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync("bash", ["-c", asked], { encoding: "utf8" })).toBe("workloads\n");
    for (const shell of ["zsh", "fish"]) {
      expect((await runCommand(["completion", shell])).out).toContain("cordon");
    }
    expect(await runCommand(["completion", "cmd"])).toMatchObject({ code: 2 });
  });

  it("berth replay names the folder that holds no recording", async () => {
    const { code, err } = await runCommand(["replay", tmpdir()]);
    expect(code).toBe(2);
    expect(err).toMatch(/it has no chapter-\*\.jsonl.*\[invalid-file\]/);
  });

  it.each([
    [["up", "--agents", "0"], /--agents: found 0, expected 1 to 50/],
    [["up", "--regions", "9"], /--regions: found 9, expected 1 to 6/],
    [["up", "--listen", "nowhere"], /--listen: found "nowhere"/],
  ])("%j is refused before anything is started", async (args, expected) => {
    const { code, err } = await runCommand([...args, "--data", join(folder, "up")]);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
    expect(existsSync(join(folder, "up"))).toBe(false);
  });
});

describe("traces of a plane", () => {
  it("go to the collector that the command line names", async () => {
    const collector = await new Collector().open();
    const data = join(folder, "traced");
    const plane = await startPlane({
      data,
      store: "memory",
      otlp: collector.url.replace("/v1/traces", "/"),
      otlpSample: "1",
      decisionLog: join(folder, "decisions.jsonl"),
    });
    const file = join(folder, "traced.yaml");
    writeFileSync(
      file,
      `{apiVersion: berth.dev/v1, kind: Tenant, metadata: {name: shop}}
---
{apiVersion: berth.dev/v1, kind: Quota, metadata: {name: default, namespace: shop}, spec: {limit: {cpu: 4, memory: 4Gi}}}
---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api, namespace: shop }
spec: { replicas: 1, resources: { cpu: 500m, memory: 256Mi }, run: { command: [sleep, "60"] } }
`,
    );
    expect(await runCommand(["apply", "-f", file, "--data", data])).toMatchObject({ code: 0 });
    await until("the span of the admission", () =>
      collector.spans.find(({ name }) => name === "admitted"),
    );
    await plane.stop();
    await collector.close();
    const lines = readFileSync(join(folder, "decisions.jsonl"), "utf8").trim().split("\n");
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual(
      expect.objectContaining({ controller: "admit", workload: "api", outcome: "committed" }),
    );
  });

  it.each([
    [
      { otlp: "collector:4318" },
      /^bad-usage: .*--otlp: found "collector:4318", expected a collector address/,
    ],
    [{ otlp: "http://127.0.0.1:1", otlpSample: "2" }, /^bad-usage: .*--otlp-sample: found "2"/],
  ])("%j is refused before anything is opened", async (options, expected) => {
    expect(await mistakeOf({ ...options, data: join(folder, "untraced") })).toMatch(expected);
    expect(existsSync(join(folder, "untraced"))).toBe(false);
  });
});
