/**
 * [INV19] Nothing unsettled is off everybody's mind: the workload of a queued replica is queued, in flight or
 * owed a look at every scheduler that sees it; so is that of an admitted one at the admit controller.
 *
 * It would break if a key that changed while its operations were in flight were forgotten when they end.
 * The next resync would find it again, half a minute late, and no other rule would notice.
 */
import { type ObjectKey, workloadKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Believer, Checker, Report, Truth } from "./checker.ts";

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

/** Which key a component must have on its mind for a replica in a given stage. */
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
    if (key === undefined || believer.isTracking(key)) continue;
    const { stage } = replica.status;
    report("INV19", `${name} sees ${replica.key} ${stage} and has forgotten ${key}.`, replica.key);
  }
}

export const createTrackingChecker = (): Checker => new TrackingChecker();
