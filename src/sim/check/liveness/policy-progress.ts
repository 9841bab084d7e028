/** The replicas and reservations that a rollback still has to undo, for `unfinished.ts`. */
import { nodeKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import type { Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import { policyNamed } from "../models/naive-policy.ts";
import { unavailable } from "../models/naive-preemption.ts";
import { isServing, workloadOf } from "../models/naive-wanted.ts";
import { shadowOf } from "../models/policy-shadow.ts";
import type { Unfinished } from "./unfinished-work.ts";

export function* leftByRollbacks(truth: Truth, stallMs: number): Iterable<Unfinished> {
  if (truth.objects.all("PolicyRevision").size === 0) return;
  const shadow = shadowOf(truth.commits);
  for (const replica of truth.objects.all("Replica").values()) {
    const { key, spec, status } = replica;
    const { policyRevision: revision } = status;
    if (revision === undefined || !isHolding(replica)) continue;
    // A batch ends by itself, and a silent node receives no requests.
    if (spec.type === "batch" || status.stage === "unknown") continue;
    const region = truth.objects.node(nodeKey(status.node ?? ""))?.spec.region ?? "";
    const of = { policy: policyNamed(spec.template), revision, region };
    if (shadow.wayFor("bindings", of) !== "drain" || isSpoken(replica, truth)) continue;
    yield {
      rule: "LIV58",
      key,
      stuckAs: `of ${revision} in incarnation ${status.incarnation}`,
      patienceMs: stallMs,
      message: `${key} is still bound under ${revision}, which was left and is to be drained.`,
    };
  }
}

/** Whether it serves, and its workload has no disruption left. */
function isSpoken(replica: Replica, { objects }: Truth): boolean {
  const workload = workloadOf(objects, replica);
  if (workload === undefined || !isServing(replica)) return false;
  const { disruption, replicas } = workload.spec;
  const most = disruption?.maxUnavailable ?? Math.max(1, Math.floor(replicas / 10));
  return unavailable(objects, workload) >= most;
}
