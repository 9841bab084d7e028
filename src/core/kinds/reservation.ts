/** Reservation: quota, or room on a node, that is held for somebody. */
import type { PlaneDefinition } from "./kind-definition.ts";

export const reservationDefinition: PlaneDefinition<"Reservation"> = {
  kind: "Reservation",
  plural: "reservations",
  shortNames: [],
  scope: "tenant",
  writer: "plane",
  deletedBy: undefined,
};
