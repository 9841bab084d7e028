/**
 * Which waits a change may end. A wait names facts; a change makes facts true; the runner joins the
 * two. Too many facts cost a look, too few cost a lost wake-up, so each is drawn on the generous
 * side.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Fact } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import type { Replica } from "../model/objects.ts";

export const quotaFact = (tenant: string): Fact => `quota:${tenant}`;
/** Tenants joined or left the group, or what one of them brings to it is another. */
export const groupFact = (group: string): Fact => `quota-group:${group}`;
/** The tenant waits for less of what its own quota covers: who may borrow it may have more. */
export const claimFact = (tenant: string): Fact => `quota-claim:${tenant}`;
/**
 * Some node may take more than before: it joined, recovered, was uncordoned, grew, or lost a
 * replica.
 */
export const NODES_FACT: Fact = "nodes";
/** A sibling took or left a node: the emptiest place of a spread workload may be another now. */
export const siblingsFact = (tenant: string, workload: string): Fact =>
  `siblings:${tenant}/${workload}`;
/**
 * A replica of the tenant with this label took a node: who must be near one may have a place now.
 */
const nearFact = (tenant: string, label: string): Fact => `near:${tenant}/${label}`;
/** The same, whatever its labels. */
const NO_LABEL = "";
/** Somebody left this node, or room of it is held no longer: for those who wait for this one. */
export const roomFact = (node: string): Fact => `room:${node}`;
/**
 * Recovery budgets may pay for more than before: one was granted, given back to, raised, or other
 * rules are in force.
 */
export const RECOVERY_BUDGETS_FACT: Fact = "budgets";
/**
 * A changed object is a fact under its own key; keys begin with a kind, so they meet no other fact.
 */
export const objectFact = (key: ObjectKey): Fact => key;

export function factsOf(change: Change): readonly Fact[] {
  const facts: Fact[] = [objectFact(change.key)];
  const some = change.after ?? change.before;
  switch (some?.kind) {
    case "Quota":
      facts.push(quotaFact(some.meta.namespace), ...groupFacts(change));
      break;
    case "Reservation":
      if (change.after !== undefined) {
        facts.push(claimFact(some.spec.tenant));
        break;
      }
      if (some.spec.for === "quota") facts.push(quotaFact(some.spec.tenant));
      else facts.push(NODES_FACT, roomFact(some.spec.room.node));
      break;
    case "Node":
      facts.push(NODES_FACT);
      break;
    case "RecoveryBudget":
    case "Policy":
    case "PolicyRevision":
      facts.push(RECOVERY_BUDGETS_FACT);
      break;
    case "Override":
      if (some.spec.action === "raise-budget") facts.push(RECOVERY_BUDGETS_FACT);
      break;
    case "Replica":
      if (leftNode(change)) {
        const { node } = (change.before as Replica).status;
        facts.push(NODES_FACT, quotaFact(some.meta.namespace), roomFact(node ?? ""));
      }
      if (gaveBackRecoveryBudget(change)) facts.push(RECOVERY_BUDGETS_FACT);
      if (leftQueue(change)) facts.push(quotaFact(some.meta.namespace));
      if (waitsNoMore(change)) facts.push(claimFact(some.meta.namespace));
      if (tookNode(change)) facts.push(...nearFactsOf(some));
      if (movedBetweenNodes(change) && mayBeSpread(some)) {
        facts.push(siblingsFact(some.meta.namespace, some.spec.workload));
      }
      break;
    default:
      break;
  }
  return facts;
}

/** By its own rule, or by that of the policy revision that it was bound under. */
const mayBeSpread = ({ spec, status }: Replica): boolean =>
  spec.template.spread.length > 0 || status.policyRevision !== undefined;

function* groupFacts({ before, after }: Change): Iterable<Fact> {
  for (const quota of [before, after]) {
    if (quota?.kind === "Quota" && quota.spec.group !== undefined)
      yield groupFact(quota.spec.group);
  }
}

/**
 * Also one that went straight to the queue: what it took of its tenant's own, others of it have no
 * claim to now.
 */
function waitsNoMore({ before, after }: Change): boolean {
  const was = (before as Replica | undefined)?.status.stage;
  const is = (after as Replica | undefined)?.status.stage;
  return (was === "admitted" || is === "queued") && was !== is;
}

/** Without a node: what it held goes back to its tenant. */
function leftQueue({ before, after }: Change): boolean {
  const was = (before as Replica | undefined)?.status.stage;
  const is = (after as Replica | undefined)?.status;
  return was === "queued" && is?.stage !== "queued" && is?.node === undefined;
}

/** Also one that was confirmed where it is (DG5). */
function gaveBackRecoveryBudget(change: Change): boolean {
  const before = (change.before as Replica | undefined)?.status;
  const after = (change.after as Replica | undefined)?.status;
  if (before?.node === undefined || before.budget === undefined) return false;
  return before.node !== after?.node || before.budget !== after.budget;
}

function leftNode(change: Change): boolean {
  const before = change.before as Replica | undefined;
  const after = change.after as Replica | undefined;
  return before?.status.node !== undefined && before.status.node !== after?.status.node;
}

function tookNode(change: Change): boolean {
  const after = change.after as Replica | undefined;
  return after?.status.node !== undefined && movedBetweenNodes(change);
}

function nearFactsOf({ meta }: Replica): readonly Fact[] {
  const labels = Object.entries(meta.labels).map(([label, value]) => `${label}=${value}`);
  return [NO_LABEL, ...labels].map((label) => nearFact(meta.namespace, label));
}

/**
 * What ends a wait for company. One label of each term will do: a look costs little, and finds the
 * rest.
 */
export function companyFacts({ meta, spec }: Replica): readonly Fact[] {
  const facts: Fact[] = [];
  for (const { labels, tenants } of spec.template.affinity?.required ?? []) {
    const [first] = Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1));
    const label = first === undefined ? NO_LABEL : `${first[0]}=${first[1]}`;
    for (const tenant of tenants ?? [meta.namespace]) facts.push(nearFact(tenant, label));
  }
  return facts;
}

function movedBetweenNodes(change: Change): boolean {
  const before = change.before as Replica | undefined;
  const after = change.after as Replica | undefined;
  return before?.status.node !== after?.status.node;
}
