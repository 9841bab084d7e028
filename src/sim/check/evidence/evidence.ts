/**
 * [INV12] Every destructive commit (fencing a node, releasing a replica or a reservation, evicting)
 * cites evidence that permits it and that the true state confirms.
 *
 * It would break if a release relied on an old observation: since then the node may have renewed,
 * begun a new session, or the workload scaled up again. This checker looks at processes and true
 * time, not at the authority's beliefs.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, workloadKey } from "../../../core/model/ids.ts";
import type { Node, Replica, Reservation } from "../../../core/model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND, LEASE_MS } from "../../../core/model/timing.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { isWantedBy } from "../models/naive-wanted.ts";
import { whyItsOwn } from "./quota-evidence.ts";
import { whyKnown } from "./forgotten-evidence.ts";
import { whyNotVanished } from "./vanished-evidence.ts";

/** The earliest end of a lease by any two clocks that drift apart within the bound. */
const SHORTEST_LEASE_MS = LEASE_MS - (2 * LEASE_MS * DRIFT_PARTS_PER_THOUSAND) / 1000;

interface Fencing {
  readonly session: number;
  readonly byPerson: boolean;
}

class EvidenceChecker implements Checker {
  readonly name = "evidence";
  /** The last committed renewal of each node, as `session` and `seq`. */
  private readonly renewals = new Map<string, { session: number; seq: number }>();
  private readonly fencings = new Map<string, Fencing>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    switch (commit.command) {
      case "lease":
        this.renewed(commit);
        break;
      case "transition":
        for (const { before, after } of commit.changes) {
          if (after?.kind !== "Node" || after.status.health !== "fenced") continue;
          const wasFenced = before?.kind === "Node" && before.status.health === "fenced";
          // Its replicas have ended before, unless a person now vouches for it.
          if (wasFenced && commit.evidence?.kind !== "person") continue;
          this.fenced(after, commit, truth, report);
        }
        break;
      case "release":
      case "unreserve":
      case "expire":
        for (const change of commit.changes) this.released(change, commit, truth, report);
        break;
      case "evict":
        for (const { after } of commit.changes) {
          if (after?.kind === "Replica") evicted(after.key, commit, truth, report);
        }
        break;
      default:
        break;
    }
  }

  private renewed(commit: Commit): void {
    for (const { after } of commit.changes) {
      if (after?.kind !== "Lease") continue;
      const { session, seq } = after.status;
      const last = this.renewals.get(after.spec.node);
      if (last === undefined) this.renewals.set(after.spec.node, { session, seq });
      else {
        last.session = session;
        last.seq = seq;
      }
    }
  }

  private fenced(node: Node, commit: Commit, truth: Truth, report: Report): void {
    const { key } = node;
    const { name } = node.meta;
    const { evidence } = commit;
    this.fencings.set(name, {
      session: node.status.session,
      byPerson: evidence?.kind === "person",
    });
    if (evidence?.kind === "person") return;
    if (evidence?.kind !== "lease-expired" || evidence.node !== name) {
      report(
        "INV12",
        `${key} was fenced on ${evidence?.kind ?? "no evidence"}, which does not permit it.`,
        key,
      );
      return;
    }
    const last = this.renewals.get(name);
    if (last !== undefined && (last.session !== evidence.session || last.seq !== evidence.seq)) {
      report(
        "INV12",
        `${key} was fenced because renewal ${evidence.session}.${evidence.seq} ran out; ${last.session}.${last.seq} was committed since.`,
        key,
      );
    }
    const sentMs = truth.leaseSentMs(name);
    if (sentMs !== undefined && truth.nowMs - sentMs < SHORTEST_LEASE_MS) {
      report(
        "INV12",
        `${key} was fenced ${truth.nowMs - sentMs} ms after it sent a renewal that was committed.`,
        key,
      );
    }
    for (const process of truth.processes()) {
      if (process.node !== name || !process.leashed) continue;
      report(
        "INV12",
        `${key} was fenced while leashed ${process.replica} incarnation ${process.incarnation} is running there.`,
        key,
      );
    }
  }

  private released(
    { key, before, after }: Change,
    commit: Commit,
    truth: Truth,
    report: Report,
  ): void {
    const kind = (after ?? before)?.kind;
    // This frees nothing; `disconnects.ts` checks whether the index may have another replica.
    const isKept = after?.kind === "Replica" && after.status.node !== undefined;
    if (isKept && commit.evidence?.kind === "replace-after") return;
    const replica = kind === "Replica" ? truth.objects.replica(key) : undefined;
    const reservation = kind === "Reservation" ? truth.objects.reservation(key) : undefined;
    const wrong =
      replica !== undefined
        ? this.whyNotLost(replica, commit, truth)
        : reservation !== undefined
          ? whyInUse(reservation, commit, truth)
          : undefined;
    if (wrong !== undefined)
      report(
        "INV12",
        `${key} was released on ${commit.evidence?.kind ?? "no evidence"}: ${wrong}.`,
        key,
      );
  }

  private whyNotLost(replica: Replica, { evidence }: Commit, truth: Truth): string | undefined {
    if (evidence?.kind === "node-vanished") return whyNotVanished(replica, truth);
    if (evidence?.kind === "agent-forgot") return whyKnown(replica, truth);
    if (evidence?.kind !== "node-fenced" && evidence?.kind !== "session-ended") {
      return "that does not permit the release of a replica";
    }
    const { node, session } = replica.status;
    if (node !== evidence.node || session !== evidence.session) {
      return `it holds ${node} in session ${session}, not ${evidence.node} in session ${evidence.session}`;
    }
    const now = truth.objects.node(nodeKey(evidence.node))?.status.session;
    // A session is over once a later one has begun.
    if (now !== undefined && now > session) return undefined;
    if (evidence.kind === "session-ended") return `${node} is still in session ${now}`;
    const fencing = this.fencings.get(evidence.node);
    if (fencing === undefined || fencing.session < session) {
      return `${node} was not fenced in session ${session}`;
    }
    if (replica.spec.template.onDisconnect === "keep" && !fencing.byPerson) {
      return "it keeps running when disconnected, so silence does not end it";
    }
    return undefined;
  }
}

function whyInUse(
  reservation: Reservation,
  { evidence }: Commit,
  truth: Truth,
): string | undefined {
  // `held-room.ts` checks how long room was reserved.
  if (evidence?.kind === "hold-over" && reservation.spec.for !== "quota") return undefined;
  // `policies.ts` checks what a plan releases.
  if (evidence?.kind === "policy-rollback" && reservation.spec.for !== "quota") return undefined;
  if (evidence?.kind !== "owner-gone") return "that does not permit the release of a reservation";
  const { owner, ownerUid, incarnation } = reservation.spec;
  const replica = truth.objects.replica(owner);
  if (replica?.meta.uid !== ownerUid || replica.status.incarnation !== incarnation)
    return undefined;
  const { stage } = replica.status;
  return stage === "admitted" || stage === "queued"
    ? `${owner} incarnation ${incarnation} is ${stage}`
    : undefined;
}

function evicted(key: ObjectKey, { evidence }: Commit, truth: Truth, report: Report): void {
  const replica = truth.objects.replica(key);
  if (replica === undefined) return;
  const wrong =
    evidence?.kind === "surplus"
      ? whyWanted(replica, truth)
      : evidence?.kind === "drain" || evidence?.kind === "drain-forced"
        ? whyNotDraining(replica, evidence.node, truth)
        : evidence?.kind === "quota-reclaim" || evidence?.kind === "quota-shrunk"
          ? whyItsOwn(replica, evidence, truth.objects)
          : evidence?.kind === "gang-deadline"
            ? whyNoGang(replica, truth)
            : evidence?.kind === "reconciled"
              ? undefined
              : // `policies.ts` checks what a plan releases,
                evidence?.kind === "policy-rollback" ||
                  // and `cut-offs.ts` the bindings in partitioned regions.
                  evidence?.kind === "not-confirmed" ||
                  evidence?.kind === "confirm-overdue"
                ? undefined
                : evidence?.kind === "job-over"
                  ? whyNotOver(replica, truth)
                  : "that does not permit an eviction";
  if (wrong !== undefined)
    report("INV12", `${key} was evicted on ${evidence?.kind ?? "no evidence"}: ${wrong}.`, key);
}

function whyWanted({ meta, spec }: Replica, truth: Truth): string | undefined {
  const workload = truth.objects.workload(workloadKey(meta.namespace, spec.workload));
  return isWantedBy(workload, spec)
    ? `${workload?.key} wants index ${spec.index} of generation ${spec.generation}`
    : undefined;
}

function whyNoGang({ meta, spec, status }: Replica, truth: Truth): string | undefined {
  const workload = truth.objects.workload(workloadKey(meta.namespace, spec.workload));
  if (workload?.spec.gang === undefined) return `${spec.workload} is no gang`;
  return status.stage === "queued"
    ? undefined
    : `it is ${status.stage}, and holds no place in the queue`;
}

/** `jobs.ts` checks how it ended. */
function whyNotOver({ meta, spec }: Replica, truth: Truth): string | undefined {
  const workload = truth.objects.workload(workloadKey(meta.namespace, spec.workload));
  const isOwn = workload?.meta.uid === spec.workloadUid;
  return isOwn && workload.status.batch?.finished !== undefined
    ? undefined
    : `${spec.workload} is not over`;
}

function whyNotDraining(replica: Replica, node: string, truth: Truth): string | undefined {
  if (replica.status.node !== node) return `it holds ${replica.status.node}, not ${node}`;
  return truth.objects.node(nodeKey(node))?.spec.draining === true
    ? undefined
    : `${node} is not draining`;
}

export const createEvidenceChecker = (): Checker => new EvidenceChecker();
