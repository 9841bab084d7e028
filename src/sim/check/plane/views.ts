/**
 * [INV16] A view never goes back and never runs ahead of the durable log. Once the world has healed
 * and every component has had time to list again, its view equals the truth about the objects of
 * its interest.
 *
 * It would break if a stale list replaced newer knowledge, if a commit were published before it is
 * durable, or if a silently dropped event were never found again.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import type { Epoch, ObjectKey, Revision } from "../../../core/model/ids.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import type { Interest } from "../../../core/observe/interest.ts";
import type { View } from "../../../core/observe/view.ts";
import type { Checker, Report, Truth } from "../checker.ts";

/**
 * The next periodic list finds a dropped event, at most a minute later. The list may itself be lost
 * once and asked for again. Written out, not imported: a component that lists more rarely has
 * broken the promise.
 */
const SETTLE_MS = 120_000;

interface Mark {
  readonly atMs: number;
  readonly revision: Revision;
}

class ViewsChecker implements Checker {
  readonly name = "views";
  readonly ignoresRenewals = true;
  private marks: Mark[] = [];
  private readonly removedAt = new Map<ObjectKey, Revision>();

  afterCommit(commit: Commit): void {
    for (const { key, after } of commit.changes) {
      if (after === undefined) this.removedAt.set(key, commit.revision);
    }
  }

  viewMoved(
    component: string,
    view: View,
    was: { readonly revision: Revision; readonly epoch: Epoch },
    truth: Truth,
    report: Report,
  ): void {
    if (view.revision < was.revision) {
      report(
        "INV16",
        `The view of ${component} went back from revision ${was.revision} to ${view.revision}.`,
      );
    }
    if (view.epoch < was.epoch) {
      report(
        "INV16",
        `The view of ${component} went back from epoch ${was.epoch} to ${view.epoch}.`,
      );
    }
    const last = lastRevision(truth);
    if (view.revision > last) {
      report(
        "INV16",
        `The view of ${component} is at revision ${view.revision}; the durable log ends at ${last}.`,
      );
    }
  }

  /** Remembers how far the log had come, so that the end of the run demands only older commits. */
  sampled(truth: Truth): void {
    this.marks.push({ atMs: truth.nowMs, revision: lastRevision(truth) });
    while ((this.marks[1]?.atMs ?? Infinity) <= truth.nowMs - SETTLE_MS) this.marks.shift();
  }

  atEnd(truth: Truth, report: Report): void {
    if (truth.nowMs < truth.world.faultsUntilMs + SETTLE_MS) return;
    this.sampled(truth);
    const mark = this.marks[0];
    if (mark === undefined || mark.atMs > truth.nowMs - SETTLE_MS) return;
    for (const client of truth.clients()) this.compare(client, mark.revision, truth, report);
  }

  private compare(
    { name, view }: { readonly name: string; readonly view: View },
    settled: Revision,
    truth: Truth,
    report: Report,
  ): void {
    for (const kind of view.interest.kinds) {
      for (const object of truth.objects.all(kind).values()) {
        if (object.meta.revision > settled || !concerns(view.interest, object)) continue;
        const held = view.objects.get(object.key)?.meta.revision;
        if (held === object.meta.revision) continue;
        const what = held === undefined ? "does not hold it" : `holds revision ${held}`;
        report(
          "INV16",
          `${object.key} is at revision ${object.meta.revision}; ${name} ${what}.`,
          object.key,
        );
      }
      for (const object of view.objects.all(kind).values()) {
        if (!concerns(view.interest, object)) continue;
        const wrong = this.whyOutlived(object, settled, truth);
        if (wrong !== undefined)
          report("INV16", `${name} still holds ${object.key}, which ${wrong}.`, object.key);
      }
    }
  }

  private whyOutlived(held: AnyObject, settled: Revision, truth: Truth): string | undefined {
    const actual = truth.objects.get(held.key)?.meta.revision;
    const since = actual ?? this.removedAt.get(held.key);
    if (since === undefined) return "never was";
    if (since > settled || since === held.meta.revision) return undefined;
    return actual === undefined
      ? `was removed at revision ${since}`
      : `was replaced at revision ${since}`;
  }
}

const lastRevision = (truth: Truth): Revision => truth.commits.at(-1)?.revision ?? 0;

/**
 * An agent keeps replicas that have left its node for a while; its beliefs about them do no harm.
 */
function concerns({ node, roomsOnly }: Interest, object: AnyObject): boolean {
  if (roomsOnly === true && object.kind === "Reservation") return object.spec.for !== "quota";
  if (node === undefined) return true;
  return object.kind === "Replica" && object.status.node === node;
}

export const createViewsChecker = (): Checker => new ViewsChecker();
