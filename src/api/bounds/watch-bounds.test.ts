import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { WatchBounds } from "./watch-bounds.ts";

const LIMITS = {
  watchersPerCaller: 2,
  watchBytes: 100,
  watchBytesPerCaller: 60,
  streamsPerNode: 2,
};

describe("WatchBounds", () => {
  it("[HB9] the watcher that is furthest behind is ended first: of its caller, or of all", () => {
    const bounds = new WatchBounds(LIMITS);
    const ended: string[] = [];
    const one = (name: string) => ({
      caller: name.slice(0, 1),
      giveUp: () => void ended.push(name),
    });
    const [a1, a2, b1, c1] = [one("a1"), one("a2"), one("b1"), one("c1")];
    bounds.note(a1, 20);
    bounds.note(a2, 40);
    expect(ended).toEqual([]);
    bounds.note(a1, 21);
    expect(ended).toEqual(["a2"]);
    expect(bounds.bytes).toBe(21);
    bounds.note(b1, 50);
    bounds.note(c1, 30);
    expect(ended).toEqual(["a2", "b1"]);
    bounds.note(c1, 0);
    bounds.note(a1, 0);
    expect([bounds.bytes, bounds.ended]).toEqual([0, 2]);
  });

  it("[HB9] one watch of a caller more than allowed is refused until another is gone", () => {
    const bounds = new WatchBounds(LIMITS);
    const first = new EventEmitter();
    bounds.enter("ana", first);
    bounds.enter("ana", new EventEmitter());
    expect(() => bounds.enter("ana", new EventEmitter())).toThrow(/2 watches of this caller/);
    bounds.enter("bo", new EventEmitter());
    first.emit("close");
    bounds.enter("ana", new EventEmitter());
    expect(bounds.turnedAway).toBe(1);
  });

  it("[HB9] of a node's streams the oldest is ended", () => {
    const bounds = new WatchBounds(LIMITS);
    const ended: string[] = [];
    const open = (name: string): EventEmitter => {
      const response = new EventEmitter();
      bounds.limitStreams("n1", { response, end: () => void ended.push(name) });
      return response;
    };
    open("first");
    const second = open("second");
    open("third");
    second.emit("close");
    open("fourth");
    expect(ended).toEqual(["first"]);
    open("fifth");
    expect(ended).toEqual(["first", "third"]);
  });

  it("[LB10] a tenant has the watches that its quota allows, whichever callers have them", () => {
    const bounds = new WatchBounds({ ...LIMITS, watchersPerCaller: 9 });
    const shop = { namespace: "shop", most: 2 };
    const first = new EventEmitter();
    bounds.enter("a", first, shop);
    bounds.enter("b", new EventEmitter(), shop);
    expect(() => bounds.enter("c", new EventEmitter(), shop)).toThrow(
      /2 watches of tenant shop, and its quota allows 2/,
    );
    bounds.enter("c", new EventEmitter());
    first.emit("close");
    expect(() => bounds.enter("c", new EventEmitter(), shop)).not.toThrow();
  });
});
