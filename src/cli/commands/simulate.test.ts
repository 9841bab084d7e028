import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { main, type Terminal } from "../main.ts";
import type { ReplayReport } from "./replay.ts";
import type { SimulateReport } from "./simulate.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-simulate-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function berth(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal: Terminal & { written: string; complained: string } = {
    written: "",
    complained: "",
    exitCode: 0,
    out: (text) => void (terminal.written += text),
    err: (text) => void (terminal.complained += text),
  };
  const code = await main(args, terminal);
  return { code, out: terminal.written, err: terminal.complained };
}

const aFile = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const QUIET_WORLD = `
name: quiet
regions: [{ name: eu, zones: [a] }]
nodes: [{ count: 3, name: n, region: eu, zone: a, capacity: { cpu: 4, memory: 8Gi } }]
tenants: [{ name: shop, quota: { cpu: 8, memory: 16Gi } }]
workloads:
  - metadata: { name: web, namespace: shop }
    spec: { replicas: 2, resources: { cpu: 500m, memory: 256Mi }, run: { command: [web] } }
timeline: [{ at: 5s, scale: { workload: shop/web, replicas: 3 } }]
faultsUntil: 20s
`;

describe("berth simulate", () => {
  it("runs a quiet world clean, and twice with the same hash", async () => {
    const world = aFile("quiet.yaml", QUIET_WORLD);
    const args = ["simulate", "--world", world, "--seeds", "1..2", "--faults", "none", "--json"];
    const first = await berth(...args);
    expect(first).toMatchObject({ code: 0, err: "" });
    const report = JSON.parse(first.out) as SimulateReport;
    expect(Object.keys(report)).toEqual([
      "seeds",
      "events",
      "eventsPerSecond",
      "violations",
      "hash",
    ]);
    expect(report).toMatchObject({ seeds: 2, violations: [] });
    const again = JSON.parse((await berth(...args)).out) as SimulateReport;
    expect(again.hash).toBe(report.hash);
  });

  it("says in one line what it ran", async () => {
    const world = aFile("quiet.yaml", QUIET_WORLD);
    const { out } = await berth("simulate", "--world", world, "--seed", "1", "--faults", "none");
    expect(out).toMatch(
      /^1 seeds?, \d+ events, \d+ events\/s: no violations\. hash [0-9a-f]{16}\n$/,
    );
  });

  it("records a trace that replays without divergence, and reports the line that was changed", async () => {
    const world = aFile("quiet.yaml", QUIET_WORLD);
    const trace = join(folder, "run.jsonl");
    await berth("simulate", "--world", world, "--seed", "5", "--faults", "none", "--trace", trace);

    const same = await berth("replay", trace, "--json");
    expect(same.code).toBe(0);
    expect(JSON.parse(same.out)).toMatchObject({ diverged: false, firstDivergence: null });

    const lines = readFileSync(trace, "utf8").split("\n");
    const changed = JSON.parse(lines[5]!) as { turn: number; text: string };
    lines[5] = JSON.stringify({ ...changed, text: "something else" });
    const other = await berth("replay", aFile("changed.jsonl", lines.join("\n")), "--json");
    expect(other.code).toBe(1);
    const report = JSON.parse(other.out) as ReplayReport;
    expect(report.firstDivergence).toMatchObject({ turn: changed.turn });
    expect(report.firstDivergence?.expected).toContain("something else");
  });

  it("replays a trace up to a turn and shows what led there", async () => {
    const world = aFile("quiet.yaml", QUIET_WORLD);
    const trace = join(folder, "part.jsonl");
    await berth("simulate", "--world", world, "--seed", "5", "--faults", "none", "--trace", trace);
    const { code, out } = await berth("replay", trace, "--until", "50");
    expect(code).toBe(0);
    expect(out).toMatch(/turn \d+ {2}00:0\d\.\d{3} {2}/);
    expect(out).toMatch(/Replayed 50 turns: identical to the recording\.\n$/);
  });

  it.each([
    ["a scenario that is clean, as expected", "clean", 0, /clean, as expected/],
    ["a scenario that was mended", "violation INV1", 0, /no longer violates INV1/],
  ])("replays %s", async (_, expectation, code, verdict) => {
    const file = aFile(
      "s.yaml",
      `scenario: s\nworld:${QUIET_WORLD.replaceAll("\n", "\n  ")}\nexpect: ${expectation}\n`,
    );
    const replayed = await berth("replay", file);
    expect(replayed.code).toBe(code);
    expect(replayed.out).toMatch(verdict);
  });

  it("exits with 2 and points into the file when a world is wrong", async () => {
    const world = aFile("wrong.yaml", QUIET_WORLD.replace("replicas: 2", "replicas: many"));
    const { code, err, out } = await berth("simulate", "--world", world);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(/^berth: .*wrong\.yaml:8:23: .*found "many", expected a whole number/);
  });

  it.each([
    [["simulate", "--trace", "x"], /--trace records one run/],
    [["simulate", "--workers", "0"], /--workers: found 0/],
    [["simulate", "--faults", "storms"], /--faults: found "storms"/],
    [["replay"], /[Mm]issing required argument/],
    [["replay", "x.yaml", "--until", "soon"], /--until: found "soon"/],
  ])("answers %j with exit code 2", async (args, message) => {
    const { code, err } = await berth(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
  });
});
