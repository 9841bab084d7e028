/**
 * One row a wait: what waits for room or quota as the schedulers see it, and every other wake-up
 * that is owed. Most of it changes without a commit, so the view listens to the controllers, too.
 * Only the plane that leads has them.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Because, DecisionRecord, WaitReason } from "../../core/protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import { classOf } from "../../core/model/preemption.ts";
import type { Stage } from "../../core/model/stage.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { OwedBy } from "../../host/decision-log.ts";
import type { PlanePort } from "../../host/plane-port.ts";
import type { DecisionHistory } from "../explain/decision-history.ts";
import { replicasOf } from "../kinds/status/workload-status.ts";
import type { View } from "./view.ts";
import type { QueueRow } from "./view-rows.ts";
import { wakeWords } from "./wake-words.ts";

type Port = Pick<PlanePort, "objects" | "decisions" | "owed">;

export class QueueView implements View {
  private readonly plane: Port;
  private readonly history: Pick<DecisionHistory, "about">;

  constructor(plane: Port, history: Pick<DecisionHistory, "about">) {
    this.plane = plane;
    this.history = history;
  }

  keys(): readonly string[] {
    const places = this.plane.owed().map((owed) => ({
      key: rowKey(owed.controller, owed.key),
      ...this.placeOf(owed),
    }));
    return places.toSorted(inOrder).map(({ key }) => key);
  }

  row(key: string): QueueRow | undefined {
    const at = key.indexOf(" ");
    const controller = key.slice(0, at);
    const subject = key.slice(at + 1) as ObjectKey;
    const { objects, decisions } = this.plane;
    const owed = decisions.owedAbout(subject).find((each) => each.controller === controller);
    if (owed === undefined) return undefined;
    const because = becauseOf(decisions.about(subject), owed);
    const { position, of, replicasAhead, estimateMs, upToMs, basis } = because?.queue ?? {};
    const stage = waitsIn(owed);
    const waiting = stage === undefined ? undefined : this.waitingIn(subject, stage);
    const priorityClass = objects.workload(subject)?.spec.template.priorityClass;
    return [
      key,
      stage === undefined ? "owed" : "waiting",
      subject,
      parseKey(subject).namespace,
      priorityClass === undefined ? null : this.priority(priorityClass),
      position ?? null,
      of ?? null,
      replicasAhead ?? null,
      waiting?.count ?? null,
      waiting?.sinceMs ?? this.saidSince(owed),
      owed.reason,
      because?.summary ?? "",
      wakeWords(owed.wakes),
      owed.deadlineMs,
      controller,
      estimateMs ?? null,
      basis ?? "",
      upToMs ?? null,
    ];
  }

  /**
   * How many of a workload wait changes with its replicas, whether or not its controller has looked
   * again.
   */
  *touched(commits: readonly Commit[]): Iterable<string> {
    const workloads = new Set<ObjectKey>();
    for (const { changes } of commits) {
      for (const { before, after } of changes) {
        const some = after ?? before;
        if (some?.kind === "Replica") workloads.add(workloadOf(some));
        else if (some?.kind === "Workload") workloads.add(some.key);
        else if (some?.kind === "PriorityClass") return yield* this.keys();
      }
    }
    for (const workload of workloads) {
      for (const { controller } of this.plane.decisions.owedAbout(workload)) {
        yield rowKey(controller, workload);
      }
    }
  }

  listen(mark: (key: string) => void): () => void {
    const { decisions } = this.plane;
    const stops = [
      decisions.onOwed((controller, key) => mark(rowKey(controller, key))),
      decisions.onAdd(({ controller, key }) => mark(rowKey(controller, key))),
    ];
    return () => stops.forEach((stop) => stop());
  }

  private priority(name: string): { readonly name: string; readonly value: number } {
    return { name, value: classOf(this.plane.objects.all("PriorityClass"), name).value };
  }

  private placeOf(owed: OwedBy): Omit<Place, "key"> {
    const { objects, decisions } = this.plane;
    if (waitsIn(owed) === undefined) return { position: OWED, priority: 0, ms: owed.deadlineMs };
    const because = becauseOf(decisions.about(owed.key), owed);
    const name = objects.workload(owed.key)?.spec.template.priorityClass ?? "";
    return {
      position: because?.queue?.position ?? UNCOUNTED,
      priority: this.priority(name).value,
      ms: this.saidSince(owed) ?? 0,
    };
  }

  private waitingIn(
    workload: ObjectKey,
    stage: Stage,
  ): { readonly count: number; readonly sinceMs: number | undefined } {
    const { objects } = this.plane;
    const desired = objects.workload(workload);
    let count = 0;
    let sinceMs: number | undefined;
    for (const { status } of desired === undefined ? [] : replicasOf(desired, objects)) {
      if (status.stage !== stage) continue;
      count += 1;
      sinceMs = Math.min(sinceMs ?? status.stageSinceMs, status.stageSinceMs);
    }
    return { count, sinceMs };
  }

  /** Since when the controller says the same; waits of the runner itself have no sentence. */
  private saidSince({ key, controller, reason }: OwedBy): number | null {
    const kept = this.history.about(key).findLast(({ record }) => record.controller === controller);
    const decision = kept?.record.decision;
    return decision?.kind === "wait" && decision.reason === reason ? (kept?.sinceMs ?? null) : null;
  }
}

interface Place {
  readonly key: string;
  readonly position: number;
  readonly priority: number;
  readonly ms: number;
}

/** After all that the scheduler counts, and after all that wait for room or quota. */
const UNCOUNTED = Number.MAX_SAFE_INTEGER - 1;
const OWED = Number.MAX_SAFE_INTEGER;

const inOrder = (a: Place, b: Place): number =>
  a.position - b.position || b.priority - a.priority || a.ms - b.ms || (a.key < b.key ? -1 : 1);

const rowKey = (controller: string, key: ObjectKey): string => `${controller} ${key}`;

const FOR_QUOTA: ReadonlySet<WaitReason> = new Set([
  "quota-exhausted",
  "quota-lent",
  "gang-incomplete",
  "gang-backoff",
  "gathering",
]);

/**
 * The stage of the replicas that wait; undefined: it is about something else than replicas in a
 * line.
 */
function waitsIn({ controller, reason }: OwedBy): Stage | undefined {
  if (controller.startsWith("place")) return "queued";
  return controller === "admit" && FOR_QUOTA.has(reason) ? "admitted" : undefined;
}

/** Why, if the last word is about this very wait. */
function becauseOf(
  said: readonly DecisionRecord[],
  { controller, reason }: OwedBy,
): Because | undefined {
  const last = said.find((record) => record.controller === controller)?.decision;
  return last?.kind === "wait" && last.reason === reason ? last.because : undefined;
}
