import { describe, expect, it } from "vitest";
import { anIncident, REPLICA } from "../an-incident.ts";
import { IncidentModel } from "./incident-model.ts";
import { placeFromQuery, placeToQuery, START } from "../place-in-url.ts";

const aModel = (): IncidentModel => new IncidentModel(anIncident(), { ...START, axis: "time" });

describe("an incident's model", () => {
  it("opens where a rule was violated", () => {
    const model = aModel();
    expect(model.turn.value).toBe(11);
    expect(model.key.value).toBe(REPLICA);
  });

  it("steps through turns and marks, and stops at both ends", () => {
    const model = aModel();
    expect(model.step(1)).toBe(false);
    expect(model.stepMark(-1)).toBe(true);
    expect(model.turn.value).toBe(5);
    expect(model.stepMark(-1)).toBe(false);
    expect(model.step(-1)).toBe(true);
    expect(model.turn.value).toBe(4);
  });

  it("scrubs only what is listed: filters and search leave out the rest", () => {
    const model = aModel();
    model.filterTo(REPLICA);
    expect([...model.listed.value]).toEqual([2, 6, 7, 9, 10, 11]);
    expect(model.rows.value.map(({ label }) => label)).toEqual([
      "plane-1",
      "place-1",
      "place-2",
      "checker",
    ]);
    model.change({ search: "BIND n2" });
    expect([...model.listed.value]).toEqual([9]);
    model.filterTo(undefined);
    model.change({ search: "" });
    expect(model.listed.value).toHaveLength(12);
  });

  it("does not take one object for another whose name begins alike", () => {
    const document = anIncident();
    const turns = document.turns.map((each) =>
      each.text === "asks for web" ? { ...each, text: `asks for ${REPLICA}0` } : each,
    );
    const model = new IncidentModel({ ...document, turns }, START);
    model.filterTo(REPLICA);
    expect([...model.listed.value]).not.toContain(1);
  });

  it("folds the lanes of a kind into one row and hides kinds", () => {
    const model = aModel();
    model.toggle("folded", "controller");
    model.toggle("hidden", "checker");
    expect(model.rows.value.map(({ label }) => label)).toEqual([
      "plane-1",
      "controllers",
      "agent n1",
      "user",
      "faults",
    ]);
    expect(model.rows.value[1]?.lanes).toEqual([1, 2]);
    expect([...model.listed.value]).not.toContain(11);
  });

  it("gives every turn of a simulation the same room unless told otherwise, and shows a recording by its clock", () => {
    const { source, ...rest } = anIncident();
    const recorded = { ...rest, source: { ...source, kind: "recording" } } as const;
    expect(new IncidentModel(anIncident(), START).axis.value.kind).toBe("turns");
    expect(new IncidentModel(recorded, START).axis.value.kind).toBe("time");
  });

  it("keeps the same turns in view on another axis", () => {
    const model = aModel();
    model.look({ from: 11.5, to: 16.5 });
    model.setAxis("turns");
    expect(model.window.value.from).toBeLessThanOrEqual(2);
    expect(model.window.value.to).toBeGreaterThanOrEqual(7);
  });

  it("stands at the same place again when its link is opened", () => {
    const model = aModel();
    model.filterTo(REPLICA);
    model.toggle("folded", "agent");
    model.toggle("hidden", "user");
    model.change({ search: "bind" });
    model.setAxis("turns");
    model.look({ from: 2, to: 9 });
    model.go(7);
    const link = placeToQuery(model.place.value).toString();
    const again = new IncidentModel(anIncident(), placeFromQuery(new URLSearchParams(link)));
    expect(again.place.value).toEqual(model.place.value);
    expect([...again.listed.value]).toEqual([...model.listed.value]);
  });

  it("opens a link that cannot be read at the beginning, and never beyond the end", () => {
    const place = placeFromQuery(new URLSearchParams("turn=999999&zoom=9_x&hide=plane.martians"));
    const model = new IncidentModel(anIncident(), place);
    expect(model.turn.value).toBe(11);
    expect([...place.hidden]).toEqual(["plane"]);
    expect(place.window).toBeUndefined();
  });

  it("can show a document in which nothing happened", () => {
    const empty = anIncident({ turns: [], arrows: [], commits: [], marks: [] });
    const model = new IncidentModel(empty, START);
    expect(model.turn.value).toBe(0);
    expect(model.step(1)).toBe(false);
    expect(model.beliefs.value).toBeUndefined();
  });
});
