/** Does to the twin what the scenario says, at its time. */
import type { Hands } from "../sim/begun/hands.ts";
import type { TwinEvent, TwinScenario } from "./twin-run.ts";

/** About what a new process of a plane needs on a machine that is up. */
const LEADER_DOWN_MS = 1_000;

export function playScenario({ events }: TwinScenario, hands: Hands, fromMs: number): void {
  for (const event of events) hands.at(fromMs + event.atMs, () => play(event, hands));
}

function play(event: TwinEvent, hands: Hands): void {
  switch (event.do) {
    case "lose":
      for (const node of event.nodes) hands.lose(node);
      return undefined;
    case "return":
      for (const node of event.nodes) hands.restore(node);
      return undefined;
    case "restart-leader":
      return hands.restartLeader(LEADER_DOWN_MS);
    case "second-scheduler":
      return hands.startSecondScheduler();
    case "slow-starts":
      return hands.slowStarts(event.byMs);
    case "drain":
    case "put":
      return undefined;
  }
}
