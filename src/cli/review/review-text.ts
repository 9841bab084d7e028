/** The verdict on each loss, the worst first, with what stands in the way of the homeless. */
import { parseKey } from "../../core/model/ids.ts";
import type { Homeless, LossPlan } from "../../core/explain/loss-plan.ts";
import { countText } from "../../core/model/text/count-text.ts";
import { columns } from "../client/columns.ts";

export interface Loss extends LossPlan {
  readonly place: string;
  readonly nodes: number;
}

const SHOWN = 20;

export function reviewText(
  losses: readonly Loss[],
  { lose, source }: { readonly lose: string; readonly source: string },
): string {
  const breached = losses.filter(({ homeless }) => homeless.length > 0);
  const worst = breached.toSorted((a, b) => homelessIn(b) - homelessIn(a));
  const verdict =
    breached.length === 0
      ? `Holds: after the loss of any ${lose}, every replica finds a place on the nodes that are left.`
      : `Breached: ${breached.length} of ${losses.length} such losses leave replicas without a place.`;
  return [
    `Fleet: ${source}. Each ${lose} lost in turn: ${losses.length}.`,
    verdict,
    ...(worst.length === 0 ? [] : ["", table(worst, lose).trimEnd()]),
    "",
    BOUNDARY,
    "",
  ].join("\n");
}

const BOUNDARY =
  "This is a capacity argument: only free room counts, nothing is preempted, and no time is measured.";

function table(worst: readonly Loss[], lose: string): string {
  const rows = worst.slice(0, SHOWN).flatMap(rowsOf);
  const more = worst.length - SHOWN;
  const head = [
    lose.toUpperCase(),
    "NODES",
    "LOST",
    "PLACED",
    "HOMELESS",
    "WORKLOAD",
    "REJECTED BY",
  ];
  return columns([head, ...rows]) + (more > 0 ? `and ${more} more\n` : "");
}

function rowsOf(loss: Loss): readonly (readonly string[])[] {
  const { place, nodes, lost, placed, homeless } = loss;
  const shown = homeless.toSorted((a, b) => b.count - a.count).slice(0, 3);
  return shown.map((each, at) => [
    ...(at === 0 ? [place, `${nodes}`, `${lost}`, `${placed}`] : ["", "", "", ""]),
    `${each.count}`,
    nameOf(each),
    becauseOf(each),
  ]);
}

const homelessIn = ({ homeless }: Loss): number =>
  homeless.reduce((sum, { count }) => sum + count, 0);

function nameOf({ workload }: Homeless): string {
  const { namespace, name } = parseKey(workload);
  return `${namespace}/${name}`;
}

/** The rules that reject most nodes first, e.g. "capacity (12 nodes), taints (1 node)". */
function becauseOf({ rejected }: Homeless): string {
  const rules = Object.entries(rejected).toSorted(([, a], [, b]) => b.count - a.count);
  if (rules.length === 0) return "no node is left";
  return rules.map(([rule, { count }]) => `${rule} (${countText(count, "node")})`).join(", ");
}
