/**
 * An export of the audit trail: a line of JSON for each entry, oldest first, and a last line that
 * says how many there are and of which log. The lines are a chain (`line-chain.ts`).
 */
import type { ChainHead } from "../../host/store/chain-link.ts";

export interface ExportEnd {
  readonly type: "end";
  readonly count: number;
  /** What was let through; left out: every entry that is kept. */
  readonly filter?: Readonly<Record<string, string>>;
  /** The newest revision that was looked at. */
  readonly revision: number;
  /** Of the log's own chain when the export was made; left out by a plane that keeps none. */
  readonly head?: ChainHead;
  /** What the plane said of what is older. */
  readonly says: string;
}
