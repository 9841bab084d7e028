/** What the search for places came to: places to bind, or why there are none. */
import type { Replica } from "../../model/objects.ts";
import type { KeptUnpaid } from "../recovery/kept-unpaid.ts";
import type { FoundPlace } from "./place-each.ts";
import type { WhyNowhere } from "./why-nowhere.ts";

export interface FoundSome {
  readonly kind: "found";
  readonly first: FoundPlace;
  /** All of them, the first included. */
  readonly places: readonly FoundPlace[];
  /** The nodes that scored highest before the first was placed; left out for a gang. */
  readonly ranked?: readonly { readonly name: string; readonly score: number }[];
}

/** No node takes the replica. */
export interface NoNode {
  readonly kind: "no-node";
  readonly replica: Replica;
  readonly why: WhyNowhere;
  /** Reserved room would take it if a budget paid for it. */
  readonly unpaid: KeptUnpaid | undefined;
}

/** All members are queued, and there is room for some of them only. */
export interface GangDoesNotFit {
  readonly kind: "gang-does-not-fit";
  readonly replica: Replica;
  readonly fitting: number;
  readonly members: number;
  readonly why: WhyNowhere;
}

export type Nowhere =
  | NoNode
  | GangDoesNotFit
  | { readonly kind: "gang-incomplete"; readonly missing: number; readonly members: number }
  /** Room is held for every replica, and none of it is free yet. */
  | { readonly kind: "room-held" }
  /** No budget pays for a place ahead of the queue. */
  | { readonly kind: "unpaid-ahead" };

export type SearchOutcome = FoundSome | Nowhere;
