/** Something that is not yet as it is desired: a liveness violation once it has lasted too long. */
import type { ObjectKey } from "../../../core/model/ids.ts";

export interface Unfinished {
  readonly rule: `LIV${1 | 2 | 3 | 4 | 5 | 6 | 7 | 9 | 10 | 11 | 12 | 20 | 30 | 40 | 55 | 58 | 60 | 62 | 63 | 64 | 65 | 66 | 68 | 81}`;
  readonly key: ObjectKey;
  /**
   * Names the state it is stuck in: progress of any kind gives another name, and time counts anew.
   */
  readonly stuckAs: string;
  /** How long this may last in a healed world before it is a stall. */
  readonly patienceMs: number;
  readonly message: string;
}
