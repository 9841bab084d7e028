/**
 * The worst failure as a picture: the places that are lost, the replicas on them that find a place
 * elsewhere, and those that find none.
 */
import { countText } from "../../core/model/text/count-text.ts";
import type { WorstFailure } from "../review.ts";
import { homelessIn } from "./finding-sentences.ts";
import { markupText } from "./markup-text.ts";
import { percent } from "./percent.ts";
import { REPORT_LIMITS } from "./report-limits.ts";
import { some } from "./shown-text.ts";

export function lossPicture(worst: WorstFailure): string {
  const { lost, replicas, placed, homeless } = worst;
  const most = REPORT_LIMITS.shownPlaces.value;
  const places = some(lost, most);
  const without = homelessIn(worst);
  const items = [
    ...places.shown.map((place) => `<li>${markupText(place)}</li>`),
    ...(places.left > 0 ? [`<li>and ${places.left} more</li>`] : []),
  ];
  const rows = [
    row("placed elsewhere", { count: placed, of: replicas, tone: "placed" }),
    row("without a place", { count: without, of: replicas, tone: "homeless" }),
  ];
  const workloads = some(
    homeless.toSorted((a, b) => b.count - a.count),
    most,
  );
  const theirs = workloads.shown.map(({ workload, count }) =>
    row(markupText(workload), { count, of: without, tone: "homeless" }),
  );
  return [
    `<figure><figcaption class="quiet">The worst failure takes ${countText(replicas, "replica")} with it. Lost:</figcaption>`,
    `<ul class="places">${items.join("")}</ul>`,
    `<table class="bars"><tbody>${rows.join("")}</tbody></table>`,
    ...(theirs.length === 0
      ? []
      : [
          `<p class="quiet">Replicas without a place, by workload:</p><table class="bars"><tbody>${theirs.join("")}</tbody></table>`,
        ]),
    ...(workloads.left === 0 ? [] : [`<p class="quiet">and ${workloads.left} more workloads</p>`]),
    "</figure>",
  ].join("");
}

interface Bar {
  readonly count: number;
  readonly of: number;
  readonly tone: "placed" | "homeless";
}

const row = (html: string, { count, of, tone }: Bar): string =>
  `<tr><th scope="row" class="name">${html}</th><td><svg class="bar" aria-hidden="true"><rect class="${tone}" width="${percent(count, of)}"/></svg></td><td>${count}</td></tr>`;
