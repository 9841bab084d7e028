import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditEntry } from "../../src/api/audit/audit-entry.ts";
import { audit } from "../../src/cli/commands/audit.ts";
import { CommandLine, workloadText } from "./a-served-plane.ts";
import { loginName } from "../../src/shell/login-name.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
  await cli.report(2, "serving");
  await cli.must("scale", "workload/api", "-n", "shop", "--replicas", "1");
  await cli.must("cordon", "n1", "--as", "ana", "--reason", "new disk\n  forged: line\u001B[2J");
});
afterAll(() => cli.stop());

const lines = async (...args: string[]): Promise<readonly string[]> =>
  (await cli.must("audit", ...args)).trimEnd().split("\n");

describe("berth audit", () => {
  it("prints who wrote what, the newest last, and no renewal of a lease", async () => {
    for (let seq = 0; seq < 3; seq += 1) await cli.lease("n1");
    const all = await lines();
    expect(all[0]).toMatch(/^ +1 {2}\d{4}-\S+Z {2}controller plane-1 +began to lead, in epoch 1$/);
    const text = all.join("\n");
    expect(text).toMatch(
      new RegExp(`human ${loginName()} \\(local\\) +created workload shop/api with 2 replicas\\n`),
    );
    expect(text).toMatch(/controller place-1 +placed shop\/api\.1\.\d on n1, and 1 more\n/);
    expect(text).toMatch(/agent agent:n1 +reported shop\/api\.1\.\d serving on n1\n/);
    expect(text).toMatch(/scaled shop\/api from 2 to 1\n/);
    expect(text).not.toContain("lease");
  });

  it("keeps a user's text on one line, and lets it steer no terminal", async () => {
    const all = await lines("--actor", "ana");
    expect(all).toEqual([
      expect.stringMatching(/human ana \(local\) +cordoned n1: new disk +forged: line\\u001b\[2J$/),
    ]);
  });

  it("shows as many as are asked for, says how to go on, and finds by kind and object", async () => {
    const { out, err } = await cli.berth("audit", "--limit", "2");
    const shown = out.trimEnd().split("\n");
    expect(shown.length).toBe(2);
    const [, before = ""] = /--before (\d+)/.exec(err) ?? [];
    expect(await lines("--limit", "1", "--before", before)).not.toContain(shown[0]);
    expect(await lines("--kind", "human", "--key", "node/n1")).toEqual([
      expect.stringContaining("created node n1"),
      expect.stringContaining("cordoned n1"),
    ]);
    const none = await cli.berth("audit", "--actor", "nobody");
    expect([none.out, none.err]).toEqual([
      "",
      expect.stringContaining("This is the full history."),
    ]);
  });

  it("prints entries as the plane tells them with --json", async () => {
    const entries = (await lines("--json")).map((line) => JSON.parse(line) as AuditEntry);
    expect(entries.map(({ revision }) => revision)).toEqual(
      entries.map(({ revision }) => revision).toSorted((a, b) => a - b),
    );
    expect(entries.at(0)).toMatchObject({ command: "lead", outcome: "committed", more: 0 });
  });

  it("goes on with --watch over a plane that is away for a while, without a gap", async () => {
    const over = new AbortController();
    let written = "";
    const terminal = { out: (text: string) => void (written += text), err: () => {}, exitCode: 0 };
    const options = { watch: true, limit: "1", kind: "human", server: cli.url };
    const watching = audit(options, terminal, over.signal);
    const shows = (text: string) =>
      cli.until(text, () => (written.includes(text) ? true : undefined));
    await shows("cordoned n1");
    await cli.must("uncordon", "n1", "--as", "ana");
    await shows("uncordoned n1");
    const port = Number(new URL(cli.url).port);
    await cli.goAway();
    await cli.comeBack(port);
    await cli.must("scale", "workload/api", "-n", "shop", "--replicas", "2");
    await shows("scaled shop/api from 1 to 2");
    over.abort();
    await watching;
    expect(written.trimEnd().split("\n").length).toBe(3);
  });

  it("refuses what goes together as little as yesterday and from now on", async () => {
    expect(await cli.berth("audit", "--watch", "--before", "3")).toMatchObject({
      code: 2,
      err: expect.stringContaining("-w cannot be used with --before"),
    });
  });
});
