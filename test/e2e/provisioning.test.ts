/**
 * Machines on demand with real processes: work that waits for nothing but room gets an agent that the plane starts itself, and
 * serves there, also when the plane is killed; work that waits for quota gets none; a program that makes no machine is asked
 * less and less often, and the pool says why; a machine that nobody needs is given back.
 */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../../src/serve/free-port.ts";
import { BuiltBerth } from "../bench/a-built-berth.ts";
import { adminHeaders } from "./admin-headers.ts";
import { untilLeasesAreFresh } from "./agent-leases.ts";
import { tryToSignal } from "./chaos/chaos-world.ts";
import { KeptBerth } from "./chaos/kept-berth.ts";
import { removeFolder } from "../builders/remove-folder.ts";

/** Only bounds a hang: what the plane promises is checked by the plane's own clock. */
const PATIENCE_MS = 180_000;

const folder = mkdtempSync(join(tmpdir(), "berth-pools-"));
const built = new BuiltBerth();
const kept = new Map<string, KeptBerth>();
let server = "";

beforeAll(async () => {
  await built.build();
  const port = await findFreePort("127.0.0.1");
  server = `http://127.0.0.1:${port}`;
  const full = join(folder, "full-rack");
  writeFileSync(full, `#!/bin/sh\necho '{"error":"the rack is full"}'\nexit 1\n`, { mode: 0o755 });
  const makers = ["--provisioner", "here=local", "--provisioner", `rack=exec:${full}`];
  keep("plane", "plane", "--data", folder, "--listen", `127.0.0.1:${port}`, ...makers);
  const place = ["--name", "base-1", "--region", "home", "--zone", "home-a"];
  const rest = ["--cpu", "1", "--memory", "1Gi", "--data", join(folder, "agents", "base-1")];
  const run = ["--drivers", "process", "--stop-processes-on-exit"];
  keep("base-1", "agent", "--server", server, ...place, ...rest, ...run);
});

afterAll(async () => {
  for (const each of kept.values()) each.end();
  await sleep(200);
  for (const pid of pidsIn(join(folder, "agents"))) tryToSignal(pid, "SIGKILL");
  built.remove();
  await removeFolder(folder);
});

function keep(name: string, ...args: readonly string[]): void {
  const script = join(built.folder, "berth.mjs");
  const one = new KeptBerth({ script, args, log: join(folder, `${name}.log`) });
  kept.set(name, one);
  one.start();
}

/** Whatever runs in a folder, such as the replicas of a node. */
const pidsIn = (path: string): readonly number[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(path);
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);

const pidsOfAgent = (name: string): readonly number[] =>
  built
    .runningNow()
    .filter(({ words }) => words.startsWith("agent ") && words.includes(` ${name} `))
    .map(({ pid }) => pid);

async function berth(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await built.run(...args, "--data", folder);
  if (code !== 0) throw new Error(`berth ${args.join(" ")}: ${err}${out}`);
  return out;
}

async function until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    // Nobody may be there to ask yet.
    const seen = await look().catch(() => undefined);
    if (seen !== undefined) return seen;
    if (performance.now() > endMs) {
      const log = readFileSync(join(folder, "plane.log"), "utf8").slice(-2_000);
      throw new Error(`Waited in vain for ${what}.\n${log}`);
    }
    await sleep(100);
  }
}

interface Shown {
  readonly metadata: { readonly name: string };
  readonly status: {
    readonly stage?: string;
    readonly node?: string;
    readonly health?: string;
    readonly asked?: number;
    readonly lastFailure?: { readonly reason: string };
  };
}

async function list(kind: string): Promise<readonly Shown[]> {
  const signal = AbortSignal.timeout(5_000);
  const headers = adminHeaders(folder);
  const answer = await fetch(`${server}/apis/berth.dev/v1/${kind}`, { signal, headers });
  return ((await answer.json()) as { readonly items: readonly Shown[] }).items;
}

const names = async (kind: string): Promise<readonly string[]> =>
  (await list(kind)).map(({ metadata }) => metadata.name).toSorted();

const poolOf = async (name: string): Promise<Shown["status"] | undefined> =>
  (await list("nodepools")).find(({ metadata }) => metadata.name === name)?.status;

const nodesServing = async (name: string): Promise<readonly string[]> =>
  (await list("replicas"))
    .filter(({ metadata, status }) => metadata.name.startsWith(name) && status.stage === "serving")
    .map(({ status }) => status.node ?? "")
    .toSorted();

async function apply(text: string): Promise<void> {
  const file = join(folder, "applied.yaml");
  writeFileSync(file, text);
  await until("the plane", async () => berth("apply", "-f", file));
}

const tenant = (name: string, cpu: string) => `---
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: ${name} }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: ${name} }
spec: { limit: { cpu: ${cpu}, memory: 4Gi } }
`;

const region = (name: string) => `---
apiVersion: berth.dev/v1
kind: Region
metadata: { name: ${name} }
spec: { zones: [${name}-a] }
`;

const pool = (name: string, of: { at: string; provisioner: string }) => `---
apiVersion: berth.dev/v1
kind: NodePool
metadata: { name: ${name} }
spec:
  region: ${of.at}
  zone: ${of.at}-a
  capacity: { cpu: 1, memory: 1Gi }
  provisioner: ${of.provisioner}
  maxNodes: 2
  pace: { nodes: 2, period: 1m }
  pendingFor: 0s
  idleAfter: 5s
`;

const workload = (name: string, of: { tenant: string; cpu: string; at: string }) => `---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: ${of.tenant} }
spec:
  replicas: 2
  placement: { regions: [${of.at}] }
  resources: { cpu: ${of.cpu}, memory: 64Mi }
  run: { command: [sleep, "600"] }
`;

it("provisioning: a queue that needs a second machine gets an agent and serves, through a killed plane; quota asks for none; a failing program backs off and says why; what is idle is given back", async () => {
  const places = `${region("home")}${region("far")}${tenant("shop", "3")}${tenant("bank", "100m")}`;
  const pools = `${pool("burst", { at: "home", provisioner: "here" })}${pool("rack", { at: "far", provisioner: "rack" })}`;
  await apply(`${places}${pools}`);
  await until("the first node", async () =>
    (await list("nodes")).some(({ status }) => status.health === "ready") ? true : undefined,
  );
  // Two of which one fits, two of which one has quota, and two for which nobody makes a machine.
  const shop = workload("api", { tenant: "shop", cpu: "600m", at: "home" });
  const bank = workload("ledger", { tenant: "bank", cpu: "100m", at: "home" });
  await apply(`${shop}${bank}${workload("edge", { tenant: "shop", cpu: "100m", at: "far" })}`);
  await until("both to serve", async () =>
    (await nodesServing("api")).join() === "base-1,burst-1" ? true : undefined,
  );
  await until("the one with quota", async () =>
    (await nodesServing("ledger")).length === 1 ? true : undefined,
  );
  expect(await names("nodes")).toEqual(expect.arrayContaining(["base-1", "burst-1"]));
  expect(pidsOfAgent("burst-1")).toHaveLength(1);

  const { reason } = await until("the failure", async () => (await poolOf("rack"))?.lastFailure);
  expect(reason).toBe("the rack is full");
  const told = await until("the pool to wait", async () => {
    const text = await berth("describe", "nodepool", "rack");
    return text.includes("waits: pool-backoff") ? text : undefined;
  });
  expect(told).toContain("the rack is full");
  expect(told).toMatch(/2 of Workload\/shop\/edge fit on no node; not requested: \d+ in a row/);
  const table = await berth("get", "nodepools");
  expect(table).toMatch(/^rack +rack +far\/far-a +0 +0 +2 +\d+ +the rack is full/m);

  // What waits for quota all this time had nothing asked for it, and is told so.
  expect((await poolOf("burst"))?.asked).toBe(1);
  expect(await berth("describe", "nodepool", "burst")).toContain(
    "1 wait for quota: a new node does not help",
  );

  const running = pidsIn(join(folder, "agents", "burst-1"));
  expect(running).not.toEqual([]);
  const [first] = pidsOfAgent("burst-1");
  // What runs lives on a lease until the next plane and its agent are there.
  await untilLeasesAreFresh(["base-1", "burst-1"].map((name) => join(folder, "agents", name)));
  kept.get("plane")!.kill();
  await until("the agent to end with its plane and the next plane to start another", async () => {
    const [next, ...others] = pidsOfAgent("burst-1");
    return next !== undefined && next !== first && others.length === 0 ? true : undefined;
  });
  await until("the node to be ready", async () =>
    (await list("nodes")).find(
      ({ metadata, status }) => metadata.name === "burst-1" && status.health === "ready",
    ) === undefined
      ? undefined
      : true,
  );
  await until("both to be shown as serving", async () =>
    (await nodesServing("api")).join() === "base-1,burst-1" ? true : undefined,
  );
  // Nobody had to start again: the next agent took over what ran.
  expect(pidsIn(join(folder, "agents", "burst-1"))).toEqual(expect.arrayContaining([...running]));

  await berth("delete", "workload", "api", "-n", "shop");
  await until("the machine to be given back", async () =>
    (await names("nodes")).includes("burst-1") ? undefined : true,
  );
  await until("its processes to be gone", async () => {
    const left = [...pidsOfAgent("burst-1"), ...pidsIn(join(folder, "agents", "burst-1"))];
    return left.length === 0 ? true : undefined;
  });
  await kept.get("plane")!.stop();
  expect(built.processes().filter((words) => words.startsWith("plane "))).toEqual([]);
}, 900_000);
