import { describe, expect, it } from "vitest";
import type { IncidentDocument, Turn } from "./incident-document.ts";
import { findInChapter } from "./find-in-chapter.ts";

function aDocument(turns: readonly Turn[]): IncidentDocument {
  return {
    berthIncident: 1,
    source: {
      kind: "recording",
      title: "plane one, chapter 1",
      version: "test",
      again: "",
      epochMs: 1_000,
      violation: undefined,
    },
    lanes: [
      { name: "plane", kind: "plane" },
      { name: "place", kind: "controller" },
    ],
    turns,
    arrows: [],
    base: [],
    commits: [],
    marks: [],
    leftOut: undefined,
  };
}

const TURNS: readonly Turn[] = [
  { turn: 1, atMs: 5, lane: 0, what: "commit", text: "revision 7", key: "Node//n1" },
  { turn: 2, atMs: 9, lane: 1, what: "see", text: "saw 1 commit up to revision 7", revision: 7 },
  { turn: 3, atMs: 9, lane: 1, what: "decide", text: "bind api.1.0 to n1" },
];

describe("findInChapter", () => {
  it("finds turns with every word, the newest first, each with a word for its link", () => {
    expect(findInChapter(aDocument(TURNS), "N1")).toEqual({
      turns: 3,
      count: 2,
      found: [
        {
          turn: "1009.1",
          atMs: 1_009,
          component: "place",
          what: "decide",
          text: "bind api.1.0 to n1",
          near: 7,
        },
        { turn: "1005.0", atMs: 1_005, component: "plane", what: "commit", text: "revision 7" },
      ],
    });
    expect(findInChapter(aDocument(TURNS), "place n1").count).toBe(1);
  });

  it("shows the newest 200 and counts all", () => {
    const many = Array.from({ length: 250 }, (_, at) => ({ ...TURNS[2]!, atMs: at }));
    const { count, found } = findInChapter(aDocument(many), "bind");
    expect([count, found.length, found[0]?.atMs]).toEqual([250, 200, 1_249]);
  });
});
