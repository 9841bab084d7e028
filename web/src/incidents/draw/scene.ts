/** Everything that one drawing of the lanes depends on. */
import type { IncidentIndex } from "../reading/incident-index.ts";
import type { LaneRow } from "./lane-rows.ts";
import type { Palette } from "./palette.ts";
import type { Stage } from "./stage-geometry.ts";
import type { TurnSprites } from "./turn-sprites.ts";
import type { WrongSpan } from "../reading/wrong-spans.ts";

export interface Scene extends Stage {
  readonly index: IncidentIndex;
  readonly rows: readonly LaneRow[];
  /** By lane; -1: not drawn. */
  readonly rowOf: Int32Array;
  /** By turn: 0 is not shown, 1 is shown but not what is sought, 2 is shown. */
  readonly shown: Uint8Array;
  readonly selected: number;
  readonly hovered: number | undefined;
  /** The selected turn with what led to it and what it led to. */
  readonly chain: ReadonlySet<number>;
  /** Its messages and steps, each from a turn to a later one. */
  readonly path: readonly (readonly [from: number, to: number])[];
  readonly wrong: readonly (readonly WrongSpan[])[];
  readonly palette: Palette;
  readonly sprites: TurnSprites;
}
