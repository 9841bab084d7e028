/**
 * A controller, an agent or the user, with the state that the host keeps for it: its plane, its
 * stream, its timer.
 */
import type { AgentInput, AgentEffect, Component } from "../../core/kernel/component.ts";
import type { ObjectKey, OperationId } from "../../core/model/ids.ts";
import type { Interest } from "../../core/observe/interest.ts";
import type { View } from "../../core/observe/view.ts";
import type { Owed } from "../../core/runner/runner.ts";
import type { AgentRest } from "./agent-rest.ts";
import type { Blindness } from "./blindness.ts";
import { ComponentProcess } from "./component-process.ts";
import type { DriftingClock } from "../faults/clock.ts";
import type { NodeMachine } from "./node-machine.ts";
import type { PlaneProcess } from "./plane-process.ts";
import { WatchStream } from "./watch-stream.ts";

/** Controllers and the user never get an agent's inputs; one type for all keeps one host. */
export interface Client extends Component<AgentInput, AgentEffect>, Mind {
  readonly view: View;
  /** The components that share its view; left out by a component that has a view of its own. */
  readonly members?: readonly Mind[];
}

export interface Mind {
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
  /** A hostile client sends anything, so the rules for honest senders do not apply. */
  readonly isHostile: boolean;
  /** The plane that receives its requests and serves its watch. */
  plane: PlaneProcess;
  /** True time of the oldest request without an answer; -1 when none is awaited. */
  waitingSinceMs = -1;
  /** True time of the list request without an answer; -1 when none is awaited. */
  listingSinceMs = -1;
  /** Counts lists over the whole run, to drop the answer to an earlier one. */
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
  /** Set while the turns of an agent are put off. */
  rest: AgentRest | undefined;
  /** When an agent last listed what it knows of, in its own time. */
  inventoryMs: number | undefined;
  /** The call of the renewal that was under way when an agent's rest ended. */
  wokenCall: { readonly operation: OperationId; readonly call: number } | undefined;
  /** Set while replicas are hidden from an agent. */
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
