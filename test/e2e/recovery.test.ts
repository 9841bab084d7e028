/**
 * Recovery objectives with real processes: the agents of a region are killed, its replicas die by their leash, and a service
 * is back in the room that was kept for it elsewhere, in time. One that asked for too little time says where it was spent.
 */
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { findFreePort } from "../../src/cli/up/free-port.ts";
import { BuiltBerth } from "../bench/a-built-berth.ts";
import { KeptBerth } from "./chaos/kept-berth.ts";

/** Only bounds a hang: what the plane promises is checked by the plane's own clock. */
const PATIENCE_MS = 120_000;

const folder = mkdtempSync(join(tmpdir(), "berth-recovery-"));
const built = new BuiltBerth();
const kept = new Map<string, KeptBerth>();
let server = "";

beforeAll(async () => {
  await built.build();
  const port = await findFreePort("127.0.0.1");
  server = `http://127.0.0.1:${port}`;
  keep("plane", "plane", "--data", folder, "--listen", `127.0.0.1:${port}`);
});

afterAll(async () => {
  for (const each of kept.values()) each.end();
  await sleep(100);
  for (const pid of replicaProcesses()) process.kill(pid, "SIGKILL");
  built.remove();
  rmSync(folder, { recursive: true, force: true });
});

function keep(name: string, ...args: readonly string[]): void {
  const script = join(built.folder, "berth.mjs");
  const one = new KeptBerth({ script, args, log: join(folder, `${name}.log`) });
  kept.set(name, one);
  one.start();
}

function startAgent(name: string, region: string, zone: string): void {
  const place = ["--name", name, "--region", region, "--zone", zone];
  const rest = ["--cpu", "1", "--memory", "1Gi", "--data", join(folder, "agents", name)];
  keep(name, "agent", "--server", server, ...place, ...rest, "--stop-processes-on-exit");
}

/** Whatever runs in our folder and is neither the plane nor an agent. */
const replicaProcesses = (): readonly number[] =>
  readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid))
    .filter((pid) => {
      try {
        return readlinkSync(`/proc/${pid}/cwd`).startsWith(join(folder, "agents"));
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);

async function berth(...args: readonly string[]): Promise<string> {
  const { code, out, err } = await built.run(...args, "--server", server);
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
    readonly recovery?: {
      readonly reserved: string;
      readonly rooms: readonly string[];
      readonly last?: { readonly took: string; readonly lost: number; readonly missed?: string };
    };
  };
}

async function list(kind: string): Promise<readonly Shown[]> {
  const signal = AbortSignal.timeout(5_000);
  const answer = await fetch(`${server}/apis/berth.dev/v1/${kind}`, { signal });
  return ((await answer.json()) as { readonly items: readonly Shown[] }).items;
}

const recoveryOf = async (name: string) =>
  (await list("workloads")).find(({ metadata }) => metadata.name === name)?.status.recovery;

const nodesServing = async (name: string): Promise<readonly string[]> =>
  (await list("replicas"))
    .filter(({ metadata, status }) => metadata.name.startsWith(name) && status.stage === "serving")
    .map(({ status }) => status.node ?? "")
    .toSorted();

const workload = (name: string, within: string) => `---
apiVersion: berth.dev/v1
kind: Workload
metadata: { name: ${name}, namespace: shop }
spec:
  replicas: 2
  recovery: { within: ${within}, replicas: 2, in: [away] }
  placement: { spread: [{ by: zone, maxSkew: 1 }] }
  resources: { cpu: 100m, memory: 64Mi }
  run: { command: [sleep, "600"] }
`;

const MANIFEST = `
apiVersion: berth.dev/v1
kind: Tenant
metadata: { name: shop }
---
apiVersion: berth.dev/v1
kind: Quota
metadata: { name: default, namespace: shop }
spec: { limit: { cpu: 4, memory: 4Gi } }
`;

/** As soon as there is somebody to take it. */
async function apply(text: string): Promise<void> {
  const file = join(folder, "applied.yaml");
  writeFileSync(file, text);
  await until("the plane", async () => berth("apply", "-f", file));
}

const regionText = (name: string) => `---
apiVersion: berth.dev/v1
kind: Region
metadata: { name: ${name} }
spec: { zones: [${name}-a, ${name}-b] }
`;

it("recovery: a region's agents are killed, and a service is back where room was kept for it, in time; one that is late says at which stage", async () => {
  await apply(`${regionText("home")}${regionText("away")}---${MANIFEST}`);
  const home = ["home-a", "home-b"];
  for (const name of home) startAgent(name, "home", name);
  await until("both nodes", async () => {
    const ready = (await list("nodes")).filter(({ status }) => status.health === "ready");
    return ready.length === home.length ? true : undefined;
  });
  await apply(`${workload("api", "2m")}${workload("hasty", "1s")}`);
  for (const name of ["api", "hasty"]) {
    await until(`${name} at home`, async () =>
      (await nodesServing(name)).join() === home.join() ? true : undefined,
    );
  }
  for (const zone of ["a", "b"]) startAgent(`away-${zone}`, "away", `away-${zone}`);
  // One in each zone, also when the first of them had both: its spread would let nobody be bound to the second.
  await until("room in both zones", async () => {
    const { reserved, rooms = [] } = (await recoveryOf("api")) ?? {};
    return reserved === "2/2" && rooms.toSorted().join() === "away-a,away-b" ? true : undefined;
  });
  expect(await berth("get", "workloads", "-n", "shop", "-o", "wide")).toMatch(/^api .*2m 2\/2/m);

  for (const name of home) kept.get(name)!.end();
  const { took, lost, missed } = await until("api to be back", async () => {
    return (await recoveryOf("api"))?.last;
  });
  expect(await nodesServing("api")).toEqual(["away-a", "away-b"]);
  expect({ lost, missed }).toEqual({ lost: 2, missed: undefined });
  const described = await berth("describe", "workload", "api", "-n", "shop");
  expect(described).toContain(`took: ${took}`);
  expect(described).toMatch(/spent:\n +lost: \S+/);
  // The first node that is called silent begins it.
  expect(described).toMatch(/RecoveryBegan .*lost; .* to be back within 2m/);
  expect(described).toMatch(/Recovered .*2 replicas were lost and are back after .*: lost \S+/);
  expect(described).toMatch(/RecoveryInTime +True/);

  const late = await until("hasty to be back", async () => (await recoveryOf("hasty"))?.last);
  expect(late).toMatchObject({ lost: 2, missed: "lost" });
  const told = await berth("describe", "workload", "hasty", "-n", "shop");
  expect(told).toMatch(
    /RecoveryMissed .*not back within 1s; most of it was spent in lost: lost \S+/,
  );
  expect(told).toMatch(/RecoveryInTime +False/);
}, 300_000);
