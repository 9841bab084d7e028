/** How processes end on a real node, and what the plane makes of it: refusals, restarts, stops on request. */
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type RunningAgent, runAgent } from "../../src/agent/run-agent.ts";
import type { Why } from "../../src/cli/text/why-text.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { runCommand } from "../cli/a-served-plane.ts";
import { ServedPlane } from "../e2e/served-plane.ts";
import { eventually, sh } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Real planes, real agents, real processes. */
const TIMEOUT_MS = 240_000;

let plane: ServedPlane;
let folder: string;
let agent: RunningAgent | undefined;

beforeEach(async () => {
  plane = new ServedPlane();
  await plane.start();
  folder = mkdtempSync(join(tmpdir(), "berth-node-"));
  await post("tenants", { kind: "Tenant", metadata: { name: "payments" } });
  const limit = { cpu: "64", memory: "64Gi", devices: 2 };
  const quota = { kind: "Quota", metadata: { name: "default" }, spec: { limit } };
  await post("namespaces/payments/quotas", quota);
});

afterEach(async () => {
  await agent?.stop({ stopProcesses: true });
  agent = undefined;
  await plane.remove();
  await removeFolder(folder);
});

async function post(path: string, object: object): Promise<void> {
  const response = await fetch(`${plane.url}/apis/berth.dev/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "berth.dev/v1", ...object }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

async function workload(spec: object): Promise<void> {
  const resources = { cpu: "100m", memory: "64Mi" };
  const object = { kind: "Workload", metadata: { name: "api" }, spec: { resources, ...spec } };
  await post("namespaces/payments/workloads", object);
}

async function startAgent(): Promise<void> {
  agent = await runAgent({
    node: {
      name: "a-1",
      region: "eu",
      zone: "eu-a",
      cpuMillis: 1_000,
      memoryMiB: 1_024,
      deviceClass: "gpu",
      deviceIds: ["g-0"],
      labels: {},
    },
    servers: [new URL(plane.url)],
    folder,
    credentials: {},
    note: () => undefined,
    onBroken: (error) => {
      throw error;
    },
  });
}

/** Somebody has declared more than there is. */
const declareLargeNode = (): Promise<void> =>
  post("nodes", {
    kind: "Node",
    metadata: { name: "a-1" },
    spec: {
      region: "eu",
      zone: "eu-a",
      capacity: { cpu: "32", memory: "32Gi", devices: { class: "gpu", ids: ["g-0", "g-1"] } },
    },
  });

const replica = (): Replica | undefined => [...plane.running.objects.all("Replica").values()][0];

const seen = (what: string, is: (of: Replica) => boolean): Promise<Replica> =>
  eventually(what, () => {
    const found = replica();
    return found !== undefined && is(found) ? found : undefined;
  });

const failed = (): Promise<Replica> => seen("a failure", ({ status }) => status.stage === "failed");

describe("a replica that its node cannot take", () => {
  test(
    "fails with what is missing, and waits for its next incarnation [AG6]",
    { timeout: TIMEOUT_MS },
    async () => {
      await declareLargeNode();
      await startAgent();
      const devices = { class: "gpu", count: 2 };
      await workload({
        resources: { cpu: "100m", memory: "64Mi", devices },
        run: { command: ["true"] },
      });
      const { status } = await failed();
      expect(status.lastEnd).toBe("its node has no device g-1: its agent was started with g-0");
      expect(status.failures).toBeGreaterThan(0);
      expect(agent!.host.driver.ended).toEqual([]);
      const described = await eventually("the sentence", async () => {
        const { out } = await runCommand(["describe", "replica", "api.1.0", "--server", plane.url]);
        return out.includes("restarts in") && out;
      });
      expect(described).toMatch(/api\.1\.0 restarts in \d+ s after \d+ failure/);
      expect(described).toContain("has no device g-1");
    },
  );

  test("fails with how much memory there is [AG6]", { timeout: TIMEOUT_MS }, async () => {
    await declareLargeNode();
    await startAgent();
    await workload({ resources: { cpu: "100m", memory: "2Gi" }, run: { command: ["true"] } });
    expect((await failed()).status.lastEnd).toBe(
      "it requests 2048Mi of memory, and its node has 1024Mi free of 1024Mi",
    );
  });

  test("fails with the user that is not there [AG6]", { timeout: TIMEOUT_MS }, async () => {
    await startAgent();
    await workload({ run: { command: ["true"], user: "no-such-user" } });
    expect((await failed()).status.lastEnd).toBe("There is no user no-such-user on this node.");
  });
});

describe("a service that keeps failing", () => {
  test(
    "waits longer every time, and describe says how long [ST4]",
    { timeout: TIMEOUT_MS },
    async () => {
      await startAgent();
      await workload({ run: { command: sh("exit 3") } });
      // The longest wait that was seen after each number of failures.
      const waits = new Map<number, number>();
      await eventually("three waits", async () => {
        const response = await fetch(`${plane.url}/decisions?key=Workload/payments/api`);
        const { decisions } = (await response.json()) as Why;
        for (const { decision, atMs } of decisions) {
          const { restarts = [] } = decision.kind === "wait" ? decision.because : {};
          for (const { failures, dueMs } of restarts) {
            waits.set(failures, Math.max(waits.get(failures) ?? 0, dueMs - atMs));
          }
        }
        return waits.size >= 3;
      });
      const inOrder = [...waits].toSorted(([a], [b]) => a - b).map(([, waitMs]) => waitMs);
      expect(inOrder.toSorted((a, b) => a - b)).toEqual(inOrder);
      expect(new Set(inOrder).size).toBe(inOrder.length);
      expect(replica()!.status.lastEnd).toBe("its process ended with exit code 3");
      const described = await eventually("the sentence", async () => {
        const { out } = await runCommand(["describe", "workload", "api", "--server", plane.url]);
        return out.includes("restarts in") && out;
      });
      expect(described).toMatch(/api\.1\.0 restarts in \d+ s after \d+ failures/);
    },
  );
});

describe("an agent that is told to stop with its processes", () => {
  test(
    "counts no failure against them, and starts them again [AG8]",
    { timeout: TIMEOUT_MS },
    async () => {
      await startAgent();
      await workload({ run: { command: ["sleep", "600"] } });
      await seen("it to serve", ({ status }) => status.stage === "serving");
      await agent!.stop({ stopProcesses: true });
      await startAgent();
      const again = await seen("it to serve again", ({ status }) => {
        return status.incarnation === 2 && status.stage === "serving";
      });
      expect(again.status).toMatchObject({
        failures: 0,
        lastEnd: "its process stopped on request",
      });
    },
  );
});

test("a node says what its machine cannot do, once", { timeout: TIMEOUT_MS }, async () => {
  await startAgent();
  const node = await eventually("the node to be ready", () => {
    const found = plane.running.objects.node(nodeKey("a-1"));
    return found?.status.health === "ready" ? found : undefined;
  });
  const { notes, drivers } = agent!.host.driver.machine;
  expect(node.status.notes ?? []).toEqual(notes);
  expect(node.status.drivers).toEqual(drivers);
});
