import { describe, expect, it } from "vitest";
import { lineChart } from "./line-chart.ts";

const chart = (of: Partial<Parameters<typeof lineChart>[0]> = {}): string =>
  lineChart({
    title: "Cost of one bind",
    x: { label: "nodes", unit: "", scale: "log" },
    y: { label: "cost", unit: "µs", scale: "linear" },
    series: [
      {
        name: "elapsed",
        points: [
          [500, 20],
          [5_000, 40],
          [50_000, 50],
        ],
      },
      { name: "processor time", points: [[500, 10]] },
    ],
    ...of,
  });

describe("lineChart()", () => {
  it("names its title, its axes with their units, and its lines", () => {
    const svg = chart();
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg.endsWith("</svg>\n")).toBe(true);
    for (const text of [
      "Cost of one bind",
      "nodes (logarithmic)",
      "cost (µs)",
      "elapsed",
      "processor time",
    ]) {
      expect(svg).toContain(`>${text}</text>`);
    }
  });

  it("draws each line from the left edge to the right, upwards where values grow", () => {
    const [points] = [...chart().matchAll(/<polyline points="([^"]*)"/g)].map((match) =>
      (match[1] ?? "").split(" ").map((pair) => pair.split(",").map(Number)),
    );
    expect(points?.map(([x]) => x)).toEqual([72, 404, 736]);
    const heights = points?.map(([, y]) => y ?? 0) ?? [];
    expect(heights).toEqual(heights.toSorted((a, b) => b - a));
    expect(heights[2]).toBe(66);
  });

  it("can be read in light and in dark surroundings", () => {
    const svg = chart();
    expect(svg).toContain('<rect class="paper"');
    expect(svg).toMatch(/prefers-color-scheme: dark[^]*\.paper \{ fill: #0d1117 \}/);
    expect(svg.match(/<text(?! class=)/g)).toBeNull();
  });

  it("keeps text from becoming markup", () => {
    const svg = chart({ title: `a < b & "c"` });
    expect(svg).toContain("a &lt; b &amp; &quot;c&quot;");
    expect(svg).not.toContain("a < b");
  });

  it("has something to show when nothing was measured", () => {
    const svg = chart({ series: [{ name: "nothing", points: [] }] });
    expect(svg).toContain(">nothing</text>");
    expect(svg).not.toContain("NaN");
  });
});
