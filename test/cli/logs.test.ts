import { appendFileSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTicksOf } from "../../src/shell/process-identity.ts";
import { HttpPlaneLink } from "../../src/agent/plane/plane-link.ts";
import { logs } from "../../src/cli/commands/logs.ts";
import { printableTerminal } from "../../src/cli/text/terminal-text.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
let agent: HttpPlaneLink;

/** The link of an agent without its processes: all that logs need of it. */
async function connectAgent(): Promise<HttpPlaneLink> {
  let isConnected = false;
  const link = new HttpPlaneLink({
    node: "n1",
    servers: [new URL(cli.url)],
    folder: join(cli.folder, "n1"),
    credentials: {},
    give: ({ kind }) => {
      if (kind === "watch") isConnected = true;
    },
    note: () => undefined,
  });
  link.list();
  await cli.until("the agent to be connected", () => (isConnected ? true : undefined));
  return link;
}

beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
  await cli.report(2, "serving");
  agent = await connectAgent();
});
afterAll(async () => {
  agent.close();
  await cli.stop();
});

/** As the process of that incarnation would have left it. */
function writeLogs(
  incarnation: number,
  text: string,
  replica = "api.1.0",
): { readonly stdout: string; end: () => void } {
  const folder = join(cli.folder, "n1", "processes", `shop+${replica}+${incarnation}+0a`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stdout.log"), text);
  writeFileSync(join(folder, "stderr.log"), `err of incarnation ${incarnation}\n`);
  const self = `${process.pid} ${startTicksOf(process.pid)}\n`;
  writeFileSync(join(folder, "claim"), self);
  writeFileSync(join(folder, "running"), self);
  const end = (): void => writeFileSync(join(folder, "exit"), "0\n");
  return { stdout: join(folder, "stdout.log"), end };
}

/** As the writer of that log would have noted them. */
const note = (log: string, pairs: string): void =>
  writeFileSync(`${log}.times`, `file ${statSync(log).ino}\n${pairs}`);

describe("berth logs", () => {
  it("prints what the newest process wrote, or the one before, or its last lines", async () => {
    expect(await cli.berth("logs", "api.1.0")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/were removed from its node.*\[/),
    });
    writeLogs(1, "old\n");
    expect((await cli.berth("logs", "api.1.0", "--previous")).err).toMatch(
      /has no earlier process on this node/,
    );
    writeLogs(2, "one\ntwo\nthree\n");
    expect(await cli.berth("logs", "api.1.0")).toEqual({
      code: 0,
      out: "one\ntwo\nthree\n",
      err: "err of incarnation 2\n",
    });
    expect(await cli.must("logs", "api.1.0", "--previous")).toBe("old\n");
    expect(await cli.must("logs", "shop/api.1.0", "--tail", "1")).toBe("three\n");
  });

  it("[AP375] prints the times of lines, and only those since a time", async () => {
    const { stdout } = writeLogs(2, "one\ntwo\n", "api.1.1");
    const stderr = stdout.replace("stdout", "stderr");
    note(stdout, "4 1000000000000000001\n8 1000000060000000000\n");
    note(stderr, "21 1000000000000000000\n");
    const of = ["logs", "api.1.1", "--timestamps"];
    expect(await cli.berth(...of)).toEqual({
      code: 0,
      out: "2001-09-09T01:46:40.000000001Z one\n2001-09-09T01:47:40.000000000Z two\n",
      err: "2001-09-09T01:46:40.000000000Z err of incarnation 2\n",
    });
    const since = ["--since-time", "2001-09-09T01:46:40.000000002Z"];
    expect(await cli.must("logs", "api.1.1", ...since)).toBe("two\n");
    expect(await cli.must("logs", "api.1.1", "--since", "10m")).toBe("");
    const wrong = await cli.berth("logs", "api.1.1", "--since", "10");
    expect(wrong.err).toContain('--since: found "10", expected a duration');
  });

  it("[AP376] warns once of lines that have no times", async () => {
    writeLogs(3, "old\n", "api.1.1");
    const { out, err } = await cli.berth("logs", "api.1.1", "--since", "10m", "--timestamps");
    expect(out).toBe("old\n");
    expect(err.match(/Warning: .*the lines of this log have no times/g)).toHaveLength(1);
  });

  it("follows what is written until the process ends", async () => {
    const { stdout, end } = writeLogs(3, "begin\n");
    let out = "";
    const terminal = printableTerminal({
      out: (text: string) => void (out += text),
      err: () => {},
      exitCode: 0,
    });
    const following = logs("api.1.0", { server: cli.url, follow: true }, terminal);
    await cli.until("the beginning", () => (out === "begin\n" ? true : undefined));
    appendFileSync(stdout, "last words\n");
    end();
    await following;
    expect(out).toBe("begin\nlast words\n");
  });

  it("stops following when it is told to", async () => {
    const { stdout } = writeLogs(4, "begin\n");
    let out = "";
    const terminal = printableTerminal({
      out: (text: string) => void (out += text),
      err: () => {},
      exitCode: 0,
    });
    const ending = new AbortController();
    const following = logs("api.1.0", { server: cli.url, follow: true }, terminal, ending.signal);
    const seen = (text: string) => cli.until(text, () => (out.includes(text) ? true : undefined));
    await seen("begin");
    appendFileSync(stdout, "more\n");
    await seen("more");
    ending.abort();
    await following;
    expect(out).toBe("begin\nmore\n");
  });

  it("prints and follows all replicas of a workload, also those that come later", async () => {
    writeLogs(5, "zero\n", "api.1.0").end();
    writeLogs(1, "one\n", "api.1.1");
    const printed = await cli.must("logs", "workload/api", "--tail", "1");
    expect(printed).toBe(
      "[api.1.0] zero\n[api.1.0] err of incarnation 5\n[api.1.1] one\n[api.1.1] err of incarnation 1\n",
    );
    let out = "";
    const terminal = printableTerminal({
      out: (text: string) => void (out += text),
      err: () => {},
      exitCode: 0,
    });
    const ending = new AbortController();
    const following = logs(
      "wl/shop/api",
      { server: cli.url, follow: true },
      terminal,
      ending.signal,
    );
    const seen = (text: string) => cli.until(text, () => (out.includes(text) ? true : undefined));
    await seen("[api.1.0] zero\n");
    await seen("[api.1.1] one\n");
    await cli.must("scale", "wl/api", "--replicas", "3");
    writeLogs(1, "two\n", "api.1.2");
    await cli.report(1, "serving");
    await seen("[api.1.2] two\n");
    ending.abort();
    await following;
  });

  it("follows a job whose replicas already run", async () => {
    const job = workloadText("job", "  type: batch\n").replace("replicas: 2", "replicas: 1");
    await cli.must("apply", "-f", cli.write("job.yaml", job));
    await cli.report(1, "running");
    writeLogs(1, "at work\n", "job.1.0");
    let out = "";
    const terminal = printableTerminal({
      out: (text: string) => void (out += text),
      err: () => {},
      exitCode: 0,
    });
    const ending = new AbortController();
    const options = { server: cli.url, follow: true };
    const following = logs("wl/shop/job", options, terminal, ending.signal);
    await cli.until("its log", () => (out.includes("err of incarnation 1\n") ? true : undefined));
    ending.abort();
    await following;
    expect(out).toContain("[job.1.0] at work\n");
    const [replica] = [...cli.plane.objects.all("Replica").values()].filter(
      ({ meta }) => meta.name === "job.1.0",
    );
    await cli.must("delete", "wl/shop/job");
    await cli.until("the replica to be stopped", () =>
      cli.plane.objects.replica(replica!.key)?.status.stopping === undefined ? undefined : true,
    );
    await cli.reportOne(replica!, "released");
    await cli.until("the replica to be gone", () =>
      cli.plane.objects.replica(replica!.key) === undefined ? true : undefined,
    );
  });

  it("[AP238] prints the log of a replica that is gone, from the node that it ran on", async () => {
    const gone = [...cli.plane.objects.all("Replica").values()].find(
      ({ meta }) => meta.name === "api.1.2",
    )!;
    await cli.must("scale", "wl/api", "--replicas", "2");
    await cli.until("the replica to be stopped", () => {
      const now = cli.plane.objects.replica(gone.key);
      return now?.status.stopping !== undefined ? true : undefined;
    });
    await cli.reportOne(gone, "released");
    await cli.until("the replica to be gone", () =>
      cli.plane.objects.replica(gone.key) === undefined ? true : undefined,
    );
    expect(await cli.must("logs", "shop/api.1.2")).toBe("two\n");
    expect((await cli.berth("logs", "shop/api.1.77")).err).toContain("There is no replica");
  });

  it("says why there is nothing to read", async () => {
    await cli.must("scale", "wl/api", "--replicas", "100");
    await cli.until("the surplus to be admitted", () =>
      cli.plane.objects.all("Replica").size === 100 ? true : undefined,
    );
    const { code, err } = await cli.berth("logs", "api.1.99");
    expect(code).toBe(2);
    expect(err).toMatch(/has had no process yet; `berth describe replica api\.1\.99` says why/);
  });

  it("says so when the node's agent is not connected", async () => {
    agent.close();
    const { code, err } = await cli.berth("logs", "api.1.0");
    expect(code).toBe(1);
    // The plane may not have noticed yet; then it has waited for an answer.
    expect(err).toMatch(/The agent of the node did not respond. .*\bn1\b/);
  });
});
