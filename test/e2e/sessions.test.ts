/** Sessions with real replicas: a plane on disk, an agent, `berth` and the real kubectl. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import { type RunningAgent, runAgent } from "../../src/agent/run-agent.ts";
import { HttpCaller } from "../../src/shell/http-caller.ts";
import { SessionAnswers } from "../../src/agent/sessions/session-answers.ts";
import { exec } from "../../src/cli/commands/exec.ts";
import { portForward } from "../../src/cli/commands/port-forward.ts";
import { printableTerminal } from "../../src/cli/text/terminal-text.ts";
import { BerthClient } from "../../src/client/client.ts";
import { eventually, isAlive } from "../agent/a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";
import { ServedPlane } from "./served-plane.ts";

const plane = new ServedPlane();
const folder = mkdtempSync(join(tmpdir(), "berth-sessions-"));
let agent: RunningAgent;
let client: BerthClient;

const MAIN = new URL("../../src/cli/main.ts", import.meta.url).href;

const SERVER = `require("http").createServer((q, r) => r.end("hello " + q.url)).listen(process.env.PORT, "127.0.0.1")`;

beforeAll(async () => {
  await plane.start();
  client = new BerthClient({ server: plane.url, namespace: "shop" });
  await client.kind("Tenant").apply({ metadata: { name: "shop" } });
  await client
    .kind("Quota")
    .apply({ metadata: { name: "default" }, spec: { limit: { cpu: 4, memory: "4Gi" } } });
  agent = await runAgent({
    node: {
      name: "n1",
      region: "eu",
      zone: "eu-a",
      cpuMillis: 4_000,
      memoryMiB: 4_096,
      deviceClass: "",
      deviceIds: [],
      labels: {},
    },
    servers: [new URL(plane.url)],
    folder,
    credentials: {},
    address: "127.0.0.1",
    note: () => undefined,
    onBroken: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await agent.stop({ stopProcesses: true });
  await plane.remove();
  await removeFolder(folder);
});

/** Runs it, and resolves with the replica's name once it serves. */
async function aWorkload(name: string): Promise<string> {
  await client.kind("Workload").apply({
    metadata: { name },
    spec: {
      resources: { cpu: "100m", memory: "128Mi" },
      run: { command: [process.execPath, "-e", SERVER], env: { GREETING: "hi" }, ports: ["http"] },
    },
  });
  for await (const event of client.kind("Replica").watch({})) {
    const seen = event.type === "LISTED" ? event.objects : [event.object];
    const served = seen.find(
      ({ spec, status }) => spec?.workload === name && status?.stage === "serving",
    );
    if (served !== undefined) return served.metadata.name;
  }
  throw new Error("The watch ended.");
}

interface Said {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

async function run(name: string, command: readonly string[], input?: Readable): Promise<Said> {
  const said = { out: "", err: "" };
  const terminal = printableTerminal({
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    exitCode: 0,
  });
  const options = { server: plane.url, ...(input === undefined ? {} : { stdin: true }) };
  await exec({ name, command, options, terminal, input: input ?? Readable.from([]) });
  return { code: terminal.exitCode, ...said };
}

const sh = (script: string): readonly string[] => ["/bin/sh", "-c", script];

async function kubectl(...args: string[]): Promise<Said> {
  const child = spawn("kubectl", [`--server=${plane.url}`, "-n", "shop", ...args]);
  const said = { out: "", err: "" };
  child.stdout.on("data", (text: Buffer) => (said.out += text.toString()));
  child.stderr.on("data", (text: Buffer) => (said.err += text.toString()));
  child.stdin.end("from kubectl\n");
  const code = await new Promise<number>((resolve) =>
    child.once("close", (status) => resolve(status ?? -1)),
  );
  return { code, ...said };
}

describe("a session", () => {
  it("[AP361] runs a command in the environment and the folder of the replica", async () => {
    const replica = await aWorkload("api");
    const said = await run(
      replica,
      sh('echo "$GREETING $BERTH_REPLICA $PWD"; echo no >&2; exit 3'),
    );
    expect(said).toMatchObject({ code: 3, err: "no\n" });
    expect(said.out).toMatch(new RegExp(`^hi shop/${replica} .*/work\n$`));
    const fed = await run(
      "workload/api",
      ["cat"],
      Readable.from([Buffer.from("ab"), Buffer.from("c\n")]),
    );
    expect(fed).toMatchObject({ code: 0, out: "abc\n" });
    await expect(run(replica, ["/no/such/program"])).resolves.toMatchObject({ code: 127 });
    await expect(run("shop/nothing", ["true"])).rejects.toThrow("There is no replica nothing");
  });

  it("[AP370] gives a pipe the bytes that the command wrote", async () => {
    const replica = await aWorkload("api");
    const script = `import { main } from ${JSON.stringify(MAIN)}; process.exitCode = await main(process.argv.slice(1));`;
    const words = [
      "exec",
      "--server",
      plane.url,
      replica,
      "--",
      ...sh(String.raw`printf '\377\000\303'`),
    ];
    const child = spawn(process.execPath, [
      "--import",
      "tsx",
      "--input-type=module",
      "-e",
      script,
      ...words,
    ]);
    const parts: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => parts.push(part));
    const code = await new Promise((resolve) => child.once("close", resolve));
    expect([code, Buffer.concat(parts)]).toEqual([0, Buffer.from([0xff, 0x00, 0xc3])]);
  });

  it("[AP361] runs a command for kubectl, with its exit code and its input", async () => {
    const replica = await aWorkload("api");
    const ran = await kubectl("exec", replica, "--", ...sh("echo $GREETING; exit 4"));
    expect(ran).toMatchObject({ code: 4, out: "hi\n" });
    const fed = await kubectl("exec", "-i", replica, "--", "cat");
    expect(fed).toEqual({ code: 0, out: "from kubectl\n", err: "" });
    const forwarded = await kubectl("port-forward", replica, "0:http");
    expect(forwarded.code).not.toBe(0);
  });

  it("[AP362] is in the audit trail before the command runs", async () => {
    const replica = await aWorkload("api");
    const { revision } = plane.running;
    const seen = await run(replica, sh(`echo run`));
    expect(seen.out).toBe("run\n");
    const response = await fetch(`${plane.url}/audit?key=workload/shop/api&limit=1`);
    const text = await response.text();
    expect(text).toContain(`began a session with a replica of shop/api`);
    expect(text).toContain("echo run");
    expect(plane.running.revision).toBeGreaterThan(revision);
  });

  it("[AP363] ends its command, and the children of the command, with a killed client", async () => {
    const replica = await aWorkload("api");
    const file = join(folder, "pids-client");
    const script = sh(`sleep 1000 & echo $! $$ > ${file}; wait`);
    const child = spawn("kubectl", [
      `--server=${plane.url}`,
      "-n",
      "shop",
      "exec",
      replica,
      "--",
      ...script,
    ]);
    const begun = await begunIn(file, 2);
    child.kill("SIGKILL");
    expect(await gone(begun)).toBe(true);
  });

  it("[AP363] ends a command that a killed agent left, when the next agent comes", async () => {
    const replica = await aWorkload("api");
    const file = join(folder, "pids-agent");
    const running = run(replica, sh(`sleep 1000 & echo $! $$ > ${file}; wait`));
    const begun = await begunIn(file, 2);
    const next = new SessionAnswers({ folder, caller: new HttpCaller({}) });
    expect(await gone(begun)).toBe(true);
    next.close();
    await expect(running).resolves.toMatchObject({ code: 137 });
    // It is written down only while it runs.
    const left = readdirSync(folder, { recursive: true, encoding: "utf8" });
    expect(left.filter((path) => path.includes("/exec-"))).toEqual([]);
  });

  it("[AP363] ends its command when the plane goes away", async () => {
    const replica = await aWorkload("api");
    const file = join(folder, "pids-plane");
    const running = run(replica, sh(`sleep 1000 & echo $! $$ > ${file}; wait`));
    const ended = running.catch((error: unknown) => error);
    const begun = await begunIn(file, 2);
    await plane.stop();
    await gone(begun);
    expect(String(await ended)).toContain("The plane is stopping.");
    await plane.start();
  });

  it("[AP363] ends with the replica", async () => {
    const replica = await aWorkload("gone");
    const pids = join(folder, "pids-gone");
    const running = run(replica, sh(`echo $$ > ${pids}; exec sleep 1000`));
    const begun = await begunIn(pids, 1);
    await client.kind("Workload").delete("gone");
    await expect(running).resolves.toMatchObject({ code: 137 });
    await gone(begun);
  });
});

const begunIn = (file: string, count: number): Promise<readonly number[]> =>
  eventually("the command to say its pids", () => {
    const pids = readPids(file);
    return pids.length === count && pids.every(isAlive) ? pids : undefined;
  });

const gone = (pids: readonly number[]): Promise<boolean> =>
  eventually("the command to be gone", () => !pids.some(isAlive));

function readPids(file: string): readonly number[] {
  try {
    return readFileSync(file, "utf8").trim().split(/\s+/).filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

test("[AP364] port-forward reaches a port of the replica, and no other port of the machine", async () => {
  const replica = await aWorkload("api");
  const said = { out: "", err: "" };
  const terminal = printableTerminal({
    out: (text) => void (said.out += text),
    err: (text) => void (said.err += text),
    exitCode: 0,
  });
  const stop = new AbortController();
  const forward = async (ports: string): Promise<string> => {
    const before = said.out.length;
    void portForward({
      name: replica,
      ports,
      options: { server: plane.url },
      terminal,
      signal: stop.signal,
    });
    await eventually(
      "the port to be there",
      () => /127\.0\.0\.1:\d+ to/.test(said.out.slice(before)) || undefined,
    );
    return `http://${/127\.0\.0\.1:\d+/.exec(said.out.slice(before))?.[0]}`;
  };
  const url = await forward("0:http");
  const answers = await Promise.all(
    ["/a", "/b", "/c"].map(async (path) => (await fetch(url + path)).text()),
  );
  expect(answers).toEqual(["hello /a", "hello /b", "hello /c"]);
  const other = createServer((socket) => socket.end("secret"));
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  await expect(fetch(await forward(`0:${port}`))).rejects.toThrow("fetch failed");
  expect(said.err).toContain(`The replica has no port ${port}; it has: http (`);
  stop.abort();
  other.close();
});
