/** What happens between the planes of a world whose regions have planes of their own. */

export interface RegionalPart {
  readonly events: readonly RegionalEvent[];
  readonly wan: WanRates;
}

export type RegionalEvent =
  /** Messages in these directions are lost. */
  | {
      readonly event: "cut";
      readonly region: string;
      readonly atMs: number;
      readonly forMs: number;
      readonly way: "both" | "to-global" | "to-region";
    }
  /**
   * A plane is replaced by one with a log as it was `agoMs` before, under a larger incarnation.
   * `of` is a region, or "global". Machines and their processes go on.
   */
  | {
      readonly event: "restore";
      readonly of: string;
      readonly atMs: number;
      readonly agoMs: number;
    }
  /** All of a region is lost for good, and a person says so later. */
  | {
      readonly event: "lose";
      readonly region: string;
      readonly atMs: number;
      readonly saidAfterMs: number;
    };

/** Chances in 1,000 for each message between a region and the global plane. */
export interface WanRates {
  readonly lost: number;
  readonly late: number;
  readonly doubled: number;
  readonly lateMs: number;
}

export const GLOBAL = "global";
