/** The verdict on each loss, the worst first, with what stands in the way of the homeless. */
import { parseKey } from "../../core/model/ids.ts";
import type { Homeless, LossPlan } from "../../core/explain/loss-plan.ts";
import type { FixSearch } from "../../review/fix/find-fix.ts";
import type { CapacityArgument } from "../../review/review.ts";
import { countText } from "../../core/model/text/count-text.ts";
import { columns } from "../client/columns.ts";

export interface Loss extends Pick<LossPlan, "lost" | "placed" | "preempted" | "homeless"> {
  readonly place: string;
  readonly nodes: number;
}

/** The worst come first; a reader fixes these, and asks again. */
export const LOSSES_SHOWN = 20;

interface Reviewed {
  readonly lose: string;
  readonly source: string;
  readonly argument: CapacityArgument;
  readonly search?: FixSearch | undefined;
}

export function reviewText(
  losses: readonly Loss[],
  { lose, source, argument, search }: Reviewed,
): string {
  const breached = losses.filter(({ homeless }) => homeless.length > 0);
  const worst = breached.toSorted((a, b) => homelessIn(b) - homelessIn(a));
  return [
    `Fleet: ${source}. Losses of ${lose}: ${argument.searched}.`,
    verdictText(lose, argument),
    ...(worst.length === 0 ? [] : ["", table(worst, lose).trimEnd()]),
    "",
    ...factsOf(argument),
    ...fixLines(search),
    ...(argument.boundary ?? []),
    "",
  ].join("\n");
}

function verdictText(lose: string, { broken, failures, isProved }: CapacityArgument): string {
  if (broken > 0) {
    return `Breached: ${broken} of ${failures} such losses leave replicas without a place.`;
  }
  return isProved
    ? `Holds: after any such loss of ${lose}, every replica finds a place on the nodes that are left.`
    : `Not shown: no loss that was searched leaves a replica without a place, and not all were.`;
}

function factsOf({ binding, headroom, byClass }: CapacityArgument): readonly string[] {
  const facts = [
    ...(binding === undefined ? [] : [`Binds first: ${binding}.`]),
    ...(headroom === undefined ? [] : [`Headroom: ${headroom}.`]),
    ...(byClass === undefined ? [] : [`By class, in the worst loss: ${byClass}.`]),
  ];
  return facts.length === 0 ? [] : [...facts, ""];
}

function fixLines(search: FixSearch | undefined): readonly string[] {
  if (search === undefined) return [];
  const { fix, tried } = search;
  if (fix === undefined) return [`Fix: none was found. ${tried}`, ""];
  return [`Smallest change found: ${fix.change}.`, `${fix.reason} ${tried}`, ""];
}

function table(worst: readonly Loss[], lose: string): string {
  const rows = worst.slice(0, LOSSES_SHOWN).flatMap(rowsOf);
  const more = worst.length - LOSSES_SHOWN;
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
