/**
 * [INV19] A component tracks all of its unsettled work: the workload of a queued replica is queued,
 * in flight or owed a look at every scheduler that sees it; so is that of an admitted one at the
 * admit controller.
 *
 * It would break if a key that changed while its operations were in flight were forgotten when they
 * end. The next resync would find it again, half a minute late, and no other rule would notice.
 */
import { type ObjectKey, workloadKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { View } from "../../../core/observe/view.ts";
import { isFinished, jobPicture } from "./naive-jobs.ts";
import { workloadOf } from "./naive-wanted.ts";
import type { Believer, Checker, Report, Truth } from "../checker.ts";

class TrackingChecker implements Checker {
  readonly name = "tracking";

  sampled(truth: Truth, report: Report): void {
    for (const believer of truth.clients()) {
      const keyOf = responsibility(believer.name);
      if (keyOf !== undefined) check(believer, keyOf, report);
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }
}

type KeyOf = (replica: Replica) => ObjectKey | undefined;

/** Which key a component must track for a replica in a given stage. */
function responsibility(component: string): KeyOf | undefined {
  if (component.startsWith("place-")) {
    return ({ meta, spec, status }) =>
      status.stage === "queued" ? workloadKey(meta.namespace, spec.workload) : undefined;
  }
  if (component === "admit") {
    return ({ meta, spec, status }) =>
      status.stage === "admitted" || status.stage === "failed"
        ? workloadKey(meta.namespace, spec.workload)
        : undefined;
  }
  return undefined;
}

function check(believer: Believer, keyOf: KeyOf, report: Report): void {
  const { name, view } = believer;
  for (const replica of view.objects.all("Replica").values()) {
    const key = keyOf(replica);
    if (replica.status.stage === "failed" && isGivenUp(replica, view)) continue;
    if (key === undefined || believer.isTracking(key)) continue;
    const { stage } = replica.status;
    report("INV19", `${name} sees ${replica.key} ${stage} and has forgotten ${key}.`, replica.key);
  }
}

/** A job that is over retries nothing, nor does an index that failed too often. */
function isGivenUp(replica: Replica, { objects }: View): boolean {
  const workload = workloadOf(objects, replica);
  const picture = workload && jobPicture(objects, workload);
  if (workload === undefined || picture === undefined) return false;
  if (workload.meta.uid !== replica.spec.workloadUid) return false;
  if (workload.meta.deletingMs !== undefined) return false;
  if (replica.spec.generation !== workload.status.templateGeneration) return false;
  return isFinished(workload) || picture.isOverLimit || !picture.again.includes(replica);
}

export const createTrackingChecker = (): Checker => new TrackingChecker();
