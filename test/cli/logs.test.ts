import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { logs } from "../../src/cli/logs.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
  await cli.report(2, "serving");
});
afterAll(() => cli.stop());

function writeLogs(life: number, text: string): string {
  const folder = join(cli.folder, "agents", "n1", "processes", `shop+api.1.0+${life}+0a`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "stdout.log"), text);
  writeFileSync(join(folder, "stderr.log"), `err of life ${life}\n`);
  return join(folder, "stdout.log");
}

describe("berth logs", () => {
  it("says where the logs of another machine's replica are", async () => {
    const { code, err } = await cli.berth(
      "logs",
      "api.1.1",
      "--data",
      join(cli.folder, "elsewhere"),
    );
    expect(code).toBe(2);
    expect(err).toMatch(
      /api\.1\.1 runs on n1, which keeps no logs in this folder.*\[logs-elsewhere\]/,
    );
  });

  it("prints what the newest process wrote, or the one before, or its last lines", async () => {
    writeLogs(1, "old\n");
    writeLogs(2, "one\ntwo\nthree\n");
    const data = ["--data", cli.folder];
    expect(await cli.berth("logs", "api.1.0", ...data)).toEqual({
      code: 0,
      out: "one\ntwo\nthree\n",
      err: "err of life 2\n",
    });
    expect(await cli.must("logs", "api.1.0", "--previous", ...data)).toBe("old\n");
    expect(await cli.must("logs", "shop/api.1.0", "--tail", "1", ...data)).toBe("three\n");
  });

  it("follows what is written, through a rotation", async () => {
    const file = writeLogs(3, "begin\n");
    let out = "";
    const terminal = { out: (text: string) => void (out += text), err: () => {}, exitCode: 0 };
    const ending = new AbortController();
    const options = { server: cli.url, data: cli.folder, follow: true };
    const following = logs("api.1.0", options, terminal, ending.signal);
    const seen = (text: string) => cli.until(text, () => (out.includes(text) ? true : undefined));
    await seen("begin");
    appendFileSync(file, "more\n");
    await seen("more");
    writeFileSync(file, "anew\n");
    await seen("anew");
    ending.abort();
    await following;
    expect(out).toBe("begin\nmore\nanew\n");
  });

  it("says why there is nothing to read", async () => {
    await cli.must("scale", "wl/api", "--replicas", "100");
    await cli.until("the surplus to be admitted", () =>
      cli.plane.objects.all("Replica").size === 100 ? true : undefined,
    );
    const { code, err } = await cli.berth("logs", "api.1.99", "--data", cli.folder);
    expect(code).toBe(2);
    expect(err).toMatch(/has no process; `berth describe replica api\.1\.99` says why/);
  });
});
