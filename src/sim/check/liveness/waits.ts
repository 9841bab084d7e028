/**
 * [INV14] Nothing waits in silence: every wake-up a component owes names its reason and ends by
 * itself at a finite deadline.
 *
 * It would break if a controller could park a key for a fact that never comes. A lost wake-up then
 * costs a delay; without a deadline it would cost the key.
 */
import type { Checker, Report, Truth } from "../checker.ts";

class WaitsChecker implements Checker {
  readonly name = "waits";

  sampled(truth: Truth, report: Report): void {
    for (const { name, owed } of truth.clients()) {
      for (const { key, reason, deadlineMs } of owed) {
        if (reason.length === 0) report("INV14", `${name} lets ${key} wait without a reason.`, key);
        if (!Number.isFinite(deadlineMs)) {
          report(
            "INV14",
            `${name} lets ${key} wait for ${reason} with the deadline ${deadlineMs}.`,
            key,
          );
        }
      }
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }
}

export const createWaitsChecker = (): Checker => new WaitsChecker();
