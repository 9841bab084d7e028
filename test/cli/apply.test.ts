import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { workloadKey } from "../../src/core/model/ids.ts";
import { CommandLine, runCommand, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
});
afterAll(() => cli.stop());

async function scaleAs(manager: string, name: string, replicas: number): Promise<void> {
  const path = `/apis/berth.dev/v1/namespaces/shop/workloads/${name}/scale`;
  const { status } = await fetch(`${cli.url}${path}?fieldManager=${manager}`, {
    method: "PATCH",
    headers: { "content-type": "application/merge-patch+json" },
    body: JSON.stringify({ spec: { replicas } }),
  });
  expect(status).toBe(200);
}

describe("berth apply", () => {
  it("makes what files describe in the order in which it depends on each other", async () => {
    const tenant = "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: late }\n";
    const file = cli.write("order.yaml", `${workloadText("api", "", "late")}---\n${tenant}`);
    expect(await cli.must("apply", "-f", file)).toBe(
      "tenant/late created\nworkload/late/api created\n",
    );
    expect(await cli.must("apply", "-f", file)).toBe(
      "tenant/late unchanged\nworkload/late/api unchanged\n",
    );
  });

  it("changes what is there to what the file says, and takes away what it no longer says", async () => {
    const before = workloadText("change", "  stopGrace: 3s\n");
    await cli.must("apply", "-f", cli.write("change.yaml", before));
    const after = workloadText("change").replace("replicas: 2", "replicas: 3");
    expect(await cli.must("apply", "-f", cli.write("change.yaml", after))).toBe(
      "workload/shop/change changed\n",
    );
    const { spec } = cli.plane.objects.workload(workloadKey("shop", "change"))!;
    expect(spec.replicas).toBe(3);
    expect(spec.template.run).toBeUndefined();
  });

  it("names every mistake of every document with its line and column, and changes nothing", async () => {
    const first = cli.write(
      "first.yaml",
      `${workloadText("good")}---${workloadText("bad", "  replcas: 3\n").replace("500m", "much")}`,
    );
    const second = cli.write(
      "second.yaml",
      workloadText("worse").replace("command: [sleep", "comand: [sleep"),
    );
    const { code, out, err } = await cli.berth("apply", "-f", first, second);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err.trimEnd().split("\n")).toEqual([
      expect.stringContaining(`berth: ${first}:15:16: Invalid manifest. spec.res`),
      `${first}:17:3: unknown field "spec.replcas". Did you mean "replicas"?`,
      expect.stringContaining(`${second}:8:3: spec.run.command: required`),
      `${second}:8:10: unknown field "spec.run.comand". Did you mean "command"?`,
    ]);
    expect(cli.plane.objects.workload(workloadKey("shop", "good"))).toBeUndefined();
  });

  it("shows a wrong value at the field that has it", async () => {
    const file = cli.write("value.yaml", workloadText("value").replace("500m", "much"));
    const { err } = await cli.berth("apply", "-f", file);
    expect(err).toMatch(`${file}:7:16: Invalid manifest. spec.resources.cpu: `);
  });

  it("shows text that is no YAML without asking any plane", async () => {
    const file = cli.write("broken.yaml", "kind: Tenant\nmetadata: { name: x\nkind: Twice\n");
    const { code, err } = await cli.berth("apply", "-f", file);
    expect(code).toBe(2);
    expect(err).toMatch(/^berth: .*broken\.yaml:\d+:\d+: Invalid YAML\. .*\[invalid-yaml\]/);
  });

  it.each([
    [
      "an unknown kind",
      "kind: Worklod",
      /:3:1: .*kind: found "Worklod".*Did you mean "Workload"\?/,
    ],
    [
      "a foreign version",
      "apiVersion: apps/v1",
      /:2:1: .*apiVersion: found "apps\/v1"; expected berth\.dev\/v1/,
    ],
    [
      "no tenant",
      "metadata: { name: x }",
      /tenant "default" does not exist; apply a Tenant of that name first or name another one/,
    ],
    [
      "an unknown tenant",
      "metadata: { name: x, namespace: nobody }",
      /:4:22: .*tenant "nobody" does not exist/,
    ],
  ])("refuses %s", async (_, line, expected) => {
    const field = line.split(":")[0]!;
    const text = workloadText("x").replace(new RegExp(`^${field}: .*$`, "m"), line);
    const { code, err } = await cli.berth("apply", "-f", cli.write("refused.yaml", text));
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });

  it("refuses an object that is described twice", async () => {
    const file = cli.write("twice.yaml", `${workloadText("twice")}---${workloadText("twice")}`);
    const { code, err } = await cli.berth("apply", "-f", file);
    expect(code).toBe(2);
    expect(err).toContain(`workload/shop/twice is defined twice; first in ${file}:4.`);
  });

  it("does not undo a later change of another client, unless it is told to", async () => {
    const file = cli.write("contested.yaml", workloadText("contested"));
    await cli.must("apply", "-f", file);
    await scaleAs("gitops", "contested", 5);
    const { code, err } = await cli.berth("apply", "-f", file);
    expect(code).toBe(2);
    expect(err).toMatch(/:6:3: .*spec\.replicas: conflict with "gitops".*--force/);
    expect(await cli.must("apply", "-f", file, "--force")).toBe(
      "workload/shop/contested changed\n",
    );
  });

  it("follows a scale of the same person without a conflict", async () => {
    const file = cli.write("ours.yaml", workloadText("ours"));
    await cli.must("apply", "-f", file);
    await cli.must("scale", "workload/ours", "--replicas", "5");
    expect(await cli.must("apply", "-f", file)).toBe("workload/shop/ours changed\n");
    expect(cli.plane.objects.workload(workloadKey("shop", "ours"))!.spec.replicas).toBe(2);
  });

  it("changes nothing on a dry run", async () => {
    const file = cli.write("dry.yaml", workloadText("dry"));
    expect(await cli.must("apply", "-f", file, "--dry-run")).toBe("workload/shop/dry checked\n");
    expect(cli.plane.objects.workload(workloadKey("shop", "dry"))).toBeUndefined();
  });

  it("takes the tenant from -n for objects that name none", async () => {
    const text = workloadText("mine").replace(", namespace: shop", "");
    const file = cli.write("mine.yaml", text);
    expect(await cli.must("apply", "-f", file, "-n", "shop")).toBe("workload/shop/mine created\n");
  });

  it("puts objects that name no tenant into tenant default, as kubectl does", async () => {
    const tenant =
      "apiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: default }\nspec: {}\n";
    const text = workloadText("plain").replace(", namespace: shop", "");
    const file = cli.write("plain.yaml", `${tenant}---${text}`);
    expect(await cli.must("apply", "-f", file)).toBe(
      "tenant/default created\nworkload/default/plain created\n",
    );
  });

  it("applies the examples as they are", async () => {
    const out = await cli.must("apply", "-f", "examples");
    expect(out).toContain("workload/payments/risk-api created\n");
    expect(out).toContain("workload/fraud/fraud-batch created\n");
  });

  it("passes over a world of berth simulate in a folder, and refuses one that is named", async () => {
    const { code, err } = await cli.berth("apply", "-f", "examples/risk-api-recovery.yaml");
    expect(code).toBe(2);
    expect(err).toMatch(/risk-api-recovery\.yaml:\d+:\d+: .*kind: required/);
  });
});

describe("berth diff -f", () => {
  it("shows what an apply would change, changes nothing, and exits as kubectl diff does", async () => {
    const tenant = "---\napiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: planned }\n";
    const file = cli.write("diff.yaml", workloadText("compared"));
    const added = await cli.berth("diff", "-f", file);
    expect(added.code).toBe(1);
    expect(added.out).toMatch(/^\+ workload\/shop\/compared\n.* spec\.replicas: \(none\) → 2\n/s);
    await cli.must("apply", "-f", file);
    expect(await cli.berth("diff", "-f", file)).toEqual({ code: 0, out: "", err: "" });
    await cli.must("scale", "workload/compared", "--replicas", "3");
    const both = cli.write("both.yaml", `${workloadText("compared")}${tenant}`);
    expect(await cli.berth("diff", "-f", both)).toEqual({
      code: 1,
      out: "+ tenant/planned\n    metadata.name: (none) → planned\n~ workload/shop/compared\n    spec.replicas: 3 → 2\n",
      err: "",
    });
    expect(cli.plane.objects.workload(workloadKey("shop", "compared"))!.spec.replicas).toBe(3);
  });

  it("shows objects of a tenant that the same files make", async () => {
    const tenant = "---\napiVersion: berth.dev/v1\nkind: Tenant\nmetadata: { name: soon }\n";
    const file = cli.write("soon.yaml", `${workloadText("early", "", "soon")}${tenant}`);
    const { code, out } = await cli.berth("diff", "-f", file);
    expect(code).toBe(1);
    expect(out).toMatch(/^\+ tenant\/soon\n.*^\+ workload\/soon\/early$/ms);
  });

  it("exits with more than 1 after an error, also of an unreachable plane", async () => {
    const wrong = cli.write("wrong.yaml", workloadText("wrong").replace("500m", "much"));
    expect(await cli.berth("diff", "-f", wrong)).toMatchObject({ code: 2, out: "" });
    const file = cli.write("unreached.yaml", workloadText("unreached"));
    const unreached = await runCommand(["diff", "-f", file, "--server", "http://127.0.0.1:9"]);
    expect(unreached).toMatchObject({ code: 2, out: "" });
    expect(unreached.err).toContain("[plane-unreachable]");
  });

  it("takes files or moments", async () => {
    const file = cli.write("moments.yaml", workloadText("moments"));
    expect(await cli.berth("diff", "-f", file, "--from", "1")).toMatchObject({ code: 2 });
    expect((await cli.berth("diff")).err).toContain("Expected -f FILE or --from MOMENT.");
  });
});
