import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
});
afterAll(() => cli.stop());

const quotaText = (more: string): string => `
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: shop }
spec: { limit: { cpu: 4, memory: 4Gi }${more} }
`;

const rowsOf = (out: string): string[][] =>
  out
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));

describe("berth capacity", () => {
  it("shows what there is by region, and without groups nothing of them", async () => {
    const out = await cli.must("capacity");
    expect(rowsOf(out)[0]?.slice(0, 3)).toEqual(["REGION", "HARD", "COMMITTED"]);
    expect(rowsOf(out)[1]?.slice(0, 3)).toEqual(["eu", "4 4Gi", "0 0"]);
    expect(rowsOf(out)[2]?.[0]).toBe("TOTAL");
    expect(out).not.toContain("GROUP");
  });

  it("shows what groups share, also as JSON and YAML", async () => {
    await cli.must("apply", "-f", cli.write("quota.yaml", quotaText(", group: retail")));
    expect(await cli.must("capacity")).toMatch(/GROUP .*TENANTS\nretail .*shop\n$/);
    const json = JSON.parse(await cli.must("capacity", "-o", "json")) as { groups: unknown };
    expect(json.groups).toMatchObject([{ name: "retail", tenants: ["shop"] }]);
    expect(parse(await cli.must("capacity", "-o", "yaml"))).toEqual(json);
  });
});

describe("berth describe quota", () => {
  it("states how a quota that was made too small is come back under [QT3]", async () => {
    await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
    await cli.report(2, "serving");
    const small = quotaText("").replace("cpu: 4", "cpu: 600m");
    await cli.must("apply", "-f", cli.write("small.yaml", small));
    const out = await cli.must("describe", "quota", "default", "-n", "shop");
    expect(out).toMatch(/overdrawn:\n +cpu: 400m/);
    expect(out).toContain("how: wait");
    expect(out).toMatch(
      /400m CPUs are used beyond the quota: nothing new is reserved until 1 replica has ended/,
    );
    expect(out).toMatch(/replicas:\n +- name: api\.1\.1/);
  });
});
