import { describe, expect, it } from "vitest";
import { anIncident } from "../an-incident.ts";
import { causesOf, effectsOf } from "./causes-of.ts";
import { indexIncident } from "./incident-index.ts";

const index = indexIncident(anIncident());

describe("causesOf()", () => {
  it("follows a message to its sender, and a view to the commit that it had learnt of", () => {
    expect(causesOf(index, 8)).toEqual([
      { turn: 7, by: "commit", what: "revision 2" },
      { turn: 6, by: "message", what: "bind" },
    ]);
    expect(causesOf(index, 3)).toEqual([
      { turn: 2, by: "commit", what: "revision 1" },
      { turn: 1, by: "message", what: "put" },
    ]);
  });

  it("leads from a violation to the commit that changed its object last, and on from there", () => {
    expect(causesOf(index, 11).map(({ turn }) => turn)).toEqual([10, 9]);
  });

  it("goes on to what the component did before in the same turn", () => {
    const document = anIncident();
    const turns = document.turns.map((each, at) => (at === 6 ? { ...each, turn: 4 } : each));
    expect(causesOf(indexIncident({ ...document, turns }), 6)[0]).toEqual({
      turn: 4,
      by: "same-component",
      what: "before that",
    });
  });

  it("ends where nothing is known to have led there, and never goes round", () => {
    expect(causesOf(index, 0)).toEqual([]);
    const arrows = [
      { from: 1, to: 2, what: "there" },
      { from: 2, to: 1, what: "and back" },
    ];
    expect(causesOf(indexIncident(anIncident({ arrows })), 2)).toHaveLength(1);
  });
});

describe("effectsOf()", () => {
  it("names lost messages, who learnt of a commit first, and each turn once", () => {
    expect(effectsOf(index, 7)).toEqual([
      { turn: undefined, by: "message", what: "watch of revision 2" },
      { turn: 8, by: "commit", what: "learns of revision 2" },
      { turn: 10, by: "same-component", what: "then" },
    ]);
    expect(effectsOf(index, 6)).toEqual([{ turn: 7, by: "message", what: "bind" }]);
  });
});
