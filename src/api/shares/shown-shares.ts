/** What `GET /shares` answers. */
import type { ShareLevel } from "../../core/admission/share-level.ts";

interface ShownUse {
  readonly level: ShareLevel;
  readonly waiting: number;
  readonly served: number;
  readonly refused: number;
  readonly waitP50Ms: number;
  readonly waitP99Ms: number;
  /** Of requests and answers together. */
  readonly bytes: number;
}

/** Since the plane started. */
export interface ShownLevel extends ShownUse {
  readonly seats: number;
  readonly own: number;
  readonly most: number;
  readonly mostWaiting: number;
}

/** In the last minute. */
export interface ShownFlow extends ShownUse {
  readonly caller: string;
  /** Empty: of no tenant. */
  readonly tenant: string;
  readonly seats: number;
  /** Of the caller, whatever they are about. */
  readonly watches: number;
}

export interface ShownShares {
  readonly levels: readonly ShownLevel[];
  readonly flows: readonly ShownFlow[];
}
