/**
 * The jobs of the Philly trace: when each came, how long it ran, on how many devices, for which
 * tenant.
 */
import { TraceError, type TableRow, TraceFolder } from "../trace/trace-folder.ts";

export const PHILLY_ORIGIN =
  "The Philly trace is not part of Berth. Fetch simulator/traces/philly.csv from branch osdi21-artifact of github.com/petuum/adaptdl (Apache-2.0; data CC-BY-4.0 by Microsoft, github.com/msr-fiddle/philly-traces) and pass its folder as --data.";

export interface Job {
  readonly id: number;
  /** The virtual cluster that it was submitted to. */
  readonly tenant: string;
  readonly submittedS: number;
  readonly durationS: number;
  readonly devices: number;
}

const FILE = "philly.csv";
const COLUMNS = ["timestamp", "duration", "num_gpus", "cluster"];

/** By the time of their submission, which counts from the first one. */
export function readPhilly(path: string): readonly Job[] {
  const folder = new TraceFolder(path, PHILLY_ORIGIN);
  const rows = folder.table(COLUMNS, FILE, `simulator/traces/${FILE}`);
  const jobs = rows.map((row) => readJob(row, folder));
  const first = jobs.reduce((least, { submittedS }) => Math.min(least, submittedS), Infinity);
  return jobs
    .toSorted((a, b) => a.submittedS - b.submittedS || (a.tenant < b.tenant ? -1 : 1))
    .map((job, id) => ({ ...job, id, submittedS: job.submittedS - first }));
}

function readJob(row: TableRow, folder: TraceFolder): Omit<Job, "id"> {
  const at = folder.at(FILE);
  const { timestamp = "", duration = "", cluster = "" } = row;
  const submittedMs = Date.parse(`${timestamp.replace(" ", "T")}Z`);
  if (Number.isNaN(submittedMs)) {
    throw new TraceError(`Found timestamp "${timestamp}", expected 2017-10-09 07:01:55.`, at);
  }
  const durationS = Math.round(Number(duration));
  if (!(durationS >= 0)) {
    throw new TraceError(`Found duration "${duration}", expected a number of seconds.`, at);
  }
  const devices = folder.number(row, "num_gpus", FILE);
  if (devices === 0) throw new TraceError("Found a job with num_gpus 0, expected at least 1.", at);
  return { tenant: cluster, submittedS: submittedMs / 1000, durationS, devices };
}
