import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import { CheckerHarness } from "../../../test/builders/check/checker-harness.ts";
import {
  aReplica,
  aReservation,
  bound,
  freed,
  withStatus,
} from "../../../test/builders/check/fixtures.ts";
import { createReservationsChecker } from "./reservations.ts";

const newHarness = (): CheckerHarness => new CheckerHarness(createReservationsChecker());
const replica = aReplica();
const reservation = aReservation(replica);

const queued = withStatus(replica, { stage: "queued" });
const room = aReservation(queued, {
  name: "room",
  for: "preemptor",
  room: { node: "node-1", deviceIds: [], epoch: 1 },
});

test("a reservation that its own replica is queued on is fine [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "reserve", put: [reservation] });
  harness.commit({ command: "transition", remove: [reservation.key], put: [queued] });
  harness.commit({ command: "bind", put: [bound(replica)] });
  harness.commit({ command: "report", put: [freed(replica)] });
  expect(harness.found).toEqual([]);
});

test("a reservation that is released, and one for the next incarnation, are fine [INV5]", () => {
  const harness = newHarness();
  const next = aReservation(withStatus(replica, { incarnation: 2 }));
  harness.commit({ command: "reserve", put: [reservation] });
  harness.commit({ command: "unreserve", remove: [reservation.key] });
  harness.commit({
    command: "reserve",
    put: [{ ...next, meta: { ...next.meta, uid: "next" as Uid } }],
  });
  harness.commit({ command: "unreserve", remove: [next.key] });
  expect(harness.found).toEqual([]);
});

test("a second reservation for one intent is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "reserve", put: [reservation] });
  harness.commit({ command: "reserve", put: [aReservation(replica, { name: "again" })] });
  expect(harness.found).toEqual([
    "INV5 Replica/payments/api.1.0 incarnation 1 got Reservation/payments/again while Reservation/payments/api.1.0.1 is still held for it.",
  ]);
});

test("a transition into the queue without a reservation is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "transition", put: [queued] });
  expect(harness.found).toEqual([
    "INV5 Replica/payments/api.1.0 incarnation 1 (uid-of-Replica/payments/api.1.0) was queued without a reservation of its own.",
  ]);
});

test.each(["transition", "enqueue"] as const)(
  "a replica that is queued by %s beside a reservation that stays is reported [INV5]",
  (command) => {
    const harness = newHarness();
    harness.commit({ command: "reserve", put: [reservation] });
    harness.commit({ command, put: [queued] });
    expect(harness.found).toContain(
      "INV5 Replica/payments/api.1.0 incarnation 1 (uid-of-Replica/payments/api.1.0) was queued, and Reservation/payments/api.1.0.1 is still held for it.",
    );
  },
);

test("a transition that consumes the reservation of another incarnation is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "reserve", put: [reservation] });
  const second = withStatus(replica, { stage: "queued", incarnation: 2 });
  harness.commit({ command: "transition", remove: [reservation.key], put: [second] });
  expect(harness.found).toEqual([
    "INV5 Replica/payments/api.1.0 incarnation 2 (uid-of-Replica/payments/api.1.0) was queued without a reservation of its own.",
  ]);
});

test("room that the bind it was held for consumes is fine [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "preempt", put: [room] });
  harness.commit({ command: "bind", remove: [room.key], put: [bound(replica)] });
  expect(harness.found).toEqual([]);
});

test("a bind that consumes another's room, or binds no replica, is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "preempt", put: [room] });
  const other = bound(aReplica({ spec: { index: 1 } }));
  harness.commit({ command: "bind-all", remove: [room.key], put: [other] });
  expect(harness.found).toEqual([
    "INV5 Bind operation-2 consumed Reservation/payments/room, held for Replica/payments/api.1.0.",
  ]);
  const empty = newHarness();
  empty.commit({ command: "bind-all", put: [] });
  expect(empty.found).toEqual(["INV5 Bind operation-1 changed no replica."]);
});

test.each(["bind", "evict", "delete"] as const)(
  "a reservation of quota that %s ends is reported [INV5]",
  (command) => {
    const harness = newHarness();
    harness.commit({ command: "reserve", put: [reservation] });
    harness.commit({ command, remove: [reservation.key], put: [freed(replica)] });
    expect(harness.found).toContain(
      `INV5 Reservation/payments/api.1.0.1 was ended by ${command}, which may not.`,
    );
  },
);

test("a reservation that comes back after its end is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "reserve", put: [reservation] });
  harness.commit({ command: "unreserve", remove: [reservation.key] });
  harness.commit({ command: "reserve", put: [reservation] });
  expect(harness.found).toEqual([
    "INV5 Reservation/payments/api.1.0.1 (uid uid-of-Reservation/payments/api.1.0.1) is held again after it had ended.",
  ]);
});

test("a reservation that a plain delete ends is reported [INV5]", () => {
  const harness = newHarness();
  harness.commit({ command: "reserve", put: [reservation] });
  harness.commit({ command: "delete", remove: [reservation.key] });
  expect(harness.found).toEqual([
    "INV5 Reservation/payments/api.1.0.1 was ended by delete, which may not.",
  ]);
});
