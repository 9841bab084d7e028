/** What a commit says of a job: that it began, and how it ended. */
import type { Workload } from "../../core/model/objects.ts";
import { JOB_END_REASONS } from "../kinds/status/batch-status.ts";
import { type Fact, normal, warning } from "./fact.ts";

export function jobFacts(before: Workload, after: Workload): readonly Fact[] {
  const was = before.status.batch;
  const is = after.status.batch;
  if (is === undefined || was === is) return [];
  const { completions } = after.spec.batch ?? { completions: 0 };
  if (was === undefined) {
    const message = `The first of ${completions} indexes were started.`;
    return [normal("JobStarted", message)];
  }
  if (is.finished === undefined || was.finished !== undefined) return [];
  const { end } = is.finished;
  if (end === "succeeded") {
    const message = `All ${completions} indexes have succeeded.`;
    return [normal("JobComplete", message)];
  }
  const message = `${JOB_END_REASONS[end]}: no more indexes start, and running ones are stopped.`;
  return [warning("JobFailed", message)];
}
