import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { findProcessLogs } from "../../src/agent/logs/process-logs.ts";
import { type RunningAgent, runAgent } from "../../src/agent/run-agent.ts";
import type { AgentInput } from "../../src/core/kernel/component.ts";
import { nodeKey } from "../../src/core/model/ids.ts";
import type { Replica } from "../../src/core/model/objects.ts";
import { ServedPlane } from "../e2e/served-plane.ts";
import { eventually, isAlive, pidSaidIn, sh } from "./a-driver.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Real planes, real agents, real processes: the lease alone takes fifteen seconds. */
const TIMEOUT_MS = 240_000;

let plane: ServedPlane;
let folder: string;
let agent: RunningAgent | undefined;
const inputs: AgentInput[] = [];
const broken: unknown[] = [];

beforeEach(async () => {
  plane = new ServedPlane();
  await plane.start();
  folder = mkdtempSync(join(tmpdir(), "berth-node-"));
  inputs.length = 0;
  await post("tenants", { kind: "Tenant", metadata: { name: "payments" } });
  const limit = { cpu: "8", memory: "8Gi", devices: 1 };
  const quota = { kind: "Quota", metadata: { name: "default" }, spec: { limit } };
  await post("namespaces/payments/quotas", quota);
});

afterEach(async () => {
  await agent?.stop({ stopProcesses: true });
  agent = undefined;
  await plane.remove();
  await removeFolder(folder);
  if (broken.length > 0) throw new Error("The agent broke.", { cause: broken[0] });
});

async function post(path: string, object: object): Promise<void> {
  const response = await fetch(`${plane.url}/apis/berth.dev/v1/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ apiVersion: "berth.dev/v1", ...object }),
  });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

async function workload(spec: object, name = "api"): Promise<void> {
  const resources = { cpu: "100m", memory: "64Mi" };
  const object = { kind: "Workload", metadata: { name }, spec: { resources, ...spec } };
  await post("namespaces/payments/workloads", object);
}

async function startAgent(servers = [plane.url]): Promise<void> {
  agent = await runAgent({
    node: {
      name: "a-1",
      region: "eu",
      zone: "eu-a",
      cpuMillis: 2_000,
      memoryMiB: 2_048,
      deviceClass: "gpu",
      deviceIds: ["g-7"],
      labels: { disk: "fast" },
    },
    servers: servers.map((url) => new URL(url)),
    folder,
    credentials: {},
    note: () => undefined,
    onInput: (_, input) => void inputs.push(input),
    onBroken: (error) => void broken.push(error),
  });
}

const replicas = (name = "api"): readonly Replica[] =>
  [...plane.running.objects.all("Replica").values()].filter(({ spec }) => spec.workload === name);

const staged = (stage: string, name = "api"): Promise<Replica> =>
  eventually(`${name} to be ${stage}`, () =>
    replicas(name).find(({ status }) => status.stage === stage),
  );

/** What a process says is in its log a moment later: another process keeps that. */
const saidPid = ({ key }: Replica): Promise<number> =>
  eventually("its process to say its pid", () =>
    pidSaidIn(findProcessLogs(folder, key)[0]?.stdout),
  );

const SERVER = `console.log(process.pid);
require("node:http").createServer((_, response) => response.end(process.env.BERTH_REPLICA))
  .listen(process.env.PORT_HTTP, "127.0.0.1")`;

const service = {
  run: { command: [process.execPath, "-e", SERVER], ports: ["http"] },
  probes: { ready: { http: { port: "http" }, timeout: "5s" } },
};

describe("an agent at a plane", () => {
  test("registers its node with what it has", { timeout: TIMEOUT_MS }, async () => {
    await startAgent();
    const node = await eventually("the node to be ready", () => {
      const found = plane.running.objects.node(nodeKey("a-1"));
      return found?.status.health === "ready" ? found : undefined;
    });
    expect(node.meta.labels).toEqual({ disk: "fast" });
    expect(node.spec).toMatchObject({
      region: "eu",
      zone: "eu-a",
      capacity: { cpuMillis: 2_000, memoryMiB: 2_048, deviceMillis: 1_000 },
      pools: [{ class: "gpu", model: "", ids: ["g-7"] }],
    });
  });

  test(
    "serves a workload, and leaves nothing when it is deleted",
    { timeout: TIMEOUT_MS },
    async () => {
      await startAgent();
      await workload({
        ...service,
        resources: { cpu: "1", memory: "64Mi", devices: { class: "gpu", count: 1 } },
      });
      const replica = await staged("serving");
      const { host, ports } = replica.status.address!;
      const answer = await fetch(`http://${host}:${ports["http"]}/`);
      expect(await answer.text()).toBe("payments/api.1.0");
      const pid = await saidPid(replica);
      const environment = readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
      expect(environment).toEqual(expect.arrayContaining(["BERTH_DEVICES=g-7", "BERTH_NODE=a-1"]));
      await fetch(`${plane.url}/apis/berth.dev/v1/namespaces/payments/workloads/api`, {
        method: "DELETE",
      });
      await eventually("the replica to go", () => replicas().length === 0);
      expect(isAlive(pid)).toBe(false);
      // It hears of it a moment after the plane knows.
      await eventually("the agent to forget it", () => agent!.host.driver.ended.length === 0);
    },
  );

  test("tells how a batch ended", { timeout: TIMEOUT_MS }, async () => {
    await startAgent();
    await workload({ type: "batch", run: { command: sh("exit 0") } }, "good");
    await workload({ type: "batch", run: { command: sh("exit 3") } }, "bad");
    expect((await staged("succeeded", "good")).status.incarnation).toBe(1);
    const failed = await eventually("a failure", () =>
      replicas("bad").find(({ status }) => status.failures > 0),
    );
    expect(failed.status.failures).toBeGreaterThan(0);
  });

  test("takes its processes over from the agent before it", { timeout: TIMEOUT_MS }, async () => {
    await startAgent();
    await workload(service);
    const replica = await staged("serving");
    await agent!.stop({ stopProcesses: false });
    inputs.length = 0;
    await startAgent();
    expect(inputs[0]).toMatchObject({
      kind: "adopted",
      session: 1,
      processes: [{ replica: replica.key, incarnation: 1, address: replica.status.address! }],
    });
    await eventually("a look at the process", () =>
      inputs.some((input) => input.kind === "process" && input.event.kind === "probed"),
    );
    expect(replicas()).toMatchObject([
      { status: { stage: "serving", incarnation: 1, failures: 0 } },
    ]);
    expect(isAlive(await saidPid(replica))).toBe(true);
  });

  test(
    "turns to another plane when the first does not answer",
    { timeout: TIMEOUT_MS },
    async () => {
      await startAgent(["http://127.0.0.1:1", plane.url]);
      await workload({ run: { command: ["sleep", "600"] } });
      expect((await staged("serving")).status.node).toBe("a-1");
    },
  );

  test(
    "without a plane its processes go on, until the leash ends those that have one [AG2]",
    { timeout: TIMEOUT_MS },
    async () => {
      await startAgent();
      const command = sh("echo $$; exec sleep 600");
      await workload({ run: { command } }, "leashed");
      await workload({ run: { command }, onDisconnect: "keep" }, "kept");
      const pids = [
        await saidPid(await staged("serving", "leashed")),
        await saidPid(await staged("serving", "kept")),
      ];
      await plane.stop();
      expect(pids.map(isAlive)).toEqual([true, true]);
      await eventually("the leash to end", () => !isAlive(pids[0]!));
      expect(isAlive(pids[1]!)).toBe(true);
      await plane.start();
      const again = await eventually("another incarnation", () =>
        replicas("leashed").find(
          ({ status }) => status.stage === "serving" && status.incarnation > 1,
        ),
      );
      expect(again.status.node).toBe("a-1");
      await staged("serving", "kept");
      expect(isAlive(pids[1]!)).toBe(true);
    },
  );
});
