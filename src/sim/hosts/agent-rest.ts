/** The rest of one agent whose turns are put off: what is said in its name, and what it missed. */
import type { Epoch, ObjectKey, OperationId, Revision } from "../../core/model/ids.ts";
import type { IntentOf } from "../../core/protocol/command.ts";

export interface AgentRest {
  readonly sinceMs: number;
  /** The agent's own timer, in its own time. */
  readonly timerOwnMs: number;
  /** Of the first renewal that is sent in its name. */
  readonly firstSeq: number;
  readonly epoch: Epoch;
  readonly basis: Revision;
  readonly known: readonly ObjectKey[];
  readonly kept: readonly ObjectKey[];
  /** The last renewal that was sent. */
  last: IntentOf<"lease">;
  /** How far its view would have come by bookmarks. */
  asOf: Revision;
  /** The renewal without an answer. */
  outstanding: OperationId | undefined;
  /** True times at which the answers came, in the order of the renewals. */
  readonly heardMs: number[];
}
