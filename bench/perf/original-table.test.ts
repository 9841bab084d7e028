import { describe, expect, it } from "vitest";
import { asInTable, parseCsv, readOriginals } from "./original-table.ts";
import type { Scenario } from "./scenario.ts";

const TABLE = `topic,test,workload,labels,threshold,params
misc,Basic,5Nodes,short,,"{""initNodes"": 5, ""measurePods"": 10}"
misc,Basic,5000Nodes,performance,680,"{""initNodes"": 5000, ""measurePods"": 10000, ""mode"": ""x""}"
dra,Claims,many,,"{""dra"": 56}",{}
`;

const basic = (workload: string): Scenario => ({
  name: "basic",
  original: { topic: "misc", test: "Basic", workload },
  params: { initNodes: 1, measurePods: 1 },
  threshold: 1,
  stage: () => {
    throw new Error("not played here");
  },
});

describe("readOriginals()", () => {
  const table = readOriginals(TABLE);

  it("knows each workload by its place, with its numbers", () => {
    expect(table.get("misc/Basic/5000Nodes")).toEqual({
      threshold: 680,
      params: { initNodes: 5_000, measurePods: 10_000 },
    });
  });

  it("takes no threshold from an empty cell, or from one that is about something else", () => {
    expect(table.get("misc/Basic/5Nodes")?.threshold).toBeUndefined();
    expect(table.get("dra/Claims/many")?.threshold).toBeUndefined();
  });

  it("says which column is missing", () => {
    expect(() => readOriginals("topic,test\n")).toThrow('no column "workload"');
  });
});

describe("asInTable()", () => {
  const table = readOriginals(TABLE);

  it("takes the numbers that stand there", () => {
    expect(asInTable(basic("5000Nodes"), table)).toMatchObject({
      params: { initNodes: 5_000, measurePods: 10_000 },
      threshold: 680,
    });
  });

  it("says what the table does not have", () => {
    expect(() => asInTable(basic("7Nodes"), table)).toThrow("no workload misc/Basic/7Nodes");
    const { params: _, ...rest } = basic("5Nodes");
    expect(() => asInTable({ ...rest, params: { initPods: 1 } }, table)).toThrow(
      "gives no initPods of misc/Basic/5Nodes",
    );
  });
});

describe("parseCsv()", () => {
  it("reads quoted commas, quotes and line ends, and empty cells", () => {
    expect(parseCsv('a,"b,c","d ""e""\nf",\r\n,g\n')).toEqual([
      ["a", "b,c", 'd "e"\nf', ""],
      ["", "g"],
    ]);
  });

  it("says where a quote is never closed", () => {
    expect(() => parseCsv('a,b\nc,"d\n')).toThrow("no CSV in line 2");
  });
});
