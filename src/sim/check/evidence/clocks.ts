/**
 * [INV72] The plane suspects a node's clock only if that clock, or the plane's own, really ran
 * outside the bound. A clock far outside the bound is suspected within a few minutes.
 *
 * It would break if a slow link were mistaken for a slow clock, or if readings of two incarnations
 * of the agent were compared. Rates are computed from the readings that agents sent and the true
 * times at which they sent them; messages and their delays play no part.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Request } from "../../../core/kernel/component.ts";
import { nodeKey, type OperationId } from "../../../core/model/ids.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** How far back a check may look: two windows of a minute, and a little. */
const LOOKBACK_MS = 200_000;

/** Parts in a thousand that a clock may be off. */
const BOUND = 10;

/** Twice the bound for the two clocks, and as much again: the plane cannot miss it. */
const GLARING = 45;

/** Agents renew every five seconds; a longer gap means that the agent could not send. */
const GAP_MS = 20_000;

interface Reading {
  readonly trueMs: number;
  readonly clockMs: number;
  readonly incarnation: number;
}

class ClocksChecker implements Checker {
  readonly name = "clocks";
  private readonly sent = new Map<string, Reading[]>();
  private readonly plane: Reading[] = [];
  /**
   * Since when, in true time, each node's clock is far off, with regular renewals and no suspicion.
   */
  private readonly overlooked = new Map<string, number>();
  /** True time of the last committed renewal. */
  private readonly heardMs = new Map<string, number>();

  requested(
    _from: string,
    _operation: OperationId,
    _attempt: number,
    truth: Truth,
    _report: Report,
    request: Request,
  ): void {
    if (request.kind !== "command" || request.command.intent.kind !== "lease") return;
    const { node, clock } = request.command.intent;
    if (clock === undefined) return;
    const reading = { trueMs: truth.nowMs, clockMs: clock.nowMs, incarnation: clock.startedMs };
    remember(this.readingsOf(node), reading);
  }

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    remember(this.plane, { trueMs: truth.nowMs, clockMs: commit.atMs, incarnation: commit.epoch });
    if (commit.command !== "lease") return;
    for (const { key, after } of commit.changes) {
      if (after?.kind === "Lease") this.renewed(after.spec.node, truth, report);
      if (after?.kind !== "Node" || after.status.clock === undefined) continue;
      if (truth.objects.node(key)?.status.clock !== undefined) continue;
      const ours = worst(this.plane);
      const its = worst(this.readingsOf(after.meta.name));
      if (ours > BOUND || its > BOUND) continue;
      report(
        "INV72",
        `${key} is suspected of its clock, which was off by ${its} parts in a thousand, and ours by ${ours}.`,
        key,
      );
    }
  }

  private renewed(node: string, truth: Truth, report: Report): void {
    const sinceMs = this.heardMs.get(node);
    this.heardMs.set(node, truth.nowMs);
    const isSuspected = truth.objects.node(nodeKey(node))?.status.clock !== undefined;
    const wasSilent = sinceMs === undefined || truth.nowMs - sinceMs > GAP_MS;
    const last = this.readingsOf(node).slice(-2);
    const isNewIncarnation = last[0]?.incarnation !== last[1]?.incarnation;
    const isLedAnew = this.plane.at(-1)?.incarnation !== this.plane.at(-2)?.incarnation;
    if (isSuspected || wasSilent || isNewIncarnation || isLedAnew || pace(last) < GLARING) {
      this.overlooked.delete(node);
      return;
    }
    const overlookedMs = truth.nowMs - (this.overlooked.get(node) ?? truth.nowMs);
    this.overlooked.set(node, truth.nowMs - overlookedMs);
    if (overlookedMs <= LOOKBACK_MS) return;
    this.overlooked.delete(node);
    const key = nodeKey(node);
    report(
      "INV72",
      `${key} has had a wrong clock for ${overlookedMs} ms, and no check noticed.`,
      key,
    );
  }

  private readingsOf(node: string): Reading[] {
    let readings = this.sent.get(node);
    if (readings === undefined) {
      readings = [];
      this.sent.set(node, readings);
    }
    return readings;
  }
}

function remember(readings: Reading[], reading: Reading): void {
  readings.push(reading);
  while (readings[0] !== undefined && reading.trueMs - readings[0].trueMs > LOOKBACK_MS)
    readings.shift();
}

/**
 * The largest deviation between neighbouring readings of one incarnation that are far enough apart
 * to measure.
 */
function worst(readings: readonly Reading[]): number {
  let found = 0;
  let from = 0;
  for (let at = 1; at < readings.length; at += 1) {
    const pair = [readings[from], readings[at]] as const;
    if (pair[0]?.incarnation !== pair[1]?.incarnation) from = at;
    else if ((pair[1]?.trueMs ?? 0) - (pair[0]?.trueMs ?? 0) >= GAP_MS) {
      found = Math.max(found, pace([pair[0] as Reading, pair[1] as Reading]));
      from = at;
    }
  }
  return found;
}

/** By how many parts in a thousand the clock was off between two readings, in either direction. */
function pace([from, to]: readonly Reading[]): number {
  if (from === undefined || to === undefined || to.trueMs <= from.trueMs) return 0;
  const trueMs = to.trueMs - from.trueMs;
  return Math.trunc((Math.abs(to.clockMs - from.clockMs - trueMs) * 1000) / trueMs);
}

export const createClocksChecker = (): Checker => new ClocksChecker();
