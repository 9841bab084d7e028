/**
 * A world with a global plane and a plane of its own in each region. The world that has this part
 * is that of the global plane: tenants, their quotas and what people do there.
 */
import type { World } from "../world/world.ts";

export interface RegionalPart {
  readonly regions: readonly WorldRegionPlane[];
  readonly events: readonly RegionalEvent[];
  readonly wan: WanRates;
}

export interface WorldRegionPlane {
  readonly name: string;
  readonly termMs: number;
  /** Its nodes and workloads. Tenants and quotas are those of the global plane. */
  readonly world: World;
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
