import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createReadQueue } from "./request-queues.ts";

const LIMITS = {
  readsUnderWay: 3,
  readsUnderWayPerCaller: 2,
  readsWaiting: 4,
  readWaitMs: 60_000,
};

function permitsOf(limits: Partial<typeof LIMITS> = {}) {
  const permits = createReadQueue({ ...LIMITS, ...limits });
  const senders = new Map<string, EventEmitter>();
  const order: string[] = [];
  const enter = async (name: string): Promise<void> => {
    const sender = new EventEmitter();
    senders.set(name, sender);
    await permits.enter(name.slice(0, 1), sender).then(
      () => order.push(name),
      (error: Error) => order.push(`${name}: ${error.message}`),
    );
  };
  const leave = async (name: string): Promise<void> => {
    senders.get(name)?.emit("finish");
    senders.get(name)?.emit("close");
    await new Promise(setImmediate);
  };
  return { permits, enter, leave, order };
}

describe("createReadQueue()", () => {
  it("[HB8] a caller with all of its permits delays its own reads and no others", async () => {
    const { permits, enter, leave, order } = permitsOf();
    for (const name of ["a1", "a2", "a3", "b1"]) void enter(name);
    await new Promise(setImmediate);
    expect(order).toEqual(["a1", "a2", "b1"]);
    void enter("b2");
    void enter("c1");
    // The permit of a caller that waits goes to the first in turn that may have it.
    await leave("b1");
    expect(order.at(-1)).toBe("b2");
    await leave("a1");
    expect(order.at(-1)).toBe("a3");
    await leave("a2");
    expect(order.at(-1)).toBe("c1");
    for (const name of ["a3", "b2", "c1"]) await leave(name);
    expect([permits.underWay, permits.waiting, permits.turnedAway]).toEqual([0, 0, 0]);
  });

  it("[HB8] one that finds the queue full is turned away, and one that leaves gives up its turn", async () => {
    const { permits, enter, leave, order } = permitsOf();
    for (const name of ["a1", "a2", "a3", "a4"]) void enter(name);
    await enter("a5");
    expect(order.at(-1)).toMatch(/a5: .*2 long reads are in progress and 2 wait, 2 of them/);
    await leave("a3");
    expect(order.at(-1)).toMatch(/a3: .*The client left/);
    await leave("a1");
    expect(order.at(-1)).toBe("a4");
    expect([permits.underWay, permits.waiting, permits.turnedAway]).toEqual([2, 0, 1]);
  });

  it("[HB8] one that waits too long is turned away", async () => {
    const { permits, enter, order } = permitsOf({ readWaitMs: 1 });
    await enter("a1");
    await enter("a2");
    await enter("a3");
    expect(order.at(-1)).toMatch(/a3: Too many requests/);
    expect([permits.underWay, permits.waiting, permits.turnedAway]).toEqual([2, 0, 1]);
  });

  it("[HB8] a sender that leaves in the same turn in which its permit became free gives it back", async () => {
    const permits = createReadQueue({ ...LIMITS, readsUnderWayPerCaller: 1 });
    const [first, second] = [new EventEmitter(), new EventEmitter()];
    await permits.enter("a", first);
    const waiting = permits.enter("a", second);
    // As when a connection with two pipelined reads ends: both answers are closed one after the
    // other.
    first.emit("close");
    second.emit("close");
    await waiting;
    expect(permits.underWay).toBe(0);
    await permits.enter("a", new EventEmitter());
    expect(permits.underWay).toBe(1);
  });
});
