import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import type { Uid } from "../model/ids.ts";
import { isHeldFor } from "./held-for.ts";

test("a reservation is held for one incarnation of one replica, and not for its namesake [RS2]", () => {
  const replica = aReplica({ incarnation: 2 });
  expect(isHeldFor(aReservation(replica), replica)).toBe(true);
  expect(isHeldFor(aReservation(replica, { incarnation: 1 }), replica)).toBe(false);
  expect(isHeldFor(aReservation(replica, { ownerUid: "another" as Uid }), replica)).toBe(false);
  expect(isHeldFor(aReservation(replica), aReplica({ index: 1, incarnation: 2 }))).toBe(false);
});
