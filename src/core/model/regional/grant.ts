/**
 * How much of a tenant's quota a region may spend. At the global plane a grant is an account of
 * what the region may hold; in the region it is the version that its rights come from.
 */
import type { Amounts } from "../amounts.ts";

export interface GrantSpec {
  readonly region: string;
  /** "lent": at the global plane. "accepted": in the region. */
  readonly side: "lent" | "accepted";
  /** Of the region, when this version was lent. */
  readonly incarnation: number;
  /** Grows with every change of the amounts; 0: nothing was lent yet. */
  readonly version: number;
  readonly amounts: Amounts;
}

/** Of a grant that was lent; an accepted one has an empty status. */
export interface GrantStatus {
  /** The version that the region last reported. */
  readonly reported?: number;
  /** The most that the tenant may hold there while the region acts on that version. */
  readonly held?: Amounts;
  /** Versions lent since, the oldest first. */
  readonly pending?: readonly { readonly version: number; readonly amounts: Amounts }[];
  /** What the region last said of its demand; a proposal may rest on it, no decision does. */
  readonly demand?: GrantDemand;
}

export interface GrantDemand {
  /** Reserved and committed there. */
  readonly charged: Amounts;
  /** Of replicas that wait for quota there. */
  readonly waiting: Amounts;
  /** The largest single one of these: rights are moved in sizes that can be used. */
  readonly largest: Amounts;
  /** Of each amount the least that any of them asks for: what does not fit one may fit another. */
  readonly smallest: Amounts;
}
