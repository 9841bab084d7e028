/**
 * Who does the next thing about an object, and by when where a rule says so. Read off the object
 * alone: what a controller waits for besides is in its own ledger of owed wake-ups.
 */
import { countText } from "../model/text/count-text.ts";
import { leaseKey } from "../model/ids.ts";
import { APPROVAL_HOLDER } from "../model/node/node-approval.ts";
import type { Node, Replica, Workload } from "../model/objects.ts";
import { isMoving } from "../model/rollout.ts";
import { secondsText } from "../model/text/seconds-text.ts";
import { holdsNode, type Stage } from "../model/stage.ts";
import { FENCE_AFTER_MS, SUSPECT_CLOCK_FENCE_MS } from "../model/timing.ts";
import type { ObjectIndex } from "../observe/object-index.ts";

export interface NextStep {
  /** A controller's role, an agent, or none if nothing is due. */
  readonly owner: string;
  readonly next: string;
  readonly by?: { readonly atMs: number; readonly because: string };
}

const NOBODY = (next: string): NextStep => ({ owner: "nobody", next });

export function nextStepOfReplica(replica: Replica, objects: ObjectIndex): NextStep {
  const { stage, node, stopping } = replica.status;
  const agent = `agent:${node ?? ""}`;
  if (stage === "unknown") return ofSilence(node ?? "", objects);
  if (stopping !== undefined && holdsNode(stage)) {
    return { owner: agent, next: "stops its process and reports it" };
  }
  return STEPS[stage](agent, replica);
}

type StepOf = (agent: string, replica: Replica) => NextStep;

const STEPS: Readonly<Record<Exclude<Stage, "unknown">, StepOf>> = {
  admitted: () => ({ owner: "admit", next: "reserves quota for it and queues it" }),
  queued: () => ({ owner: "place", next: "finds a node for it" }),
  bound: (owner) => ({ owner, next: "starts its process" }),
  starting: (owner) => ({ owner, next: "reports it ready when its probe succeeds" }),
  ready: (owner) => ({ owner, next: "reports that it serves" }),
  serving: () => NOBODY("it serves; nothing is due"),
  running: (owner) => ({ owner, next: "reports its exit" }),
  succeeded: () => NOBODY("it has succeeded"),
  failed: () => ({ owner: "admit", next: "restarts it after a delay" }),
  released: () => ({
    owner: "admit",
    next: "restarts it, or deletes it if its workload no longer wants it",
  }),
};

/**
 * Silence is counted from when the authority committed the last renewal; under another leadership
 * it begins anew.
 */
function ofSilence(node: string, objects: ObjectIndex): NextStep {
  const next = `fences ${node} once its processes must have stopped; release-lost then frees their resources`;
  const lease = objects.lease(leaseKey(node))?.status;
  if (lease === undefined) return { owner: "node-health", next };
  const isOff = objects.nodeNamed(node)?.status.clock !== undefined;
  const afterMs = isOff ? SUSPECT_CLOCK_FENCE_MS : FENCE_AFTER_MS;
  const because = `${secondsText(afterMs)} after renewal ${lease.seq} of its lease, unless many nodes are silent with it`;
  return { owner: "node-health", next, by: { atMs: lease.renewedMs + afterMs, because } };
}

export function nextStepOfNode({ meta, spec, status }: Node, objects: ObjectIndex): NextStep {
  const held = objects.replicasOn(meta.name).size;
  if (objects.lease(leaseKey(meta.name)) === undefined) {
    return { owner: `agent:${meta.name}`, next: "renews its lease for the first time" };
  }
  switch (status.health) {
    case "suspect":
    case "unknown":
      return ofSilence(meta.name, objects);
    case "fenced":
      return held > 0
        ? { owner: "release-lost", next: `releases or replaces its ${countText(held, "replica")}` }
        : { owner: `agent:${meta.name}`, next: "comes back in a new session" };
    case "ready":
      if (spec.draining && held > 0) {
        return { owner: "drain-node", next: `evicts the remaining ${countText(held, "replica")}` };
      }
      if (spec.draining) return NOBODY("it is drained and empty");
      if (spec.cordons.some(({ holder }) => holder === APPROVAL_HOLDER)) {
        const command = `\`berth node approve ${meta.name}\``;
        return {
          owner: "an operator",
          next: `approves the node (${command}); until then it takes no work`,
        };
      }
      if (spec.cordons.length > 0) {
        const holders = spec.cordons.map(({ holder }) => holder).join(", ");
        return { owner: holders, next: "lifts the cordon; until then it takes nothing new" };
      }
      return NOBODY("it takes work");
  }
}

export function nextStepOfWorkload(
  { meta, status }: Workload,
  stages: ReadonlyMap<Stage, number>,
): NextStep {
  const count = (stage: Stage): number => stages.get(stage) ?? 0;
  if (meta.deletingMs !== undefined) {
    return { owner: "admit", next: "stops its replicas and removes it after the last one" };
  }
  if (count("admitted") > 0) {
    return {
      owner: "admit",
      next: `reserves quota for ${countText(count("admitted"), "replica")}`,
    };
  }
  if (count("queued") > 0) {
    return { owner: "place", next: `finds nodes for ${countText(count("queued"), "replica")}` };
  }
  if (count("failed") > 0) {
    return { owner: "admit", next: `restarts ${countText(count("failed"), "failed replica")}` };
  }
  const onTheWay = count("bound") + count("starting") + count("ready");
  if (onTheWay > 0) return { owner: "agents", next: `start ${countText(onTheWay, "replica")}` };
  if (isMoving(status.rollout)) {
    return { owner: "roll-out", next: "moves its replicas to the new template" };
  }
  return NOBODY("it is in its desired state");
}
