/**
 * [LB2] The workloads of a tenant never come to ask for more replicas together than its quota
 * counts, or than any tenant may. [LB3] Nor do they become more than that. [LB9] Nor do its objects
 * of any other kind.
 *
 * They would break if a flood of workloads that want next to no CPU were no load: each of them
 * costs the plane memory and turns. Both are counted here from the commits; the numbers of a tenant
 * without counts are written down a second time.
 */
import type { Change, Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { TenantCounts } from "../../core/model/limits/tenant-counts.ts";
import type { Checker, Report, Truth } from "./checker.ts";

const MOST_REPLICAS = 20_000;
const MOST_WORKLOADS = 5_000;
const MOST_OBJECTS = 5_000;
/** Those that go with their tenant in one commit. */
const MOST_OF: Readonly<Record<string, number>> = { LeaderLease: 200, Commitment: 200 };
/** Made by the plane, or counted in another way. */
const APART: ReadonlySet<string> = new Set(["Workload", "Quota", "Replica", "Reservation"]);

class TenantCountsChecker implements Checker {
  readonly name = "tenant-counts";
  /** By tenant, the replicas that each of its workloads asks for. */
  private readonly asked = new Map<string, Map<ObjectKey, number>>();
  /** By kind and tenant. */
  private readonly there = new Map<string, Set<ObjectKey>>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      const { before, after } = change;
      if (before?.kind === "Workload" || after?.kind === "Workload") {
        this.count(change, commit, truth, report);
      } else this.countObject(change, commit, truth, report);
    }
  }

  private countObject({ key, after }: Change, by: Commit, truth: Truth, report: Report): void {
    const [kind = "", tenant = ""] = key.split("/");
    if (tenant === "" || APART.has(kind)) return;
    const there = this.there.get(`${kind}/${tenant}`) ?? new Set();
    this.there.set(`${kind}/${tenant}`, there);
    if (after === undefined) there.delete(key);
    if (after === undefined || there.has(key)) return;
    there.add(key);
    const plural = `${kind.toLowerCase()}s`;
    const stated = countsOf(tenant, truth).objects?.[plural] ?? MOST_OBJECTS;
    const most = Math.min(stated, MOST_OF[kind] ?? stated);
    if (there.size <= most) return;
    const what = `${by.command} ${by.operation} of ${by.actor.name}`;
    report("LB9", `${what} made ${key}, number ${there.size} of ${most}.`, key);
  }

  private count({ key, before, after }: Change, by: Commit, truth: Truth, report: Report): void {
    const [, tenant = ""] = key.split("/");
    const asked = this.asked.get(tenant) ?? new Map<ObjectKey, number>();
    this.asked.set(tenant, asked);
    const was = asked.get(key) ?? 0;
    if (after?.kind !== "Workload") {
      asked.delete(key);
      return;
    }
    asked.set(key, after.spec.replicas);
    // Who is over a count that was made smaller keeps what it has.
    if (before !== undefined && after.spec.replicas <= was) return;
    const { replicas: mostReplicas = MOST_REPLICAS, workloads: mostWorkloads = MOST_WORKLOADS } =
      countsOf(tenant, truth);
    const what = `${by.command} ${by.operation} of ${by.actor.name}`;
    if (before === undefined && asked.size > mostWorkloads) {
      report("LB3", `${what} made ${key}, number ${asked.size} of ${mostWorkloads}.`, key);
    }
    const all = [...asked.values()].reduce((sum, replicas) => sum + replicas, 0);
    if (after.spec.replicas > was && all > mostReplicas) {
      report("LB2", `${what} made ${tenant} ask for ${all} replicas of ${mostReplicas}.`, key);
    }
  }
}

function countsOf(tenant: string, { objects }: Truth): TenantCounts {
  for (const { meta, spec } of objects.all("Quota").values()) {
    if (meta.namespace === tenant) return spec.counts ?? {};
  }
  return {};
}

export const createTenantCountsChecker = (): Checker => new TenantCountsChecker();
