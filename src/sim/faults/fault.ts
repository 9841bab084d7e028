/**
 * Every fault is an explicit event that says what it hits. The swarm draws them from a seed,
 * scenario files list them, the shrinker removes them; the engine cannot tell the difference.
 *
 * Message faults name the operation and attempt they hit rather than a position in a stream, so
 * that removing one fault leaves the others aimed at the same message.
 *
 * Component names: `plane-1`, `plane-2` … `plane-N`; the controllers as `all-controllers.ts` names
 * them, with `place-1` … `place-N`, or `controllers` where they share one view; `user`, `gauge`,
 * `provisioner`; `agent:<node>`.
 */
export type Fault =
  /** The request never arrives: no effect, no reply. */
  | {
      readonly fault: "lose-request";
      readonly from: string;
      readonly operation: string;
      readonly attempt: number;
    }
  /** The command takes effect, the sender never hears of it. */
  | {
      readonly fault: "lose-reply";
      readonly to: string;
      readonly operation: string;
      readonly attempt: number;
    }
  | {
      readonly fault: "duplicate-request";
      readonly from: string;
      readonly operation: string;
      readonly attempt: number;
      readonly afterMs: number;
    }
  /** Late enough to arrive out of order. */
  | {
      readonly fault: "delay-request";
      readonly from: string;
      readonly operation: string;
      readonly attempt: number;
      readonly byMs: number;
    }
  | {
      readonly fault: "delay-reply";
      readonly to: string;
      readonly operation: string;
      readonly attempt: number;
      readonly byMs: number;
    }
  /**
   * The plane's n-th append (counted over the whole run) answers "unknown"; it did or did not land.
   */
  | {
      readonly fault: "append-unknown";
      readonly plane: string;
      readonly append: number;
      readonly landed: boolean;
    }
  /**
   * The plane's n-th append answers "unknown" while it is still on its way to a shared log: it
   * lands this much later, unless a later leadership has begun by then.
   */
  | {
      readonly fault: "append-late";
      readonly plane: string;
      readonly append: number;
      readonly byMs: number;
    }
  /** The plane's n-th renewal of its lease on a shared log takes this much longer. */
  | {
      readonly fault: "late-renewal";
      readonly plane: string;
      readonly renewal: number;
      readonly byMs: number;
    }
  /**
   * The plane cannot reach the shared log: messages either way are lost, or arrive after the
   * partition.
   */
  | {
      readonly fault: "cut-store";
      readonly plane: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** One of several planes stands still, and continues as if no time had passed. */
  | {
      readonly fault: "pause-plane";
      readonly plane: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** One of several planes is asked to stop: it gives up the lead, and comes back later. */
  | {
      readonly fault: "restart-plane";
      readonly plane: string;
      readonly atMs: number;
      readonly downMs: number;
    }
  /** A follower hears nothing of the log for this long. */
  | {
      readonly fault: "stall-follower";
      readonly plane: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** A snapshot replaces all commits of a shared log but the newest. */
  | { readonly fault: "compact-log"; readonly atMs: number; readonly keep: number }
  | {
      readonly fault: "watch-stall";
      readonly to: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** The stream silently loses the events under way: only a later list can find them. */
  | {
      readonly fault: "watch-drop";
      readonly to: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** The stream breaks and the component is told: it must list again. */
  | { readonly fault: "watch-break"; readonly to: string; readonly atMs: number }
  /** Lists asked for in this window are served from a replica this many revisions behind. */
  | {
      readonly fault: "stale-list";
      readonly to: string;
      readonly atMs: number;
      readonly forMs: number;
      readonly behind: number;
    }
  | {
      readonly fault: "crash";
      readonly component: string;
      readonly atMs: number;
      readonly downMs: number;
    }
  /**
   * The component dies right after this request left it: later effects of the same turn never
   * happen.
   */
  | {
      readonly fault: "crash-after";
      readonly component: string;
      readonly operation: string;
      readonly attempt: number;
      readonly downMs: number;
    }
  | { readonly fault: "restart-leader"; readonly atMs: number; readonly downMs: number }
  /** Another plane claims the log while the first still believes it leads. */
  | { readonly fault: "second-leader"; readonly atMs: number }
  /** New bindings to the agent's node are shown to all components but the agent. */
  | {
      readonly fault: "blind-agent";
      readonly node: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** The leader rejects every request for this long, as an overloaded plane does. */
  | { readonly fault: "overload"; readonly atMs: number; readonly forMs: number }
  /** One direction of one link is cut; "*" stands for every component. */
  | {
      readonly fault: "partition";
      readonly from: string;
      readonly to: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /**
   * Drift takes effect at once; the offset (a step of the wall clock) at the component's next
   * start.
   */
  | {
      readonly fault: "clock";
      readonly component: string;
      readonly atMs: number;
      readonly offsetMs: number;
      readonly driftPerThousand: number;
    }
  | {
      readonly fault: "node-crash";
      readonly node: string;
      readonly atMs: number;
      readonly downMs: number;
    }
  /** Agent and processes freeze together and come back together. */
  | {
      readonly fault: "node-pause";
      readonly node: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  /** Half of the machine and its devices are missing; its agent finds out when it is restarted. */
  | {
      readonly fault: "hardware-loss";
      readonly node: string;
      readonly atMs: number;
      readonly forMs: number;
    }
  | {
      readonly fault: "slow-start";
      readonly replica: string;
      readonly incarnation: number;
      readonly byMs: number;
    }
  | {
      readonly fault: "failing-probe";
      readonly replica: string;
      readonly incarnation: number;
      readonly times: number;
    }
  | {
      readonly fault: "process-exit";
      readonly replica: string;
      readonly incarnation: number;
      readonly afterMs: number;
    }
  /** The process keeps running and fails this many probes, beginning this long after its start. */
  | {
      readonly fault: "readiness-lapse";
      readonly replica: string;
      readonly incarnation: number;
      readonly afterMs: number;
      readonly times: number;
    };

export type FaultName = Fault["fault"];
