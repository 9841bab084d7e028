/**
 * Whether a reservation was made for this very incarnation of this very replica, not for a
 * namesake.
 */
import type { Replica, Reservation } from "../model/objects.ts";

export const isHeldFor = ({ spec }: Reservation, replica: Replica): boolean =>
  spec.owner === replica.key &&
  spec.ownerUid === replica.meta.uid &&
  spec.incarnation === replica.status.incarnation;
