import { describe, expect, it } from "vitest";
import type { IncidentDocument } from "../../../../src/incident/incident-document.ts";
import { anIncident, REPLICA } from "../an-incident.ts";
import { beliefsAt } from "./beliefs-at.ts";
import { indexIncident } from "./incident-index.ts";
import { wrongSpans } from "./wrong-spans.ts";

describe("wrongSpans()", () => {
  it("lasts from the commit until the component's view has it, or to the end", () => {
    const spans = wrongSpans(indexIncident(anIncident()), REPLICA);
    // The plane commits and knows at once; place-1 is late from revision 2 on and never learns of
    // it.
    expect(spans[0]).toEqual([]);
    expect(spans[1]).toEqual([{ from: 7, to: 11 }]);
    expect(spans[2]).toEqual([
      { from: 7, to: 8 },
      { from: 10, to: 11 },
    ]);
    expect(spans[4]).toEqual([]);
  });

  it("says at every turn the same as the table of beliefs", () => {
    const document = anIncident();
    const astray = [{ key: REPLICA, cells: undefined }];
    const variants: readonly Partial<IncidentDocument>[] = [
      {},
      { lanes: document.lanes.map((lane, at) => (at === 2 ? { ...lane, node: "n1" } : lane)) },
      { turns: document.turns.map((turn, at) => (at === 8 ? { ...turn, astray } : turn)) },
      { base: [{ key: REPLICA, cells: { stage: "queued", incarnation: 1 } }] },
      { commits: document.commits.slice(1) },
    ];
    for (const variant of variants) {
      const index = indexIncident(anIncident(variant));
      const spans = wrongSpans(index, REPLICA);
      const last = index.document.turns.length - 1;
      for (const turn of index.document.turns.keys()) {
        const table = beliefsAt(index, turn, REPLICA).believed;
        const wrong = table.filter((each) => each.wrong.length > 0).map(({ lane }) => lane);
        const drawn = [...spans.keys()].filter((lane) =>
          spans[lane]!.some(({ from, to }) => from <= turn && (turn < to || to === last)),
        );
        expect(drawn, `turn ${turn}`).toEqual(wrong);
      }
    }
  });
});
