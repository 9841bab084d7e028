/**
 * What a run decided, told from its log and the words of its controllers: who was placed where and
 * when, who had to make room, who waits at the end, and how full everything is then.
 */
import type { Binding } from "../../core/protocol/command.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { Because, DecisionRecord } from "../../core/protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Node, Replica } from "../../core/model/objects.ts";
import { holdsNode } from "../../core/model/stage.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";

/** A placement, or a preemption, by a name that it has in every run: `replica#incarnation#n`. */
export type DecisionName = string;

export interface Placement {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly node: string;
  readonly queuedMs: number;
  readonly boundMs: number;
  /** The policy revision that it was decided under; left out: one without a name. */
  readonly revision?: string | undefined;
  readonly because?: Because | undefined;
}

export interface Preemption {
  readonly by: ObjectKey;
  readonly node: string;
  readonly victims: readonly ObjectKey[];
  readonly atMs: number;
}

export interface Waiting {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly sinceMs: number;
  /** What the scheduler said last; undefined: it has not looked. */
  readonly why: string | undefined;
}

export interface UseOfPlace {
  readonly region: string;
  readonly zone: string;
  readonly cpuMillis: number;
  readonly cpuCapacityMillis: number;
  readonly memoryMiB: number;
  readonly memoryCapacityMiB: number;
}

export class RunAccount {
  readonly placements = new Map<DecisionName, Placement>();
  readonly preemptions = new Map<DecisionName, Preemption>();
  readonly waiting = new Map<string, Waiting>();
  /** At the end: how many replicas are at which stage. */
  readonly stages: Record<string, number> = {};
  /** At the end; in the order of regions and zones. */
  use: readonly UseOfPlace[] = [];
  private readonly times = new Map<string, number>();
  /** The last proposal about each incarnation. */
  private readonly proposed = new Map<string, Because>();
  private readonly waits = new Map<ObjectKey, string>();

  decided({ key, decision }: DecisionRecord): void {
    if (decision.kind === "wait") {
      const { summary } = decision.because;
      this.waits.set(key, `${decision.reason}: ${summary}`);
    }
    if (decision.kind !== "propose") return;
    for (const intent of decision.intents) {
      const bindings =
        intent.kind === "bind" ? [intent] : intent.kind === "bind-all" ? intent.bindings : [];
      for (const [at, { replica, incarnation }] of bindings.entries()) {
        const { because } = decision;
        this.proposed.set(
          `${replica}#${incarnation}`,
          at === 0 ? because : together(because, bindings),
        );
      }
    }
  }

  committed(commit: Commit): void {
    if (commit.command === "preempt") this.preempted(commit);
    for (const { before, after } of commit.changes) {
      if (before?.kind !== "Replica" || after?.kind !== "Replica") continue;
      if (before.status.stage === "queued" && after.status.stage === "bound") {
        this.placed(before, after, commit.atMs);
      }
    }
  }

  end(objects: ObjectIndex): void {
    for (const replica of objects.all("Replica").values()) {
      const { stage, incarnation, stageSinceMs } = replica.status;
      this.stages[stage] = (this.stages[stage] ?? 0) + 1;
      if (stage !== "queued") continue;
      const why = this.waits.get(workloadOf(replica));
      const waiting = { replica: replica.key, incarnation, sinceMs: stageSinceMs, why };
      this.waiting.set(`${replica.key}#${incarnation}`, waiting);
    }
    this.use = useOf(objects);
  }

  private placed(before: Replica, { key, status }: Replica, atMs: number): void {
    const { incarnation, node = "", policyRevision } = status;
    this.placements.set(this.nextName(`${key}#${incarnation}`), {
      replica: key,
      incarnation,
      node,
      queuedMs: before.status.stageSinceMs,
      boundMs: atMs,
      revision: policyRevision,
      because: this.proposed.get(`${key}#${incarnation}`),
    });
  }

  private preempted({ changes, evidence, atMs }: Commit): void {
    const asked = changes.flatMap(({ before, after }) =>
      after?.kind === "Replica" &&
      before?.kind === "Replica" &&
      after.status.stopping !== undefined &&
      before.status.stopping === undefined
        ? [after]
        : [],
    );
    const [first] = asked;
    // Room that was becoming free anyway is reserved at no cost.
    if (first === undefined || evidence?.kind !== "preempted") return;
    const { by } = evidence;
    const victims = asked.map(({ key }) => key).toSorted();
    const node = first.status.node ?? "";
    this.preemptions.set(this.nextName(`preempt ${by}`), { by, node, victims, atMs });
  }

  private nextName(of: string): DecisionName {
    const times = this.times.get(of) ?? 0;
    this.times.set(of, times + 1);
    return `${of}#${times}`;
  }
}

/**
 * Of many that are bound at once the scheduler writes down the score of the first; what it says of
 * that is not true of others.
 */
function together(because: Because, [first]: readonly Binding[]): Because {
  const { policy, policyRevision } = because;
  const summary = `bound together with ${first === undefined ? "others" : parseKey(first.replica).name}`;
  return {
    summary,
    ...(policy === undefined ? {} : { policy }),
    ...(policyRevision === undefined ? {} : { policyRevision }),
  };
}

function useOf(objects: ObjectIndex): readonly UseOfPlace[] {
  const places = new Map<string, UseOfPlace>();
  for (const node of objects.all("Node").values()) {
    const { region, zone } = node.spec;
    const key = `${region}\n${zone}`;
    const one = useOfNode(objects, node);
    const sum = places.get(key);
    places.set(key, sum === undefined ? one : added(sum, one));
  }
  return [...places].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, use]) => use);
}

function useOfNode(objects: ObjectIndex, { meta, spec }: Node): UseOfPlace {
  const { region, zone, capacity } = spec;
  let cpuMillis = 0;
  let memoryMiB = 0;
  for (const { spec: of, status } of objects.replicasOn(meta.name).values()) {
    if (!holdsNode(status.stage)) continue;
    cpuMillis += of.template.ask.amounts.cpuMillis;
    memoryMiB += of.template.ask.amounts.memoryMiB;
  }
  const cpuCapacityMillis = capacity.cpuMillis;
  const memoryCapacityMiB = capacity.memoryMiB;
  return { region, zone, cpuMillis, cpuCapacityMillis, memoryMiB, memoryCapacityMiB };
}

const added = (a: UseOfPlace, b: UseOfPlace): UseOfPlace => ({
  ...a,
  cpuMillis: a.cpuMillis + b.cpuMillis,
  cpuCapacityMillis: a.cpuCapacityMillis + b.cpuCapacityMillis,
  memoryMiB: a.memoryMiB + b.memoryMiB,
  memoryCapacityMiB: a.memoryCapacityMiB + b.memoryCapacityMiB,
});
