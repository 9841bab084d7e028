/** One row of the view `workloads` by the names of its columns. */
import type { WorkloadRow } from "../../../src/api/views/view-rows.ts";
import type { ViewRow } from "../live/view-message.ts";

export interface Workload {
  /** tenant/name */
  readonly key: WorkloadRow[0];
  readonly tenant: string;
  readonly name: string;
  readonly type: WorkloadRow[1];
  readonly priority: WorkloadRow[2];
  readonly wanted: WorkloadRow[3];
  readonly ready: WorkloadRow[4];
  readonly stages: WorkloadRow[5];
  readonly pending: WorkloadRow[6];
  readonly rollout: WorkloadRow[7];
  readonly recovery: WorkloadRow[8];
  readonly batch: WorkloadRow[9];
  readonly conditions: WorkloadRow[10];
  readonly generation: WorkloadRow[11];
  readonly created: WorkloadRow[12];
  readonly deleting: WorkloadRow[13];
  readonly scaling: WorkloadRow[14];
  readonly problems: WorkloadRow[15];
}

/** A row that did not change is the same array as before, and there are ten thousand of them. */
const known = new WeakMap<ViewRow, Workload>();

export function readWorkload(cells: ViewRow): Workload {
  const before = known.get(cells);
  if (before !== undefined) return before;
  const read = namedCells(cells as unknown as WorkloadRow);
  known.set(cells, read);
  return read;
}

function namedCells(row: WorkloadRow): Workload {
  const [key, type, priority, wanted, ready, stages, pending] = row;
  const [, , , , , , , rollout, recovery, batch, conditions, generation, created, deleting] = row;
  const [scaling, problems] = [row[14], row[15]];
  const slash = key.indexOf("/");
  return {
    key,
    tenant: key.slice(0, slash),
    name: key.slice(slash + 1),
    type,
    priority,
    wanted,
    ready,
    stages,
    pending,
    rollout,
    recovery,
    batch,
    conditions,
    generation,
    created,
    deleting,
    scaling,
    problems: problems.filter(isNotOver),
  };
}

/** The plane writes a row when something changes, and this one ends by itself. */
const isNotOver = ({ until }: WorkloadRow[15][number]): boolean =>
  until === undefined || Date.parse(until) > Date.now();
