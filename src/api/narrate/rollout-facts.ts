/** What a commit about a workload means for its rollout, for people. */
import type { Workload } from "../../core/model/objects.ts";
import { targetOf } from "../../core/model/rollout.ts";
import { type Fact, normal, warning } from "./fact.ts";

export function rolloutFacts(before: Workload, after: Workload): readonly Fact[] {
  const was = before.status.rollout;
  const is = after.status.rollout;
  if (was === is) return firstServed(before, after);
  if (is === undefined) {
    const message = `All replicas serve generation ${targetOf(after)}.`;
    return [normal("RolledOut", message)];
  }
  if (was?.stage === is.stage && was.to === is.to) return [];
  const { stage, to, reason = "no reason was given" } = is;
  switch (stage) {
    case "rolling":
      return [normal("RollingOut", `Rolling out generation ${to}.`)];
    case "going-back": {
      const message = `Rollout failed: ${reason}. Rolling back to generation ${to}.`;
      return [warning("RollingBack", message)];
    }
    case "held": {
      const message = `Rollout failed: ${reason}. Its replicas stay as they are.`;
      return [warning("RolloutFailed", message)];
    }
    case "rolled-back": {
      const message = `All replicas serve generation ${to} again.`;
      return [normal("RolledBack", message)];
    }
  }
}

function firstServed({ status: was }: Workload, { status }: Workload): readonly Fact[] {
  if (was.served === status.served || status.served !== true || status.rollout !== undefined) {
    return [];
  }
  const message = `All replicas serve generation ${status.templateGeneration}.`;
  return [normal("Served", message)];
}
