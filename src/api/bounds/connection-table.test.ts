import { describe, expect, it } from "vitest";
import { type ConnectionBounds, ConnectionTable } from "./connection-table.ts";

function aTable(bounds: Partial<ConnectionBounds> = {}) {
  const table = new ConnectionTable({
    connections: 3,
    connectionsPerAddress: 3,
    connectionsReserved: 1,
    ...bounds,
  });
  const closed: string[] = [];
  const one = (name: string) => ({ name, destroy: () => void closed.push(name) });
  return { table, closed, one };
}

describe("ConnectionTable", () => {
  it("[HB3] the oldest silent connection gives way, before those of known callers", () => {
    const { table, closed, one } = aTable();
    const [agent, silent, later] = [one("agent"), one("silent"), one("later")];
    for (const each of [agent, silent, later]) table.add(each, "10.0.0.1");
    table.begin(agent);
    table.know(agent);
    table.end(agent);
    expect(table.add(one("new"), "10.0.0.2")).toBe("ordinary");
    expect(table.add(one("newer"), "10.0.0.2")).toBe("ordinary");
    expect(closed).toEqual(["silent", "later"]);
    expect([table.size, table.evicted, table.refused]).toEqual([3, 2, 0]);
  });

  it("[HB3] a connection that is being answered never gives way", () => {
    const { table, closed, one } = aTable();
    const [busy, idle] = [one("busy"), one("idle")];
    table.add(busy, "10.0.0.1");
    table.begin(busy);
    table.begin(busy);
    table.end(busy);
    table.add(idle, "10.0.0.1");
    table.add(one("third"), "10.0.0.1");
    table.add(one("fourth"), "10.0.0.2");
    expect(closed).toEqual(["idle"]);
  });

  it("[HB3] an address over its bound closes its own, never another's", () => {
    const { table, closed, one } = aTable({ connections: 10, connectionsPerAddress: 2 });
    table.add(one("other"), "10.0.0.9");
    for (const name of ["a", "b", "c"]) table.add(one(name), "10.0.0.1");
    expect(closed).toEqual(["a"]);
    expect(table.size).toBe(3);
  });

  it("[HB4] with none idle one is let in on the reserve, which is not used up by silence", () => {
    const { table, closed, one } = aTable();
    const busy = ["a", "b", "c"].map(one);
    for (const each of busy) {
      table.add(each, "10.0.0.1");
      table.begin(each);
    }
    const [first, second] = [one("first"), one("second")];
    expect(table.add(first, "10.0.0.1")).toBe("reserved");
    expect(table.isReserved(first)).toBe(true);
    // Silent on the reserve: the next takes its place there.
    expect(table.add(second, "10.0.0.2")).toBe("reserved");
    expect(closed).toEqual(["first"]);
    table.begin(second);
    expect(table.add(one("third"), "10.0.0.2")).toBe("refused");
    table.remove(busy[0]!);
    expect(table.add(one("fourth"), "10.0.0.2")).toBe("ordinary");
    expect([table.size, table.refused]).toEqual([4, 1]);
  });
});
