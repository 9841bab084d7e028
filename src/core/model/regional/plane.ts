/**
 * The plane's own place among others. A log without this object belongs to a plane that serves all
 * regions by itself.
 */
import type { Epoch } from "../ids.ts";

/** The time in which a region may spend what it was lent. */
export interface Term {
  /** When the region asked for it, by its own clock: it is over so much earlier there. */
  readonly askedMs: number;
  readonly untilMs: number;
  /** The leadership whose clock these times are of: no other may compare them with its own. */
  readonly epoch: Epoch;
}

/** Of the plane that lends. */
export interface GlobalPlane {
  readonly role: "global";
  /** Grows when the log is restored from a backup. */
  readonly incarnation: number;
}

/** Of a plane that spends what it was lent. */
export interface RegionalPlane {
  readonly role: "regional";
  readonly region: string;
  readonly incarnation: number;
  /**
   * Set while a new incarnation does not know yet what its agents run: nothing is spent. The
   * leadership and the time are those at which it began.
   */
  readonly learning?: { readonly epoch: Epoch; readonly sinceMs: number } | undefined;
  /** The incarnation of the global plane whose terms it obeys; left out: it never had any. */
  readonly global?: number;
  /** The last term, whether or not it is over; left out: it never had one. */
  readonly term?: Term;
  /** The end of `term` was committed: the rights have fallen to what was charged. */
  readonly ended?: true;
  /** Up to which revision of the global log it has the objects that the global plane owns. */
  readonly objectsTo: number;
}

/** What never changes of a plane. */
export type PlaneRole = Pick<GlobalPlane, "role"> | Pick<RegionalPlane, "role" | "region">;

export type PlaneStatus = GlobalPlane | RegionalPlane;
