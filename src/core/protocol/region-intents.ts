/** What can be asked of one of several planes, beside what is asked of any. */
import type { Amounts } from "../model/amounts.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Epoch } from "../model/ids.ts";
import type { PlaneRole } from "../model/regional/plane.ts";
import type { RegionReport, RegionTerms } from "./region-exchange.ts";

export type RegionIntent =
  /**
   * Makes this plane one of several, or says that its log was restored: from then on it is another
   * incarnation of the same plane.
   */
  | { readonly kind: "incarnate"; readonly plane: PlaneRole; readonly incarnation: number }
  /** The global plane takes in what a region states. */
  | { readonly kind: "hear"; readonly report: RegionReport }
  /** Gives the grant of a tenant in a region its next version. */
  | {
      readonly kind: "lend";
      readonly tenant: string;
      readonly region: string;
      /** Of the region. */
      readonly incarnation: number;
      readonly version: number;
      readonly amounts: Amounts;
    }
  /** The region takes over what the global plane answered. */
  | { readonly kind: "take-terms"; readonly terms: RegionTerms }
  /** The term that was asked for then is over: rights fall to what is charged. */
  | { readonly kind: "end-term"; readonly askedMs: number; readonly epoch: Epoch }
  /** A restored region knows again what its agents run. */
  | { readonly kind: "end-learning"; readonly incarnation: number }
  /** A person vouches that this incarnation of a region is gone for good. */
  | {
      readonly kind: "region-gone";
      readonly region: string;
      readonly incarnation: number;
      readonly evidence: Evidence;
    };
