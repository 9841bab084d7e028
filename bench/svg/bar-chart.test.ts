import { describe, expect, it } from "vitest";
import { barChart } from "./bar-chart.ts";

const svg = barChart({
  title: "Placed in a second",
  value: { label: "replicas", unit: "1/s", scale: "linear" },
  series: ["Berth", "another"],
  rows: [
    { name: "basic", values: [1_000, 500] },
    { name: "gang", values: [undefined, 250] },
  ],
});

/** Of the bars alone; the squares of the legend have round corners. */
const bars = [...svg.matchAll(/<rect x="230" y="([\d.]+)" width="([\d.]+)"/g)].map((match) => ({
  y: Number(match[1]),
  width: Number(match[2]),
}));

describe("barChart()", () => {
  it("draws bars as long as their values are large, and none for what is not there", () => {
    expect(bars).toHaveLength(3);
    const [ours = { width: 0 }, theirs, gang] = bars;
    expect(theirs?.width).toBeCloseTo(ours.width / 2, 0);
    expect(gang?.width).toBeCloseTo(ours.width / 4, 0);
  });

  it("keeps rows apart, and writes each value behind its bar", () => {
    const tops = bars.map(({ y }) => y);
    expect(new Set(tops).size).toBe(3);
    for (const text of [
      "basic",
      "gang",
      "Berth",
      "another",
      "1k",
      "500",
      "250",
      "replicas (1/s)",
    ]) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  it("grows with its rows", () => {
    expect(
      barChart({ title: "", value: { label: "", unit: "", scale: "log" }, series: [], rows: [] }),
    ).not.toContain("NaN");
    expect(Number(/height="(\d+)"/.exec(svg)?.[1])).toBe(72 + 2 * 40 + 56);
  });
});
