/** Reserved room of a node. */
import type { Epoch } from "./ids.ts";

export interface Room {
  readonly node: string;
  readonly deviceIds: readonly string[];
  /**
   * The leadership on whose clock it was made: another cannot tell from its times how old it is.
   */
  readonly epoch: Epoch;
}
