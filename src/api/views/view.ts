/**
 * A table that a plane keeps for people who watch it. It is made when the first of them comes and
 * dropped with the last, so whatever it remembers it has seen happen. Rows are computed when they
 * are sent, from what is published then.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ViewRow } from "./view-rows.ts";

export interface View {
  /** Of all rows there are, in the order in which the first table shows them. */
  keys(): readonly string[];
  /** Undefined: there is no such row any more. */
  row(key: string): ViewRow | undefined;
  /** Which rows may be others after these commits. */
  touched(commits: readonly Commit[]): Iterable<string>;
  /**
   * Hears of what changes without a commit, in the middle of the plane's turn, where it may only
   * call `mark`. Returns how to stop.
   */
  listen?(mark: (key: string) => void): () => void;
  /** Which rows are others because of others, looked for once before the touched ones are sent. */
  settle?(): Iterable<string>;
}
