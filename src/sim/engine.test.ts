import { expect, test } from "vitest";
import type { Commit } from "../core/protocol/commit-record.ts";
import { worldNode, worldWorkload } from "./world/build-world.ts";
import { createCheckers } from "./check/all-checkers.ts";
import type { Checker, LiveProcess, Truth } from "./check/checker.ts";
import { Engine } from "./engine.ts";
import type { Fault } from "./faults/fault.ts";
import type { RunResult } from "./report/run-result.ts";
import type { World } from "./world/world.ts";

const world: World = {
  name: "two-nodes",
  regions: [{ name: "r1", zones: ["r1-a"] }],
  nodes: ["n1", "n2"].map((name) =>
    worldNode({ name, region: "r1", zone: "r1-a", cpuMillis: 4_000, memoryMiB: 4_096 }),
  ),
  tenants: [{ name: "t1", quota: { cpuMillis: 4_000, memoryMiB: 4_096, deviceMillis: 0 } }],
  workloads: [
    worldWorkload({
      tenant: "t1",
      name: "api",
      replicas: 1,
      amounts: { cpuMillis: 500, memoryMiB: 256 },
    }),
  ],
  schedulers: 1,
  timeline: [],
  faultsUntilMs: 60_000,
  healMs: 240_000,
  startUpMs: 1_000,
  batchRunMs: 5_000,
};

/** Writes down what happens; the checkers are on as well. */
class Witness implements Checker {
  readonly name = "witness";
  readonly commits: Commit[] = [];
  readonly started: (LiveProcess & { readonly atMs: number })[] = [];
  readonly ended: (LiveProcess & { readonly atMs: number })[] = [];
  readonly running = new Map<number, number>();

  afterCommit(commit: Commit): void {
    this.commits.push(commit);
  }
  processStarted(process: LiveProcess, truth: Truth): void {
    this.started.push({ ...process, atMs: truth.nowMs });
  }
  processEnded(process: LiveProcess, truth: Truth): void {
    this.ended.push({ ...process, atMs: truth.nowMs });
  }
  sampled(truth: Truth): void {
    this.running.set(truth.nowMs, [...truth.processes()].length);
  }
  operations(verb: string): readonly string[] {
    return this.commits.filter(({ command }) => command === verb).map(({ operation }) => operation);
  }
}

function witness(
  explicit: readonly Fault[],
  on: World = world,
): { seen: Witness; result: RunResult } {
  const seen = new Witness();
  const options = { world: on, seed: 1, faults: { explicit, rates: {} }, trace: true };
  const result = new Engine(options, [...createCheckers(on), seen]).run();
  expect(result.violation).toBeUndefined();
  return { seen, result };
}

const calm = witness([]);
const home = calm.seen.started[0]?.node ?? "";
const bind = calm.seen.operations("bind")[0] ?? "";
const said = ({ trace }: RunResult, text: string): boolean =>
  trace.some((line) => line.text.includes(text));

test("without faults one bind starts one process and the world comes to rest", () => {
  expect(calm.seen.started).toHaveLength(1);
  expect(calm.seen.operations("bind")).toHaveLength(1);
  expect(calm.result.endedMs).toBe(world.faultsUntilMs);
});

test("scenario: bind commits, reply lost, retry: one binding", () => {
  const fault = { fault: "lose-reply", to: "place-1", operation: bind, attempt: 1 } as const;
  const { seen, result } = witness([fault]);
  expect(result.fired).toEqual([fault]);
  expect(seen.operations("bind")).toEqual([bind]);
  expect(said(result, "; the reply was lost")).toBe(true);
  expect(said(result, `lookup:${bind}`)).toBe(true);
});

test("scenario: the bind request is lost and sent again", () => {
  const { seen, result } = witness([
    { fault: "lose-request", from: "place-1", operation: bind, attempt: 1 },
  ]);
  expect(seen.operations("bind")).toEqual([bind]);
  expect(said(result, `${bind} (attempt 2)`)).toBe(true);
});

test("scenario: the bind arrives twice and takes effect once", () => {
  const { seen, result } = witness([
    { fault: "duplicate-request", from: "place-1", operation: bind, attempt: 1, afterMs: 3_000 },
  ]);
  expect(seen.operations("bind")).toEqual([bind]);
  expect(said(result, "had already committed")).toBe(true);
});

test("scenario: the scheduler dies right after it sent the bind", () => {
  const { seen, result } = witness([
    { fault: "crash-after", component: "place-1", operation: bind, attempt: 1, downMs: 500 },
  ]);
  expect(seen.operations("bind")).toEqual([bind]);
  expect(said(result, "crashed; back in 500 ms")).toBe(true);
});

test("scenario: a second leader claims the log and the first is fenced", () => {
  const { seen, result } = witness([{ fault: "second-leader", atMs: 20_000 }]);
  expect(seen.operations("lead")).toEqual(["lead/1", "lead/2"]);
  expect(said(result, "resigned")).toBe(true);
  expect(seen.started).toHaveLength(1);
});

test("scenario: the leader crashes for longer than the failover and another takes over", () => {
  const { seen, result } = witness([{ fault: "restart-leader", atMs: 20_000, downMs: 50_000 }]);
  expect(seen.operations("lead")).toEqual(["lead/1", "lead/2"]);
  expect(
    result.trace.some(({ component, text }) => component === "plane-2" && text === "started"),
  ).toBe(true);
  expect(seen.started).toHaveLength(1);
});

test.each([true, false])("scenario: an append answers unknown, landed: %s", (landed) => {
  const { seen } = witness([{ fault: "append-unknown", plane: "plane-1", append: 5, landed }]);
  expect(seen.operations("lead")).toEqual(["lead/1", "lead/2"]);
  expect(seen.commits.map(({ revision }) => revision)).toEqual(seen.commits.map((_, at) => at + 1));
});

test("a process outlives its agent and is taken over by the next", () => {
  const { seen } = witness([
    { fault: "crash", component: `agent:${home}`, atMs: 20_000, downMs: 2_000 },
  ]);
  expect(seen.started).toHaveLength(1);
  expect(seen.ended).toHaveLength(0);
});

test("a crashed node takes its processes with it and comes back in a new session", () => {
  const { seen } = witness([{ fault: "node-crash", node: home, atMs: 20_000, downMs: 2_000 }]);
  expect(seen.ended).toMatchObject([{ node: home, atMs: 20_000 }]);
  expect(
    seen.operations("lease").some((operation) => operation.startsWith(`lease/${home}/2.`)),
  ).toBe(true);
  expect(seen.started).toHaveLength(2);
});

test("on a paused node nothing runs, and what is past its leash never runs again", () => {
  const { seen } = witness([{ fault: "node-pause", node: home, atMs: 12_000, forMs: 35_000 }]);
  expect(seen.running.get(10_000)).toBe(1);
  expect(seen.running.get(15_000)).toBe(0);
  expect(seen.ended).toMatchObject([{ node: home, atMs: 47_000 }]);
  const [first, second] = seen.started;
  expect(second?.node).not.toBe(first?.node);
});

test("a node that is cut off kills its processes by itself before they are replaced [AG2]", () => {
  const cut = {
    fault: "partition",
    from: `agent:${home}`,
    to: "*",
    atMs: 12_000,
    forMs: 40_000,
  } as const;
  const { seen } = witness([cut]);
  const killed = seen.ended[0]?.atMs ?? Infinity;
  expect(killed).toBeLessThan(12_000 + 15_000 + 3_000);
  expect(seen.started[1]?.atMs).toBeGreaterThan(killed);
});

test("a process that exits is started again in its next incarnation", () => {
  const replica = calm.seen.started[0]?.replica ?? "";
  const { seen } = witness([{ fault: "process-exit", replica, incarnation: 1, afterMs: 4_000 }]);
  expect(seen.started.map(({ incarnation }) => incarnation)).toEqual([1, 2]);
});

test("clocks that drift and step within their bounds disturb nothing", () => {
  const clocks = ["plane-1", `agent:${home}`, "node-health", "place-1"].map(
    (component, at) =>
      ({
        fault: "clock",
        component,
        atMs: 1_000,
        offsetMs: 40_000,
        driftPerThousand: at % 2 === 0 ? 10 : -10,
      }) as const,
  );
  const { seen } = witness([
    ...clocks,
    { fault: "crash", component: `agent:${home}`, atMs: 20_000, downMs: 100 },
  ]);
  expect(seen.started).toHaveLength(1);
});

test("a dropped event is found by a later list", () => {
  const { seen } = witness([{ fault: "watch-drop", to: "place-1", atMs: 0, forMs: 20_000 }]);
  expect(seen.started).toHaveLength(1);
});

test("a list from a replica that lags starts nothing twice and stops nothing [AG4]", () => {
  const { seen } = witness([
    { fault: "stale-list", to: `agent:${home}`, atMs: 20_000, forMs: 10_000, behind: 20 },
    { fault: "crash", component: `agent:${home}`, atMs: 21_000, downMs: 100 },
  ]);
  expect(seen.started).toHaveLength(1);
  expect(seen.ended).toHaveLength(0);
});

test("a fault that finds nothing to hit has not fired", () => {
  const { result } = witness([
    { fault: "crash", component: "agent:nobody", atMs: 1_000, downMs: 10 },
    { fault: "node-pause", node: "nowhere", atMs: 1_000, forMs: 10 },
    { fault: "crash", component: "admit", atMs: 20_000, downMs: 5_000 },
    { fault: "crash", component: "admit", atMs: 21_000, downMs: 5_000 },
    { fault: "restart-leader", atMs: world.faultsUntilMs, downMs: 10 },
  ]);
  expect(result.fired).toEqual([
    { fault: "crash", component: "admit", atMs: 20_000, downMs: 5_000 },
  ]);
});

test("a batch process ends by itself and its index has succeeded", () => {
  const batch = worldWorkload({
    tenant: "t1",
    name: "job",
    type: "batch",
    replicas: 2,
    amounts: { cpuMillis: 100 },
  });
  const { seen } = witness([], { ...world, workloads: [batch] });
  expect(seen.started).toHaveLength(2);
  expect(seen.ended.map(({ atMs, startedMs }) => atMs - startedMs)).toEqual([6_000, 6_000]);
});
