/**
 * What a region's plane and the global plane tell each other. Everything is state with a version or
 * a position, so a message may be lost, late, doubled or reordered.
 */
import type { Amounts } from "../model/amounts.ts";
import type { Epoch, ObjectKey, Revision } from "../model/ids.ts";
import type { AnyObject, Labels, QuotaSpec } from "../model/objects.ts";
import type { GrantDemand } from "../model/regional/grant.ts";
import type { RegionSummary } from "../model/regional/region-plane.ts";
import type { Desired } from "./command.ts";

/** What a region states, from what is durable in its log. */
export interface RegionReport {
  readonly region: string;
  readonly incarnation: number;
  /** The incarnation of the global plane whose terms it obeys; left out: none yet. */
  readonly global?: number;
  readonly learning: boolean;
  /** The position of its log that this was read at. */
  readonly epoch: Epoch;
  readonly revision: Revision;
  /**
   * Grants that changed after this revision; 0: all there are. Between `from` and `revision`
   * nothing is left out.
   */
  readonly from: Revision;
  /** When it asked, by its own clock; the answer repeats it. */
  readonly askedMs: number;
  readonly grants: readonly GrantReport[];
  /** Up to which revision of the global log it has the global plane's objects. */
  readonly objectsTo: Revision;
  /** A digest of the names of those objects. */
  readonly objectsDigest: number;
  readonly summary: RegionSummary;
}

export interface GrantReport {
  readonly tenant: string;
  /** 0: it has nothing of this tenant from this incarnation. */
  readonly version: number;
  readonly held: Amounts;
  readonly demand: GrantDemand;
}

/** What the global plane answers, from what is durable in its log. */
export interface RegionTerms {
  /** The incarnation of the global plane. */
  readonly global: number;
  readonly region: string;
  /** Of the region: terms of another incarnation count for nothing. */
  readonly incarnation: number;
  /** The position of the region's log that the global plane has taken in. */
  readonly heard: { readonly epoch: Epoch; readonly revision: Revision };
  /** The last question that was taken in, and the leadership of the region that asked it. */
  readonly asked: { readonly epoch: Epoch; readonly ms: number };
  readonly termMs: number;
  /** Versions that the region has not reported. */
  readonly grants: readonly LentGrant[];
  /** Objects of the global plane that are newer than those of the region; bounded. */
  readonly objects: readonly SharedObject[];
  /** They are what changed after this revision of the global log, and up to that one. */
  readonly objectsFrom: Revision;
  readonly objectsTo: Revision;
  /**
   * All names that there are, when the region's differ from them: it drops what is not among them,
   * and asks for all objects anew.
   */
  readonly names?: readonly ObjectKey[];
}

export interface LentGrant {
  readonly tenant: string;
  readonly version: number;
  readonly amounts: Amounts;
  /** What else the tenant's quota says and a region can keep by itself. */
  readonly quota: Pick<QuotaSpec, "weight" | "shrink" | "counts">;
}

/** An object that the global plane owns and regions need. */
export interface SharedObject {
  readonly key: ObjectKey;
  readonly desired: Desired;
  readonly labels: Labels;
  /** Of kinds whose status a decision of a region reads. */
  readonly status?: AnyObject["status"];
}
