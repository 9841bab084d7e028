/**
 * [LB5] An agent that starts replicas of one tenant after the other does not leave another tenant's
 * waiting meanwhile.
 *
 * It would break if all who wait for a start stood in one line: a tenant that fails a thousand
 * times a second would keep the others of its node from starting at all. Who waits is noted from
 * the commits, and what an agent knows of by its view: a watch that drops commits, or a blind
 * agent, hides replicas from it. A replica that had a process there before may have to wait for its
 * end, so only those count that begin there for the first time.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Request } from "../../../core/kernel/component.ts";
import { LOAD_LIMITS } from "../../../core/model/limits/load-limits.ts";
import {
  type ObjectKey,
  type OperationId,
  parseKey,
  type Revision,
} from "../../../core/model/ids.ts";
import type { Believer, Checker, Report, Truth } from "../checker.ts";

/** Those that were called before the other came, and a few that were decided in the same turn. */
const MOST = LOAD_LIMITS.startsAtOnce.value + LOAD_LIMITS.startsUnderWay.value / 4;

interface Waiting {
  readonly tenant: string;
  readonly since: Revision;
}

class StartTurnsChecker implements Checker {
  readonly name = "start-turns";
  /** By node, who is bound to it and has never begun there. */
  private readonly waiting = new Map<string, Map<ObjectKey, Waiting>>();
  private readonly begun = new Set<string>();
  /** By agent and tenant that waits, how often each other tenant was let go first. */
  private readonly passed = new Map<string, Map<string, number>>();
  private readonly known = new Set<string>();

  beforeCommit({ changes, revision }: Commit): void {
    for (const { key, before, after } of changes) {
      if (before?.kind === "Replica") this.waiting.get(before.status.node ?? "")?.delete(key);
      if (after?.kind !== "Replica") continue;
      const { stage, node, stopping } = after.status;
      if (stage !== "bound" || node === undefined || stopping !== undefined) continue;
      if (this.begun.has(`${node} ${key}`)) continue;
      const there = this.waiting.get(node) ?? new Map<ObjectKey, Waiting>();
      this.waiting.set(node, there.set(key, { tenant: after.meta.namespace, since: revision }));
    }
  }

  requested(
    from: string,
    operation: OperationId,
    _attempt: number,
    truth: Truth,
    report: Report,
    request: Request,
  ): void {
    if (!from.startsWith("agent:") || request.kind !== "command") return;
    const { intent, basis } = request.command;
    if (intent.kind !== "report" || intent.stage !== "starting") return;
    const { node, replica } = intent;
    if (this.known.has(`${from} ${operation}`)) return;
    this.known.add(`${from} ${operation}`);
    this.begun.add(`${node} ${replica}`);
    this.waiting.get(node)?.delete(replica);
    const { namespace: tenant } = parseKey(replica);
    this.passed.delete(`${from} ${tenant}`);
    if (truth.isLying?.(node) === true) return;
    const agent = [...truth.clients()].find(({ name }) => name === from);
    for (const other of this.othersThan(tenant, { node, basis, agent })) {
      const counts = this.passed.get(`${from} ${other}`) ?? new Map<string, number>();
      const count = (counts.get(tenant) ?? 0) + 1;
      this.passed.set(`${from} ${other}`, counts.set(tenant, count));
      if (count <= MOST) continue;
      report("LB5", `${from} claimed ${count} starts of ${tenant} while one of ${other} waited.`);
    }
  }

  clientStopped(component: string): void {
    for (const name of this.passed.keys()) {
      if (name.startsWith(`${component} `)) this.passed.delete(name);
    }
  }

  /** Tenants who wait on the node, as far as the agent knows of it. */
  private othersThan(
    tenant: string,
    of: {
      readonly node: string;
      readonly basis: Revision;
      readonly agent: Believer | undefined;
    },
  ): ReadonlySet<string> {
    const others = new Set<string>();
    for (const [key, each] of this.waiting.get(of.node) ?? []) {
      if (each.tenant === tenant || each.since > of.basis) continue;
      const isSeen =
        of.agent === undefined || of.agent.view.objects.replica(key)?.status.stage === "bound";
      if (isSeen) others.add(each.tenant);
    }
    return others;
  }
}

export const createStartTurnsChecker = (): Checker => new StartTurnsChecker();
