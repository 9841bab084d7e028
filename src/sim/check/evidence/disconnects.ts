/**
 * [INV70] Two replicas of an index are alive at once only if the workload allows it: the older one
 * is set to keep running, and its node was silent for as long as the workload waits. There are
 * never three, and never two that both own the index. When the older one is back, the workload
 * decides which of them stays. A replica that stops is not moved before its time, and restarts on
 * its own node only in a new session of the node.
 *
 * It would break if too short a silence gave an index away, if a superseded replica owned the index
 * again beside its replacement, or if a second replacement were made. Silence is true time since
 * the last renewal became durable; every doubt about clocks is decided in the authority's favour.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey } from "../../../core/model/ids.ts";
import type { Replica } from "../../../core/model/objects.ts";
import { DRIFT_PARTS_PER_THOUSAND, KILL_GRACE_MS, LEASE_MS } from "../../../core/model/timing.ts";
import type { Checker, LiveProcess, Report, Truth } from "../checker.ts";
import { isRenewal } from "../fast-path.ts";
import { isHolding } from "../models/holding.ts";

/** An append takes a moment, and the authority counts from before it. */
const APPEND_SLACK_MS = 2_000;

const surely = (ms: number): number =>
  ms - (2 * ms * DRIFT_PARTS_PER_THOUSAND) / 1000 - APPEND_SLACK_MS;

class DisconnectsChecker implements Checker {
  readonly name = "disconnects";
  /** True time at which each node's last renewal became durable. */
  private readonly renewedMs = new Map<string, number>();
  private readonly live = new Map<string, LiveProcess[]>();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    if (commit.command === "lease") {
      for (const { after } of commit.changes) {
        if (after?.kind === "Lease") this.renewedMs.set(after.spec.node, truth.nowMs);
      }
      if (isRenewal(commit)) return;
    }
    for (const change of commit.changes) {
      const { key, after } = change;
      if (after?.kind !== "Replica") continue;
      const wrong = this.whyWrong(after, truth.objects.replica(key), commit, truth);
      if (wrong !== undefined) report("INV70", `${key} ${wrong}.`, key);
    }
  }

  /** Why a change of one replica breaks this rule; undefined: it does not. */
  private whyWrong(
    after: Replica,
    before: Replica | undefined,
    commit: Commit,
    truth: Truth,
  ): string | undefined {
    const isMarked = before?.status.superseded === undefined && after.status.superseded;
    if (isMarked && commit.command === "release") return this.whyTooEarly(after, truth);
    if (isMarked && commit.command !== "evict") return `was replaced by ${commit.command}`;
    if (before === undefined) return undefined;
    if (commit.command === "release" && isHolding(before) && !isHolding(after)) {
      return this.whyMoved(before, commit, truth);
    }
    return isHolding(before) &&
      isHolding(after) &&
      before.status.incarnation !== after.status.incarnation
      ? whyNotAnew(before, after, commit)
      : undefined;
  }

  private whyTooEarly({ spec, status }: Replica, truth: Truth): string | undefined {
    const { onDisconnect, replaceAfterMs } = spec.template;
    if (onDisconnect !== "keep" || replaceAfterMs === undefined || spec.type === "batch") {
      return "was replaced though its workload never said so";
    }
    const name = status.node ?? "";
    if (truth.objects.node(nodeKey(name))?.status.health !== "fenced") {
      return `was replaced though ${name} is not fenced`;
    }
    return this.whySilentTooShort(name, replaceAfterMs, truth);
  }

  /** Fencing has ended the replica; its workload decides whether it may be replaced so soon. */
  private whyMoved({ spec, status }: Replica, commit: Commit, truth: Truth): string | undefined {
    const node = truth.objects.node(nodeKey(status.node ?? ""));
    const isLost =
      commit.evidence?.kind === "node-fenced" && node?.status.session === status.session;
    const byWord = node?.status.evidence?.kind === "person";
    if (!isLost || byWord || spec.template.replaceAfterMs === undefined) return undefined;
    return this.whySilentTooShort(status.node ?? "", spec.template.replaceAfterMs, truth);
  }

  private whySilentTooShort(node: string, waitMs: number, truth: Truth): string | undefined {
    const silentMs = truth.nowMs - (this.renewedMs.get(node) ?? truth.nowMs);
    const least = surely(Math.max(waitMs, LEASE_MS + KILL_GRACE_MS));
    return silentMs >= least
      ? undefined
      : `was given up after ${node} was silent for ${silentMs} ms; its workload waits ${waitMs} ms`;
  }

  afterCommit(commit: Commit, truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const change of commit.changes) {
      if (change.after?.kind !== "Replica" || isOldNews(change)) continue;
      const wrong = whyTooMany(change.after, truth);
      if (wrong !== undefined) report("INV70", `${change.key} ${wrong}.`, change.key);
    }
    if (commit.command !== "evict" || commit.evidence?.kind !== "reconciled") return;
    const wrong = whyNotSettled(commit, commit.evidence.stays, truth);
    if (wrong !== undefined)
      report("INV70", `${commit.operation}: ${wrong}.`, commit.evidence.stays);
  }

  processStarted(process: LiveProcess, truth: Truth, report: Report): void {
    const index = indexName(process.replica);
    const others = (this.live.get(index) ?? []).filter(
      ({ replica }) => replica !== process.replica,
    );
    for (const other of others) {
      const marked = [other, process].some(
        ({ replica }) => truth.objects.replica(replica)?.status.superseded !== undefined,
      );
      // The older one ends unseen when its machine does.
      const isRunning = [...truth.processes()].some(
        ({ replica, startedMs }) => replica === other.replica && startedMs === other.startedMs,
      );
      if (marked || !isRunning) continue;
      report(
        "INV70",
        `${process.replica} was started on ${process.node} while ${other.replica} runs on ${other.node}, and neither was replaced.`,
        process.replica,
      );
    }
    this.live.set(index, [...(this.live.get(index) ?? []), process]);
  }

  processEnded(process: LiveProcess): void {
    const index = indexName(process.replica);
    const left = (this.live.get(index) ?? []).filter(
      ({ replica, incarnation }) =>
        replica !== process.replica || incarnation !== process.incarnation,
    );
    if (left.length === 0) this.live.delete(index);
    else this.live.set(index, left);
  }
}

/** The second name of an index is the first name with ".r" appended. */
const indexName = (replica: string): string => replica.replace(/\.r$/, "");

/** Nearly every change of a replica is a report, which gives no index a new owner. */
const isOldNews = ({ before, after }: Change): boolean =>
  before?.kind === "Replica" &&
  after?.kind === "Replica" &&
  before.status.superseded === after.status.superseded &&
  before.meta.uid === after.meta.uid;

function indexMates({ key, meta, spec }: Replica, truth: Truth): readonly Replica[] {
  return [...truth.objects.all("Replica").values()].filter(
    (other) =>
      other.key !== key &&
      other.meta.namespace === meta.namespace &&
      other.spec.workloadUid === spec.workloadUid &&
      other.spec.generation === spec.generation &&
      other.spec.index === spec.index,
  );
}

function whyTooMany(replica: Replica, truth: Truth): string | undefined {
  const mates = indexMates(replica, truth);
  if (mates.length > 1) return `is one of ${mates.length + 1} replicas of its index`;
  const standing = [replica, ...mates].filter(({ status }) => status.superseded === undefined);
  return standing.length > 1 ? `stands for its index beside ${mates[0]?.key}` : undefined;
}

function whyNotAnew(before: Replica, after: Replica, commit: Commit): string | undefined {
  const { onDisconnect, replaceAfterMs } = before.spec.template;
  const isAnew =
    commit.command === "lease" &&
    onDisconnect === "stop" &&
    replaceAfterMs !== undefined &&
    before.status.node === after.status.node &&
    before.status.session < after.status.session;
  return isAnew ? undefined : "began a new incarnation without giving up its node";
}

/** After the commit, one replica owns the index and the other stops, as the workload demands. */
function whyNotSettled(commit: Commit, stays: string, truth: Truth): string | undefined {
  const goes = commit.changes.find(
    ({ key, after }) => key !== stays && after?.kind === "Replica",
  )?.after;
  const kept = goes?.kind === "Replica" ? indexMates(goes, truth)[0] : undefined;
  if (goes?.kind !== "Replica" || kept?.key !== stays) return `${stays} is not the other one`;
  if (kept.status.superseded !== undefined) return `${stays} stays, although it was replaced`;
  const isOriginalKept = goes.status.superseded?.evidence.kind === "reconciled";
  const original = isOriginalKept ? kept : goes;
  const { health, session } = truth.objects.node(nodeKey(original.status.node ?? ""))?.status ?? {};
  if (health !== "ready" || session !== original.status.session) {
    return `${original.key} is not back on ${original.status.node}`;
  }
  const was = commit.changes.find(({ key }) => key === goes.key)?.before;
  if (was?.kind !== "Replica") return "who goes was never there";
  if (serves(was) && !serves(kept)) return "a replica that serves goes for one that does not";
  const replacement = isOriginalKept ? was : kept;
  return whyNotSaid(original, replacement, isOriginalKept);
}

/**
 * The workload's choice between the two. The replacement counts as it was before it was asked to
 * stop.
 */
function whyNotSaid(
  original: Replica,
  replacement: Replica,
  isOriginalKept: boolean,
): string | undefined {
  const { stage, stopping } = replacement.status;
  const isThere = isHolding(replacement) && stage !== "unknown" && stopping === undefined;
  if (!isThere) return isOriginalKept ? undefined : "no replica is left that could stay";
  switch (original.spec.template.reconcile) {
    case "keep-original":
      return isOriginalKept ? undefined : "the original was to stay";
    case "keep-replacement":
      return isOriginalKept ? "the replacement was to stay" : undefined;
    default:
      return isOriginalKept || !serves(original) ? undefined : "the original serves as well";
  }
}

const serves = ({ status }: Replica): boolean =>
  status.stage === "serving" || status.stage === "running";

export const createDisconnectsChecker = (): Checker => new DisconnectsChecker();
