/**
 * Which waits a change may end. A wait names facts; a change makes facts true; the runner joins the two.
 * Too many facts cost a look, too few cost a lost wake-up, so each is drawn on the generous side.
 */
import type { Change } from "../commit/commit-record.ts";
import type { Fact } from "../decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";

export const quotaFact = (tenant: string): Fact => `quota:${tenant}`;
/** Some node may take more than before: it joined, recovered, was uncordoned, grew, or lost a replica. */
export const NODES_FACT: Fact = "nodes";
/** A sibling took or left a node: the emptiest place of a spread workload may be another now. */
export const siblingsFact = (tenant: string, workload: string): Fact =>
  `siblings:${tenant}/${workload}`;
/** A changed object is a fact under its own key; keys begin with a kind, so they meet no other fact. */
export const objectFact = (key: ObjectKey): Fact => key;

export function factsOf(change: Change): readonly Fact[] {
  const facts: Fact[] = [objectFact(change.key)];
  const some = change.after ?? change.before;
  switch (some?.kind) {
    case "Quota":
      facts.push(quotaFact(some.meta.namespace));
      break;
    case "Reservation":
      if (change.after === undefined) facts.push(quotaFact(some.spec.tenant));
      break;
    case "Node":
      facts.push(NODES_FACT);
      break;
    case "Replica":
      if (leftNode(change)) facts.push(NODES_FACT, quotaFact(some.meta.namespace));
      if (movedBetweenNodes(change) && some.spec.template.spread.length > 0) {
        facts.push(siblingsFact(some.meta.namespace, some.spec.workload));
      }
      break;
    default:
      break;
  }
  return facts;
}

function leftNode(change: Change): boolean {
  const before = change.before as Replica | undefined;
  const after = change.after as Replica | undefined;
  return before?.status.node !== undefined && before.status.node !== after?.status.node;
}

function movedBetweenNodes(change: Change): boolean {
  const before = change.before as Replica | undefined;
  const after = change.after as Replica | undefined;
  return before?.status.node !== after?.status.node;
}
