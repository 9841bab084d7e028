/**
 * [FS8] A plane that gets more than it takes makes no node look silent: a lease or a report that
 * has arrived is looked at within a second, and no node is called suspect, unknown or fenced while
 * its renewal waits. [FS4] The queue in front of it is bounded.
 *
 * They would break if requests were served in the order in which they came, or if every request
 * found a place to wait: then a flood of one tenant costs nodes their work, or the plane its
 * memory.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Checker, Report, Truth } from "../checker.ts";

const MOST_WAIT_MS = 1_000;
/** Written down a second time: of people, system and bulk together no more than these wait. */
const MOST_WAITING = 96;

class OverloadChecker implements Checker {
  readonly name = "overload";

  beforeCommit({ changes }: Commit, truth: Truth, report: Report): void {
    if (truth.entrance === undefined) return;
    this.look(truth, report);
    for (const { key, before, after } of changes) {
      if (after?.kind !== "Node" || before?.kind !== "Node") continue;
      const { health } = after.status;
      if (health === before.status.health || health === "ready") continue;
      const waits = [...truth.entrance].some(
        ({ message }) =>
          message.client.name === `agent:${after.meta.name}` && isLease(message.label),
      );
      if (!waits) continue;
      report("FS8", `${key} became ${health} while the renewal of its lease waited.`, key);
    }
  }

  sampled(truth: Truth, report: Report): void {
    if (truth.entrance !== undefined) this.look(truth, report);
  }

  private look({ entrance = [], nowMs }: Truth, report: Report): void {
    let people = 0;
    for (const { message, sinceMs } of entrance) {
      const { client, label } = message;
      const isAgent = client.name.startsWith("agent:");
      if (client.name === "user" || (client.isHostile && !isAgent)) people += 1;
      if (!isAgent || nowMs - sinceMs <= MOST_WAIT_MS) continue;
      report("FS8", `${label} of ${client.name} has waited ${nowMs - sinceMs} ms for its turn.`);
    }
    if (people <= MOST_WAITING) return;
    report("FS4", `${people} requests of people wait, of at most ${MOST_WAITING}.`);
  }
}

const isLease = (label: string): boolean => label.startsWith("lease/");

export const createOverloadChecker = (): Checker => new OverloadChecker();
