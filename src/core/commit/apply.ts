/**
 * The authority's judgement: a command against the truth, to an outcome and at most one commit. Pure: it
 * reads the ledger and changes nothing; folding the commit is the caller's next step, and it is the same
 * fold that reads the log back.
 */
import { unreachable } from "../model/assert.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Command, Intent } from "../protocol/command.ts";
import type { Commit } from "../protocol/commit-record.ts";
import type { Ledger } from "./ledger.ts";
import { operationSpace } from "../protocol/operation-space.ts";
import type { Outcome } from "../protocol/outcome.ts";
import { REFUSALS } from "../protocol/refusals.ts";
import { judgeActivate } from "./commands/activate.ts";
import { judgeAdmit } from "./commands/admit.ts";
import { judgeBind } from "./commands/bind.ts";
import { judgeBindAll } from "./commands/bind-all.ts";
import { judgeConfirm } from "./commands/confirm.ts";
import { judgeDelete } from "./commands/delete.ts";
import { judgeDrainOver } from "./commands/drain-over.ts";
import { judgeEnqueue } from "./commands/enqueue.ts";
import { judgeFinish } from "./commands/finish.ts";
import { judgeEvict } from "./commands/evict.ts";
import { judgeHoldRecovery } from "./commands/hold-recovery.ts";
import { judgeLease } from "./commands/lease.ts";
import { heldBack } from "./checks/override.ts";
import { judgeObserve } from "./commands/observe.ts";
import { judgePreempt } from "./commands/preempt.ts";
import { judgeProvision, judgeProvisioned } from "./commands/provision.ts";
import { judgePut } from "./commands/put.ts";
import { judgeRecover } from "./commands/recover.ts";
import { judgeRelease } from "./commands/release.ts";
import { judgeReport } from "./commands/report.ts";
import { judgeReserve } from "./commands/reserve.ts";
import { judgeRetire } from "./commands/retire.ts";
import { judgeRoll } from "./commands/roll.ts";
import { judgeScale } from "./commands/scale.ts";
import { notForSender } from "./validate/sender.ts";
import { judgeTransition } from "./commands/transition.ts";
import { type Bench, isNo, type Verdict } from "./verdict.ts";
import { type No, no } from "../protocol/no.ts";

export interface Applied {
  readonly outcome: Outcome;
  readonly commit: Commit | undefined;
}

/** On books that do not add up these would make it worse; what is held already may still be bound and given back. */
const GRANTS_QUOTA: ReadonlySet<Intent["kind"]> = new Set(["enqueue", "reserve"]);

export function apply(ledger: Ledger, command: Command, nowMs: number): Applied {
  const { intent, actor } = command;
  // Before anything else: an operation that had its effect is answered, whatever has changed since (OP1). What
  // another caller has used the same id for is none of this one's business (ID1).
  const known = ledger.operations.of(operationSpace(actor), intent.operation);
  if (known !== undefined) {
    if (known.command !== intent.kind) {
      return refuse(ledger, no("operation-reused", intent.operation, known.command, intent.kind));
    }
    const first = { kind: "committed", revision: known.revision } as const;
    return { outcome: { kind: "duplicate", first, asOf: ledger.revision }, commit: undefined };
  }
  // A decision of an ended leadership may rest on what that leadership never made durable (EP1).
  if (command.epoch !== ledger.epoch) {
    return refuse(ledger, no("stale-epoch", "epoch", ledger.epoch, command.epoch));
  }
  const foreign = notForSender(actor, intent);
  if (foreign !== undefined) return refuse(ledger, foreign);
  const { wrong } = ledger.objects.books;
  if (wrong !== undefined && GRANTS_QUOTA.has(intent.kind)) {
    return refuse(ledger, no("books-wrong", "quota", "consistent quota accounts", wrong));
  }
  const bench: Bench = {
    ledger,
    nowMs,
    role: actor.role,
    actorName: actor.name,
    next: ledger.revision + 1,
  };
  const verdict = judge(bench, intent);
  if (isNo(verdict)) return refuse(ledger, verdict);
  const held = heldBack(bench, intent);
  if (held !== undefined) return refuse(ledger, held);
  const commit: Commit = {
    revision: bench.next,
    epoch: ledger.epoch,
    atMs: nowMs,
    operation: intent.operation,
    actor,
    command: intent.kind,
    basis: command.basis,
    evidence: evidenceOf(command),
    changes: verdict,
  };
  return { outcome: { kind: "committed", revision: bench.next }, commit };
}

function judge(bench: Bench, intent: Intent): Verdict {
  switch (intent.kind) {
    case "put":
      return judgePut(bench, intent);
    case "delete":
      return judgeDelete(bench, intent);
    case "admit":
      return judgeAdmit(bench, intent);
    case "enqueue":
      return judgeEnqueue(bench, intent);
    case "reserve":
      return judgeReserve(bench, intent);
    case "transition":
      return judgeTransition(bench, intent);
    case "bind":
      return judgeBind(bench, intent);
    case "bind-all":
      return judgeBindAll(bench, intent);
    case "preempt":
      return judgePreempt(bench, intent);
    case "roll":
      return judgeRoll(bench, intent);
    case "hold-recovery":
      return judgeHoldRecovery(bench, intent);
    case "recover":
      return judgeRecover(bench, intent);
    case "activate":
      return judgeActivate(bench, intent);
    case "observe":
      return judgeObserve(bench, intent);
    case "scale":
      return judgeScale(bench, intent);
    case "provision":
      return judgeProvision(bench, intent);
    case "provisioned":
      return judgeProvisioned(bench, intent);
    case "retire":
      return judgeRetire(bench, intent);
    case "drain-over":
      return judgeDrainOver(bench, intent);
    case "finish":
      return judgeFinish(bench, intent);
    case "release":
      return judgeRelease(bench, intent);
    case "confirm":
      return judgeConfirm(bench, intent);
    case "evict":
      return judgeEvict(bench, intent);
    case "report":
      return judgeReport(bench, intent);
    case "lease":
      return judgeLease(bench, intent);
    default:
      return unreachable(intent);
  }
}

/** A preemption is its own evidence, which names whom the victims make room for; so is the step of a rollout. */
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

function refuse(ledger: Ledger, reason: No): Applied {
  const { rule, kind } = REFUSALS[reason.code];
  return { outcome: { kind, rule, revision: ledger.revision, ...reason }, commit: undefined };
}
