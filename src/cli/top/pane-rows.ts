/** The rows of one pane. A row is made when it is drawn: of thousands a few are on the screen. */
import type { StyledLine } from "./styled-line.ts";
import type { Opening } from "./top-state.ts";

export interface PaneRows {
  readonly heading: string;
  readonly count: number;
  row(at: number): StyledLine;
  /** All there is to say of a row, without a bound. */
  detail(at: number): string;
  /** The level that Enter opens on a row; left out: none. */
  opens?(at: number): Opening;
}
