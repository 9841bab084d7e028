/**
 * [INV180] An agent's commands change only its own node's status, its own lease and the replicas
 * bound to its node. [INV182] The commands of a hostile tenant's user change only objects of that
 * tenant. [INV183] A replica is released for the word, the silence or the end of a node only if it
 * was bound to that node.
 *
 * They would break if a credential proved more than the sender's identity: an agent that speaks for
 * other nodes ends their work. This checker records from the commits of schedulers which replica is
 * bound where.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import type { Evidence } from "../../../core/model/evidence.ts";
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import { type Attack, attackersOf, tenantOf } from "../../hostile/attack.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** Evidence about one node, which releases its replicas. */
const OF_A_NODE: ReadonlySet<Evidence["kind"]> = new Set([
  "lease-expired",
  "node-fenced",
  "session-ended",
  "replace-after",
  "node-vanished",
  "agent-forgot",
]);

class TrespassChecker implements Checker {
  readonly name = "trespass";
  private readonly hostileTenants: ReadonlySet<string>;
  private readonly boundTo = new Map<ObjectKey, string>();

  constructor(attacks: readonly Attack[]) {
    const tenants = attackersOf(attacks).map(tenantOf);
    this.hostileTenants = new Set(tenants.filter((tenant) => tenant !== undefined));
  }

  beforeCommit(commit: Commit, _truth: Truth, report: Report): void {
    const { actor, evidence, changes } = commit;
    if (actor.role === "agent") this.checkAgent(commit, report);
    if (actor.role === "user" && this.hostileTenants.has(actor.name)) checkTenant(commit, report);
    if (evidence !== undefined && OF_A_NODE.has(evidence.kind)) this.checkEvidence(commit, report);
    for (const change of changes) this.note(change);
  }

  private note({ key, after }: Change): void {
    if (after === undefined) this.boundTo.delete(key);
    else if (after.kind === "Replica") {
      if (after.status.node === undefined) this.boundTo.delete(key);
      else this.boundTo.set(key, after.status.node);
    }
  }

  private checkAgent({ actor, changes, command, operation }: Commit, report: Report): void {
    const node = actor.name.slice(actor.name.indexOf(":") + 1);
    for (const change of changes) {
      const wrong = this.wrongOfAgent(node, change);
      if (wrong === undefined) continue;
      report("INV180", `${command} ${operation} of ${actor.name} ${wrong}.`, change.key);
    }
  }

  private wrongOfAgent(node: string, { key, before, after }: Change): string | undefined {
    if (after === undefined) return `removed ${key}`;
    if (key === `Lease//${node}`) return undefined;
    // An agent may register a node that does not exist; INV184 checks its claims.
    if (key === `Node//${node}` && before === undefined) return undefined;
    if (key === `Node//${node}` || isPoolOf(before, node)) return wrongBeyondStatus(before, after);
    const boundTo = this.boundTo.get(key);
    if (after.kind !== "Replica" || boundTo !== node) {
      return `changed ${key}, which is ${boundTo === undefined ? "not" : `bound to ${boundTo} and not`} its own`;
    }
    const { node: goesTo } = after.status;
    if (goesTo !== undefined && goesTo !== node) return `moved ${key} to ${goesTo}`;
    return wrongBeyondStatus(before, after);
  }

  private checkEvidence({ evidence, changes, operation, command }: Commit, report: Report): void {
    if (evidence === undefined || !("node" in evidence)) return;
    for (const { key, before, after } of changes) {
      const boundTo = this.boundTo.get(key);
      const isGivenUp = before?.kind === "Replica" && after?.kind === "Replica";
      if (!isGivenUp || boundTo === undefined || boundTo === evidence.node) continue;
      const what = `${command} ${operation} cites ${evidence.kind} of ${evidence.node}`;
      report("INV183", `${what} and changed ${key}, which is bound to ${boundTo}.`, key);
    }
  }
}

/** The pool of an arriving node counts the arrival. */
const isPoolOf = (before: AnyObject | undefined, node: string): boolean =>
  before?.kind === "NodePool" && node.startsWith(`${before.meta.name}-`);

function wrongBeyondStatus(before: AnyObject | undefined, after: AnyObject): string | undefined {
  if (before === undefined) return `made ${after.key}`;
  // An arriving node of a pool is no longer provisioning; an agent changes nothing else of a spec.
  const isArrival = before.kind === "Node" && before.spec.supply === "soft";
  const isSame = isArrival || JSON.stringify(before.spec) === JSON.stringify(after.spec);
  if (!isSame) return `changed the spec of ${after.key}`;
  return metadataOf(before) === metadataOf(after) || isArrival
    ? undefined
    : `changed the metadata of ${after.key}`;
}

/** Without the revision, which every write changes. */
const metadataOf = ({ meta }: AnyObject): string => JSON.stringify({ ...meta, revision: 0 });

function checkTenant({ actor, changes, command, operation }: Commit, report: Report): void {
  for (const { key } of changes) {
    const [kind, namespace, name] = key.split("/");
    if ((kind === "Tenant" ? name : namespace) === actor.name) continue;
    const what = `${command} ${operation} of the user of ${actor.name} changed ${key}`;
    report("INV182", `${what}, which is not that tenant's.`, key);
  }
}

export const createTrespassChecker = (attacks: readonly Attack[]): Checker =>
  new TrespassChecker(attacks);
