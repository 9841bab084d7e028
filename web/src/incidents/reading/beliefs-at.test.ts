import { describe, expect, it } from "vitest";
import { anIncident, REPLICA } from "../an-incident.ts";
import { beliefsAt, truthRevision } from "./beliefs-at.ts";
import { objectAt } from "./held-by.ts";
import { indexIncident } from "./incident-index.ts";

const index = indexIncident(anIncident());

describe("beliefsAt()", () => {
  it("puts what a late component believes beside what is true", () => {
    const { revision, truth, columns, believed } = beliefsAt(index, 9, REPLICA);
    expect({ revision, truth }).toEqual({
      revision: 2,
      truth: { stage: "bound", node: "n1", incarnation: 1 },
    });
    expect(columns).toEqual(["stage", "node", "incarnation"]);
    const late = believed.find(({ lane }) => lane === 1);
    expect(late).toEqual({
      lane: 1,
      revision: 1,
      behind: 1,
      behindMs: 34,
      cells: { stage: "queued", incarnation: 1 },
      wrong: ["stage", "node"],
      isAstray: false,
      isBeforeBase: false,
    });
    expect(believed.find(({ lane }) => lane === 2)).toMatchObject({ behind: 0, wrong: [] });
  });

  it("leaves out components that have not said which revision they see", () => {
    expect(beliefsAt(index, 2, REPLICA).believed.map(({ lane }) => lane)).toEqual([0]);
    expect(beliefsAt(index, 11, REPLICA).believed.map(({ lane }) => lane)).toEqual([0, 1, 2]);
  });

  it("shows an object that is gone as nothing, and as wrong where it is still believed", () => {
    const gone = anIncident();
    const commits = [
      ...gone.commits.slice(0, 2),
      { ...gone.commits[2]!, changes: [{ key: REPLICA, cells: undefined }] },
    ];
    const { truth, believed } = beliefsAt(indexIncident({ ...gone, commits }), 11, REPLICA);
    expect(truth).toBeUndefined();
    expect(believed.find(({ lane }) => lane === 2)?.wrong).toEqual([
      "stage",
      "node",
      "incarnation",
    ]);
  });

  it("takes what was there before the first commit from the base", () => {
    expect(objectAt(index, "Node//n1", 0)).toEqual({ health: "ready" });
    expect(objectAt(index, "Node//n1", 3)).toEqual({ health: "ready" });
    expect(objectAt(index, REPLICA, 0)).toBeUndefined();
    expect(objectAt(index, "Node//none", 3)).toBeUndefined();
  });

  it("says so when a view is older than everything in the document", () => {
    const { commits, ...rest } = anIncident();
    const cut = indexIncident({ ...rest, commits: commits.slice(1) });
    expect(cut.baseRevision).toBe(1);
    const believed = beliefsAt(cut, 0, "Node//n1").believed[0];
    expect(believed).toMatchObject({ lane: 0, revision: 0, isBeforeBase: true });
  });

  it("a commit whose turn was left out is true by the turn of the next one", () => {
    const { commits, ...rest } = anIncident();
    const cut = commits.map((each) => (each.revision === 2 ? { ...each, turn: undefined } : each));
    const holed = indexIncident({ ...rest, commits: cut });
    expect([9, 10].map((turn) => truthRevision(holed, turn))).toEqual([1, 3]);
    expect([1, 2].map((turn) => truthRevision(index, turn))).toEqual([0, 1]);
  });

  it("puts what went astray over the state at the revision, until it is said to be over", () => {
    const document = anIncident();
    const astray = [{ key: REPLICA, cells: { stage: "gone" } }];
    const turns = document.turns.map((each, at) =>
      at === 8
        ? { ...each, astray }
        : each.what === "violate"
          ? { ...each, lane: 2, astray: [] }
          : each,
    );
    const changed = indexIncident({ ...document, turns });
    const at = (turn: number) =>
      beliefsAt(changed, turn, REPLICA).believed.find(({ lane }) => lane === 2);
    // A column that is not told of what went astray is not held against it.
    expect(at(9)).toMatchObject({ cells: { stage: "gone" }, wrong: ["stage"], isAstray: true });
    expect(at(11)).toMatchObject({ cells: { node: "n1" }, wrong: ["node"], isAstray: false });
  });

  it("an agent is asked only about what it is shown: kinds, and replicas of its node", () => {
    const document = anIncident();
    const lanes = document.lanes.map((lane, at) => {
      if (at === 1) return { ...lane, kinds: ["Node"] };
      return at === 2 ? { ...lane, kinds: ["Replica"], node: "n1" } : lane;
    });
    const shown = indexIncident({ ...document, lanes });
    const at = (turn: number) => beliefsAt(shown, turn, REPLICA).believed.slice(1);
    expect(at(6)).toEqual([]);
    expect(at(7)).toMatchObject([
      { lane: 2, cells: undefined, wrong: ["stage", "node", "incarnation"] },
    ]);
    expect(at(8)).toMatchObject([{ lane: 2, cells: { node: "n1" }, wrong: [] }]);
    expect(at(10)).toMatchObject([{ lane: 2, wrong: ["stage", "node", "incarnation"] }]);
  });
});
