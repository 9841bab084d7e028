/** Does to the twin what the scenario says, at its time. */
import type { Hands } from "../sim/begun/hands.ts";
import type { DrainLine } from "./drain-line.ts";
import { putIntents } from "./put-intents.ts";
import type { TwinEvent, TwinScenario } from "./twin-run.ts";

/** About what a new process of a plane needs on a machine that is up. */
const LEADER_DOWN_MS = 1_000;

export class ScenarioPlay {
  private readonly hands: Hands;
  private readonly drains: DrainLine;
  private sent = 0;

  constructor(hands: Hands, drains: DrainLine) {
    this.hands = hands;
    this.drains = drains;
  }

  /** The first event of the scenario happens at `fromMs`. */
  queue({ events }: TwinScenario, fromMs: number): void {
    for (const event of events) this.hands.at(fromMs + event.atMs, () => this.play(event));
  }

  private play(event: TwinEvent): void {
    const { hands } = this;
    switch (event.do) {
      case "lose":
        for (const node of event.nodes) hands.lose(node);
        break;
      case "stop-agent":
        for (const node of event.nodes) hands.stopAgent(node);
        break;
      case "return":
        for (const node of event.nodes) hands.restore(node);
        break;
      case "restart-leader":
        hands.restartLeader(LEADER_DOWN_MS);
        break;
      case "second-scheduler":
        hands.startSecondScheduler();
        break;
      case "slow-starts":
        hands.slowStarts(event.byMs);
        break;
      case "drain":
        this.drains.add(event.nodes, event.deadlineMs, hands);
        break;
      case "put":
        this.put(event);
        break;
    }
  }

  private put({ objects }: Extract<TwinEvent, { do: "put" }>): void {
    for (const object of objects) {
      for (const { intent, as } of putIntents(object, this.hands.truth.objects, this.sent + 1)) {
        this.sent += 1;
        this.hands.ask(intent, as);
      }
    }
  }
}
