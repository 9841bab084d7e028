import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { CommandLine, workloadText } from "./a-served-plane.ts";

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await cli.must("apply", "-f", cli.write("api.yaml", workloadText("api")));
  await cli.report(2, "serving");
  await cli.until("the end of the rollout", () =>
    [...cli.plane.objects.all("Workload").values()].every(({ status }) => status.served)
      ? true
      : undefined,
  );
});
afterAll(() => cli.stop());

describe("berth explain", () => {
  it("tells how a replica came to serve, who did each step, and on what knowledge", async () => {
    const text = await cli.must("explain", "replica", "api.1.0");
    expect(text).toMatch(/enqueue by admit.*\n.*Starting incarnation 1/);
    expect(text).toMatch(/bind-all by place-1 \(place\), with 1 other change\n.*Bound to node n1/);
    expect(text).toContain("policy: default@0 fragmentation");
    expect(text).toMatch(/operation bind-all\/.*, epoch 1, revision \d+, the newest/);
    expect(text).toContain(
      "Now: It serves. It is bound to node n1.\n  next: it serves; nothing is due",
    );
  });

  it("tells of a workload, of a node and of a decision", async () => {
    expect(await cli.must("explain", "workload", "api")).toContain("2 desired, 2 serving");
    expect(await cli.must("explain", "node/n1")).toContain("It is ready, with 2 replicas");
    const json = JSON.parse(await cli.must("explain", "wl/shop/api", "-o", "json"));
    const bind = json.timeline.find(({ command }: { command: string }) => command === "bind-all");
    for (const name of [String(bind.revision), bind.operation]) {
      expect(await cli.must("explain", "decision", name)).toContain("bind-all by place-1");
    }
  });

  it("tells why not, and what would help", async () => {
    await cli.must(
      "apply",
      "-f",
      cli.write("big.yaml", workloadText("big").replace("500m", "3500m")),
    );
    await cli.until("big to wait", () =>
      cli.plane.owed().find(({ key }) => key === "Workload/shop/big"),
    );
    const text = await cli.must("explain", "replica", "big.1.0", "--why-not", "n1", "--what-if");
    expect(text).toContain("quota: tenant quota of shop, cpuMillis: asked 3500, free 3000");
    expect(text).toContain("capacity: cpuMillis: asked 3500, free 3000");
    expect(text).toContain(
      "1. raise the quota of shop by 500m of CPU, and free 500m of CPU on n1 (zone eu-a) → n1",
    );
    expect(text).toContain("not checked: other replicas that would take the room first");
    await cli.must("delete", "workload", "big");
  });

  it.each([
    [["quota", "shop/default"], "bad-usage"],
    [["replica", "shop/nobody.1.0"], "not-found"],
    [["node", "n1", "--at", "yesterday"], "request-refused"],
    [["node", "n1", "--revision", "999999"], "request-refused"],
  ])("%j is %s", async (words, code) => {
    const { code: exit, err } = await cli.berth("explain", ...words);
    expect(exit).toBe(2);
    expect(err).toContain(`[${code}]`);
  });
});

describe("time travel", () => {
  it("berth get --revision shows what was, and --at finds the revision of a time", async () => {
    const { revision } = cli.plane;
    const { atMs } = cli.plane.past.commit(revision)!;
    await cli.must("scale", "workload", "api", "--replicas", "4");
    const then = await cli.must(
      "get",
      "workload",
      "api",
      "--revision",
      String(revision),
      "-o",
      "json",
    );
    expect(JSON.parse(then).spec.replicas).toBe(2);
    const at = new Date(atMs).toISOString();
    expect(JSON.parse(await cli.must("get", "workloads", "--at", at, "-o", "json")).items).toEqual([
      JSON.parse(then),
    ]);
    expect(JSON.parse(await cli.must("get", "workload", "api", "-o", "json")).spec.replicas).toBe(
      4,
    );
    const { err } = await cli.berth("get", "workloads", "--at", "1000h");
    expect(err).toContain("the oldest commit in the log is revision 1");
    expect((await cli.berth("get", "workloads", "-w", "--at", "1s")).err).toContain("[bad-usage]");
  });

  it("berth diff shows field by field what is different between two moments", async () => {
    const { revision } = cli.plane;
    await cli.must("scale", "workload", "api", "--replicas", "3");
    await cli.must("apply", "-f", cli.write("new.yaml", workloadText("new")));
    const text = await cli.must("diff", "--from", String(revision), "workload");
    expect(text).toContain("~ workload/shop/api\n");
    expect(text).toContain("    spec.replicas: 4 → 3\n");
    expect(text).toContain("+ workload/shop/new\n");
    const one = await cli.must("diff", "workload", "api", "--from", String(revision), "-n", "shop");
    expect(one).not.toContain("new");
    const none = await cli.must("diff", "--from", String(revision), "--to", String(revision));
    expect(none).toContain("No changes between revisions");
    expect((await cli.berth("diff", "workload")).err).toContain("[bad-usage]");
  });
});
