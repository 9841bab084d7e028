/** Whether the global plane may lend, to any region and to one. */
import type { Region } from "../../model/objects.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import type { RegionHeard } from "../../model/regional/region-plane.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

/** It was taken in what this incarnation of the region holds. */
export const isCredited = ({ revision }: RegionHeard): boolean => revision > 0;

/** The first incarnation of a plane has forgotten nothing. */
const FIRST = 1;

/**
 * A region that may hold what an earlier incarnation of this plane lent and this one has forgotten;
 * undefined: none. It has stated all that it holds to this one, or it got its plane under this one,
 * or it is gone; a backup may be older than its first word.
 */
export function unconfirmedRegion(objects: ObjectIndex, own: GlobalPlane): Region | undefined {
  if (own.incarnation === FIRST) return undefined;
  for (const region of objects.all("Region").values()) {
    const { heard, since = 0 } = region.status;
    const isJoined = heard !== undefined || region.spec.plane !== undefined;
    if (!isJoined || since >= own.incarnation || heard?.gone === true) continue;
    if (heard?.settledBy !== own.incarnation) return region;
  }
  return undefined;
}
