/**
 * Settles bindings made while their region was partitioned. Once the region is back, each such
 * binding is looked at: it is confirmed when an ordinary bind could make it now, and asked to stop
 * when not. A binding that was not confirmed in time is stopped, also while the region is still cut
 * off. Observes overrides, replicas, nodes, quotas and policies; proposes `confirm` and `evict`.
 * Each binding is a key of its own, so that those of a region come back each at a time of its own
 * (OV12). Where the work goes next is the scheduler's.
 */
import type { Intent } from "../protocol/command.ts";
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import type { ObjectKey } from "../model/ids.ts";
import { overrideText } from "../model/override.ts";
import type { Node, Override, Replica } from "../model/objects.ts";
import { type Provisional, provisionalOf } from "../model/provisional.ts";
import { DRIFT_PARTS_PER_THOUSAND } from "../model/timing.ts";
import { objectFact } from "../observe/facts.ts";
import type { View } from "../observe/view.ts";
import { confirmWithinMs, marksOn } from "../rules/override/partitioned.ts";
import { whyNotConfirmed } from "../rules/override/why-not-confirmed.ts";
import { confirmOperation, evictOperation } from "../protocol/operations.ts";

/** Asked too early by our clock, the authority is asked again, and not all the time. */
const AGAIN_MS = 5_000;

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** Since when a binding has been seen, and when its end was last asked for; on our own clock. */
interface Seen {
  readonly incarnation: number;
  readonly madeMs: number;
  readonly epoch: number;
  readonly sinceMs: number;
  askedMs: number;
}

export function createSettleRegion(): Controller {
  const planner = new SettlePlanner();
  return {
    role: "settle-region",
    interest: {
      kinds: new Set([
        "Override",
        "Replica",
        "Node",
        "Workload",
        "Quota",
        "Policy",
        "PolicyRevision",
        "Reservation",
      ]),
      node: undefined,
      // What is provisional names a budget (DG4).
      paidOnly: true,
    },
    follow: (change) => planner.follow(change),
    keysFor: (change) => planner.keysFor(change),
    allKeys: () => planner.provisional,
    reconcile: (key, view, look) => planner.settle(key, view, look),
  };
}

class SettlePlanner {
  readonly provisional = new Set<ObjectKey>();
  private readonly seen = new Map<ObjectKey, Seen>();

  follow({ key, after, before }: Change): void {
    if ((after ?? before)?.kind !== "Replica") return;
    if (after?.kind === "Replica" && provisionalOf(after) !== undefined) this.provisional.add(key);
    else this.provisional.delete(key);
  }

  keysFor({ key, before, after }: Change): readonly ObjectKey[] {
    const some = after ?? before;
    switch (some?.kind) {
      case "Replica":
        return isEither(before, after) ? [key] : [];
      // What a bind of it would meet may be another now. The end of a mark wakes its waits.
      case "Quota":
      case "Policy":
      case "Node":
        return [...this.provisional];
      default:
        return [];
    }
  }

  settle(key: ObjectKey, view: View, look: Look): Decision {
    const replica = view.objects.replica(key);
    const provisional = replica && provisionalOf(replica);
    if (replica === undefined || provisional === undefined) {
      this.seen.delete(key);
      return settled;
    }
    // It is on its way out, for whatever reason.
    if (replica.status.stopping !== undefined) return settled;
    const node = view.objects.nodeNamed(replica.status.node ?? "");
    const seen = this.see(replica, provisional, { view, look });
    const withinMs = confirmWithinMs(view.objects, node?.spec.region);
    const dueMs = seen.sinceMs + withinMs + drift(withinMs);
    if (look.now >= Math.max(dueMs, seen.askedMs + AGAIN_MS)) {
      seen.askedMs = look.now;
      return overdue(replica, provisional);
    }
    const untilMs = Math.max(dueMs, seen.askedMs + AGAIN_MS);
    const marks = node === undefined ? [] : marksOn(view.objects, node.spec.region);
    if (marks.length > 0) return waitForMarks(replica, marks, untilMs);
    return isHeard(replica, node)
      ? verdictOn(replica, node, view)
      : waitForNode(replica, Math.min(untilMs, look.now + PATIENCE_MS));
  }

  /**
   * Times of another leadership mean nothing to it, nor to us: what it finds it counts from its own
   * beginning.
   */
  private see(
    { key, status }: Replica,
    { sinceMs: madeMs }: Provisional,
    { view, look }: { readonly view: View; readonly look: Look },
  ): Seen {
    const known = this.seen.get(key);
    const isSame = known?.incarnation === status.incarnation && known.madeMs === madeMs;
    if (isSame && known.epoch === view.epoch) return known;
    const fresh: Seen = {
      incarnation: status.incarnation,
      madeMs,
      epoch: view.epoch,
      sinceMs: look.now,
      askedMs: Number.NEGATIVE_INFINITY,
    };
    this.seen.set(key, fresh);
    return fresh;
  }
}

const isEither = (before: Change["before"], after: Change["after"]): boolean =>
  [before, after].some((each) => each?.kind === "Replica" && provisionalOf(each) !== undefined);

/** Our clock may be fast by the bound and the authority's slow by it. */
const drift = (ms: number): number => Math.ceil((2 * ms * DRIFT_PARTS_PER_THOUSAND) / 1000);

const isHeard = ({ status }: Replica, node: Node | undefined): node is Node =>
  node?.status.health === "ready" && status.stage !== "unknown";

function verdictOn(replica: Replica, node: Node, { objects }: View): Decision {
  const rule = whyNotConfirmed(objects, replica, node);
  const { key, status } = replica;
  if (rule === undefined) {
    const operation = confirmOperation(replica);
    return propose(
      [{ kind: "confirm", operation, replica: key, incarnation: status.incarnation }],
      {
        summary: `${key} is confirmed: ${node.spec.region} is connected again, and a bind to ${node.meta.name} breaks no rule`,
      },
    );
  }
  const evidence = { kind: "not-confirmed", region: node.spec.region, rule } as const;
  return propose([eviction(replica, evidence)], {
    summary: `${key} is evicted: ${node.spec.region} is connected again, and a bind to ${node.meta.name} would break ${rule}`,
  });
}

function overdue(replica: Replica, { override }: Provisional): Decision {
  return propose([eviction(replica, { kind: "confirm-overdue", override })], {
    summary: `${replica.key} was bound under override ${override} and was not confirmed in time`,
  });
}

const eviction = (
  replica: Replica,
  evidence: Extract<Intent, { kind: "evict" }>["evidence"],
): Intent => ({
  kind: "evict",
  operation: evictOperation(replica, "unconfirmed"),
  replica: replica.key,
  incarnation: replica.status.incarnation,
  evidence,
});

function waitForMarks({ key }: Replica, marks: readonly Override[], deadlineMs: number): Decision {
  return wait({
    reason: "region-partitioned",
    wakes: marks.map((mark) => objectFact(mark.key)),
    deadlineMs,
    because: { summary: `${key} is provisional: ${marks.map(overrideText).join(", ")}` },
  });
}

function waitForNode({ key, status }: Replica, deadlineMs: number): Decision {
  return wait({
    reason: "disconnected",
    wakes: [],
    deadlineMs,
    because: { summary: `${key} is provisional, and its node ${status.node ?? ""} is silent` },
  });
}
