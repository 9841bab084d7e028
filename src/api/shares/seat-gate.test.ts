import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import type { SeatAsk } from "./seat-ask.ts";
import { SeatGate } from "./seat-gate.ts";
import { DEFAULT_SHARE_LIMITS, type ShareLimits } from "./share-limits.ts";

const LIMITS = {
  ...DEFAULT_SHARE_LIMITS,
  peopleSeats: 1,
  commonSeats: 0,
  levelWaiting: 20,
  refusalMs: 0,
};

const turn = (): Promise<void> => new Promise(setImmediate);

function aGate(limits: Partial<ShareLimits> = {}) {
  const gate = new SeatGate({ ...LIMITS, ...limits });
  const senders = new Map<string, EventEmitter>();
  const order: string[] = [];
  const enter = async (name: string, of: Partial<SeatAsk> = {}): Promise<void> => {
    const sender = new EventEmitter();
    senders.set(name, sender);
    const caller = name.slice(0, 1);
    const ask = { level: "people", payer: caller, caller, tenant: "", seats: 1, ...of } as const;
    await Promise.resolve(gate.enter(ask, sender)).then(
      () => order.push(name),
      (error: Error) => order.push(`${name}: ${error.message}`),
    );
  };
  const leave = async (name: string): Promise<void> => {
    senders.get(name)?.emit("finish");
    senders.get(name)?.emit("close");
    await turn();
  };
  const counts = (): readonly number[] => [
    gate.seats.runningOf("people"),
    gate.seats.waitingOf("people"),
  ];
  return { gate, senders, order, enter, leave, counts };
}

describe("SeatGate", () => {
  it("[AP99] callers take turns, and who has left takes none", async () => {
    const { order, enter, leave, senders, counts } = aGate();
    for (const name of ["a1", "a2", "a3", "a4", "b1"]) void enter(name);
    senders.get("a3")?.emit("close");
    await turn();
    for (const name of ["a1", "a2", "b1", "a4"]) await leave(name);
    const gone = "a3: Invalid request. The client left before its turn.";
    expect(order).toEqual(["a1", gone, "a2", "b1", "a4"]);
    expect(counts()).toEqual([0, 0]);
  });

  it("[HB11] an answer that is made gives its seat back, once", async () => {
    const { gate, enter, senders, counts } = aGate();
    await enter("a1");
    const next = enter("b1");
    // Its reader takes nothing: neither "finish" nor "close" has come.
    gate.answered(senders.get("a1")!);
    await next;
    expect(counts()).toEqual([1, 0]);
    senders.get("a1")!.emit("close");
    expect(counts()).toEqual([1, 0]);
    gate.answered(senders.get("b1")!);
    gate.answered(new EventEmitter());
    expect(counts()).toEqual([0, 0]);
  });

  it("[HB8] a sender that leaves in the same turn in which its seat became free gives it back", async () => {
    const { enter, senders, counts } = aGate();
    await enter("a1");
    const waiting = enter("a2");
    // As when a connection with two pipelined requests ends: both answers close one after the other.
    senders.get("a1")!.emit("close");
    senders.get("a2")!.emit("close");
    await waiting;
    expect(counts()).toEqual([0, 0]);
    await enter("a3");
    expect(counts()).toEqual([1, 0]);
  });

  it("[FS4] a refusal names the bound that was reached", async () => {
    const { order, enter, gate } = aGate({ levelWaiting: 3 });
    for (const name of ["a1", "a2", "a3", "a4", "b1", "c1"]) void enter(name);
    await turn();
    expect(order).toEqual([
      "a1",
      expect.stringMatching(/^a4: .*2 requests of level people of a wait, the most for one caller/),
      expect.stringMatching(/^c1: .*3 requests of level people wait, the most for all callers/),
    ]);
    expect(gate.tally.levels.people.refused).toEqual({ level: 1, payer: 0, caller: 1, time: 0 });
  });

  it("[FS4] a request that waits too long is refused, and its queue moves on", async () => {
    const { order, enter, counts } = aGate({ seatWaitMs: 1 });
    await enter("a1");
    await enter("a2");
    expect(order.at(-1)).toMatch(/a2: .*The request waited 1 ms for its turn in level people/);
    expect(counts()).toEqual([1, 0]);
  });

  it("[FS5] a few begin in one turn of the event loop, and leases whenever they come", async () => {
    const { order, enter } = aGate({ peopleSeats: 12, seatsPerTurn: 2, leasesSeats: 9 });
    for (const name of ["a1", "a2", "a3", "a4", "a5"]) void enter(name);
    void enter("n1", { level: "leases" });
    await Promise.resolve();
    await Promise.resolve();
    expect(order).toEqual(["a1", "a2", "n1"]);
    await turn();
    await turn();
    await turn();
    expect(order).toEqual(["a1", "a2", "n1", "a3", "a4", "a5"]);
  });

  it("[FS6] a slow reader goes on without its seat, and a caller has only so many of them", async () => {
    const { gate, enter, senders, counts } = aGate({ peopleSeats: 4, slowReadersPerCaller: 1 });
    await enter("a1");
    await enter("a2");
    expect(gate.goOnWithout("a", senders.get("a1")!)).toBe(true);
    expect(counts()).toEqual([1, 0]);
    expect(gate.goOnWithout("a", senders.get("a2")!)).toBe(false);
    senders.get("a1")!.emit("close");
    await enter("a3");
    expect(gate.goOnWithout("a", senders.get("a3")!)).toBe(true);
  });
});
