/**
 * The benchmarks on public traces, played on small made-up ones through the command line. The figures of
 * the real traces are nobody's business here: they are not part of Berth.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { main, type Terminal } from "../../src/cli/main.ts";

const folder = mkdtempSync(join(tmpdir(), "berth-traces-"));
afterAll(() => rmSync(folder, { recursive: true }));

async function berth(...args: string[]): Promise<{ code: number; out: string; err: string }> {
  const terminal: Terminal & { written: string; complained: string } = {
    written: "",
    complained: "",
    exitCode: 0,
    out: (text) => void (terminal.written += text),
    err: (text) => void (terminal.complained += text),
  };
  const code = await main(args, terminal);
  return { code, out: terminal.written, err: terminal.complained };
}

function aTrace(name: string, files: Readonly<Record<string, readonly string[]>>): string {
  for (const [file, lines] of Object.entries(files)) {
    const path = join(folder, name, file);
    mkdirSync(dirname(path), { recursive: true });
    const text = `${lines.join("\n")}\n`;
    writeFileSync(path, file.endsWith(".gz") ? gzipSync(text) : text);
  }
  return join(folder, name);
}

const numbered = (kind: string, at: number): string =>
  `openb-${kind}-${String(at).padStart(4, "0")}`;

/** Two devices on each of four nodes; shares of 600 and 400 that fill a device together, and whole ones. */
const NODES = [
  "sn,cpu_milli,memory_mib,gpu,model",
  ...[0, 1, 2, 3].map((at) => `${numbered("node", at)},32000,65536,2,${at < 2 ? "T4" : "G2"}`),
];
const SIZES = ["1,600", "1,400", "1,1000", "0,0"];
const PODS = [
  "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec",
  ...Array.from(
    { length: 16 },
    (_, at) =>
      `${numbered("pod", at)},1000,1024,${SIZES[at % 4] ?? ""},${at === 2 ? "T4|A10" : ""}`,
  ),
];
const ORDER = [
  `PODS ${Array.from({ length: 16 }, (_, at) => String(at).padStart(4, "0")).join(" ")} 0002 0006 0010`,
  "NODES 0003 0001 0002 0000",
];
const PUBLISHED = [
  "workload,sc_policy,tune,seed,total_gpus,50,100,130",
  "openb_pod_list_tiny,05-BestFit,1.3,42,8,50.0,90.0,91.0",
  "openb_pod_list_tiny,05-BestFit,1.3,43,8,50.0,92.0,93.0",
  "openb_pod_list_tiny,06-FGD,1.3,42,8,50.0,95.0,",
  "openb_pod_list_other,06-FGD,1.3,42,8,50.0,1.0,1.0",
];

const openb = aTrace("openb", {
  "openb_node_list_gpu_node.csv": NODES,
  "pods/openb_pod_list_tiny.csv.gz": PODS,
  "order/tiny_seed42.txt.gz": ORDER,
  "expected/analysis_allo_discrete.csv.gz": PUBLISHED,
});

type Figures = Readonly<Record<string, unknown>>;

describe("berth bench openb", () => {
  const tiny = ["bench", "openb", "--data", openb, "--workload", "tiny"];

  it("plays the published order and stands beside the published policies", async () => {
    const { code, out, err } = await berth(...tiny, "--seeds", "42..42", "--json");
    expect([code, err]).toEqual([0, ""]);
    expect(JSON.parse(out) as Figures).toMatchObject({
      benchmark: "openb",
      workload: "tiny",
      policy: "fragmentation",
      // Four pairs of shares and four whole ones fill all eight devices; three more arrive and are dropped.
      allocatedPercentAt100: 100,
      perSeed: [
        { seed: 42, order: "published", placed: 16, dropped: 3, allocatedPercentAt100: 100 },
      ],
      published: [
        { policy: "BestFit", allocatedPercentAt100: 91, allocatedPercentAt130: 92 },
        { policy: "FGD", allocatedPercentAt100: 95, allocatedPercentAt130: null },
      ],
    });
  });

  it.each(["best-fit", "spread-out", "published-best-fit", "told-fgd"])(
    "plays %s, and orders of its own where there is no published one",
    async (policy) => {
      const args = [...tiny, "--policy", policy, "--seeds", "1..3"];
      const { code, out } = await berth(...args, "--json");
      expect(code).toBe(0);
      const figures = JSON.parse(out) as Figures;
      expect(figures["policy"]).toBe(policy);
      expect(figures["perSeed"]).toMatchObject(
        [1, 2, 3].map((seed) => ({ seed, order: "shuffled" })),
      );
      const again = JSON.parse((await berth(...args, "--json")).out) as Figures;
      expect(again["perSeed"]).toEqual(figures["perSeed"]);
    },
  );

  it("prints a table, says which orders are its own, and draws a plot", async () => {
    const svg = join(folder, "openb.svg");
    const { out } = await berth(...tiny, "--seeds", "42..43", "--svg", svg);
    expect(out).toContain("fragmentation (Berth)");
    expect(out).toContain("1 of 2 orders are not the published ones");
    expect(readFileSync(svg, "utf8")).toContain("openb, tiny");
  });

  it("reads the folders of the public original", async () => {
    const data = aTrace("original", {
      "data/csv/openb_node_list_gpu_node.csv": NODES,
      "data/csv/openb_pod_list_tiny.csv": PODS,
      "experiments/analysis/expected_results/analysis_allo_discrete.csv": PUBLISHED,
    });
    const { code, out } = await berth("bench", "openb", "--data", data, "--workload", "tiny");
    expect([code, out]).toEqual([0, expect.stringContaining("BestFit")]);
  });

  it.each([
    ["without --data", ["bench", "openb"], "[bad-usage]"],
    [
      "with a folder that is not there",
      ["bench", "openb", "--data", join(folder, "no")],
      "[unreadable-file]",
    ],
    [
      "with a workload that is not there",
      [...tiny.slice(0, 4), "--workload", "no"],
      "[unreadable-file]",
    ],
  ])("says where the trace can be had %s", async (_, args, mistake) => {
    const { code, err } = await berth(...args);
    expect(code).toBe(2);
    expect(err).toContain("github.com/hkust-adsl/kubernetes-scheduler-simulator");
    expect(err).toContain(mistake);
  });

  it("says what is wrong with a policy, with a table and with an order", async () => {
    const policy = await berth(...tiny, "--policy", "bestfit");
    expect(policy.err).toContain('Did you mean "best-fit"?');
    const column = aTrace("column", { "openb_node_list_gpu_node.csv": ["sn,cpu_milli", "n,1"] });
    const table = await berth("bench", "openb", "--data", column);
    expect(table.err).toContain('The table has no column "memory_mib"');
    const bad = aTrace("bad", {
      "openb_node_list_gpu_node.csv": NODES,
      "pods/openb_pod_list_tiny.csv": PODS,
      "order/tiny_seed42.txt": ["PODS 0001 0099", "NODES 0000"],
    });
    const order = await berth("bench", "openb", "--data", bad, "--workload", "tiny");
    expect(order.err).toContain("Number 0099 is in no table. [invalid-file]");
    const words = aTrace("words", {
      "openb_node_list_gpu_node.csv": [NODES[0] ?? "", "n,many,1,1,T4"],
    });
    const amount = await berth("bench", "openb", "--data", words);
    expect(amount.err).toContain('Found cpu_milli "many", expected a whole number. [invalid-file]');
  });
});

const at = (minute: number): string => `2017-10-03 10:${String(minute).padStart(2, "0")}:00`;

describe("berth bench philly", () => {
  const HEAD = "timestamp,duration,num_gpus,gpu_time,cluster";
  const philly = aTrace("philly", {
    "philly.csv.gz": [
      HEAD,
      // Two devices, busy for ten minutes; a gang of four and a small job wait behind.
      `${at(0)},600.0,2,1200.0,big`,
      `${at(1)},600.0,4,2400.0,big`,
      `${at(2)},60.0,1,60.0,small`,
    ],
  });
  const two = ["bench", "philly", "--data", philly, "--nodes", "2", "--devices", "2"];

  const runOf = async (queue: string): Promise<Figures> => {
    const args = [...two, "--policy", "fragmentation", "--queue", queue, "--json"];
    const { code, out, err } = await berth(...args);
    expect([code, err]).toEqual([0, ""]);
    const { runs } = JSON.parse(out) as { readonly runs: readonly Figures[] };
    expect(runs).toHaveLength(1);
    return runs[0] ?? {};
  };

  it("lets a small job pass a gang that does not fit, which first come, first served does not", async () => {
    // The gang starts when the first job ends, nine minutes after it came; the small one at once.
    expect(await runOf("berth")).toMatchObject({
      jobs: 3,
      waitP50S: 0,
      waitMaxS: 540,
    });
    // Or the small one waits for the gang to end, eighteen minutes after it came.
    expect(await runOf("fifo")).toMatchObject({ jobs: 3, waitP50S: 540, waitMaxS: 1_080 });
  });

  it("tries every policy, prints a table and draws a plot", async () => {
    const svg = join(folder, "philly.svg");
    const { code, out } = await berth(...two, "--svg", svg);
    expect(code).toBe(0);
    for (const name of ["fragmentation", "spread-out", "best-fit", "fifo"])
      expect(out).toContain(name);
    expect(out).toContain("3 jobs on 2 nodes with 4 devices");
    expect(readFileSync(svg, "utf8")).toContain("Waits of gangs");
  });

  it("says where the trace can be had, and what is wrong with one", async () => {
    expect((await berth("bench", "philly")).err).toContain("github.com/petuum/adaptdl");
    const small = await berth(
      "bench",
      "philly",
      "--data",
      philly,
      "--nodes",
      "1",
      "--devices",
      "1",
    );
    expect(small.err).toContain("The largest job needs 4 devices");
    const mistakes = [
      ["yesterday,1,1,1,a", 'Found timestamp "yesterday"'],
      [`${at(0)},long,1,1,a`, 'Found duration "long"'],
      [`${at(0)},1,0,1,a`, "num_gpus 0"],
    ] as const;
    for (const [line, message] of mistakes) {
      const { code, err } = await berth(
        "bench",
        "philly",
        "--data",
        aTrace("wrong", { "philly.csv": [HEAD, line] }),
      );
      expect([code, err]).toEqual([2, expect.stringContaining(message)]);
    }
  });
});
