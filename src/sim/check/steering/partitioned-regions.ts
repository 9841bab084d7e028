/**
 * [INV170] While a region is marked as partitioned, nothing there is released, replaced or asked to
 * stop, except replicas that no workload wants and bindings that were not confirmed in time; no
 * replica there is preempted, and no room is reserved or released. [INV171] Every bind there is
 * low-risk by the policy then in force, on a budget that was in force when the mark was made, and
 * provisional. [INV172] A provisional binding is confirmed in time, in a region that is back, and
 * only if it breaks no rule; it is evicted as overdue only after its time. [INV173] Only a binding
 * made while its region was marked is provisional. [LIV67] No workload waits for a mark that is
 * gone.
 *
 * It would break if one of the tests were forgotten, if a grant counted that the region could not
 * have heard of, or if a local decision were taken for a confirmed one.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import type { Epoch, ObjectKey, Uid } from "../../../core/model/ids.ts";
import type { Override, Replica, Reservation } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";
import { isHolding } from "../models/holding.ts";
import { isFor, isInForceAt } from "../models/naive-recovery-budgets.ts";
import { confirmMsAt, marksOf, nodeOf, whyNotLowRisk } from "../models/naive-partitioned.ts";
import { notAllowed } from "../models/naive-fit.ts";
import { brokenCap, everyPlaced, keptApartFrom, sharesPort } from "../models/naive-neighbours.ts";
import { policyNamed } from "../models/naive-policy.ts";
import { quotaPicture } from "../models/naive-quota.ts";
import { hasRoomWithout } from "../models/naive-room.ts";

/** The next list finds a lost end, and a delayed look follows within ten seconds. */
const FORGOTTEN_MS = 120_000;

/** Ends that the workload itself caused. */
const UNWANTED: ReadonlySet<string> = new Set(["surplus", "rollout", "finished"]);

interface Mark {
  /** The budgets of the region in force at its commit, with their ends as known then. */
  readonly budgets: ReadonlyMap<Uid, number>;
}

class PartitionedRegionsChecker implements Checker {
  readonly name = "partitioned-regions";
  private readonly marks = new Map<Uid, Mark>();
  /** The first commit of each leadership, on its own clock. */
  private readonly began = new Map<Epoch, number>();
  /** Since when, in true time, each workload has waited for a mark that is gone. */
  private since = new Map<string, number>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (!this.began.has(commit.epoch)) this.began.set(commit.epoch, commit.atMs);
    if (isRenewal(commit)) return;
    for (const change of commit.changes) {
      const { before, after } = change;
      if (after?.kind === "Override" && before === undefined) this.note(after, commit, truth);
      const telling = { commit, objects: truth.objects, report };
      if (after?.kind === "Replica") this.replica(change, after, telling);
      if ((after ?? before)?.kind === "Reservation") room(change, telling);
    }
  }

  private note({ meta, spec }: Override, { atMs }: Commit, { objects }: Truth): void {
    if (spec.action !== "mark-partitioned") return;
    const budgets = [...objects.all("RecoveryBudget").values()]
      .filter((budget) => budget.spec.region === spec.target.region && isInForceAt(budget, atMs))
      .map((budget) => [budget.meta.uid, budget.status.untilMs] as const);
    this.marks.set(meta.uid, { budgets: new Map(budgets) });
  }

  private replica({ key }: Change, after: Replica, telling: Telling): void {
    const before = telling.objects.replica(key);
    stays(before, after, telling);
    const isBind = telling.commit.command === "bind" || telling.commit.command === "bind-all";
    if (isBind && after.status.stage === "bound") this.bound(after, telling);
    else provisionalAnew(before, after, telling);
    if (before === undefined || before.status.provisional === undefined) return;
    if (!isHolding(before) || !isHolding(after)) return;
    if (after.status.provisional === undefined) this.confirmed(before, telling);
    else if (isOverdueAsked(before, after, telling.commit)) this.sentAway(before, telling);
  }

  private bound(replica: Replica, { commit, objects, report }: Telling): void {
    const { key, status } = replica;
    const region = nodeOf(objects, replica)?.spec.region ?? "";
    const marks = marksOf(objects, region, commit.atMs);
    if (marks.length === 0) {
      const isOdd = status.provisional !== undefined;
      if (isOdd)
        report(
          "INV173",
          `${key} is provisional, and no override marks ${region} as partitioned.`,
          key,
        );
      return;
    }
    const tell = (what: string): void =>
      report("INV171", `${key} was bound in ${region}, which is partitioned, and ${what}.`, key);
    if (status.provisional === undefined) tell("is not provisional");
    const risk = whyNotLowRisk(objects, replica, region);
    if (risk !== undefined) tell(risk);
    const budget = [...objects.all("RecoveryBudget").values()].find(
      ({ meta }) => meta.name === status.budget,
    );
    if (budget === undefined) {
      tell("is on no budget");
      return;
    }
    for (const mark of marks) {
      const untilMs = this.marks.get(mark.meta.uid)?.budgets.get(budget.meta.uid);
      if (untilMs === undefined) tell(`${budget.key} is newer than ${mark.key}`);
      else if (commit.atMs >= untilMs) tell(`${budget.key} had ended for all that ${region} knew`);
    }
    const { priorityClass } = replica.spec.template;
    if (budget.spec.region !== region) tell(`${budget.key} is of ${budget.spec.region}`);
    if (!isFor(budget.spec, replica.meta.namespace, priorityClass)) {
      tell(`${budget.key} is not for it`);
    }
  }

  /**
   * Its age by the clock of the committing leadership, which counts from its own beginning at the
   * earliest.
   */
  private ageMs({ status }: Replica, { commit }: Telling): number {
    const made = status.provisional;
    if (made === undefined) return 0;
    if (made.epoch === commit.epoch) return commit.atMs - made.sinceMs;
    return commit.atMs - (this.began.get(commit.epoch) ?? commit.atMs);
  }

  private confirmed(replica: Replica, telling: Telling): void {
    const { commit, objects, report } = telling;
    const { key } = replica;
    const region = nodeOf(objects, replica)?.spec.region;
    const tell = (why: string): void =>
      report("INV172", `${key} was confirmed by ${commit.command}, and ${why}.`, key);
    if (commit.command !== "confirm") tell("only a confirmation may do that");
    const [mark] = marksOf(objects, region, commit.atMs);
    if (mark !== undefined) tell(`${mark.key} still cuts ${region} off`);
    const ageMs = this.ageMs(replica, telling);
    if (ageMs >= confirmMsAt(objects, region)) tell(`its time was over (${ageMs} ms)`);
    const broken = brokenRule(objects, replica);
    if (broken !== undefined) tell(broken);
  }

  private sentAway(replica: Replica, telling: Telling): void {
    const { objects, report } = telling;
    const region = nodeOf(objects, replica)?.spec.region;
    const { key } = replica;
    const ageMs = this.ageMs(replica, telling);
    const withinMs = confirmMsAt(objects, region);
    // The leadership began before its first commit.
    const isOther = replica.status.provisional?.epoch !== telling.commit.epoch;
    if (isOther || ageMs >= withinMs) return;
    report("INV172", `${key} was sent away after ${ageMs} ms, of ${withinMs} ms it had.`, key);
  }

  sampled(truth: Truth, report: Report): void {
    if (truth.nowMs < truth.world.faultsUntilMs) return;
    const since = new Map<string, number>();
    for (const { name, owed } of truth.clients()) {
      for (const { key, reason, wakes, sinceRevision } of owed) {
        const named = wakes.filter((fact) => fact.startsWith("Override/"));
        const isGone = named.every((fact) => truth.objects.get(fact as ObjectKey) === undefined);
        if (reason !== "region-partitioned" || !isGone) continue;
        const id = `${name} ${key} ${sinceRevision}`;
        const sinceMs = this.since.get(id) ?? truth.nowMs;
        since.set(id, sinceMs);
        if (truth.nowMs - sinceMs < FORGOTTEN_MS) continue;
        report("LIV67", `${name} still lets ${key} wait for a region that is back.`, key);
      }
    }
    this.since = since;
  }
}

interface Telling {
  readonly commit: Commit;
  readonly objects: ObjectIndex;
  readonly report: Report;
}

const isOverdueAsked = (before: Replica, after: Replica, { evidence }: Commit): boolean =>
  evidence?.kind === "confirm-overdue" &&
  before.status.stopping === undefined &&
  after.status.stopping !== undefined;

/**
 * A replica stays where it is. Its agent may report that it is gone: that is a fact, not a
 * decision.
 */
function stays(before: Replica | undefined, after: Replica, telling: Telling): void {
  const { commit, objects, report } = telling;
  if (before === undefined || !isHolding(before)) return;
  const { key } = before;
  const [mark] = marksOf(objects, nodeOf(objects, before)?.spec.region, commit.atMs);
  if (mark === undefined) return;
  const tell = (what: string): void =>
    report("INV170", `${key} ${what} by ${commit.command}, against ${mark.key}.`, key);
  if (commit.command === "release" && !isHolding(after)) tell("was released");
  if (before.status.superseded === undefined && after.status.superseded !== undefined) {
    tell("was replaced");
  }
  const asked = before.status.stopping === undefined ? after.status.stopping?.reason : undefined;
  if (asked === undefined || UNWANTED.has(asked)) return;
  if (asked === "unconfirmed" && commit.evidence?.kind === "confirm-overdue") return;
  tell(`was asked to stop (${asked})`);
}

/** A binding becomes provisional only in its bind. */
function provisionalAnew(
  before: Replica | undefined,
  after: Replica,
  { commit, report }: Telling,
): void {
  if (!isHolding(after) || after.status.provisional === undefined) return;
  const { key } = after;
  const was = before?.status.provisional;
  if (was !== undefined && was.sinceMs === after.status.provisional.sinceMs) return;
  report("INV173", `${key} came to be provisional by ${commit.command}.`, key);
}

/**
 * Room there is neither reserved nor released, except with the end of its node, its owner or its
 * time.
 */
function room({ key, before, after }: Change, { commit, objects, report }: Telling): void {
  const held = (after ?? before) as Reservation;
  const node = roomOf(held.spec)?.node;
  if (node === undefined) return;
  const region = [...objects.all("Node").values()].find(({ meta }) => meta.name === node)?.spec
    .region;
  const [mark] = marksOf(objects, region, commit.atMs);
  if (mark === undefined) return;
  if (before === undefined) report("INV170", `${key} holds room against ${mark.key}.`, key);
  if (after === undefined && commit.command === "hold-recovery") {
    report("INV170", `${key} was given back against ${mark.key}.`, key);
  }
}

/**
 * The rule that a bind of it would break now, with the replica counted once and stopping ones as
 * gone; undefined: none.
 */
function brokenRule(objects: ObjectIndex, replica: Replica): string | undefined {
  const node = nodeOf(objects, replica);
  if (node === undefined) return "its node is gone";
  if (node.status.health !== "ready") return "its node is silent";
  const { template } = replica.spec;
  const barred = notAllowed(node, template.ask);
  if (barred !== undefined) return `its node ${barred}`;
  const gone = { replicas: new Set([replica.key]), holds: holdsOf(objects) };
  if (!hasRoomWithout(objects, node, replica, gone)) return "its node is too full";
  const others = everyPlaced(objects).filter(
    (other) => other.replica.key !== replica.key && other.replica.status.stopping === undefined,
  );
  const placed = { replica, node };
  if (brokenCap(placed, others) !== undefined) return "a cap is broken";
  if (keptApartFrom(placed, others) !== undefined) return "it is to be kept apart from another";
  if (sharesPort(placed, others) !== undefined) return "its fixed port is taken";
  if (
    revisionAt(objects, policyNamed(template), node.spec.region) !== replica.status.policyRevision
  )
    return "another policy revision is in force";
  const uncovered = quotaPicture(objects).uncovered(replica.meta.namespace);
  const { amounts } = template.ask;
  const short = (["cpuMillis", "memoryMiB", "deviceMillis"] as const).find(
    (name) => uncovered[name] > 0 && amounts[name] > 0,
  );
  return short && `its tenant uses ${uncovered[short]} more ${short} than its quota covers`;
}

/** The owners of reserved room have not come yet. */
const holdsOf = (objects: ObjectIndex): ReadonlySet<ObjectKey> =>
  new Set(objects.all("Reservation").keys());

function revisionAt(objects: ObjectIndex, policy: string, region: string): string | undefined {
  for (const { meta, spec } of objects.all("Policy").values()) {
    if (meta.name !== policy) continue;
    const staged = (spec.stages ?? []).find((stage) => stage.region === region);
    return staged === undefined ? spec.active : staged.revision;
  }
  return undefined;
}

export const createPartitionedRegionsChecker = (): Checker => new PartitionedRegionsChecker();
