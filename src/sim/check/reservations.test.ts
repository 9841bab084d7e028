import { expect, test } from "vitest";
import type { Uid } from "../../core/model/ids.ts";
import { CheckerBench } from "./checker-bench.ts";
import { aReplica, aReservation, bound, freed, withStatus } from "./fixtures.ts";
import { createReservationsChecker } from "./reservations.ts";

const newBench = (): CheckerBench => new CheckerBench(createReservationsChecker());
const replica = aReplica();
const reservation = aReservation(replica);

test("a reservation that its own bind consumes is fine [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({ command: "bind", remove: [reservation.key], put: [bound(replica)] });
  bench.commit({ command: "report", put: [freed(replica)] });
  expect(bench.found).toEqual([]);
});

test("a reservation that is released, and one for the next life, are fine [INV5]", () => {
  const bench = newBench();
  const next = aReservation(withStatus(replica, { life: 2 }));
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({ command: "evict", remove: [reservation.key], put: [freed(replica)] });
  bench.commit({
    command: "reserve",
    put: [{ ...next, meta: { ...next.meta, uid: "next" as Uid } }],
  });
  bench.commit({ command: "release", remove: [next.key] });
  expect(bench.found).toEqual([]);
});

test("a second reservation for one intent is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({ command: "reserve", put: [aReservation(replica, { name: "again" })] });
  expect(bench.found).toEqual([
    "INV5 Replica/payments/api.1.0 life 1 got Reservation/payments/again while Reservation/payments/api.1.0.1 is still held for it.",
  ]);
});

test("a bind without a reservation is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "bind", put: [bound(replica)] });
  expect(bench.found).toEqual([
    "INV5 Replica/payments/api.1.0 life 1 was bound to node-1 without its reservation; consumed: none.",
  ]);
});

test("a bind that consumes the reservation of another life is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({
    command: "bind",
    remove: [reservation.key],
    put: [bound(replica, "node-1", { life: 2 })],
  });
  expect(bench.found).toEqual([
    "INV5 Replica/payments/api.1.0 life 2 was bound to node-1 without its reservation; consumed: Replica/payments/api.1.0 life 1 (uid-of-Replica/payments/api.1.0).",
    "INV5 Bind operation-2 consumed Reservation/payments/api.1.0.1, held for Replica/payments/api.1.0.",
  ]);
});

const slots = [0, 1].map((slot) => aReplica({ spec: { slot } }));
const held = slots.map((slot) => aReservation(slot));

test("a bind that consumes another's reservation besides its own is reported [INV5]", () => {
  const bench = newBench();
  for (const each of held) bench.commit({ command: "reserve", put: [each] });
  bench.commit({ command: "bind", remove: held.map(({ key }) => key), put: [bound(replica)] });
  expect(bench.found).toEqual([
    "INV5 Bind operation-3 consumed Reservation/payments/api.1.1.1, held for Replica/payments/api.1.1.",
  ]);
});

test("many binds in one commit consume each its own reservation [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "enqueue", put: held });
  const put = slots.map((slot) => bound(slot));
  bench.commit({ command: "bind-all", remove: held.map(({ key }) => key), put });
  expect(bench.found).toEqual([]);
});

test("a bind-all that leaves one of the reservations held, or binds nobody, is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "enqueue", put: held });
  const [first] = held;
  bench.commit({
    command: "bind-all",
    remove: [first!.key],
    put: slots.map((slot) => bound(slot)),
  });
  expect(bench.found).toEqual([
    "INV5 Replica/payments/api.1.1 life 1 was bound to node-1 without its reservation; consumed: Replica/payments/api.1.0 life 1 (uid-of-Replica/payments/api.1.0).",
  ]);
  const empty = newBench();
  empty.commit({ command: "bind-all", put: [] });
  expect(empty.found).toEqual(["INV5 Bind operation-1 changed no replica."]);
});

test("a reservation that comes back after its end is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({ command: "release", remove: [reservation.key] });
  bench.commit({ command: "reserve", put: [reservation] });
  expect(bench.found).toEqual([
    "INV5 Reservation/payments/api.1.0.1 (uid uid-of-Reservation/payments/api.1.0.1) is held again after it had ended.",
  ]);
});

test("a reservation that a plain delete ends is reported [INV5]", () => {
  const bench = newBench();
  bench.commit({ command: "reserve", put: [reservation] });
  bench.commit({ command: "delete", remove: [reservation.key] });
  expect(bench.found).toEqual([
    "INV5 Reservation/payments/api.1.0.1 was ended by delete; only bind, release and evict may.",
  ]);
});
