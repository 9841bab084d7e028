/**
 * [INV71] A node that came back more than three times in ten minutes takes no new work, for a
 * minute at first and twice as long with every further return, ten minutes at most. No other node
 * is held, and no hold ends early.
 *
 * It would break if a flapping node kept getting work, or if one bad night locked it out for ever.
 * Returns are counted in true time and per leadership, as the commits show them. The checker of
 * placements verifies that no replica is bound to a held node.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Epoch } from "../../../core/model/ids.ts";
import type { Node } from "../../../core/model/objects.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { surely } from "../surely.ts";

// Written out, not imported: a change of the rule must also change this checker.
const BORNE = 3;
const WINDOW_MS = 600_000;
const FIRST_HOLD_MS = 60_000;
const LAST_HOLD_MS = 600_000;

interface Past {
  epoch: Epoch;
  /** True times of its returns under that leadership. */
  returns: number[];
  /** True time of its last hold, and its minimum duration. */
  heldMs: number;
  holdMs: number;
}

class FlappingChecker implements Checker {
  readonly name = "flapping";
  readonly ignoresRenewals = true;
  private readonly pasts = new Map<string, Past>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    for (const { key, after } of commit.changes) {
      if (after?.kind !== "Node") continue;
      const before = truth.objects.node(key);
      if (commit.command === "lease") this.returned(before, after, commit, truth, report);
      if (before?.status.damped !== undefined && after.status.damped === undefined)
        this.lifted(after, truth, report);
    }
    for (const { key, after } of commit.changes) if (after === undefined) this.pasts.delete(key);
  }

  private returned(
    before: Node | undefined,
    after: Node,
    commit: Commit,
    truth: Truth,
    report: Report,
  ): void {
    if (before === undefined || before.status.health === "ready" || before.status.session === 0)
      return;
    const past = this.pastOf(after, commit.epoch);
    past.returns.push(truth.nowMs);
    const atMost = past.returns.filter((atMs) => truth.nowMs - atMs <= WINDOW_MS + 20_000).length;
    const atLeast = past.returns.filter((atMs) => truth.nowMs - atMs <= surely(WINDOW_MS)).length;
    const isHeld = after.status.damped !== undefined;
    if (isHeld && before.status.damped === undefined && atMost <= BORNE) {
      report("INV71", `${after.key} is held after ${atMost} returns.`, after.key);
    }
    if (!isHeld && atLeast > BORNE) {
      report("INV71", `${after.key} came back ${atLeast} times and is not held.`, after.key);
    }
    if (!isHeld || atLeast <= BORNE) return;
    past.heldMs = truth.nowMs;
    past.holdMs = FIRST_HOLD_MS;
    for (let more = BORNE + 1; more < atLeast && past.holdMs < LAST_HOLD_MS; more += 1)
      past.holdMs = Math.min(2 * past.holdMs, LAST_HOLD_MS);
  }

  private lifted(node: Node, truth: Truth, report: Report): void {
    const past = this.pasts.get(node.key);
    if (past === undefined) return;
    const heldMs = truth.nowMs - past.heldMs;
    if (heldMs >= surely(past.holdMs)) return;
    report(
      "INV71",
      `${node.key} was held for ${heldMs} ms instead of ${past.holdMs} ms.`,
      node.key,
    );
  }

  private pastOf({ key }: Node, epoch: Epoch): Past {
    const known = this.pasts.get(key);
    if (known?.epoch === epoch) return known;
    const { heldMs = -LAST_HOLD_MS, holdMs = 0 } = known ?? {};
    const past = { epoch, returns: [], heldMs, holdMs };
    this.pasts.set(key, past);
    return past;
  }
}

export const createFlappingChecker = (): Checker => new FlappingChecker();
