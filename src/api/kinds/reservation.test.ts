import { expect, test } from "vitest";
import { aReplica } from "../../../test/builders/a-replica.ts";
import { aReservation } from "../../../test/builders/a-reservation.ts";
import type { Reservation } from "../../core/model/objects.ts";
import { ObjectIndex } from "../../core/observe/object-index.ts";
import { checkObject } from "../schema/check-object.ts";
import { toApiObject } from "../metadata.ts";
import { kindByName } from "./all-kinds.ts";

const kind = kindByName("Reservation")!;
const objects = new ObjectIndex();

const roomOn = (reservation: Reservation): string | number | undefined =>
  kind.columns.find(({ name }) => name === "Room On")?.cell(reservation, objects);

test("room that is held says on which node and with which devices", () => {
  const room = { node: "n1", deviceIds: ["gpu-0"], epoch: 1 };
  const held = aReservation(aReplica({ stage: "queued" }), { for: "preemptor", room });
  const shown = toApiObject(kind, held, objects);
  expect(shown.spec).toMatchObject({
    for: "preemptor",
    replica: "api.1.0",
    room: { node: "n1", devices: ["gpu-0"] },
  });
  expect(checkObject(kind, shown)).toEqual({ unknownFields: [], mistakes: [] });
  expect(roomOn(held)).toBe("n1");
});

test("quota that is held is on no node", () => {
  const held = aReservation(aReplica());
  expect(toApiObject(kind, held, objects).spec).not.toHaveProperty("room");
  expect(roomOn(held)).toBe("");
});
