/**
 * [INV122] A list as of now holds everything that any plane had shown, or answered to a client,
 * before the client asked. So a client never sees less than before, whichever planes it asks.
 *
 * It would break if a follower answered from its own state without asking how far the log has come,
 * or if a leader did so while a batch is on its way that others may already have shown.
 */
import type { Reply } from "../../../core/protocol/outcome.ts";
import type { Revision } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { vouchedFor } from "../models/vouched-for.ts";

class ReadsChecker implements Checker {
  readonly name = "reads";
  private known: Revision = 0;
  /** The highest revision that any client knew when the list was asked for. */
  private readonly floors = new Map<string, Revision>();

  answered(_plane: string, reply: Reply): void {
    this.know(vouchedFor(reply));
  }

  shown(_plane: string, to: Revision, _truth: Truth): void {
    this.know(to);
  }

  listAsked(component: string): void {
    this.floors.set(component, this.known);
  }

  listed(component: string, revision: Revision, report: Report): void {
    const floor = this.floors.get(component) ?? 0;
    if (revision >= floor) return;
    report(
      "INV122",
      `${component} asked when revision ${floor} had been shown, and was given a list as of revision ${revision}.`,
    );
  }

  private know(revision: Revision): void {
    if (revision > this.known) this.known = revision;
  }
}

export const createReadsChecker = (): Checker => new ReadsChecker();
