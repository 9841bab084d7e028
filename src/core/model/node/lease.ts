/**
 * A node's lease: the word of its agent that it goes on, in which session, and what it knows of.
 */
import type { Forgotten } from "./forgotten.ts";
import type { Epoch } from "../ids.ts";
import type { LeaseTrust } from "./node-trust.ts";

export interface LeaseSpec {
  readonly node: string;
}

export interface LeaseStatus extends LeaseTrust {
  readonly session: number;
  readonly seq: number;
  /** On the clock of the authority of `epoch`; means nothing to any other clock. */
  readonly renewedMs: number;
  readonly epoch: Epoch;
  /** What the agent should know of and does not list; left out: nothing. */
  readonly forgotten?: Forgotten;
  /**
   * The leadership that was last told all replicas of the node while its plane was learning; left
   * out: none.
   */
  readonly listedIn?: Epoch;
}
