import { describe, expect, it } from "vitest";
import type { RowChange } from "../live/row-store.ts";
import type { ViewRow } from "../live/view-message.ts";
import { aFleetRow } from "./a-fleet-row.ts";
import { CORDONED, DRAINING, FleetCells, HELD, marksOf, SOFT } from "./fleet-cells.ts";
import type { FleetRow } from "./fleet-row.ts";
import { sumUpFleet } from "./fleet-summary.ts";
import { troublesOf } from "./fleet-troubles.ts";
import type { Measure } from "./measure.ts";

const CPU: Measure = { of: "cpu", shows: "held", mostReplicas: 0 };

const rowsOf = (...rows: readonly FleetRow[]): Map<string, ViewRow> =>
  new Map(rows.map((row) => [row[0], row as unknown as ViewRow]));

const changeOf = (changed: readonly string[], gone: readonly string[] = []): RowChange => ({
  isAll: false,
  changed: new Set(changed),
  gone: new Set(gone),
});

describe("FleetCells", () => {
  it("stand in the order of region, zone and name, with numbers as numbers", () => {
    const rows = rowsOf(
      aFleetRow("n10", { zone: "eu-b" }),
      aFleetRow("n9", { zone: "eu-b" }),
      aFleetRow("z", { region: "ap", zone: "ap-a" }),
      aFleetRow("n11"),
    );
    const { names, zones } = new FleetCells(rows);
    expect(names).toEqual(["z", "n11", "n9", "n10"]);
    expect(zones.map(({ zone, nodes }) => [zone, nodes])).toEqual([
      ["ap-a", 1],
      ["eu-a", 1],
      ["eu-b", 2],
    ]);
  });

  it("tell only the cells that look different", () => {
    const rows = rowsOf(aFleetRow("a"), aFleetRow("b"), aFleetRow("c"));
    const cells = new FleetCells(rows);
    cells.refresh(rows, rows.keys(), CPU);
    rows.set("b", aFleetRow("b", { cpu: [4_000, 4_000, 0, 0, 0, 0] }) as unknown as ViewRow);
    rows.set("c", aFleetRow("c", { replicas: 1 }) as unknown as ViewRow);
    expect(cells.refresh(rows, ["b", "c"], CPU)).toEqual([1]);
    rows.set("c", aFleetRow("c", { health: "fenced" }) as unknown as ViewRow);
    expect(cells.refresh(rows, ["b", "c"], CPU)).toEqual([2]);
  });

  it("have moved when a node comes, goes or is in another zone, and not when one changes", () => {
    const rows = rowsOf(aFleetRow("a"), aFleetRow("b"));
    const cells = new FleetCells(rows);
    rows.set("a", aFleetRow("a", { health: "suspect" }) as unknown as ViewRow);
    expect(cells.hasMoved(rows, changeOf(["a"]))).toBe(false);
    rows.set("a", aFleetRow("a", { zone: "eu-c" }) as unknown as ViewRow);
    expect(cells.hasMoved(rows, changeOf(["a"]))).toBe(true);
    expect(cells.hasMoved(rowsOf(aFleetRow("a")), changeOf([], ["b"]))).toBe(true);
    expect(cells.hasMoved(rowsOf(aFleetRow("a"), aFleetRow("x")), changeOf(["x"]))).toBe(true);
  });

  it.each([
    ["ready", 0],
    ["suspect", 1],
    ["unknown", 2],
    ["fenced", 3],
    ["ready,cordoned", CORDONED],
    ["fenced,draining,cordoned", 3 | CORDONED | DRAINING],
    ["ready,held", HELD],
  ])("mark %s", (health, marks) => {
    expect(marksOf(aFleetRow("a", { health }))).toBe(marks);
  });

  it("mark a forecast as one, and not as a node that died", () => {
    const soft = { health: "unknown,only a forecast", supply: "soft" } as const;
    expect(marksOf(aFleetRow("a", soft))).toBe(SOFT);
  });
});

const FLEET = [
  aFleetRow("a", { cpu: [4_000, 1_000, 500, 200, 100, 2_200], replicas: 3 }),
  aFleetRow("b", { health: "ready,cordoned", since: 5 }),
  aFleetRow("c", { health: "fenced,cordoned", since: 9 }),
  aFleetRow("s", { health: "unknown,only a forecast", supply: "soft" }),
];

it("sumUpFleet() counts nodes by health, sums parts of hard nodes, and keeps forecasts apart", () => {
  const sum = sumUpFleet(rowsOf(...FLEET).values());
  expect(sum).toMatchObject({ nodes: 3, soft: 1, cordoned: 2, replicas: 3, mostReplicas: 3 });
  expect(sum.healths).toEqual({ fenced: 1, unknown: 0, suspect: 0, ready: 2 });
  expect(sum.hard.cpu).toEqual([12_000, 1_000, 500, 200, 100, 10_200]);
  expect(sum.forecast.cpu).toBe(4_000);
});

it("troublesOf() tells every node once for the worst it has, the newest first, and no forecast", () => {
  const many = [1, 2, 3, 4].map((at) => aFleetRow(`d${at}`, { health: "fenced", since: at }));
  const groups = troublesOf(rowsOf(...FLEET, ...many).values());
  const told = groups.map(({ trouble, count, newest }) => [trouble, count, newest.map(([n]) => n)]);
  expect(told).toEqual([
    ["fenced", 5, ["c", "d4", "d3"]],
    ["cordoned", 1, ["b"]],
  ]);
});
