import { describe, expect, test } from "vitest";
import { ownOrder } from "../process/own-order.ts";
import { ServerList } from "./server-list.ts";

const [a, b, c] = ["a", "b", "c"].map((name) => new URL(`http://${name}:6900`)) as [URL, URL, URL];

function aList() {
  const clock = { nowMs: 0 };
  const notes: string[] = [];
  const list = new ServerList(
    [a, b, c],
    (text) => void notes.push(text),
    () => clock.nowMs,
  );
  return { list, clock, notes };
}

const turnedAway = (list: ServerList) =>
  list.failed(list.current, "nobody leads", { isThere: true });

describe("an agent's planes", () => {
  test("one that cannot be reached is turned away from, every time [HC4]", () => {
    const { list } = aList();
    const visited = Array.from({ length: 6 }, () => {
      list.failed(list.current, "gone");
      return list.current;
    });
    expect(visited).toEqual([b, c, a, b, c, a]);
  });

  test("while there is no leader each is asked once, and then only one, with a look around every five seconds [HC4]", () => {
    const { list, clock } = aList();
    const visited: URL[] = [];
    for (; clock.nowMs < 14_000; clock.nowMs += 1_000) {
      turnedAway(list);
      visited.push(list.current);
    }
    const turns = visited.filter((server, at) => server !== visited[at - 1]);
    expect(turns).toEqual([b, c, a, b]);
  });

  test("one that is there but cut off is left for one that was gone, before a lease is over [HC4]", () => {
    const { list, clock } = aList();
    list.failed(a, "gone");
    list.failed(b, "gone");
    expect(list.current).toBe(c);
    while (list.current === c) {
      turnedAway(list);
      clock.nowMs += 1_000;
    }
    expect(clock.nowMs).toBeLessThan(7_000);
    expect(list.current).toBe(a);
  });

  test("a plane that answers makes the others worth asking again, and is reported once", () => {
    const { list, notes } = aList();
    turnedAway(list);
    turnedAway(list);
    list.answered(c);
    turnedAway(list);
    expect(list.current).toBe(a);
    list.answered(a);
    expect(notes).toEqual([
      "request to http://a:6900 failed: nobody leads; retrying with http://b:6900",
      "request to http://b:6900 failed: nobody leads; retrying with http://c:6900",
      "request to http://c:6900 failed: nobody leads; retrying with http://a:6900",
      "http://a:6900 answers again",
    ]);
  });

  test("are tried in an order of each node's own, always the same, that spreads nodes over all [HC4]", () => {
    const orders = Array.from({ length: 300 }, (_, at) => ownOrder(`node-${at}`, [a, b, c]));
    expect(ownOrder("node-7", [c, b, a])).toEqual(orders[7]);
    for (const first of [a, b, c]) {
      const own = orders.filter((order) => order[0] === first);
      expect(own.length).toBeGreaterThan(60);
      // Those of one that is lost go to both of the others.
      for (const second of [a, b, c].filter((other) => other !== first)) {
        expect(own.filter((order) => order[1] === second).length).toBeGreaterThan(20);
      }
    }
  });
});
