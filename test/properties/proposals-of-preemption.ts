/** Who could be asked to make room in the present state, for whom, and on which node; see proposals.ts. */
import type { Intent } from "../../src/core/protocol/command.ts";
import { BrokenRules } from "./broken-rules.ts";
import {
  every,
  freeUnits,
  type ModelState,
  type NodeThing,
  type ReplicaThing,
  replicasOn,
} from "./model-state.ts";
import type { Picks } from "./picks.ts";
import { operation, type Proposal } from "./proposals.ts";
import { laterOn, preemptRules } from "./rules-of-preemption.ts";

type Preempt = Extract<Intent, { kind: "preempt" }>;

/** For a few in the queue and every node: nobody, each one alone, all of them, and the fewest that are right. */
export function preempts(state: ModelState, picks: Picks): Proposal[] {
  const queued = every(state, "Replica").filter(
    ({ stage, template }) => stage === "queued" && template.priorityClass !== "",
  );
  const replicas = queued.length > 0 && !picks.onceIn(8) ? queued : every(state, "Replica");
  const holdMs = picks.one([60_000, 20_000, 1, 65_000, 65_001, 0]);
  return replicas.slice(0, 3).flatMap((replica) =>
    every(state, "Node").flatMap((node) => {
      const there = replicasOn(state, node.name).filter(({ stopping }) => stopping === undefined);
      const sets = [[], there, ...there.map((one) => [one]), leastOf(state, node, replica, there)];
      return sets.map((victims): Proposal => ({
        role: "preempt",
        intent: preemptOf(state, node, { replica, victims, holdMs }),
      }));
    }),
  );
}

function preemptOf(
  state: ModelState,
  node: NodeThing,
  of: { replica: ReplicaThing; victims: readonly ReplicaThing[]; holdMs: number },
): Preempt {
  const { key: replica, incarnation, template } = of.replica;
  const later = laterOn(state, node.name, { gone: of.victims, but: of.replica });
  const free = freeUnits(later, node, template.ask);
  const deviceIds = free.slice(0, template.ask.device?.count ?? 0);
  const victims = of.victims.map((victim) => ({
    replica: victim.key,
    incarnation: victim.incarnation,
  }));
  const { holdMs } = of;
  return {
    kind: "preempt",
    operation,
    replica,
    incarnation,
    node: node.name,
    deviceIds,
    victims,
    holdMs,
  };
}

/** One after the other is spared, as long as what is left would still be right but for being too many. */
function leastOf(
  state: ModelState,
  node: NodeThing,
  replica: ReplicaThing,
  all: readonly ReplicaThing[],
): readonly ReplicaThing[] {
  let victims = all;
  for (const one of all) {
    const fewer = victims.filter((victim) => victim !== one);
    const broken = new BrokenRules();
    preemptRules(
      state,
      preemptOf(state, node, { replica, victims: fewer, holdMs: 1 }),
      "preempt",
      broken,
    );
    const isEnough = !broken.codes.has("node-full") && !broken.codes.has("device-taken");
    if (isEnough) victims = fewer;
  }
  return victims;
}
