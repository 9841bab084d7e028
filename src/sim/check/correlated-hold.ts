/**
 * [INV13] No node is fenced for its silence while half of its region (and at least three nodes) is silent
 * too, unless it has been silent for longer than the hold.
 *
 * It would break if a control plane that was itself cut off took its own blindness for the death of a
 * region. Silence is measured in true time between committed renewals. Every doubt (clock drift, the time
 * an append takes, which nodes are counted) is decided in the authority's favour: this checker may miss a
 * narrow breach, but it must not raise a false alarm.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { Node } from "../../core/model/objects.ts";
import {
  CORRELATED_HOLD_MS,
  CORRELATED_MIN_NODES,
  CORRELATED_PERCENT,
  DRIFT_PARTS_PER_THOUSAND,
  SUSPECT_AFTER_MS,
} from "../../core/model/timing.ts";
import type { Checker, Report, Truth } from "./checker.ts";

/** An append takes a moment, in which more nodes may seem silent than the authority could count. */
const APPEND_SLACK_MS = 2_000;

const drift = (ms: number): number => (2 * ms * DRIFT_PARTS_PER_THOUSAND) / 1000;
const SURELY_SILENT_MS = SUSPECT_AFTER_MS + drift(SUSPECT_AFTER_MS) + APPEND_SLACK_MS;
const SURELY_HELD_MS = CORRELATED_HOLD_MS - drift(CORRELATED_HOLD_MS) - APPEND_SLACK_MS;

class CorrelatedHoldChecker implements Checker {
  readonly name = "correlated-hold";
  /** True time at which each node's last renewal became durable. */
  private readonly renewedMs = new Map<string, number>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "lease") {
      for (const { after } of commit.changes) {
        if (after?.kind === "Lease") this.renewedMs.set(after.spec.node, truth.nowMs);
      }
    } else if (commit.command === "transition" && commit.evidence?.kind === "lease-expired") {
      for (const { after } of commit.changes) {
        if (after?.kind === "Node" && after.status.health === "fenced")
          this.judge(after, truth, report);
      }
    }
  }

  private judge(fenced: Node, truth: Truth, report: Report): void {
    const own = this.silenceMs(fenced, truth);
    if (own === undefined || own > SURELY_HELD_MS) return;
    const { region } = fenced.spec;
    let all = 0;
    let silent = 0;
    for (const node of truth.objects.all("Node").values()) {
      if (node.spec.region !== region) continue;
      all += 1;
      // A node fenced before says nothing about what the plane can see now.
      if (node.status.health === "fenced") continue;
      const silence = this.silenceMs(node, truth);
      if (silence !== undefined && silence > SURELY_SILENT_MS) silent += 1;
    }
    if (silent < CORRELATED_MIN_NODES || silent * 100 < all * CORRELATED_PERCENT) return;
    report(
      "INV13",
      `${fenced.key} was fenced after ${own} ms of silence while ${silent} of the ${all} nodes of ${region} are silent.`,
      fenced.key,
    );
  }

  /** Undefined for a node that was never heard of. */
  private silenceMs(node: Node, truth: Truth): number | undefined {
    const renewedMs = this.renewedMs.get(node.meta.name);
    return renewedMs === undefined ? undefined : truth.nowMs - renewedMs;
  }
}

export const createCorrelatedHoldChecker = (): Checker => new CorrelatedHoldChecker();
