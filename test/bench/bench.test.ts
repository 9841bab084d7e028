/**
 * Every `berth bench` command, tiny, as a process with its processes: that it runs to its end, binds what it
 * was asked to bind and prints what it promises. How fast it is, is nobody's business here.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { BuiltBerth } from "./a-built-berth.ts";

/** Far longer than anything here takes on a busy machine; it only bounds a hang. */
const PATIENCE_MS = 120_000;

const berth = new BuiltBerth();
const scratch = join(berth.folder, "scratch");

beforeAll(async () => {
  await berth.build();
  mkdirSync(scratch);
});
afterAll(() => berth.remove());

type Report = Readonly<Record<string, unknown>>;

/** A plane says so when its machine stands still, and a busy one does. */
const withoutStalls = (err: string): string =>
  err
    .split("\n")
    .filter((line) => !line.includes('"Could not keep time: this plane stood still for '))
    .join("\n");

/** Of benchmarks that are to bind everything: it only ends a hang. */
const PATIENT = ["--patience", "300"];

async function report(...args: string[]): Promise<{ code: number | null; figures: Report }> {
  const { code, out, err } = await berth.run("bench", ...args, "--json", "--dir", scratch);
  expect(withoutStalls(err)).toBe("");
  expect(out.split("\n")).toHaveLength(2);
  return { code, figures: JSON.parse(out) as Report };
}

const aNumber = expect.any(Number) as unknown;
const RAN_ON = {
  date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as unknown,
  node: process.version,
  cores: aNumber,
  cpu: expect.any(String) as unknown,
};

const PLACED = {
  bindsPerSecond: aNumber,
  p50Ms: aNumber,
  p99Ms: aNumber,
  rssMiB: aNumber,
  conflicts: aNumber,
  duplicates: aNumber,
  seconds: aNumber,
  cpuSeconds: aNumber,
};

const WENT = {
  boundPerSecond: aNumber,
  createToBoundP50Ms: aNumber,
  createToBoundP99Ms: aNumber,
  cpuSeconds: aNumber,
  rssMiB: aNumber,
};

/** No node may have been taken for silent, and no workload have been created in vain. */
const IN_ORDER = { leaseFailures: 0, churnRefused: 0 };

describe("berth bench place", () => {
  it("binds every replica on the memory store", async () => {
    const size = ["--nodes", "20", "--replicas", "100", "--each", "30"];
    const { code, figures } = await report("place", ...size, "--store", "memory");
    expect(code).toBe(0);
    expect(figures).toMatchObject({
      benchmark: "place",
      bound: 100,
      wanted: 100,
      leaseRenewals: 0,
      ...PLACED,
      ranOn: { ...RAN_ON, store: "memory" },
    });
  });

  it("does so on sqlite, with several schedulers and with leases, and draws how it went", async () => {
    const svg = join(scratch, "place.svg");
    const size = ["--nodes", "20", "--replicas", "100", "--each", "7", "--schedulers", "2"];
    const { code, figures } = await report("place", ...size, "--leases", "--svg", svg);
    expect(code).toBe(0);
    expect(figures).toMatchObject({
      bound: 100,
      wanted: 100,
      ...PLACED,
      options: { schedulers: 2, leases: true },
      ranOn: { ...RAN_ON, store: "sqlite" },
    });
    expect(readFileSync(svg, "utf8")).toContain("100 replicas bound on 20 nodes");
  });

  it("prints a table for people, with what it ran on", async () => {
    const size = ["--nodes", "5", "--replicas", "10", "--store", "memory"];
    const { code, out, err } = await berth.run("bench", "place", ...size, "--dir", scratch);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^NODES +BOUND +SECONDS +BINDS\/S[^]*\n5 +10 /);
    expect(out).toContain(`Node ${process.version}, store memory`);
  });
});

describe("berth bench million", () => {
  it("is the same at another size", async () => {
    const { code, figures } = await report("million", "--nodes", "20", "--replicas", "300");
    expect(code).toBe(0);
    expect(figures).toMatchObject({ benchmark: "million", bound: 300, ...PLACED });
  });
});

describe("berth bench growth", () => {
  it.each([
    { by: "nodes", fixed: ["--replicas", "60"], points: ["5", "10"] },
    { by: "replicas", fixed: ["--nodes", "10"], points: ["40", "80"] },
  ])("measures every size of a growing number of $by", async ({ by, fixed, points }) => {
    const svg = join(scratch, `growth-${by}.svg`);
    const args = ["--by", by, "--points", points.join(","), ...fixed, "--store", "memory"];
    const { code, figures } = await report("growth", ...args, "--svg", svg);
    expect(code).toBe(0);
    const rows = figures["points"] as readonly Report[];
    expect(rows.map((row) => row[by])).toEqual(points.map(Number));
    for (const row of rows) {
      expect(row["bound"]).toBe(row["replicas"]);
      expect(row).toMatchObject({ microsPerBind: aNumber, cpuMicrosPerBind: aNumber });
    }
    expect(readFileSync(svg, "utf8")).toContain(`Cost of one bind by number of ${by}`);
  });
});

describe("berth bench path", () => {
  it.each([
    {
      title: "many workloads of one replica, from two clients at a given rate",
      args: ["--workloads", "60", "--rate", "300", "--clients", "2"],
      bound: 60,
    },
    {
      title: "few workloads of many replicas, spread over zones",
      args: ["--workloads", "3", "--each", "20", "--spread"],
      bound: 60,
    },
  ])("tells its watcher of every bind: $title", async ({ args, bound }) => {
    const { code, figures } = await report("path", "--nodes", "20", ...args, ...PATIENT);
    expect(code).toBe(0);
    expect(figures).toMatchObject({ bound, wanted: bound, ...WENT, ...IN_ORDER });
  });

  it("does so on a log in etcd, whose members it starts and ends", async () => {
    const args = ["--nodes", "5", "--workloads", "10", "--store", "etcd"];
    const { code, figures } = await report("path", ...args, ...PATIENT);
    expect(code).toBe(0);
    expect(figures).toMatchObject({ bound: 10, wanted: 10, ...WENT, ranOn: { store: "etcd" } });
  });

  it("preempts, or says that this build does not", async () => {
    const args = ["--nodes", "5", "--workloads", "5", "--preempt", "--patience", "3"];
    const { code, figures } = await report("path", ...args);
    const { bound, wanted, stopped } = figures as Record<string, number>;
    expect({ wanted, ...IN_ORDER }).toMatchObject({ wanted: 5, leaseFailures: 0 });
    // Three of four have to go from a node before one of these fits.
    expect(Number(stopped)).toBeGreaterThanOrEqual(3 * Number(bound));
    expect(code).toBe(bound === wanted ? 0 : 1);
  });
});

const TIMES = { p50Ms: aNumber, p99Ms: aNumber, maxMs: aNumber };

describe("berth bench cluster", () => {
  it("takes the leader away in both ways, and tells how far followers are behind", async () => {
    const svg = join(scratch, "cluster.svg");
    // Long enough that a machine which stands still for seconds takes the lead from nobody else.
    const lost = ["--rounds", "1", "--objects", "20", "--lease", "6"];
    const placed = ["--nodes", "5", "--replicas", "40", "--each", "10"];
    const { code, figures } = await report("cluster", ...lost, ...placed, ...PATIENT, "--svg", svg);
    expect(code).toBe(0);
    expect(figures).toMatchObject({
      failover: { lease: 6, rounds: 1, objects: 20, p50Ms: aNumber, cleanStopMs: aNumber },
      lag: TIMES,
      freshRead: TIMES,
      anyRead: TIMES,
      readFailures: 0,
      bound: 40,
      wanted: 40,
      bindsPerSecond: aNumber,
    });
    const { each } = figures["failover"] as { readonly each: readonly Report[] };
    expect(each.map(({ how }) => how)).toEqual(["killed", "stopped"]);
    // What was there before the leader was taken away does not count.
    for (const { ackedMs, boundMs } of each) {
      expect(Number(ackedMs)).toBeGreaterThan(0);
      expect(Number(boundMs)).toBeGreaterThan(0);
    }
    expect(readFileSync(svg, "utf8")).toContain("a follower is behind");
  });
});

const rowsOf = ({ scenarios }: Report): readonly Report[] => scenarios as readonly Report[];

describe("berth bench overload", () => {
  it("tells what another tenant, the nodes and the log notice of each load", async () => {
    const size = ["--nodes", "3", "--seconds", "1", "--listed", "20", "--connections", "32"];
    const { code, figures } = await report("overload", ...size, "--store", "memory");
    expect(code).toBe(0);
    const shapes = figures["shapes"] as readonly Report[];
    expect(shapes.map(({ shape }) => shape)).toEqual([
      "lists",
      "watches",
      "bodies",
      "refused",
      "creates",
    ]);
    for (const each of shapes) expect(each).toMatchObject({ lost: 0, failed: 0 });
    expect(figures).toMatchObject({ leaseFailures: 0, ranOn: { store: "memory" } });
  });
});

describe("berth bench perf", () => {
  it("measures scenarios beside what Kubernetes' CI asks of itself, and says which it cannot run", async () => {
    const svg = join(scratch, "perf.svg");
    const whole = ["basic", "spread", "mixed-churn"];
    const names = [...whole, "anti-affinity", "gang"];
    const args = ["--only", names.join(","), "--divide", "500", ...PATIENT, "--svg", svg];
    const { code, figures } = await report("perf", ...args);
    const rows = rowsOf(figures);
    expect(code).toBe(rows.every(({ bound, wanted }) => bound === wanted) ? 0 : 1);
    expect(rows.map(({ scenario }) => scenario)).toEqual(names);
    const supported = rows.filter(({ reason }) => reason === undefined);
    expect(supported.map(({ scenario }) => scenario)).toEqual(expect.arrayContaining(whole));
    for (const row of supported) {
      expect(row["bound"]).toBe(row["wanted"]);
      expect(row).toMatchObject({ ...WENT, ...IN_ORDER });
    }
    for (const row of rows.slice(0, whole.length)) {
      expect(row).toMatchObject({ kubernetesThreshold: aNumber });
    }
    for (const row of rows.filter(({ reason }) => reason !== undefined)) {
      expect(row).toMatchObject({ reason: "not supported by this build", boundPerSecond: null });
      expect(String(row["message"])).toMatch(/"spec\.\w+/);
    }
    const churned = rows.find(({ scenario }) => scenario === "mixed-churn")?.["churned"];
    expect(churned).toBeGreaterThanOrEqual(2);
    expect(readFileSync(svg, "utf8")).toContain("mixed-churn");
  });
});

describe("berth bench", () => {
  it.each([
    [["growth"], /--by <what>' not specified/],
    [["growth", "--by", "nodes", "--points", "5"], /--points: found one size/],
    [["place", "--nodes", "0"], /--nodes: found 0, expected at least 1/],
    [["place", "--nodes", "1", "--replicas", "1000"], /1000 replicas do not fit on 1 nodes/],
    [["path", "--nodes", "1", "--workloads", "41"], /41 replicas do not fit on 1 nodes/],
    [["path", "--store", "floppy"], /--store: found "floppy"/],
    [["cluster", "--store", "sqlite"], /--store: found "sqlite"[^]*etcd:\/\//],
    [["cluster", "--lease", "1"], /--lease: found 1, expected 2 to 60 seconds/],
    [["perf", "--only", "basc"], /found "basc"[^]*Did you mean "basic"/],
    [["perf", "--data", "nowhere"], /Cannot read the file/],
    [["place", "--dir", "/nowhere/at/all"], /Cannot write the file/],
    [["part", "place"], /started by a benchmark only/],
  ])("refuses %j before anything is started", async (args, expected) => {
    const { code, out, err } = await berth.run("bench", ...args);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(expected);
  });

  it("lists its benchmarks, without the processes they are made of", async () => {
    const { out } = await berth.run("bench", "--help");
    for (const name of ["place", "path", "perf", "million", "growth"]) expect(out).toContain(name);
    expect(out).not.toMatch(/^ +part\b/m);
  });

  it("takes its processes and its folder with it when it is told to stop", async () => {
    const args = ["path", "--nodes", "5000", "--workloads", "5000", "--dir", scratch];
    const { child, ended } = berth.start("bench", ...args);
    await vi.waitUntil(() => berth.processes().some((words) => words.startsWith("bench part")), {
      timeout: PATIENCE_MS,
    });
    child.kill("SIGTERM");
    expect(await ended).toMatchObject({ code: 130, out: "" });
    await vi.waitUntil(() => berth.processes().length === 0, { timeout: PATIENCE_MS });
  });

  it("leaves nothing behind in the folder it worked in", () => {
    expect(readdirSync(scratch).filter((name) => !name.endsWith(".svg"))).toEqual([]);
  });
});
