import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Ran, runBerth } from "../../../test/builders/run-berth.ts";
import type { Finding } from "../../review/review.ts";

const EXAMPLES = "examples/review";
const PROMISES = `${EXAMPLES}/risk-api.yaml`;
const WORLD = ["--world", `${EXAMPLES}/risk-api-world.yaml`];

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "berth-promises-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const berth = (...args: readonly string[]): Promise<Ran> => runBerth("review", ...args);

async function findings(...args: readonly string[]) {
  const { out, err, code } = await berth(...args, ...WORLD, "--seeds", "1", "-o", "json");
  expect(err).toBe("");
  return { code, found: (JSON.parse(out) as { findings: readonly Finding[] }).findings };
}

function file(name: string, text: string): string {
  const at = join(folder, name);
  writeFileSync(at, text);
  return at;
}

const promise = (spec: string, { name = "p", namespace = "payments" } = {}): string =>
  `apiVersion: berth.dev/v1\nkind: Commitment\nmetadata: { name: ${name}, namespace: ${namespace} }\nspec:\n  ${spec}\n`;

describe("berth review", () => {
  test("shows every step of the worked example to hold, with what carries it", async () => {
    const { code, found } = await findings(PROMISES);
    expect(found.map(({ verdict, reason }) => [verdict, reason])).toEqual(
      found.map(({ reason }) => ["holds", reason]),
    );
    expect(found).toHaveLength(10);
    for (const { mechanisms, answers, boundary } of found) {
      expect(mechanisms.length).toBeGreaterThan(0);
      expect(Object.values(answers).every((group) => group.length > 0)).toBe(true);
      expect(boundary.length).toBeGreaterThan(0);
    }
    expect(code).toBe(0);
  });

  const RECOVERS = "payments/risk-api-recovers";
  const BROKEN = [
    {
      variant: "wrong-zones",
      change: "add 1 node like west-a-1 in zone eu-west-a",
      only: RECOVERS,
      reason: /^CPU in zone eu-west-a binds: 4 of 4/,
    },
    {
      variant: "soft-capacity",
      change: "add 1 node like west-1 in zone eu-west-a",
      only: RECOVERS,
      reason: /find no free or reserved room after the loss/,
    },
    {
      variant: "another-tenants-budget",
      change: "raise the quota of tenant payments in eu-west by what 3 more of risk-api request",
      only: RECOVERS,
      reason: /^Quota of tenant payments/,
    },
    {
      variant: "no-priority",
      change: "give payments/risk-api the priority class critical",
      only: RECOVERS,
      reason: /4 of 4 replicas find no free or reserved room/,
    },
    {
      variant: "drain-without-end",
      change: "set disruption.maxUnavailable of reports/nightly to 1",
      only: "berth/nodes-drain",
      reason: /disruption budget of Workload\/reports\/nightly/,
    },
    {
      variant: "timeouts-too-long",
      change: "lower replaceAfter of payments/risk-api from 10m to 1m",
      only: RECOVERS,
      reason: /^Detecting and fencing the loss was not over after 6 min, when the watch ended/,
    },
  ] as const;

  test.each(BROKEN)(
    "finds what breaks $variant, and proves the change that repairs it",
    async ({ variant, only, reason, change }) => {
      const broken = `${EXAMPLES}/broken/${variant}.yaml`;
      const before = await findings(PROMISES, "--only", only, "--with", broken);
      expect(before.found).toMatchObject([{ name: only, verdict: "breached" }]);
      expect(before.found[0]?.reason).toMatch(reason);
      expect(before.found[0]?.fix).toMatchObject({ change, verdict: "holds" });
      expect(before.code).toBe(1);

      const fixed = `${EXAMPLES}/broken/${variant}-fixed.yaml`;
      const after = await findings(PROMISES, "--only", only, "--with", broken, fixed);
      expect(after.found).toMatchObject([{ name: only, verdict: "holds" }]);
      expect(after.code).toBe(0);
    },
  );

  test("calls no promise holding on evidence that does not show it", async () => {
    const file1 = file(
      "open.yaml",
      [
        promise("recover: { workload: nobody, within: 5m }", { name: "absent" }),
        promise(
          "recover: { workload: risk-api, within: 5m }\n  when: { lose: region, which: eu-central }\n  holds: { atLeast: 99.9% }",
          { name: "few" },
        ),
        promise("recover: { workload: risk-api, within: 5m }\n  when: { lose: rack }", {
          name: "rack",
        }),
      ].join("---\n"),
    );
    const { found, code } = await findings(file1);
    expect(found.map(({ verdict }) => verdict)).toEqual(found.map(() => "not-shown"));
    expect(found.map(({ reason }) => reason)).toEqual([
      "The fleet has no workload payments/nobody.",
      "1 run cannot show that share; use --seeds 2995 or more.",
      expect.stringContaining("The fleet has no"),
    ]);
    expect(code).toBe(3);
  });

  test("tells all mistakes of a file of promises at their lines", async () => {
    const bad = file(
      "bad.yaml",
      [
        promise("recover: { workload: risk-api, within: 5x }"),
        promise("recover: { workload: search/api, within: 5m }", { name: "q" }),
        promise("drains: { within: 5m }\n  fairness: { within: 5m }", { name: "r" }),
        promise("keepServing: { workload: risk-api }", { name: "s" }),
      ].join("---\n"),
    );
    const { err, code } = await berth(bad, ...WORLD);
    expect(err).toContain("bad.yaml:5:42");
    expect(err).toMatch(/found "5x", expected a duration/);
    expect(err).toMatch(/bad\.yaml:11:\d+: .*found tenant search, expected payments/);
    expect(err).toMatch(/bad\.yaml:17:\d+: .*found fairness and drains/);
    expect(err).toMatch(/required field "atLeast" is missing/);
    expect(code).toBe(2);
  });

  test("keeps finished findings, and compares with an earlier review", async () => {
    const kept = join(folder, "kept.json");
    const last = join(folder, "last.json");
    const ask = [PROMISES, ...WORLD, "--seeds", "1", "--only", "room-for-risk-api"];
    const first = await berth(...ask, "--resume", kept, "-o", "json", "--out", last);
    const text = readFileSync(kept, "utf8");
    writeFileSync(kept, text.replace("more payments/risk-api", "KEPT payments/risk-api"));
    const second = await berth(...ask, "--resume", kept, "-o", "markdown", "--against", last);
    expect(second.out).toContain("KEPT payments/risk-api");
    expect([first.code, second.code]).toEqual([0, 0]);
  });

  test("proposes promises that it can read", async () => {
    const out = join(folder, "proposed.yaml");
    const made = await berth("init", ...WORLD, "--out", out);
    expect(made.code).toBe(0);
    expect(readFileSync(out, "utf8")).toContain("# Today: holds.");
    const { found } = await findings(out, "--only", "payments/risk-api-recovers");
    expect(found[0]?.verdict).toBe("holds");
  });
});
