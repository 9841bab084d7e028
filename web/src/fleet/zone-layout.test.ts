import { describe, expect, it } from "vitest";
import { cellAt, type Direction, nextCell, placeOf } from "./cell-places.ts";
import { layOutZones, type ZoneCount, type ZoneLayout } from "./zone-layout.ts";

const SMALL: readonly ZoneCount[] = [
  { region: "eu", zone: "eu-a", nodes: 2 },
  { region: "eu", zone: "eu-b", nodes: 3 },
  { region: "us", zone: "us-a", nodes: 1 },
];
const LARGE: readonly ZoneCount[] = ["eu", "us", "ap", "sa"].flatMap((region) =>
  ["a", "b", "c"].map((zone) => ({ region, zone: `${region}-${zone}`, nodes: 834 })),
);

const countOf = (zones: readonly ZoneCount[]): number =>
  zones.reduce((sum, { nodes }) => sum + nodes, 0);

const cellsOf = (layout: ZoneLayout, count: number) =>
  Array.from({ length: count }, (_, cell) => ({ cell, place: placeOf(layout, cell)! }));

describe("layOutZones()", () => {
  it("widens tiles with names until their rows are filled, and no others", () => {
    const { cell, zones } = layOutZones(SMALL, { width: 1_056, height: 600 });
    expect(cell.width).toBeGreaterThan(160);
    const reach = Math.max(...zones.map(({ x, width }) => x + width));
    expect(reach).toBeGreaterThan(1_056 * 0.9);
    expect(layOutZones(LARGE, { width: 1_056, height: 600 }).cell.width).toBeLessThan(28);
  });

  it.each([
    ["a few nodes on a wide page", SMALL, 1_056],
    ["a few nodes on a phone", SMALL, 366],
    ["ten thousand nodes on a wide page", LARGE, 1_056],
    ["ten thousand nodes on a phone", LARGE, 366],
  ])(
    "keeps every cell of %s inside of its zone, region and page, and finds it again",
    (_, zones, width) => {
      const layout = layOutZones(zones, { width, height: 600 });
      const { cell: size } = layout;
      const lost = cellsOf(layout, countOf(zones)).filter(({ cell, place }) => {
        const middle = { x: place.x + size.width / 2, y: place.y + size.height / 2 };
        const isInside = place.x + size.width <= width && place.y + size.height <= layout.height;
        return !isInside || cellAt(layout, middle) !== cell;
      });
      expect(lost).toEqual([]);
      for (const zone of layout.zones) {
        const region = layout.regions.find((each) => each.region === zone.region)!;
        expect(zone.x + zone.width).toBeLessThanOrEqual(region.x + region.width);
        expect(zone.y + zone.height).toBeLessThanOrEqual(region.y + region.height);
      }
    },
  );

  it("draws a few nodes as tiles with names, and ten thousand as small squares that still are seen at once", () => {
    expect(layOutZones(SMALL, { width: 1_056, height: 600 }).cell.width).toBeGreaterThan(120);
    const large = layOutZones(LARGE, { width: 1_056, height: 800 });
    expect(large.cell.width).toBeLessThan(10);
    expect(large.height).toBeLessThanOrEqual(800);
  });

  it("lets no two regions lie on each other", () => {
    const { regions } = layOutZones(LARGE, { width: 1_056, height: 600 });
    for (const a of regions) {
      for (const b of regions) {
        if (a === b) continue;
        const isApart =
          a.x + a.width <= b.x ||
          b.x + b.width <= a.x ||
          a.y + a.height <= b.y ||
          b.y + b.height <= a.y;
        expect(isApart, `${a.region} and ${b.region}`).toBe(true);
      }
    }
  });

  it("has no cell at a label, between zones or outside", () => {
    const layout = layOutZones(SMALL, { width: 1_056, height: 600 });
    expect(cellAt(layout, { x: 12, y: 8 })).toBeUndefined();
    expect(cellAt(layout, { x: 5_000, y: 60 })).toBeUndefined();
    expect(cellAt(layout, { x: -3, y: 60 })).toBeUndefined();
    expect(placeOf(layout, 6)).toBeUndefined();
  });
});

describe("nextCell()", () => {
  const layout = layOutZones(SMALL, { width: 1_056, height: 600 });
  const go = (from: number, ...directions: readonly Direction[]): number =>
    directions.reduce((cell, direction) => nextCell(layout, cell, direction), from);

  it("moves within a zone, on to the next one and into the next region", () => {
    expect(go(0, "right")).toBe(1);
    expect(go(1, "left")).toBe(0);
    expect(go(1, "right")).toBe(2);
    expect(go(2, "left")).toBe(1);
  });

  it("stays at the edge of the map", () => {
    expect(go(0, "left")).toBe(0);
    expect(go(0, "up")).toBe(0);
  });

  it("comes to every node by arrows alone", () => {
    const seen = new Set([0]);
    const open = [0];
    for (let cell = open.pop(); cell !== undefined; cell = open.pop()) {
      for (const direction of ["left", "right", "up", "down"] as const) {
        const to = nextCell(layout, cell, direction);
        if (!seen.has(to)) open.push(to);
        seen.add(to);
      }
    }
    expect(seen.size).toBe(countOf(SMALL));
  });
});
