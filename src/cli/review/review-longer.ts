/** `berth review --longer TIMES`: which promises that hold a longer review breaks. */
import type { Fleet } from "../../fleet/fleet.ts";
import { countText } from "../../core/model/text/count-text.ts";
import {
  type Compared,
  isBroken,
  type LongerRow,
  type LongerTerms,
  reviewLonger,
} from "../../review/check/longer-review.ts";
import { nameOf, type StatedPromise } from "../../review/promise.ts";
import { spanText } from "../../review/report/span-text.ts";
import { columns } from "../client/columns.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";

export function reviewAllLonger(
  fleet: Fleet,
  promises: readonly StatedPromise[],
  { terms, terminal }: { readonly terms: LongerTerms; readonly terminal: Terminal },
): void {
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  let at = 0;
  const rows = promises.map((promise) => {
    bar.show(at, promises.length, nameOf(promise));
    const row = reviewLonger(fleet, promise, {
      ...terms,
      onProgress: ({ done, of }) => bar.show(at + done / of, promises.length, nameOf(promise)),
    });
    at += 1;
    return row;
  });
  bar.clear();
  terminal.out(longerText(rows, terms));
  if (rows.some(isBroken)) terminal.exitCode = 1;
}

function longerText(rows: readonly LongerRow[], { seeds, times }: LongerTerms): string {
  const broken = rows.filter(isBroken).length;
  const holding = rows.filter(({ stated }) => stated.verdict === "holds").length;
  const [few, many] = [`${seeds}`, `${seeds * times}`];
  const head = [
    "PROMISE",
    `${few} RUNS`,
    `${many} RUNS`,
    "SLOWEST",
    "TIGHTEST THAT HOLDS",
    `${few} RUNS`,
    `${many} RUNS`,
    "SLOWEST",
  ];
  const table = columns([head, ...rows.map(cellsOf)]).trimEnd();
  return [
    table,
    "",
    `${countText(holding, "promise")} of ${rows.length} ${holding === 1 ? "holds" : "hold"} with ${few} runs. ` +
      `With ${many} runs, ${broken === 0 ? "none" : broken} of them, as stated or as tight as possible, ${broken > 1 ? "are" : "is"} breached.`,
    "",
  ].join("\n");
}

function cellsOf({ name, stated, tightest }: LongerRow): readonly string[] {
  const tight = tightest && [spanText(tightest.withinMs), ...compared(tightest)];
  return [name, ...compared(stated), ...(tight ?? ["-", "-", "-", "-"])];
}

const compared = ({ verdict, longer, worstMs, longerMs }: Compared): readonly string[] => [
  verdict,
  longer ?? "-",
  worstMs === undefined
    ? "-"
    : `${spanText(worstMs)}${longerMs === undefined ? "" : ` / ${spanText(longerMs)}`}`,
];
