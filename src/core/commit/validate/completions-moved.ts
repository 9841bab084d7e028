/** What a put may not do to a job. */
import type { Workload } from "../../model/objects.ts";
import type { DesiredOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { sameValue } from "./same-value.ts";

/**
 * What succeeded is counted, not listed: the count means another thing when there are other
 * indexes. For another number, run the job anew, with a new template or under a new name (BA7).
 */
export function completionsMoved(
  held: Workload | undefined,
  { spec }: DesiredOf<"Workload">,
): Rejection | undefined {
  if (held === undefined) return undefined;
  const was = held.spec.batch?.completions;
  const is = spec.batch?.completions;
  if (was === is || !sameValue(held.spec.template, spec.template)) return undefined;
  return reject(
    "completions-fixed",
    `${held.key} spec.batch.completions`,
    was ?? "none",
    is ?? "none",
  );
}
