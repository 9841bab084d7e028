/**
 * [INV13] The plane fences no node for silence while half of its zone, of its region or of all
 * regions (and at least three nodes) is silent too, unless the node has been silent for longer than
 * the hold of that level.
 *
 * It would break if a partitioned control plane mistook its own blindness for the death of a
 * region. Silence is measured in true time between committed renewals. Every doubt (clock drift,
 * the time an append takes, which nodes are counted) is decided in the authority's favour: this
 * checker may miss a narrow breach, but it must not raise a false alarm.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Node } from "../../../core/model/objects.ts";
import {
  CORRELATED_HOLD_MS,
  CORRELATED_MIN_NODES,
  CORRELATED_PERCENT,
  DRIFT_PARTS_PER_THOUSAND,
  JUST_BACK_MS,
  PLANE_HOLD_MS,
  SUSPECT_AFTER_MS,
  ZONE_HOLD_MS,
} from "../../../core/model/timing.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/** An append takes a moment, in which more nodes may seem silent than the authority could count. */
const APPEND_SLACK_MS = 2_000;

const drift = (ms: number): number => (2 * ms * DRIFT_PARTS_PER_THOUSAND) / 1000;
const SURELY_SILENT_MS = SUSPECT_AFTER_MS + drift(SUSPECT_AFTER_MS) + APPEND_SLACK_MS;
const surelyHeld = (holdMs: number): number => holdMs - drift(holdMs) - APPEND_SLACK_MS;

class CorrelatedHoldChecker implements Checker {
  readonly name = "correlated-hold";
  /** True time at which each node's last renewal became durable. */
  private readonly renewedMs = new Map<string, number>();
  /** True time of each node's last renewal after a silence that the plane must have noticed. */
  private readonly backMs = new Map<string, number>();
  private ledSinceMs = 0;

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "lead") {
      this.backMs.clear();
      // The silence that this renewal ends may be older than the current leadership.
      this.ledSinceMs = truth.nowMs;
    }
    if (commit.command === "lease") {
      for (const { after } of commit.changes) {
        if (after?.kind !== "Lease") continue;
        const { node } = after.spec;
        const lastMs = Math.max(this.renewedMs.get(node) ?? truth.nowMs, this.ledSinceMs);
        if (truth.nowMs - lastMs > SURELY_SILENT_MS) this.backMs.set(node, truth.nowMs);
        this.renewedMs.set(node, truth.nowMs);
      }
    } else if (commit.command === "transition" && commit.evidence?.kind === "lease-expired") {
      for (const { after } of commit.changes) {
        if (after?.kind === "Node" && after.status.health === "fenced")
          this.check(after, truth, report);
      }
    }
  }

  private check(fenced: Node, truth: Truth, report: Report): void {
    const own = this.silenceMs(fenced, truth);
    if (own === undefined) return;
    const { region, zone } = fenced.spec;
    const everywhere = [...truth.objects.all("Node").values()];
    const here = everywhere.filter(({ spec }) => spec.region === region);
    const near = here.filter(({ spec }) => spec.zone === zone);
    const levels = [
      { of: region, nodes: here, holdMs: CORRELATED_HOLD_MS },
      { of: `zone ${zone}`, nodes: near, holdMs: ZONE_HOLD_MS },
      { of: "all regions", nodes: everywhere, holdMs: PLANE_HOLD_MS },
    ];
    for (const { of, nodes, holdMs } of levels) {
      if (own > surelyHeld(holdMs)) continue;
      const silent = nodes.filter((node) => this.isSurelySilent(node, truth));
      if (silent.length < CORRELATED_MIN_NODES) continue;
      if (silent.length * 100 < nodes.length * CORRELATED_PERCENT) continue;
      // The hold of the whole plane needs more than one region.
      const regions = new Set(silent.map(({ spec }) => spec.region));
      if (nodes === everywhere && regions.size === 1) continue;
      report(
        "INV13",
        `${fenced.key} was fenced after ${own} ms of silence while ${silent.length} of the ${nodes.length} nodes of ${of} are silent.`,
        fenced.key,
      );
      return;
    }
  }

  /** A node that is already fenced says nothing about the plane's current view of the network. */
  private isSurelySilent(node: Node, truth: Truth): boolean {
    const silence = this.silenceMs(node, truth);
    if (node.status.health === "fenced" || silence === undefined) return false;
    return silence > SURELY_SILENT_MS || this.isSurelyJustBack(node, truth);
  }

  /** A new leadership forgets it: it knows neither the silence nor its end. */
  private isSurelyJustBack({ meta }: Node, truth: Truth): boolean {
    const backMs = this.backMs.get(meta.name);
    return backMs !== undefined && truth.nowMs - backMs < JUST_BACK_MS / 2;
  }

  /** Undefined for a node that has never renewed. */
  private silenceMs(node: Node, truth: Truth): number | undefined {
    const renewedMs = this.renewedMs.get(node.meta.name);
    return renewedMs === undefined ? undefined : truth.nowMs - renewedMs;
  }
}

export const createCorrelatedHoldChecker = (): Checker => new CorrelatedHoldChecker();
