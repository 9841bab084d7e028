/** Whether the global plane may lend, to any region and to one. */
import type { Region } from "../../model/objects.ts";
import type { GlobalPlane } from "../../model/regional/plane.ts";
import type { RegionHeard } from "../../model/regional/region-plane.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";

/** It was taken in what this incarnation of the region holds. */
export const isCredited = ({ revision }: RegionHeard): boolean => revision > 0;

/**
 * A region that may hold what an earlier incarnation of this plane lent and this one has forgotten;
 * undefined: none. One that never obeyed any global plane was never lent anything.
 */
export function unconfirmedRegion(objects: ObjectIndex, own: GlobalPlane): Region | undefined {
  for (const region of objects.all("Region").values()) {
    const { heard } = region.status;
    // A backup from before its first report does not know what it was lent since.
    if (heard === undefined && region.spec.plane !== undefined && own.incarnation > 1)
      return region;
    if (heard === undefined || heard.gone === true) continue;
    const { lender, confirmed } = heard;
    const isSettled = confirmed === undefined || confirmed === own.incarnation;
    if (lender !== own.incarnation || !isSettled) return region;
  }
  return undefined;
}
