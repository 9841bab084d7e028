import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  aReview,
  anyReview,
  ATTACKS,
  breachedFinding,
  holdingFinding,
} from "../../../test/builders/a-review.ts";
import { compareReviews } from "./compare-reviews.ts";
import { reportTable } from "./report-table.ts";
import { columnsOf, cutTo, wrapTo } from "./terminal-columns.ts";

const COMMAND = /^ *(?:Made by|Replay|Scenario file|Incident page)/;
const OBEYED = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u;

/** A line that begins with a space belongs to the entry of the line above. */
function overviewOf(table: string): {
  readonly head: string;
  readonly entries: readonly (readonly string[])[];
} {
  const lines = table.split("\n");
  const from = lines.findIndex((line) => line.startsWith("VERDICT"));
  const end = lines.indexOf("", from);
  const entries: string[][] = [];
  for (const line of lines.slice(from + 1, end)) {
    if (line.startsWith(" ")) entries.at(-1)?.push(line);
    else entries.push([line]);
  }
  return { head: lines[from] ?? "", entries };
}

describe("the table of a review", () => {
  it("says one entry for each promise, the worst first, and details of those that do not hold [RE6]", () => {
    const table = reportTable(aReview());
    const at = (text: string): number => table.indexOf(text);
    expect(table).toContain("3 promises: 1 breached, 1 not shown, 1 holds.");
    const order = [
      "breached   payments/risk-api-recovers",
      "not shown  payments/ledger-serves",
      "holds      research/quota-is-safe",
      "breached: payments/risk-api-recovers",
      "p99 5 min 18 s",
      "Replay: berth review --fleet fleet.jsonl",
      "Fix            Add 2 nodes",
      "not shown: payments/ledger-serves",
      "No object carries this promise",
      "Authority?     This review does not answer it.",
      "The boundary of this review:",
    ].map(at);
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(table).not.toContain("holds: research/quota-is-safe");
  });

  it("colours verdicts only where it is given colours", () => {
    const painted = reportTable(aReview(), { paint: (verdict, text) => `<${verdict}>${text}</>` });
    expect(painted).toContain("<breached>breached </>  payments/risk-api-recovers");
    expect(painted.replaceAll(/<\/?[a-z-]*>/g, "")).toBe(reportTable(aReview()));
  });

  it("says that there is nothing to review", () => {
    expect(reportTable(aReview({ findings: [] }))).toContain("No promise was reviewed.");
  });

  it("property: no line but a command is wider than 100 columns, and a terminal obeys none [RE1] [RE2]", () => {
    fc.assert(
      fc.property(anyReview, anyReview, (review, before) => {
        const against = compareReviews(before, review);
        const table = reportTable(review, { against });
        const wide = table
          .split("\n")
          .filter((line) => columnsOf(line) > 100 && !COMMAND.test(line));
        expect(wide).toEqual([]);
        expect(table).not.toMatch(OBEYED);
      }),
      { numRuns: 60 },
    );
  });

  it("property: the overview has one entry for each promise, whatever their texts are [RE1]", () => {
    const attack = fc.constantFrom(...ATTACKS);
    fc.assert(
      fc.property(attack, attack, (name, reason) => {
        const attacked = { ...holdingFinding, name, reason: `${reason} `.repeat(6) };
        const findings = [attacked, holdingFinding, { ...holdingFinding, name: "z/last" }];
        const { head, entries } = overviewOf(reportTable(aReview({ findings })));
        expect(entries).toHaveLength(findings.length);
        // The first line of an entry has its verdict and name; the others have only its reason.
        const columns = new RegExp(`^holds      .{1,${head.indexOf("REASON") - 13}} {2}`);
        for (const [first = ""] of entries) expect(first).toMatch(columns);
        expect(
          entries.filter(([first]) => first?.includes(` ${holdingFinding.name} `)),
        ).toHaveLength(1);
        expect(entries.filter(([first]) => first?.includes(" z/last "))).toHaveLength(1);
      }),
    );
  });

  it("lists what has changed since an earlier review [RE5]", () => {
    const before = aReview({ findings: [{ ...breachedFinding, verdict: "holds" }] });
    const table = reportTable(aReview(), { against: compareReviews(before, aReview()) });
    expect(table).toContain("the fleet is the same.");
    expect(table).toContain("- Newly breached: payments/risk-api-recovers");
    const same = reportTable(aReview(), { against: compareReviews(aReview(), aReview()) });
    expect(same).toContain("No verdict and no figure has changed.");
  });
});

describe("columns of a terminal", () => {
  it("counts wide letters twice and marks not at all", () => {
    expect(columnsOf("ab")).toBe(2);
    expect(columnsOf("漢字")).toBe(4);
    expect(columnsOf("e\u0301")).toBe(1);
    expect(cutTo("漢字かな", 5)).toBe("漢字…");
  });

  it("property: wrapped text has the same words and fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.integer({ min: 2, max: 20 }),
        (text, most) => {
          const lines = wrapTo(text, most);
          expect(lines.filter((line) => columnsOf(line) > most)).toEqual([]);
          expect(lines.join("").replaceAll(" ", "")).toBe(text.replaceAll(" ", ""));
        },
      ),
    );
  });
});
