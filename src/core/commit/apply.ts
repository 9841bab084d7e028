/**
 * The authority's judgement: a command against the truth, to an outcome and at most one commit. Pure: it
 * reads the ledger and changes nothing; folding the commit is the caller's next step, and it is the same
 * fold that reads the log back.
 */
import { unreachable } from "../assert.ts";
import type { Evidence } from "../model/evidence.ts";
import type { Command, Intent } from "./command.ts";
import type { Commit } from "./commit-record.ts";
import type { Ledger } from "./ledger.ts";
import type { Outcome } from "./outcome.ts";
import { REFUSALS } from "./refusals.ts";
import { judgeAdmit } from "./judge/admit.ts";
import { judgeBind } from "./judge/bind.ts";
import { judgeBindAll } from "./judge/bind-all.ts";
import { judgeDelete } from "./judge/delete.ts";
import { judgeEnqueue } from "./judge/enqueue.ts";
import { judgeEvict } from "./judge/evict.ts";
import { judgeLease } from "./judge/lease.ts";
import { judgePreempt } from "./judge/preempt.ts";
import { judgePut } from "./judge/put.ts";
import { judgeRelease } from "./judge/release.ts";
import { judgeReport } from "./judge/report.ts";
import { judgeReserve } from "./judge/reserve.ts";
import { judgeTransition } from "./judge/transition.ts";
import { type Bench, isNo, type No, no, type Verdict } from "./verdict.ts";

export interface Applied {
  readonly outcome: Outcome;
  readonly commit: Commit | undefined;
}

export function apply(ledger: Ledger, command: Command, nowMs: number): Applied {
  const { intent } = command;
  // Before anything else: an operation that had its effect is answered, whatever has changed since (OP1).
  const known = ledger.operation(intent.operation);
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
  const bench: Bench = {
    ledger,
    nowMs,
    role: command.actor.role,
    actorName: command.actor.name,
    next: ledger.revision + 1,
  };
  const verdict = judge(bench, intent);
  if (isNo(verdict)) return refuse(ledger, verdict);
  const commit: Commit = {
    revision: bench.next,
    epoch: ledger.epoch,
    atMs: nowMs,
    operation: intent.operation,
    actor: command.actor,
    command: intent.kind,
    basis: command.basis,
    evidence: evidenceOf(intent),
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
    case "release":
      return judgeRelease(bench, intent);
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

/** A preemption is its own evidence: it names whom the victims make room for. */
function evidenceOf(intent: Intent): Evidence | undefined {
  if (intent.kind === "preempt") return { kind: "preempted", by: intent.replica };
  return "evidence" in intent ? intent.evidence : undefined;
}

function refuse(ledger: Ledger, reason: No): Applied {
  const { rule, kind } = REFUSALS[reason.code];
  return { outcome: { kind, rule, revision: ledger.revision, ...reason }, commit: undefined };
}
