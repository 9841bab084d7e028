/**
 * Nodes whose machines lack tools, on a real plane: each says what it lacks, gets only work that it can run, and people
 * are told. The tools are hidden from the agent's own view of the machine, whatever its PATH.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { NodeDriver } from "../../src/core/model/node/driver-name.ts";
import { isRoot } from "../agent/drivers/drivers-of.ts";
import { PlaneAndAgents, regionText, type Shown } from "./plane-and-agents.ts";

const where = (tool: string): string =>
  execFileSync("which", [tool], {
    encoding: "utf8",
    env: { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" },
  }).trim();

/** What is no program any more is not found. */
const without = (...tools: readonly string[]): readonly string[] => {
  const hide = tools.map((tool) => `mount --bind /dev/null ${where(tool)}`).join(" && ");
  return ["unshare", "--mount", "/bin/sh", "-c", `${hide} && exec "$@"`, "sh"];
};

const TENANT = `---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: payments }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: payments }
spec: { limit: { cpu: 2, memory: 2Gi } }
`;

const workload = (name: string, spec: string): string => `---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: payments }
spec:
  resources: { cpu: 50m, memory: 32Mi }
${spec}
`;
const run = (more = "") => `  run: { command: [sleep, "600"]${more} }`;
const IMAGE = `, image: "layout:app@sha256:${"0".repeat(64)}"`;

describe.runIf(isRoot)("nodes whose machines lack tools", () => {
  const world = new PlaneAndAgents();
  beforeAll(async () => {
    await world.start();
    await world.apply(regionText("eu", "bare", "half", "whole") + TENANT);
    world.startAgent("bare", "eu", "bare", "sandbox,process", without("bwrap"));
    world.startAgent("half", "eu", "half", "sandbox,image", without("crun", "mkfs.ext4"));
    // Its tools are in folders that its PATH does not have.
    world.startAgent("whole", "eu", "whole", "sandbox,image", [
      "/usr/bin/env",
      "PATH=/usr/bin:/bin",
    ]);
    await world.untilReady(["bare", "half", "whole"]);
  }, 600_000);
  afterAll(async () => {
    await Promise.all(["bare", "half", "whole"].map((name) => world.stopAgent(name)));
    await world.remove();
  });

  const drivers = async (node: string): Promise<readonly NodeDriver[]> => {
    const nodes = await world.list<Shown & { status: { drivers: readonly NodeDriver[] } }>("nodes");
    return nodes.find(({ metadata }) => metadata.name === node)!.status.drivers;
  };

  test("say which, with the package that has it [DR2] [BD15]", async () => {
    expect(await drivers("bare")).toEqual([
      { name: "sandbox", lacks: "it lacks bwrap (Debian: bubblewrap)" },
      { name: "process" },
    ]);
    const lacksDisk = "it lacks mkfs.ext4 (Debian: e2fsprogs)";
    expect(await drivers("half")).toEqual([
      { name: "sandbox", lacksDisk },
      { name: "image", lacks: "it lacks crun (Debian: crun)" },
    ]);
    expect(await drivers("whole")).toEqual([{ name: "sandbox" }, { name: "image" }]);
    const log = readFileSync(join(world.folder, "half.log"), "utf8");
    expect(log).toContain(`has no disks for replicas: ${lacksDisk}`);
  });

  test("get the work that they can run, and no other [BD15]", async () => {
    await world.apply(
      [
        workload("boxed", `  replicas: 4\n  driver: sandbox\n${run()}`),
        workload("stored", `  replicas: 3\n${run(", disk: 16Mi")}`),
        workload("plain", `  replicas: 2\n  driver: process\n${run()}`),
      ].join(""),
    );
    const nodesOf = (name: string, count: number) =>
      world.until(`${count} of ${name}`, async () => {
        const nodes = await world.nodesServing(name);
        return nodes.length === count ? [...new Set(nodes)] : undefined;
      });
    expect(["half", "whole"]).toEqual(expect.arrayContaining(await nodesOf("boxed", 4)));
    expect(await nodesOf("stored", 3)).toEqual(["whole"]);
    expect(await nodesOf("plain", 2)).toEqual(["bare"]);
  }, 600_000);

  test("are named with what they lack to who asks why work waits [BD15]", async () => {
    const placement = "  placement: { zones: [half] }";
    await world.apply(
      workload("stuck", `${placement}\n${run(IMAGE)}`) +
        workload("unstored", `${placement}\n${run(", disk: 16Mi")}`),
    );
    const told = (name: string, what: string) =>
      world.until(what, async () => {
        const said = await world.berth("explain", `workload/${name}`, "-n", "payments");
        return said.includes(what) ? what : undefined;
      });
    for (const [name, what] of [
      ["stuck", "driver image: it lacks crun (Debian: crun)"],
      ["unstored", "driver sandbox with a disk: it lacks mkfs.ext4 (Debian: e2fsprogs)"],
    ] as const) {
      expect(await told(name, what)).toBe(what);
    }
  }, 600_000);
});
