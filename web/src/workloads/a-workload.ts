/** A workload as tests have it: a service with three of three, until a test says otherwise. */
import type { PendingCell, RolloutCell } from "../../../src/api/views/view-rows.ts";
import type { Workload } from "./workload-row.ts";

export function aWorkload(key: string, of: Partial<Workload> = {}): Workload {
  const [tenant = "", name = ""] = key.split("/");
  return {
    key,
    tenant,
    name,
    type: "service",
    priority: "",
    wanted: 3,
    ready: 3,
    stages: { serving: 3 },
    pending: [],
    rollout: null,
    recovery: null,
    batch: null,
    conditions: [],
    generation: 1,
    created: 1_000,
    deleting: null,
    scaling: null,
    problems: [],
    ...of,
  };
}

export const aRollout = (of: Partial<RolloutCell> = {}): RolloutCell => ({
  stage: "rolling",
  from: 2,
  to: 3,
  updated: 1,
  since: 1_000,
  step: null,
  steps: 0,
  paused: false,
  reason: null,
  ...of,
});

export const aWait = (
  reason: PendingCell["reason"],
  of: Partial<PendingCell> = {},
): PendingCell => ({
  reason,
  count: 1,
  text: `because of ${reason}`,
  cause: `${reason} in short`,
  by: "place-1",
  restarts: null,
  ...of,
});
