/**
 * A controller, an agent or the user, with what the host keeps for it: its plane, its stream, its
 * timer.
 */
import type { AgentInput, AgentEffect, Component } from "../../core/kernel/component.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Interest } from "../../core/observe/interest.ts";
import type { View } from "../../core/observe/view.ts";
import type { Owed } from "../../core/runner/runner.ts";
import type { Blindness } from "./blindness.ts";
import { ComponentProcess } from "./component-process.ts";
import type { DriftingClock } from "../faults/clock.ts";
import type { NodeMachine } from "./node-machine.ts";
import type { PlaneProcess } from "./plane-process.ts";
import { WatchStream } from "./watch-stream.ts";

/**
 * Controllers and the user are never sent an agent's inputs; typing them alike keeps the host one.
 */
export interface Client extends Component<AgentInput, AgentEffect>, Mind {
  readonly view: View;
  /** Those who share its view; left out by whoever is alone with it. */
  readonly members?: readonly Mind[];
}

interface Mind {
  readonly name?: string;
  owed(): readonly Owed[];
  isTracking(key: ObjectKey): boolean;
}

export class ClientProcess extends ComponentProcess {
  readonly create: () => Client;
  readonly stream = new WatchStream();
  component: Client | undefined;
  interest: Interest | undefined;
  /** Set for agents only. */
  machine: NodeMachine | undefined;
  /** It sends what it likes: what honest senders keep to is not asked of it. */
  readonly isHostile: boolean;
  /** Where requests go and the watch comes from. */
  plane: PlaneProcess;
  /** True time of the oldest request that nothing was heard since; -1 when nothing is awaited. */
  waitingSinceMs = -1;
  /** True time a list was asked for and has not come; -1 when none is awaited. */
  listingSinceMs = -1;
  /** Counts lists over the whole run: an answer to an earlier one is dropped. */
  lists = 0;
  /** The timer in the component's own time; undefined when it has none. */
  timerOwnMs: number | undefined;
  timerDueMs = Infinity;
  /** When the earliest queued look at the timer happens. */
  timerQueuedMs = Infinity;
  stalledUntilMs = 0;
  droppingUntilMs = 0;
  staleUntilMs = 0;
  staleBehind = 0;
  /** Set while an agent is not shown everything. */
  blindness: Blindness | undefined;

  constructor(options: {
    index: number;
    name: string;
    clock: DriftingClock;
    seed: number;
    create: () => Client;
    plane: PlaneProcess;
    isHostile?: boolean;
  }) {
    super(options);
    this.isHostile = options.isHostile ?? false;
    this.create = options.create;
    this.plane = options.plane;
  }
}
