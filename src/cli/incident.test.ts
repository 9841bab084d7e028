import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { aViewer } from "../../test/builders/an-incident-viewer.ts";
import type { IncidentDocument } from "../incident/incident-document.ts";
import { main, type Terminal } from "./main.ts";
import { replay, type ReplayOptions } from "./commands/replay.ts";
import { simulate, type SimulateOptions } from "./commands/simulate.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-incident-"));
afterAll(() => rmSync(folder, { recursive: true }));

const aFile = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};

const viewer = aFile("viewer.html", aViewer());
const world = aFile(
  "quiet.yaml",
  `
name: quiet
regions: [{ name: eu, zones: [a] }]
nodes: [{ count: 2, name: n, region: eu, zone: a, capacity: { cpu: 4, memory: 8Gi } }]
tenants: [{ name: shop, quota: { cpu: 8, memory: 16Gi } }]
workloads:
  - metadata: { name: web, namespace: shop }
    spec: { replicas: 2, resources: { cpu: 500m, memory: 256Mi }, run: { command: [web] } }
faultsUntil: 10s
`,
);

const aTerminal = (): Terminal & { written: string; complained: string } => {
  const terminal = {
    written: "",
    complained: "",
    exitCode: 0,
    out: (text: string) => void (terminal.written += text),
    err: (text: string) => void (terminal.complained += text),
  };
  return terminal;
};

async function simulated(options: SimulateOptions): Promise<string> {
  const terminal = aTerminal();
  await simulate({ viewer, ...options }, terminal, {
    isTerminal: false,
    write: () => {},
    now: () => 0,
  });
  return terminal.written;
}

function replayed(file: string, options: ReplayOptions): string {
  const terminal = aTerminal();
  replay(file, { viewer, ...options }, terminal);
  return terminal.written;
}

function documentIn(file: string): IncidentDocument {
  const [, json = ""] = /id="incident">([^<]*)</.exec(readFileSync(file, "utf8")) ?? [];
  const { gzip } = JSON.parse(json) as { readonly gzip: string };
  return JSON.parse(gunzipSync(Buffer.from(gzip, "base64")).toString()) as IncidentDocument;
}

describe("--html", () => {
  it("berth simulate --seed writes the run into the page", async () => {
    const html = join(folder, "seed.html");
    const said = await simulated({ world, seed: "5", faults: "none", html });
    expect(said).toMatch(/Wrote .*seed\.html with \d+ steps: open it in a browser\.\n$/);
    const { source, turns, commits } = documentIn(html);
    expect(source).toMatchObject({
      kind: "simulation",
      title: "seed 5 of the world quiet.yaml",
      again: `berth simulate --seed 5 --world ${world} --faults none`,
    });
    expect(turns.length).toBeGreaterThan(100);
    expect(commits[0]).toMatchObject({ revision: 1, operation: "lead/1" });
  });

  it("berth replay writes what a trace tells, and marks where it comes out differently", async () => {
    const trace = join(folder, "run.jsonl");
    await simulated({ world, seed: "5", faults: "none", trace });
    const same = join(folder, "same.html");
    expect(replayed(trace, { html: same })).toMatch(
      /identical to the recording.*\nWrote .*same\.html/,
    );
    expect(documentIn(same).marks.map(({ kind }) => kind)).toEqual(["lead"]);
    const lines = readFileSync(trace, "utf8").split("\n");
    const changed = JSON.parse(lines[40] ?? "") as { readonly turn: number };
    lines[40] = JSON.stringify({ ...changed, text: "something else" });
    const other = join(folder, "other.html");
    replayed(aFile("changed.jsonl", lines.join("\n")), { html: other });
    const { marks, turns } = documentIn(other);
    const mark = marks.find(({ kind }) => kind === "divergence");
    expect(mark?.text).toMatch(/^Diverged: expected .*something else/);
    expect(turns[mark?.turn ?? -1]?.turn).toBe(changed.turn);
  });

  it("berth simulate --scenario and berth replay of it write the same document", async () => {
    const inline = readFileSync(world, "utf8").replaceAll("\n", "\n  ");
    const file = aFile("s.yaml", `scenario: s\nworld:${inline}\nexpect: clean\n`);
    const [one, two] = [join(folder, "one.html"), join(folder, "two.html")];
    await simulated({ scenario: file, html: one });
    replayed(file, { html: two });
    expect(documentIn(one).source.title).toBe("scenario s.yaml");
    expect(documentIn(one).turns).toEqual(documentIn(two).turns);
  });

  it.each([
    [["simulate", "--html", "x"], /--html shows one run; add --seed or --scenario/],
    [["replay", world, "--chapter", "1"], /--chapter selects a part of a recording/],
    [["replay", folder, "--around", "7"], /--around selects a part/],
    [["replay", world, "--html", "x", "--from-turn", "7"], /--from-turn selects a part/],
  ])("refuses what cannot be shown: %j", async (args, sentence) => {
    const terminal = aTerminal();
    expect(await main(args, terminal)).toBe(2);
    expect(terminal.complained).toMatch(sentence);
  });

  it("says how to build the viewer when it is not there", async () => {
    const wrong = simulated({ world, seed: "5", faults: "none", html: "x", viewer: "nowhere" });
    await expect(wrong).rejects.toThrow(
      /The viewer does not exist\. Build it with `npm run build`/,
    );
  });
});
