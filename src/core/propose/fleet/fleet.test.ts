import { describe, expect, test } from "vitest";
import { type AskShape, Fleet, type Row, WHOLE_UNIT } from "./fleet.ts";

const aRow = (name: string, of: Partial<Row> = {}): Row => ({
  name,
  cpuMillis: 1000,
  memoryMiB: 2000,
  cpuUsedMillis: 0,
  memoryUsedMiB: 0,
  replicasLeft: 10,
  deviceMillisLeft: 0,
  units: [],
  ...of,
});

const unit = (id: string, usedMillis = 0) => ({ id, kind: 0, usedMillis });

const aShape = (of: Partial<AskShape> = {}): AskShape => ({
  cpuMillis: 100,
  memoryMiB: 200,
  units: 0,
  unitMillis: 0,
  kinds: undefined,
  ...of,
});

const touchesSince = (fleet: Fleet, at: number): readonly string[] => {
  const rows: string[] = [];
  for (let each = at; each < fleet.touches; each += 1) {
    rows.push(fleet.names[fleet.touchedRow(each)] ?? "");
  }
  return rows;
};

describe("a fleet", () => {
  test("has a row for each node, in the order it was given", () => {
    const fleet = new Fleet([aRow("a"), aRow("b", { cpuUsedMillis: 300, memoryUsedMiB: 2500 })]);
    expect([fleet.rowOf("a"), fleet.rowOf("b"), fleet.rowOf("c")]).toEqual([0, 1, undefined]);
    expect([...fleet.cpuFree]).toEqual([1000, 700]);
    // A node can hold more than it has, when it shrank.
    expect([...fleet.memoryFree]).toEqual([2000, -500]);
  });

  test("knows its units one by one, and by row what is free and how many are idle", () => {
    const fleet = new Fleet([
      aRow("a", { units: [unit("g0"), unit("g1", 400)], deviceMillisLeft: 1600 }),
      aRow("b"),
      aRow("c", { units: [unit("g0", WHOLE_UNIT)] }),
    ]);
    expect([...fleet.unitStart]).toEqual([0, 2, 2, 3]);
    expect(fleet.unitIds).toEqual(["g0", "g1", "g0"]);
    expect([...fleet.millisFree]).toEqual([1600, 0, 0]);
    expect([...fleet.idleUnits]).toEqual([1, 0, 0]);
  });

  test("takes what an ask wants, unit by unit, and gives all of it back", () => {
    const row = aRow("a", { units: [unit("g0"), unit("g1")], deviceMillisLeft: 2000 });
    const fleet = new Fleet([row]);
    const share = aShape({ units: 1, unitMillis: 400 });
    const shown = () => [
      fleet.cpuFree[0],
      fleet.memoryFree[0],
      fleet.replicasLeft[0],
      fleet.deviceMillisLeft[0],
      fleet.millisFree[0],
      fleet.idleUnits[0],
      [...fleet.unitFree],
    ];
    const before = shown();
    fleet.take(0, share, [1], 1);
    expect(shown()).toEqual([900, 1800, 9, 1600, 1600, 1, [1000, 600]]);
    fleet.take(0, share, [1], -1);
    expect(shown()).toEqual(before);
  });

  test("grows and shrinks by differences, whatever is held there", () => {
    const fleet = new Fleet([aRow("a", { cpuUsedMillis: 600 })]);
    fleet.resize(0, { cpuMillis: -500, memoryMiB: 1000, replicas: -9 });
    expect([fleet.cpuTotal[0], fleet.cpuFree[0]]).toEqual([500, -100]);
    expect([fleet.memoryTotal[0], fleet.memoryFree[0], fleet.replicasLeft[0]]).toEqual([
      3000, 3000, 1,
    ]);
  });
});

describe("touches", () => {
  test("tell a reader which rows to look at again", () => {
    const fleet = new Fleet([aRow("a"), aRow("b")]);
    expect(fleet.touches).toBe(0);
    fleet.take(1, aShape(), [], 1);
    fleet.nodeChanged(0);
    fleet.resize(1, { cpuMillis: 1, memoryMiB: 0, replicas: 0 });
    expect(touchesSince(fleet, 0)).toEqual(["b", "a", "b"]);
    expect(touchesSince(fleet, 2)).toEqual(["b"]);
  });

  test("tell changes of the node itself from changes of what it holds", () => {
    const fleet = new Fleet([aRow("a"), aRow("b")]);
    fleet.take(0, aShape(), [], 1);
    expect([...fleet.nodeVersion]).toEqual([0, 0]);
    fleet.nodeChanged(1);
    expect([...fleet.nodeVersion]).toEqual([0, 1]);
  });

  test("are forgotten in the end, and a reader that is so far behind learns it", () => {
    const fleet = new Fleet([aRow("a"), aRow("b")]);
    fleet.take(1, aShape(), [], 1);
    for (let at = 1; at < 65_536; at += 1) fleet.nodeChanged(0);
    expect(fleet.remembers(0)).toBe(true);
    expect(touchesSince(fleet, 0)[0]).toBe("b");
    fleet.nodeChanged(0);
    expect([fleet.remembers(0), fleet.remembers(1)]).toEqual([false, true]);
  });
});
