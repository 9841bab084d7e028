/**
 * The authority's check: a command against the truth, to an outcome and at most one commit. Pure:
 * it reads the ledger and changes nothing; folding the commit is the caller's next step, and it is
 * the same fold that reads the log back.
 */
import { unreachable } from "../model/assert.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Command, Intent } from "../protocol/command.ts";
import type { Commit } from "../protocol/commit-record.ts";
import type { Ledger } from "./ledger.ts";
import { operationSpace } from "../protocol/operation-space.ts";
import type { Outcome } from "../protocol/outcome.ts";
import { REFUSALS } from "../protocol/refusals.ts";
import { checkActivate } from "./commands/activate.ts";
import { checkAdmit } from "./commands/admit.ts";
import { checkBetweenPlanes } from "./commands/between-planes.ts";
import { checkBind } from "./commands/bind.ts";
import { checkBindAll } from "./commands/bind-all.ts";
import { checkConfirm } from "./commands/confirm.ts";
import { checkDelete } from "./commands/delete.ts";
import { checkDrainOver } from "./commands/drain-over.ts";
import { checkEnqueue } from "./commands/enqueue.ts";
import { checkFinish } from "./commands/finish.ts";
import { checkEvict } from "./commands/evict.ts";
import { checkExpire } from "./commands/expire.ts";
import { checkHoldRecovery } from "./commands/hold-recovery.ts";
import { checkJoin } from "./commands/join.ts";
import { checkLease } from "./commands/lease.ts";
import { heldBack } from "./checks/override.ts";
import { checkObserve } from "./commands/observe.ts";
import { checkPreempt } from "./commands/preempt.ts";
import { checkProvision, checkProvisioned } from "./commands/provision.ts";
import { checkPut } from "./commands/put.ts";
import { checkRecover } from "./commands/recover.ts";
import { checkRelease } from "./commands/release.ts";
import { checkReport } from "./commands/report.ts";
import { checkReserve } from "./commands/reserve.ts";
import { checkScaleDown } from "./commands/scale-down.ts";
import { checkRoll } from "./commands/roll.ts";
import { checkScale } from "./commands/scale.ts";
import { notForSender } from "./validate/sender.ts";
import { checkTransition } from "./commands/transition.ts";
import { checkUnreserve } from "./commands/unreserve.ts";
import { type CommitContext, isRejection, type Verdict } from "./verdict.ts";
import { type Rejection, reject } from "../protocol/rejection.ts";

export interface Applied {
  readonly outcome: Outcome;
  readonly commit: Commit | undefined;
}

/**
 * On accounts that do not add up these would make it worse; what is held already may still be bound
 * and given back.
 */
const GRANTS_QUOTA: ReadonlySet<Intent["kind"]> = new Set(["enqueue", "reserve", "lend"]);

export function apply(ledger: Ledger, command: Command, nowMs: number): Applied {
  const { intent, actor } = command;
  // Before anything else: an operation that had its effect is answered, whatever has changed since
  // (OP1). What another caller has used the same id for is none of this one's business (ID1).
  const known = ledger.operations.of(operationSpace(actor), intent.operation);
  if (known !== undefined) {
    if (known.command !== intent.kind) {
      return refuse(
        ledger,
        reject("operation-reused", intent.operation, known.command, intent.kind),
      );
    }
    const first = { kind: "committed", revision: known.revision } as const;
    return { outcome: { kind: "duplicate", first, asOf: ledger.revision }, commit: undefined };
  }
  // A decision of an ended leadership may rest on what that leadership never made durable (EP1).
  if (command.epoch !== ledger.epoch) {
    return refuse(ledger, reject("stale-epoch", "epoch", ledger.epoch, command.epoch));
  }
  const foreign = notForSender(actor, intent);
  if (foreign !== undefined) return refuse(ledger, foreign);
  const { wrong } = ledger.objects.quotaUsage;
  if (wrong !== undefined && GRANTS_QUOTA.has(intent.kind)) {
    return refuse(ledger, reject("accounts-wrong", "quota", "consistent quota accounts", wrong));
  }
  const context: CommitContext = {
    ledger,
    nowMs,
    role: actor.role,
    actorName: actor.name,
    actor,
    next: ledger.revision + 1,
  };
  const verdict = check(context, intent);
  if (isRejection(verdict)) return refuse(ledger, verdict);
  const held = heldBack(context, intent);
  if (held !== undefined) return refuse(ledger, held);
  const commit: Commit = {
    revision: context.next,
    epoch: ledger.epoch,
    atMs: nowMs,
    operation: intent.operation,
    actor,
    command: intent.kind,
    basis: command.basis,
    evidence: evidenceOf(command),
    changes: verdict,
  };
  return { outcome: { kind: "committed", revision: context.next }, commit };
}

function check(context: CommitContext, intent: Intent): Verdict {
  switch (intent.kind) {
    case "put":
      return checkPut(context, intent);
    case "delete":
      return checkDelete(context, intent);
    case "admit":
      return checkAdmit(context, intent);
    case "enqueue":
      return checkEnqueue(context, intent);
    case "reserve":
      return checkReserve(context, intent);
    case "transition":
      return checkTransition(context, intent);
    case "bind":
      return checkBind(context, intent);
    case "bind-all":
      return checkBindAll(context, intent);
    case "preempt":
      return checkPreempt(context, intent);
    case "roll":
      return checkRoll(context, intent);
    case "hold-recovery":
      return checkHoldRecovery(context, intent);
    case "recover":
      return checkRecover(context, intent);
    case "activate":
      return checkActivate(context, intent);
    case "observe":
      return checkObserve(context, intent);
    case "scale":
      return checkScale(context, intent);
    case "provision":
      return checkProvision(context, intent);
    case "provisioned":
      return checkProvisioned(context, intent);
    case "scale-down":
      return checkScaleDown(context, intent);
    case "drain-over":
      return checkDrainOver(context, intent);
    case "finish":
      return checkFinish(context, intent);
    case "release":
      return checkRelease(context, intent);
    case "unreserve":
      return checkUnreserve(context, intent);
    case "expire":
      return checkExpire(context, intent);
    case "confirm":
      return checkConfirm(context, intent);
    case "evict":
      return checkEvict(context, intent);
    case "report":
      return checkReport(context, intent);
    case "join":
      return checkJoin(context, intent);
    case "lease":
      return checkLease(context, intent);
    case "incarnate":
    case "hear":
    case "lend":
    case "take-terms":
    case "end-term":
    case "end-learning":
    case "region-gone":
      return checkBetweenPlanes(context, intent);
    default:
      return unreachable(intent);
  }
}

/**
 * A preemption is its own evidence, which names whom the victims make room for; so is the step of a
 * rollout.
 */
function evidenceOf({ intent, actor }: Command): Evidence | undefined {
  if (intent.kind === "preempt") return { kind: "preempted", by: intent.replica };
  if (intent.kind === "roll") return { kind: "rollout", workload: intent.workload };
  if (intent.kind === "scale") {
    const { autoscaler, observation } = intent;
    return { kind: "load-observed", autoscaler, observation };
  }
  if (intent.kind === "put" && intent.force === true) {
    return { kind: "person", name: actor.name, statement: "lifts what another holds" };
  }
  return "evidence" in intent ? intent.evidence : undefined;
}

function refuse(ledger: Ledger, reason: Rejection): Applied {
  const { rule, kind } = REFUSALS[reason.code];
  return { outcome: { kind, rule, revision: ledger.revision, ...reason }, commit: undefined };
}
