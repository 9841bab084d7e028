/** What the published policies allocated, read from the results that came with the paper. */
import { TraceError, type TableRow } from "../trace/trace-folder.ts";
import type { OpenbTrace } from "./openb-trace.ts";

export interface PublishedPolicy {
  readonly policy: string;
  /** By per cent of all devices that had been asked for: the mean over the seeds. */
  readonly allocated: ReadonlyMap<number, number>;
  readonly seeds: number;
}

const RESULTS = "analysis_allo_discrete.csv";

/** Empty for a workload without published results. */
export function publishedPolicies({ folder, workload }: OpenbTrace): readonly PublishedPolicy[] {
  const text = folder.find(
    `expected/${RESULTS}`,
    `experiments/analysis/expected_results/${RESULTS}`,
  );
  if (text === undefined) return [];
  const rows = folder.rows(["workload", "sc_policy", "100"], text, `expected/${RESULTS}`);
  const byPolicy = new Map<string, TableRow[]>();
  for (const row of rows) {
    if (row["workload"] !== `openb_pod_list_${workload}`) continue;
    // Policies are numbered in the results: "06-FGD".
    const policy = (row["sc_policy"] ?? "").replace(/^\d+-/, "");
    const known = byPolicy.get(policy);
    if (known === undefined) byPolicy.set(policy, [row]);
    else known.push(row);
  }
  return [...byPolicy].map(([policy, all]) => ({
    policy,
    allocated: meansOf(all, folder.at(`expected/${RESULTS}`)),
    seeds: all.length,
  }));
}

function meansOf(rows: readonly TableRow[], file: string): ReadonlyMap<number, number> {
  const means = new Map<number, number>();
  for (const column of Object.keys(rows[0] ?? {})) {
    if (!/^\d+$/.test(column)) continue;
    const values = rows.map((row) => row[column] ?? "").filter((text) => text !== "");
    if (values.length === 0) continue;
    const sum = values.reduce((total, text) => total + Number(text), 0);
    if (Number.isNaN(sum)) throw new TraceError(`Column ${column} has no numbers.`, file);
    means.set(Number(column), sum / values.length);
  }
  return means;
}
