/** A process as it really is on its machine. The name it goes by is its replica and incarnation. */
import type { Amounts } from "../../core/model/amounts.ts";
import type { ObjectKey, Revision, Uid } from "../../core/model/ids.ts";
import type { LiveProcess } from "../check/checker.ts";

export interface MachineProcess extends LiveProcess {
  readonly uid: Uid;
  readonly asked: Amounts;
  readonly permittedAt: Revision;
  /** Probes before this true time fail, and so do the next `failingProbes` after it. */
  readonly readyMs: number;
  failingProbes: number;
  /** From `fromMs` on it answers so many probes with a no, though it was ready before. */
  lapse: { readonly fromMs: number; times: number } | undefined;
  isStopping: boolean;
  isGone: boolean;
}

export type ProcessName = { readonly replica: ObjectKey; readonly incarnation: number };
