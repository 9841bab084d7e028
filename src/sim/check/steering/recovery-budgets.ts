/**
 * [INV160] No commit lets the grants of all budgets, plus the amounts still spent of ended ones,
 * grow beyond the policy's ceiling, or lets a budget's spending exceed its grant. A replica on a
 * budget stays on it while it holds its node, and the accounts agree. [INV161] While recoveries are
 * budgeted, a replica takes the recovery reserve only on a budget. It is bound on a budget only
 * before the budget's end, in its region and scope, and while its workload recovers and lacks a
 * replica or its region is partitioned. [INV163] A person makes a budget, or the policy in force
 * does while a grant is due. Only its owner moves its end, and nothing else of it changes. It goes
 * neither before its end nor while something is spent of it.
 *
 * They would break if the spending of ended budgets were forgotten, if the binds of one command
 * were each counted alone, if an end returned an amount twice, or if an end were counted on another
 * clock than that of the committing authority.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import { nodeKey, type ObjectKey } from "../../../core/model/ids.ts";
import type { RecoveryBudget, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isHolding } from "../models/holding.ts";
import {
  grantedBy,
  isFor,
  isInForceAt,
  isLike,
  lackOf,
  outstandingAt,
  recoveryTerms,
  spentOf,
} from "../models/naive-recovery-budgets.ts";
import { holdingAt } from "../models/naive-overrides.ts";
import { isOfRecovery } from "../models/naive-recovery.ts";
import { workloadOf } from "../models/naive-wanted.ts";
import { AMOUNT_NAMES } from "../models/amount-names.ts";

const NOTHING: Amounts = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };

interface Before {
  /** By the clock, and as if only commits ended budgets. */
  readonly outstanding: readonly [Amounts, Amounts];
  /** By the key of the budget. */
  readonly spent: ReadonlyMap<ObjectKey, Amounts>;
}

class RecoveryBudgetsChecker implements Checker {
  readonly name = "budgets";
  readonly ignoresRenewals = true;
  /** The state before the current commit, if the commit can change grants or spending. */
  private before: Before | undefined;

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    this.before = undefined;
    const { objects } = truth;
    for (const change of commit.changes) {
      if ((change.after ?? change.before)?.kind === "RecoveryBudget") {
        checkRecoveryBudget(commit, change, objects, report);
      }
      if (change.after?.kind === "Replica") checkName(commit, change, report);
    }
    if (commit.command === "bind" || commit.command === "bind-all") {
      checkBinds(commit, objects, report);
    }
    if (isAboutBudgets(commit)) this.before = pictureOf(objects, commit.atMs);
  }

  /** The incremental accounts equal the sums. */
  sampled({ objects }: Truth, report: Report): void {
    for (const budget of objects.all("RecoveryBudget").values()) {
      const spent = spentOf(objects, budget);
      const said = objects.budgets.spent(budget.meta.name);
      for (const name of AMOUNT_NAMES) {
        if (spent[name] === said[name]) continue;
        const what = `${name} ${spent[name]} is spent of ${budget.key}`;
        report("INV160", `${what}, and ${said[name]} is told.`, budget.key);
      }
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  afterCommit(commit: Commit, { objects }: Truth, report: Report): void {
    const { before } = this;
    if (before === undefined) return;
    const reserve = recoveryTerms(objects)?.reserve ?? NOTHING;
    const after = pictureOf(objects, commit.atMs);
    for (const at of [0, 1] as const) {
      for (const name of AMOUNT_NAMES) {
        const [was, is] = [before.outstanding[at][name], after.outstanding[at][name]];
        if (is <= was || is <= reserve[name]) continue;
        const what = `${commit.operation} left ${name} ${is} granted or spent after ${was}`;
        report("INV160", `${what}, of a reserve of ${reserve[name]}.`, commit.changes[0]?.key);
      }
    }
    for (const budget of objects.all("RecoveryBudget").values()) {
      const granted = grantedBy(objects, budget, commit.atMs);
      for (const name of AMOUNT_NAMES) {
        const was = before.spent.get(budget.key)?.[name] ?? 0;
        const is = after.spent.get(budget.key)?.[name] ?? 0;
        if (is <= was || is <= granted[name]) continue;
        const what = `${commit.operation} left ${name} ${is} spent of ${budget.key} after ${was}`;
        report("INV160", `${what}, which grants ${granted[name]}.`, budget.key);
      }
    }
  }
}

function pictureOf(objects: ObjectIndex, atMs: number): Before {
  const spent = new Map<ObjectKey, Amounts>();
  for (const budget of objects.all("RecoveryBudget").values()) {
    spent.set(budget.key, spentOf(objects, budget));
  }
  return { outstanding: [outstandingAt(objects, atMs), outstandingAt(objects)], spent };
}

const isAboutBudgets = ({ changes }: Commit): boolean =>
  changes.some(({ before, after }) =>
    [before, after].some(
      (object) =>
        object?.kind === "RecoveryBudget" ||
        object?.kind === "Policy" ||
        object?.kind === "Override" ||
        (object?.kind === "Replica" && object.status.budget !== undefined),
    ),
  );

/** A bind names the budget, and the name stays while this incarnation holds that node. */
function checkName({ command, operation }: Commit, { key, before, after }: Change, report: Report) {
  if (after?.kind !== "Replica") return;
  const was = before?.kind === "Replica" ? before : undefined;
  const isSame =
    was !== undefined &&
    isHolding(was) &&
    isHolding(after) &&
    was.status.incarnation === after.status.incarnation &&
    was.status.node === after.status.node;
  const [from, to] = [was?.status.budget, after.status.budget];
  if (from === to) return;
  // A replica bound in a partitioned region counts with all others once it is confirmed (DG5).
  const isConfirmed =
    command === "confirm" && was?.status.provisional !== undefined && to === undefined;
  if (isSame && isConfirmed) return;
  if (isSame) {
    const what = `${operation} moved ${key} from budget ${from ?? "none"} to ${to ?? "none"}`;
    report("INV160", `${what}, though it holds ${after.status.node}.`, key);
  } else if (to !== undefined && command !== "bind" && command !== "bind-all") {
    report("INV161", `${key} came to be on budget ${to} by ${command}.`, key);
  }
}

function checkBinds(commit: Commit, objects: ObjectIndex, report: Report): void {
  const onBudget = new Set<Replica>();
  const lack = new Map<ObjectKey, number>();
  for (const { before, after } of commit.changes) {
    if (after?.kind !== "Replica" || after.status.budget === undefined) continue;
    if (before?.kind === "Replica" && isHolding(before)) continue;
    onBudget.add(after);
    const wrong =
      whyNot(after, commit, objects) ??
      (isPartitioned(after, commit, objects) ? undefined : whyNotNeeded(after, objects, lack));
    if (wrong === undefined) continue;
    const what = `${commit.operation} bound ${after.key} on budget ${after.status.budget}`;
    report("INV161", `${what}, ${wrong}.`, after.key);
  }
  if (recoveryTerms(objects) === undefined) return;
  for (const { before } of commit.changes) {
    if (before?.kind !== "Reservation" || !isOfRecovery(before)) continue;
    const { owner } = before.spec;
    const room = roomOf(before.spec);
    const by = [...onBudget].find(
      (replica) =>
        workloadOf(objects, replica)?.key === owner && replica.status.node === room?.node,
    );
    if (by !== undefined) onBudget.delete(by);
    else report("INV161", `${commit.operation} took ${before.key} on no budget.`, before.key);
  }
}

/** As the end of a sentence about a bind to its current node. */
function whyNot(
  { meta, spec, status }: Replica,
  { atMs }: Commit,
  objects: ObjectIndex,
): string | undefined {
  const budget = budgetNamed(objects, status.budget);
  if (budget === undefined) return "which is not there";
  const { untilMs } = budget.status;
  if (budget.meta.deletingMs !== undefined) return "which was withdrawn";
  if (atMs >= untilMs) return `which was over ${atMs - untilMs} ms before`;
  const region = objects.node(nodeKey(status.node ?? ""))?.spec.region;
  if (region !== budget.spec.region) {
    return `which is for ${budget.spec.region}, on a node in ${region ?? "no region"}`;
  }
  const { priorityClass } = spec.template;
  return isFor(budget.spec, meta.namespace, priorityClass)
    ? undefined
    : `which is not for ${meta.namespace} and class "${priorityClass}"`;
}

/** In a partitioned region a budget covers more than recoveries. */
function isPartitioned({ status }: Replica, { atMs }: Commit, objects: ObjectIndex): boolean {
  const region = objects.node(nodeKey(status.node ?? ""))?.spec.region;
  return [...holdingAt(objects, atMs)].some(
    ({ spec }) => spec.action === "mark-partitioned" && spec.target.region === region,
  );
}

/** One after the other: `lack` is the number that the earlier ones of the commit have left. */
function whyNotNeeded(
  replica: Replica,
  objects: ObjectIndex,
  lack: Map<ObjectKey, number>,
): string | undefined {
  const workload = workloadOf(objects, replica);
  if (workload?.status.recovery?.under === undefined) return "though nothing of it was lost";
  const left = lack.get(workload.key) ?? lackOf(objects, workload);
  lack.set(workload.key, left - 1);
  return left > 0 ? undefined : "although its recovery needs no more replicas";
}

const budgetNamed = (objects: ObjectIndex, name: string | undefined): RecoveryBudget | undefined =>
  [...objects.all("RecoveryBudget").values()].find(({ meta }) => meta.name === name);

function checkRecoveryBudget(
  commit: Commit,
  change: Change,
  objects: ObjectIndex,
  report: Report,
): void {
  const { key, before, after } = change;
  const was = before?.kind === "RecoveryBudget" ? before : undefined;
  const is = after?.kind === "RecoveryBudget" ? after : undefined;
  const wrong =
    was === undefined
      ? is && whyNotMade(is, commit, objects)
      : is === undefined
        ? whyNotGone(was, commit, objects)
        : whyNotChanged(was, is, commit);
  if (wrong !== undefined) report("INV163", `${commit.actor.name} ${wrong}.`, key);
}

/** A person may withdraw a grant of the policy or their own, and no other. */
function mayWithdraw({ status }: RecoveryBudget, { actor }: Commit): boolean {
  if (actor.role !== "user") return false;
  return status.grant !== undefined || actor.name === status.owner;
}

function whyNotGone(
  budget: RecoveryBudget,
  commit: Commit,
  objects: ObjectIndex,
): string | undefined {
  const spent = spentOf(objects, budget);
  if (AMOUNT_NAMES.some((name) => spent[name] > 0)) {
    return `ended ${budget.key}, of which ${spent.cpuMillis}m ${spent.memoryMiB}Mi are spent`;
  }
  if (!isInForceAt(budget, commit.atMs) || mayWithdraw(budget, commit)) return undefined;
  const leftMs = budget.status.untilMs - commit.atMs;
  return `ended ${budget.key} of ${budget.status.owner} ${leftMs} ms early`;
}

/** The spec without its duration and reason. */
const grants = ({ spec }: RecoveryBudget): string =>
  JSON.stringify({ ...spec, ttlMs: 0, reason: "" });

function whyNotChanged(
  was: RecoveryBudget,
  is: RecoveryBudget,
  commit: Commit,
): string | undefined {
  const { key, status } = was;
  const isWithdrawn = was.meta.deletingMs !== undefined;
  if (!isWithdrawn && is.meta.deletingMs !== undefined) {
    const mayEnd = mayWithdraw(was, commit) || !isInForceAt(was, commit.atMs);
    return mayEnd ? undefined : `ended ${key} of ${status.owner} early`;
  }
  const isOwner = commit.actor.role === "user" && commit.actor.name === status.owner;
  if (!isWithdrawn && !isOwner) return `changed ${key}, which is of ${status.owner}`;
  const isLonger = is.status.untilMs > Math.max(was.status.untilMs, commit.atMs);
  if (isLonger && !isInForceAt(was, commit.atMs)) return `brought back ${key}, which was over`;
  const isSame =
    grants(was) === grants(is) &&
    is.status.owner === status.owner &&
    is.status.sinceMs === status.sinceMs;
  return isSame ? undefined : `made another of ${key} of ${status.owner}`;
}

function whyNotMade(
  budget: RecoveryBudget,
  commit: Commit,
  objects: ObjectIndex,
): string | undefined {
  const { actor, atMs } = commit;
  const { key, spec, status } = budget;
  if (status.grant === undefined) {
    const isOwn = actor.role === "user" && status.owner === actor.name;
    return isOwn ? undefined : `granted ${key}, which no policy says`;
  }
  const said = recoveryTerms(objects)?.grants?.some(
    ({ region, amounts, tenants, classes, ttlMs }) =>
      region === spec.region &&
      ttlMs === spec.ttlMs &&
      AMOUNT_NAMES.every((name) => amounts[name] === spec.amounts[name]) &&
      tenants?.join() === spec.tenants?.join() &&
      classes?.join() === spec.classes?.join(),
  );
  if (said !== true) return `granted ${key}, which the policy in force does not say`;
  const twin = [...objects.all("RecoveryBudget").values()].find(
    (other) => other.status.grant !== undefined && isInForceAt(other, atMs) && isLike(other, spec),
  );
  if (twin !== undefined) return `granted ${key} beside ${twin.key} of the same grant`;
  const isAsked = [...objects.all("Workload").values()].some(
    (workload) =>
      workload.status.recovery?.under !== undefined &&
      workload.spec.recovery?.regions.includes(spec.region) === true &&
      isFor(spec, workload.meta.namespace, workload.spec.template.priorityClass),
  );
  return isAsked ? undefined : `granted ${key}, for which no workload recovers`;
}

export const createRecoveryBudgetsChecker = (): Checker => new RecoveryBudgetsChecker();
