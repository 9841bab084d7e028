import { describe, expect, it } from "vitest";
import { aViewer, believedAt, rowsAt } from "../../test/builders/an-incident-viewer.ts";
import { incidentPage, MAX_PAGE_BYTES } from "../cli/simulate/write-incident.ts";
import { fitIncident } from "./fit-incident.ts";
import { INCIDENT_FORMAT, type IncidentDocument, type Turn } from "./incident-document.ts";

const KEY = "Replica/shop/web.1.7";
const LANES = ["plane-1", "place-1", "agent:n-1"];

/** Digits that no compression makes much shorter. */
function noise(seed: number): string {
  let at = seed;
  let text = "";
  while (text.length < 60) {
    at = (Math.imul(at, 1_664_525) + 1_013_904_223) >>> 0;
    text += at.toString(36);
  }
  return text;
}

/**
 * A run of so many turns whose rule is broken in the middle, with a commit for every third of them.
 */
function aLongRun(count: number): IncidentDocument {
  const violated = Math.floor(count / 2);
  const turns: Turn[] = Array.from({ length: count }, (_, at) => ({
    turn: at + 1,
    atMs: at * 10,
    lane: at % LANES.length,
    what: at === violated ? "violate" : at % 3 === 0 ? "commit" : "see",
    text: at === violated ? `INV1 is violated about ${KEY}` : `step ${at} ${noise(at)}`,
    revision: Math.floor(at / 3) + 1,
    key: at === violated || at % 500 === 0 ? KEY : `Replica/shop/web.1.${at % 2_000}`,
    ...(at === 900 ? { astray: [{ key: KEY, cells: { stage: "wrong" } }] } : {}),
  }));
  const commits = turns
    .filter(({ what, turn }) => what === "commit" || turn - 1 === violated)
    .map(({ turn, key = "" }, at) => ({
      revision: at + 1,
      turn: turn - 1,
      operation: `bind/${turn}`,
      actor: "place-1",
      changes: [
        { key, cells: { stage: `stage ${turn}`, node: `n${turn % 9}` } },
        { key: `Lease//n${turn % 90}`, cells: { seq: noise(turn) } },
      ],
    }));
  return {
    berthIncident: INCIDENT_FORMAT,
    source: {
      kind: "simulation",
      title: "long",
      version: "0",
      again: "",
      epochMs: undefined,
      violation: undefined,
    },
    lanes: LANES.map((name) => ({ name, kind: "controller" })),
    turns,
    arrows: turns.slice(1).map((_, at) => ({ from: at, to: at + 1, what: "watch" })),
    base: [],
    baseRevision: 0,
    commits,
    marks: [{ turn: violated, kind: "violation", text: "INV1 is violated" }],
    leftOut: undefined,
  };
}

const sizeOf = (tried: IncidentDocument): number => JSON.stringify(tried).length;

describe("fitIncident()", () => {
  it("leaves a document that fits as it is", () => {
    const document = aLongRun(300);
    const fitting = { maxSize: Number.POSITIVE_INFINITY, sizeOf: () => 1, what: "The page" };
    expect(fitIncident(document, fitting)).toBe(document);
  });

  it("keeps a page of a huge run under a megabyte, with the violation and what led to it", () => {
    const document = aLongRun(20_000);
    const { text, document: kept } = incidentPage(aViewer(300_000), document);
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
    expect(Buffer.byteLength(text)).toBeGreaterThan(MAX_PAGE_BYTES / 2);
    const [mark] = kept.marks;
    expect(kept.turns[mark?.turn ?? -1]).toMatchObject({ what: "violate", turn: 10_001 });
    const numbers = new Set(kept.turns.map(({ turn }) => turn));
    const near = Array.from({ length: 201 }, (_, at) => 10_001 - 100 + at);
    expect(near.filter((turn) => !numbers.has(turn))).toEqual([]);
    const about = document.turns.filter(({ key }) => key === KEY);
    expect(about.filter(({ turn }) => !numbers.has(turn))).toEqual([]);
    expect(kept.leftOut?.turns).toBe(20_000 - kept.turns.length);
    expect(kept.leftOut?.why).toMatch(
      /^The page would be too long: kept are the turns at the marks/,
    );
  });

  it("points at the same turns as before, and at nothing that is gone", () => {
    const document = aLongRun(3_000);
    const kept = fitIncident(document, { maxSize: 200_000, sizeOf, what: "The document" });
    expect(sizeOf(kept)).toBeLessThanOrEqual(200_000);
    expect(kept.arrows.length).toBeGreaterThan(0);
    for (const { from, to } of kept.arrows) {
      expect((kept.turns[from]?.turn ?? 0) + 1).toBe(kept.turns[to ?? -1]?.turn);
    }
    const there = kept.commits.filter(({ turn }) => turn !== undefined);
    expect(there.length).toBeGreaterThan(0);
    for (const { turn, operation } of there) {
      expect(`bind/${kept.turns[turn ?? -1]?.turn}`).toBe(operation);
    }
  });

  it("believes and knows the same of the violated object as the whole document", () => {
    const document = aLongRun(4_000);
    for (const maxSize of [900_000, 300_000, 150_000]) {
      const kept = fitIncident(document, { maxSize, sizeOf, what: "The document" });
      const then = document.marks[0]?.turn;
      const now = kept.marks[0]?.turn;
      const end = document.commits.at(-1)?.revision ?? 0;
      expect(rowsAt(kept, end).get(KEY)).toEqual(rowsAt(document, end).get(KEY));
      for (const lane of LANES) {
        const whole = believedAt(document, lane, then);
        const part = believedAt(kept, lane, now);
        expect([maxSize, lane, part.rows.get(KEY)]).toEqual([maxSize, lane, whole.rows.get(KEY)]);
        expect(part.revision).toBe(whole.revision);
      }
    }
  });
});
