/** The last stage: one command that binds everything that was found, and why these nodes. */
import type { Binding, Intent } from "../../protocol/command.ts";
import { type Decision, propose } from "../../protocol/decision.ts";
import type { Replica } from "../../model/objects.ts";
import { bindAllOperation, bindOperation } from "../../protocol/operations.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import { ALTERNATIVES } from "./find-single.ts";
import type { FoundPlace } from "./place-each.ts";
import type { FoundSome } from "./search-outcome.ts";

export function bindFound(found: FoundSome, finder: NodeFinder): Decision {
  const { first, places, ranked } = found;
  const { node, spare, budget, score, parts } = first.place;
  const under = underRevision(finder.revisionFor(first.replica, node));
  const intent = bindIntent(places, finder);
  if (ranked === undefined) {
    const summary = `all ${places.length} members fit, the first on ${node}`;
    return propose([intent], { summary, chosen: node, ...under });
  }
  const more = places.length === 1 ? "" : `; ${places.length} replicas placed in all`;
  const why = spare === undefined ? "scores highest" : "has recovery reserve";
  const paid = budget === undefined ? "" : ` on ${finder.budgets.text(budget)}`;
  return propose([intent], {
    summary: `${node} ${why} for ${first.replica.meta.name}${paid}${more}`,
    chosen: node,
    score,
    parts,
    policy: finder.policyText(first.replica, node),
    ...under,
    alternatives: ranked.filter(({ name }) => name !== node).slice(0, ALTERNATIVES),
  });
}

/** Only where one is in force that has a name. */
const underRevision = (policyRevision: string | undefined): { readonly policyRevision?: string } =>
  policyRevision === undefined ? {} : { policyRevision };

function bindIntent(found: readonly FoundPlace[], finder: NodeFinder): Intent {
  const bindings = found.map(({ replica, place }): Binding => {
    const { node, deviceIds, spare, budget } = place;
    const { key, status } = replica;
    const under = underRevision(finder.revisionFor(replica, node));
    const binding = { replica: key, incarnation: status.incarnation, node, deviceIds, ...under };
    if (spare === undefined && budget === undefined) return binding;
    return {
      ...binding,
      ...(spare === undefined ? {} : { spare }),
      ...(budget === undefined ? {} : { budget }),
    };
  });
  const [only] = bindings;
  const replicas = found.map(({ replica }) => replica);
  // The operation names incarnations, never the attempt or the nodes: a retry after a lost reply
  // meets the first binding instead of making a second one.
  return only !== undefined && bindings.length === 1
    ? { kind: "bind", operation: bindOperation(replicas[0] as Replica), ...only }
    : { kind: "bind-all", operation: bindAllOperation(replicas), bindings };
}
