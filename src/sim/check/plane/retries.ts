/**
 * [INV15] No component tries one operation more often than its allowance before it stops and says
 * so.
 *
 * It would break if a refusal or a lost reply were answered by trying again at once and for ever:
 * retries multiply load exactly when there is too much of it already.
 */
import type { OperationId } from "../../../core/model/ids.ts";
import { OPERATION_ATTEMPTS } from "../../../core/runner/runner.ts";
import type { Checker, Report, Truth } from "../checker.ts";

class RetriesChecker implements Checker {
  readonly name = "retries";

  requested(
    from: string,
    operation: OperationId,
    attempt: number,
    _truth: Truth,
    report: Report,
  ): void {
    if (attempt >= 1 && attempt <= OPERATION_ATTEMPTS) return;
    report(
      "INV15",
      `${from} sent ${operation} as attempt ${attempt}; attempts run from 1 to ${OPERATION_ATTEMPTS}.`,
    );
  }
}

export const createRetriesChecker = (): Checker => new RetriesChecker();
