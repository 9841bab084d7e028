/**
 * `berth review --lose`: what a fleet can lose, place by place, so that every replica of what is
 * lost still finds a place elsewhere by Berth's rules. Exits with 1 if some loss leaves a replica
 * without one.
 */
import { LossPlanner } from "../../core/explain/plan-loss.ts";
import type { Node } from "../../core/model/objects.ts";
import { domainOf } from "../../core/model/topology.ts";
import { type Fleet, indexOf } from "../../fleet/fleet.ts";
import { staysWithNode } from "../../fleet/kubernetes/map-workloads.ts";
import { UserError } from "../../shell/errors.ts";
import type { Terminal } from "../main.ts";
import { ProgressBar, stderrTarget } from "../text/progress-bar.ts";
import { type Loss, reviewText } from "./review-text.ts";

export interface LossOptions {
  readonly lose: string;
  readonly which?: string | undefined;
  readonly output?: string | undefined;
}

export function reviewLosses(fleet: Fleet, options: LossOptions, terminal: Terminal): void {
  const { lose } = options;
  const objects = indexOf(fleet);
  const places = placesOf([...objects.all("Node").values()], options);
  const planner = new LossPlanner(objects, (replica) => !staysWithNode(replica, objects));
  const bar = new ProgressBar(stderrTarget((text) => terminal.err(text)));
  const losses: Loss[] = [];
  for (const [place, nodes] of places) {
    bar.show(losses.length, places.size, `losing ${lose} ${place}`);
    losses.push({ place, nodes: nodes.length, ...planner.plan(nodes) });
  }
  bar.clear();
  const text =
    options.output === "json"
      ? `${JSON.stringify({ source: fleet.source, lose, losses }, undefined, 2)}\n`
      : reviewText(losses, { lose, source: fleet.source });
  terminal.out(text);
  if (losses.some(({ homeless }) => homeless.length > 0)) terminal.exitCode = 1;
}

function placesOf(
  nodes: readonly Node[],
  { lose, which }: LossOptions,
): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>();
  for (const node of nodes.toSorted((a, b) => (a.meta.name < b.meta.name ? -1 : 1))) {
    const place = domainOf(node, lose);
    if (place === undefined || (which !== undefined && which !== place)) continue;
    const others = places.get(place);
    if (others === undefined) places.set(place, [node.meta.name]);
    else others.push(node.meta.name);
  }
  if (places.size > 0) return places;
  const what =
    which === undefined ? `No node has the label ${lose}` : `There is no ${lose} ${which}`;
  const all = new Set(nodes.flatMap((node) => domainOf(node, lose) ?? []));
  const known = [...all].toSorted().slice(0, 5).join(", ");
  throw new UserError(
    "bad-usage",
    known === "" ? `${what}. Say node, zone or region.` : `${what}. There is ${known}.`,
  );
}
