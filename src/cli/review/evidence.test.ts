import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aViewer, believedAt, rowsAt } from "../../../test/builders/an-incident-viewer.ts";
import type { IncidentDocument } from "../../incident/incident-document.ts";
import type { WorstRunFile } from "../../review/evidence/worst-run.ts";
import type { Finding } from "../../review/review.ts";
import { type Ran, runBerth } from "../../../test/builders/run-berth.ts";

const EXAMPLES = "examples/review";
const SLOW = [
  `${EXAMPLES}/risk-api.yaml`,
  "--world",
  `${EXAMPLES}/risk-api-world.yaml`,
  "--with",
  `${EXAMPLES}/broken/timeouts-too-long.yaml`,
  "--only",
  "payments/risk-api-recovers",
  "--seeds",
  "2",
];

let folder = "";
let evidence = "";
let found: Finding | undefined;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "berth-evidence-"));
  evidence = join(folder, "left", "here");
  const viewer = join(folder, "viewer.html");
  writeFileSync(viewer, aViewer());
  const { out } = await berth(...SLOW, "--evidence", evidence, "--viewer", viewer, "-o", "json");
  [found] = (JSON.parse(out) as { findings: readonly Finding[] }).findings;
});
afterAll(() => rmSync(folder, { recursive: true }));

const berth = (...args: readonly string[]): Promise<Ran> => runBerth("review", ...args);

const RUN = "payments_risk-api-recovers.run.json";
const worstRun = (): WorstRunFile =>
  JSON.parse(readFileSync(join(evidence, RUN), "utf8")) as WorstRunFile;

function changed(name: string, change: object): string {
  const file = join(evidence, name);
  writeFileSync(file, JSON.stringify({ ...worstRun(), ...change }));
  return file;
}

describe("the evidence of a review", () => {
  test("names the worst run of a breached promise as files that only their owner reads", () => {
    const scenario = join(evidence, RUN);
    const incident = join(evidence, "payments_risk-api-recovers.html");
    expect(found?.simulation?.worst).toMatchObject({ scenario, incident });
    const { seed, fleet, outcome } = worstRun();
    expect(seed).toBe(found?.simulation?.worst?.seed);
    expect(outcome.is).toBe("broken");
    expect(found?.reason.toLowerCase()).toContain(outcome.why);
    expect(readdirSync(evidence).toSorted()).toEqual(
      [fleet.file, RUN, "payments_risk-api-recovers.html"].toSorted(),
    );
    for (const name of readdirSync(evidence)) {
      expect(statSync(join(evidence, name)).mode & 0o077).toBe(0);
    }
  });

  test("is run again to the same run [RE7]", async () => {
    const { code, out } = await berth("--replay", join(evidence, RUN));
    expect(out).toContain(`Run ${worstRun().hash}: the same run.`);
    expect(out).toMatch(/Broken: detecting and fencing the loss was not over after \d+ min/);
    expect(code).toBe(1);
  });

  test("replays all that a person and faults did in it [RE7]", async () => {
    const promises = join(folder, "soon.yaml");
    writeFileSync(
      promises,
      [
        "apiVersion: berth.dev/v1",
        "kind: Commitment",
        "metadata: { name: soon, namespace: payments }",
        "spec:",
        "  recover: { workload: risk-api, within: 1s }",
        "  when:",
        "    lose: region",
        "    which: eu-central",
        "    also: [override, policy-rollback, two-schedulers, stale-quota, write-timeout]",
      ].join("\n"),
    );
    const world = ["--world", `${EXAMPLES}/risk-api-world.yaml`];
    const asked = [promises, ...world, "--seeds", "1", "--evidence", join(folder, "soon")];
    const { err, code } = await berth(...asked, "--viewer", join(folder, "no-viewer.html"));
    expect(err).toBe(
      "No incident pages: their viewer is not built. Build it with `npm run build`.\n",
    );
    expect(code).toBe(1);
    const again = await berth("--replay", join(folder, "soon", "payments_soon.run.json"));
    expect(again.out).toMatch(/^Run [0-9a-f]+: the same run\.$/m);
    expect(again.code).toBe(1);
  });

  test("is another run with another seed, and is told so [RE7]", async () => {
    const other = changed("other.run.json", { seed: worstRun().seed + 1 });
    const { code, out } = await berth("--replay", other);
    expect(out).toMatch(new RegExp(`another run than ${worstRun().hash}. The file was changed`));
    expect(code).toBe(3);
  });

  test("has a page whose turns begin with the fleet and show the loss", () => {
    const page = readFileSync(join(evidence, "payments_risk-api-recovers.html"), "utf8");
    const packed = /"gzip":"([^"]+)"/.exec(page)?.[1] ?? "";
    const document = JSON.parse(
      gunzipSync(Buffer.from(packed, "base64")).toString(),
    ) as IncidentDocument;
    const { source, base, baseRevision, commits } = document;
    expect(source.title).toMatch(/^payments\/risk-api-recovers after the loss of region/);
    expect(source.again).toContain(`review --replay ${join(evidence, RUN)}`);
    expect(baseRevision).toBe(1);
    expect(base.filter(({ key }) => key.startsWith("Node/")).length).toBeGreaterThan(3);
    expect(commits[0]?.revision).toBeGreaterThan(1);
    const last = Math.max(...commits.map(({ revision }) => revision));
    const before = rowsAt(document, 1);
    const after = rowsAt(document, last);
    const lost = [...before].filter(
      ([key, cells]) => key.startsWith("Node/") && cells["health"] !== after.get(key)?.["health"],
    );
    expect(lost.length).toBeGreaterThan(0);
    expect(believedAt(document, "controllers").revision).toBeGreaterThan(1);
  });

  test("is rejected with another fleet, as another file, and beside promises [RE7]", async () => {
    const { fleet } = worstRun();
    const lines = readFileSync(join(evidence, fleet.file), "utf8").replaceAll(
      '"eu-west"',
      '"eu-east"',
    );
    const elsewhere = join(folder, "elsewhere.jsonl");
    writeFileSync(elsewhere, lines);
    const asked = ["--replay", join(evidence, RUN)];
    const ofFleet = await berth(...asked, "--fleet", elsewhere);
    expect(ofFleet.err).toMatch(/The fleet has the hash [0-9a-f]+, and the run is about/);
    expect(ofFleet.code).toBe(2);
    const wrong = [
      { change: { berthTwinRun: 9 }, text: "this version reads format 1" },
      { change: { seed: "x" }, text: "seed: expected a whole number above 0." },
      {
        change: { scenario: { events: [{}] } },
        text: "scenario.events: expected a list of events",
      },
      { change: { berthTwinRun: undefined }, text: "It is no run of a review." },
    ];
    for (const { change, text } of wrong) {
      const { err, code } = await berth("--replay", changed("wrong.run.json", change));
      expect(err).toContain(text);
      expect(code).toBe(2);
    }
    const twice = await berth(`${EXAMPLES}/risk-api.yaml`, ...asked);
    expect(twice.err).toContain("found examples/review/risk-api.yaml beside it");
    const other = await berth(...asked, "--world", "x.yaml");
    expect(other.err).toContain("found --world beside it");
    expect([twice.code, other.code]).toEqual([2, 2]);
  });
});
