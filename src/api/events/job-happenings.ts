/** What a commit says of a job: that it began, and how it ended. */
import type { Workload } from "../../core/model/objects.ts";
import { JOB_END_REASONS } from "../kinds/status/batch-status.ts";
import type { Happening } from "./happening.ts";

type Told = Pick<Happening, "type" | "reason" | "message">;

export function jobHappenings(before: Workload, after: Workload): readonly Told[] {
  const was = before.status.batch;
  const is = after.status.batch;
  if (is === undefined || was === is) return [];
  const { completions } = after.spec.batch ?? { completions: 0 };
  if (was === undefined) {
    const message = `The first of ${completions} indexes were started.`;
    return [{ type: "Normal", reason: "JobStarted", message }];
  }
  if (is.finished === undefined || was.finished !== undefined) return [];
  const { end } = is.finished;
  if (end === "succeeded") {
    const message = `All ${completions} indexes have succeeded.`;
    return [{ type: "Normal", reason: "JobComplete", message }];
  }
  const message = `${JOB_END_REASONS[end]}: no more indexes start, and running ones are stopped.`;
  return [{ type: "Warning", reason: "JobFailed", message }];
}
