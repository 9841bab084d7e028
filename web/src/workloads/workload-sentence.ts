/**
 * Where a workload stands, in one sentence. Numbers stay numbers: two of four are never called "not
 * ready".
 */
import { countAre } from "../../../src/core/model/text/count-text.ts";
import { reasonWords } from "../../../src/api/views/wait-words.ts";
import { underWay } from "./under-way.ts";
import type { Workload } from "./workload-row.ts";

export const readyText = ({ ready, wanted }: Pick<Workload, "ready" | "wanted">): string =>
  `${ready} of ${wanted}`;

export function workloadSentence(workload: Workload): string {
  const { pending, ready, wanted, batch } = workload;
  const first =
    batch !== null
      ? []
      : ready > wanted
        ? [`${countAre(ready, "replica")} ready, ${wanted} desired`]
        : [`${ready} of ${countAre(wanted, "replica")} ready`];
  // What is as it should be needs no words here; a card tells of it.
  const ways = underWay(workload).flatMap(({ tone, text }) => (tone === "good" ? [] : [text]));
  const waits = pending.map(({ count, reason }) => `${count} pending: ${reasonWords(reason)}`);
  const text = [...first, ...ways, ...waits].join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
