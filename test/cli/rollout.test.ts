import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { workloadKey } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { CommandLine } from "./a-served-plane.ts";

const ROLLOUT = "{ maxSurge: 25%, maxUnavailable: 50%, deadline: 1h }";

const text = (version: string, rollout = ROLLOUT): string => `
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: api, namespace: shop }
spec:
  replicas: 2
  rollout: ${rollout}
  recovery: { within: 5m, replicas: 1, in: [eu-west] }
  resources: { cpu: 500m, memory: 256Mi }
  run: { command: [serve, ${version}] }
`;

let cli: CommandLine;
beforeAll(async () => {
  cli = await CommandLine.start();
  await cli.furnish();
  await release("v1");
  await serveAll(1);
});
afterAll(() => cli.stop());

const release = (version: string, rollout?: string) =>
  cli.must("apply", "-f", cli.write("api.yaml", text(version, rollout)));

const workload = () => cli.plane.objects.workload(workloadKey("shop", "api"))!;
const replicas = (): readonly Replica[] => [...cli.plane.objects.all("Replica").values()];

/** Does what agents do until all replicas of the generation serve and nothing rolls out any more. */
async function serveAll(generation: number): Promise<void> {
  for (;;) {
    for (const replica of replicas()) {
      const { stage, stopping } = replica.status;
      if (stage === "bound" || stage === "starting") await cli.reportOne(replica, "serving");
      else if (stage === "serving" && stopping) await cli.reportOne(replica, "released");
    }
    const { status } = workload();
    const isSettled = status.rollout === undefined && status.served === true;
    const serving = replicas().filter(({ status: { stage } }) => stage === "serving");
    const isWhole = serving.length === 2 && replicas().length === 2;
    if (isSettled && isWhole && serving.every(({ spec }) => spec.generation === generation)) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe("berth rollout", () => {
  it("follows a rollout to its end, a line for every change", async () => {
    expect(await cli.must("rollout", "status", "workload/api")).toBe(
      "workload/shop/api: all 2 replicas serve generation 1\n",
    );
    await release("v2");
    const terminal = {
      written: "",
      exitCode: 0,
      out: (part: string) => void (terminal.written += part),
      err: () => {},
    };
    const args = ["rollout", "status", "workload/api", "-n", "shop", "--server", cli.url];
    const followed = main(args, terminal);
    await cli.until("its first line", () => (terminal.written === "" ? undefined : true));
    await serveAll(2);
    expect(await followed).toBe(0);
    const lines = terminal.written.trimEnd().split("\n");
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.at(-1)).toBe("workload/shop/api: all 2 replicas serve generation 2");
    expect(lines.every((line) => line.startsWith("workload/shop/api: "))).toBe(true);
  });

  it("lists the templates there were, and takes the last that served back", async () => {
    const history = await cli.must("rollout", "history", "wl", "api");
    expect(history.split("\n").map((line) => line.split(/\s{2,}/)[0])).toEqual([
      "GENERATION",
      "1",
      "2",
      "",
    ]);
    expect(history).toMatch(/^1 .* yes .* gone .* serve v1$/m);
    expect(history).toMatch(/^2 .* yes .* the spec's .* serve v2$/m);
    expect(await cli.must("rollout", "undo", "workload/api")).toMatch(
      /^workload\/shop\/api is rolling back to generation 1; watch it/,
    );
    expect(workload().spec.template.command).toEqual(["serve", "v1"]);
    expect(workload().spec).toMatchObject({ replicas: 2, recovery: { withinMs: 300_000 } });
    expect(workload().status.templateGeneration).toBe(1);
    await serveAll(1);
    await cli.must("rollout", "undo", "workload/api", "--to", "2");
    await serveAll(2);
    expect(workload().spec.template.command).toEqual(["serve", "v2"]);
  });

  it("pauses a rollout and goes on with it", async () => {
    expect(await cli.must("rollout", "pause", "workload/api")).toBe(
      "workload/shop/api is paused; no rollout is in progress\n",
    );
    expect(await cli.must("rollout", "pause", "workload/api")).toMatch(/is already paused/);
    await release("v3", ROLLOUT.replace("}", ", paused: true }"));
    expect(await cli.must("rollout", "status", "workload/api", "--no-watch")).toMatch(
      /generation \d+: 0 of 2 ready; generation 2: 2 left, 2 ready; paused; maxSurge 25% \(1\), maxUnavailable 50% \(1\)/,
    );
    const late = await cli.berth("rollout", "status", "workload/api", "--timeout", "100ms");
    expect(late.code).toBe(1);
    expect(late.err).toMatch(/timed-out/);
    expect(await cli.must("rollout", "resume", "workload/api")).toBe(
      "workload/shop/api is resumed\n",
    );
    expect(await cli.must("rollout", "resume", "workload/api")).toMatch(/is not paused/);
    await serveAll(workload().status.templateGeneration);
    expect(workload().spec.rollout?.paused).toBeUndefined();
  });

  it("restarts a service as a rollout, which an apply keeps and an undo does not repeat [RO90]", async () => {
    const before = workload().status.templateGeneration;
    const restarted = await cli.must("restart", "workload/api");
    expect(restarted).toMatch(
      /^workload\/shop\/api is restarting: 2 replicas to replace \(maxSurge 25% \(1\), .*\); watch it with `.* rollout status workload\/shop\/api`\n$/,
    );
    const { restartedAt } = workload().spec.template;
    expect(restartedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    await release("v3");
    expect(workload().spec.template.restartedAt).toBe(restartedAt);
    expect(workload().status.rollout?.from).toBe(before);
    await cli.must("rollout", "undo", "workload/api");
    expect(workload().status.templateGeneration).toBe(before);
    await serveAll(before);
    const followed = cli.must("restart", "api", "--wait");
    await cli.until("another template", () =>
      workload().status.templateGeneration === before ? undefined : true,
    );
    await serveAll(workload().status.templateGeneration);
    expect(await followed).toMatch(/all 2 replicas serve generation \d+\n$/);
    await cli.must("rollout", "undo", "workload/api");
    expect(workload().spec.template.command).toEqual(["serve", "v2"]);
    await serveAll(2);
  });

  it("refuses to restart a batch, and names what can be restarted [RO90]", async () => {
    const batch = text("job")
      .replace("name: api", "name: job")
      .replace(/rollout:.*\n.*\n/, "type: batch\n");
    await cli.must("apply", "-f", cli.write("job.yaml", batch));
    const { code, err } = await cli.berth("restart", "workload/job");
    expect(code).toBe(2);
    expect(err).toMatch(
      /spec.restartedAt: found on a batch; expected on a service: to run a batch/,
    );
    await cli.must("delete", "workload/job");
    expect((await cli.berth("restart", "node/n1")).err).toMatch(/Only a workload can/);
  });

  it("leaves with 1 when the rollout has failed, and says why", async () => {
    const generation = workload().status.templateGeneration;
    await release("v4", "{ maxSurge: 1, maxUnavailable: 0, deadline: 50ms }");
    const { code, out } = await cli.berth("rollout", "status", "workload/api");
    expect(code).toBe(1);
    expect(out).toMatch(/failed: no progress for 0 s: 0 of 1 replica of generation \d+ serves/);
    expect(out).toContain(`all 2 replicas are rolled back to generation ${generation}`);
    const history = await cli.must("rollout", "history", "workload/api");
    expect(history).toMatch(/^\d+ +no +the spec's, failed +serve v4$/m);
    expect(history).toMatch(/^Now: generation \d+ failed: no progress/m);
  });

  it.each([
    [["rollout", "undo", "workload/api", "--to", "999"], /has no generation 999 to roll back to/],
    [["rollout", "undo", "workload/api", "--to", "x"], /--to: found "x"/],
    [["rollout", "status", "node/n1"], /node\/n1 has no rollout/],
    [["rollout", "pause", "workload/nothing"], /not-found/],
  ])("refuses %j", async (args, expected) => {
    const { code, err } = await cli.berth(...args);
    expect(code).toBe(2);
    expect(err).toMatch(expected);
  });
});
