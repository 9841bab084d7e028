/**
 * [INV140] A policy revision never changes, and stays while a pointer or a live binding names it.
 * [INV141] A binding names the revision that was in force for it in its region at its commit.
 * [INV142] One revision is in force in a place: an activation moves a pointer from the revision in
 * force to an existing one. [INV143] A rollback undoes exactly what the plan of the former revision
 * says. [INV144] No rollback takes more of a workload out of serving than it allows, or a tenth of
 * it by default.
 *
 * It would break if a bind were checked against its sender's view, if two people moved a pointer at
 * once, or if repair went on by a plan that was over.
 */
import { reservedUnder, roomOf } from "../../../core/model/reservation.ts";
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey } from "../../../core/model/ids.ts";
import type { AnyObject, Policy, Replica, Workload } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import { holdingAt, raisedFor } from "../models/naive-overrides.ts";
import { policyNamed } from "../models/naive-policy.ts";
import { unavailable } from "../models/naive-preemption.ts";
import { isServing, isWantedBy, workloadOf } from "../models/naive-wanted.ts";
import { movesBetween, PolicyShadow } from "../models/policy-shadow.ts";
import { isTooFarAhead } from "../models/too-far-ahead.ts";

const BINDS: ReadonlySet<string> = new Set(["bind", "bind-all"]);

class PoliciesChecker implements Checker {
  readonly name = "policies";
  readonly ignoresRenewals = true;
  private readonly shadow = new PolicyShadow();
  private disturbed: Workload | undefined;

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      const object = change.after ?? truth.objects.get(change.key);
      if (object?.kind === "PolicyRevision") this.revision(object, change, truth, report);
      else if (object?.kind === "Policy") this.pointer(object, change, { commit, report });
      else if (object?.kind === "Replica") this.replica(change, { commit, truth, report });
      else if (object?.kind === "Reservation" && change.after === undefined) {
        this.room(object.spec, { commit, truth, report });
      }
    }
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    this.shadow.take(commit);
    const workload = this.disturbed;
    this.disturbed = undefined;
    if (workload === undefined) return;
    const { disruption, replicas } = workload.spec;
    // An override raises only an explicit bound.
    const most =
      disruption === undefined
        ? Math.max(1, Math.floor(replicas / 10))
        : disruption.maxUnavailable +
          raisedFor(holdingAt(truth.objects, commit.atMs), workload.meta);
    const missing = unavailable(truth.objects, workload);
    if (missing <= most) return;
    const what = `${missing} of ${workload.key} are out of serving, of which ${most} may be`;
    report("INV144", `After a rollback has moved one, ${what}.`, workload.key);
  }

  private revision(
    { key, meta }: AnyObject,
    { after }: Change,
    { objects }: Truth,
    report: Report,
  ): void {
    const made = this.shadow.revisions.get(meta.name);
    if (after !== undefined) {
      const isSame = made === undefined || JSON.stringify(after.spec) === made.text;
      if (!isSame) report("INV140", `${key} has changed since it was made.`, key);
      return;
    }
    const pointers = [...this.shadow.pointers.values()];
    const isNamed = pointers.some(
      ({ active, stages = [] }) =>
        active === meta.name || stages.some(({ revision }) => revision === meta.name),
    );
    const bound = [...objects.all("Replica").values()].find(
      (replica) => isHolding(replica) && replica.status.policyRevision === meta.name,
    );
    if (isNamed || bound !== undefined) {
      report("INV140", `${key} is gone, and ${bound?.key ?? "a pointer"} names it.`, key);
    }
  }

  private pointer(policy: Policy, { after }: Change, { commit, report }: Telling): void {
    const { key, meta, spec } = policy;
    const before = this.shadow.pointers.get(meta.name);
    if (after === undefined) return;
    const named = [spec.active, ...(spec.stages ?? []).map(({ revision }) => revision)];
    const lost = named.find((name) => name !== undefined && !this.shadow.revisions.has(name));
    if (lost !== undefined) report("INV142", `${key} points to ${lost}, which is not there.`, key);
    if ((spec.active === undefined) === (spec.scoring === undefined)) {
      report("INV142", `${key} has two ways of scoring in force, or none.`, key);
    }
    if (before === undefined) return;
    const moves = movesBetween(before, spec);
    if (moves.length === 0) return;
    const told = policy.status.history?.at(-1);
    const [first, second] = moves;
    const isTold =
      commit.command === "activate" &&
      second === undefined &&
      told?.from === first?.from &&
      told?.to === first?.to &&
      told?.region === first?.region &&
      told?.by === commit.actor.name;
    if (isTold) return;
    const how = `by ${commit.command} from ${first?.from || "none"} to ${first?.to || "none"}`;
    report("INV142", `${key} moved ${how}, which its history does not say.`, key);
  }

  private replica({ key, after }: Change, telling: Telling & { readonly truth: Truth }): void {
    const { commit, truth, report } = telling;
    if (after?.kind !== "Replica") return;
    const before = truth.objects.replica(key);
    if (BINDS.has(commit.command) && after.status.stage === "bound") {
      const region = regionOf(truth, after.status.node);
      const now = this.shadow.inForce(policyNamed(after.spec.template), region);
      if (after.status.policyRevision !== now) {
        const said = after.status.policyRevision ?? "none";
        const what = `was bound in ${region} under ${said}, and ${now ?? "none"} is in force there`;
        report("INV141", `${key} ${what}.`, key);
      }
    }
    if (before === undefined || after.status.stopping?.reason !== "policy") return;
    if (before.status.stopping !== undefined) return;
    this.moved(before, telling);
  }

  private moved(replica: Replica, { truth, report }: Telling & { readonly truth: Truth }): void {
    const { key, spec, status } = replica;
    const region = regionOf(truth, status.node);
    const revision = status.policyRevision ?? "";
    const policy = policyNamed(spec.template);
    const way = this.shadow.wayFor("bindings", { policy, revision, region });
    const node = truth.objects.node(nodeKey(status.node ?? ""));
    const isRepair = way === "repair" && node !== undefined;
    const mayGo = way === "drain" || (isRepair && isTooFarAhead(truth.objects, replica, node));
    if (!mayGo || spec.type === "batch") {
      const plan = way ?? "no plan, since it was not left for an earlier one";
      report("INV143", `${key} of ${revision} was asked to move; that has ${plan}.`, key);
    }
    const workload = workloadOf(truth.objects, replica);
    if (isServing(replica) && isWantedBy(workload, spec)) this.disturbed = workload;
  }

  private room(
    spec: Extract<AnyObject, { kind: "Reservation" }>["spec"],
    { commit, truth, report }: Telling & { readonly truth: Truth },
  ): void {
    if (commit.evidence?.kind !== "policy-rollback") return;
    const { owner } = spec;
    const replica = truth.objects.replica(owner);
    const policy = replica === undefined ? "" : policyNamed(replica.spec.template);
    const region = regionOf(truth, roomOf(spec)?.node);
    const of = { policy, revision: reservedUnder(spec) ?? "", region };
    const way = this.shadow.wayFor("reservations", of);
    if (way === "drain" || way === "repair") return;
    report("INV143", `Room for ${owner} was given back; ${of.revision} has ${way ?? "no plan"}.`);
  }
}

interface Telling {
  readonly commit: Commit;
  readonly report: Report;
}

const regionOf = ({ objects }: Truth, node: string | undefined): string =>
  objects.node(nodeKey(node ?? ""))?.spec.region ?? "";

export const createPoliciesChecker = (): Checker => new PoliciesChecker();
