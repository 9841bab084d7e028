/**
 * What agents said of each incarnation in the recording, and how long after they had reason to:
 * after it was bound, or after it was asked to stop. And when each node spoke at all.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import type { OperationId, ObjectKey } from "../../core/model/ids.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import { LEASE_MS } from "../../core/model/timing.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import {
  IncarnationNames,
  type IncarnationMove,
  type IncarnationName,
} from "./incarnation-names.ts";

export type Anchor = "bound" | "stopping";

export interface ToldReport {
  readonly anchor: Anchor;
  readonly atMs: number;
  readonly delayMs: number;
  readonly intent: IntentOf<"report">;
}

export interface IncarnationStory {
  readonly name: IncarnationName;
  readonly workload: ObjectKey;
  readonly node: string;
  /** Undefined: it was bound before the recording begins. */
  readonly boundMs: number | undefined;
  stopMs: number | undefined;
  readonly reports: ToldReport[];
}

/**
 * It came to run, or its process ended by itself: nothing that only its node did has cut it short.
 */
export const isWhole = ({ reports }: IncarnationStory): boolean =>
  reports.some(({ intent }) => RAN.has(intent.stage) && intent.rejected !== true);

const RAN: ReadonlySet<string> = new Set(["serving", "running", "succeeded", "failed"]);

export class AgentStories {
  private readonly names = new IncarnationNames();
  private readonly stories = new Map<IncarnationName, IncarnationStory>();
  private readonly byWorkload = new Map<ObjectKey, IncarnationStory[]>();
  private readonly sent = new Map<OperationId, IntentOf<"report">>();
  private readonly spoke = new Map<string, number[]>();
  private endMs = 0;

  begin(objects: readonly AnyObject[]): void {
    this.names.begin(objects);
  }

  /** A report on its way, and which incarnation it is about. */
  sends(intent: IntentOf<"report">): {
    readonly name: IncarnationName | undefined;
    readonly anchor: Anchor;
  } {
    this.sent.set(intent.operation, intent);
    const incarnation = this.names.of(intent.replica);
    const isMeant = incarnation?.replica.status.incarnation === intent.incarnation;
    const isAsked = incarnation?.replica.status.stopping !== undefined;
    return { name: isMeant ? incarnation.name : undefined, anchor: isAsked ? "stopping" : "bound" };
  }

  speaks(node: string, atMs: number): void {
    const times = this.spoke.get(node);
    if (times === undefined) this.spoke.set(node, [atMs]);
    else times.push(atMs);
  }

  committed(commit: Commit): void {
    this.endMs = commit.atMs;
    if (commit.command === "report") this.told(commit);
    for (const move of this.names.follow(commit)) this.moved(move);
  }

  of(name: IncarnationName): IncarnationStory | undefined {
    return this.stories.get(name);
  }

  /**
   * How it went with others of the workload; of those that ran, the one that was told the most of.
   */
  like(workload: ObjectKey): IncarnationStory | undefined {
    let best: IncarnationStory | undefined;
    for (const story of this.byWorkload.get(workload) ?? []) {
      if (story.boundMs === undefined || !isWhole(story)) continue;
      if (best === undefined || story.reports.length > best.reports.length) best = story;
    }
    return best;
  }

  /** The last word of one that was asked to stop: of this workload, or else of any. */
  stopLike(workload: ObjectKey): ToldReport | undefined {
    const ofWorkload = this.byWorkload.get(workload) ?? [];
    for (const stories of [ofWorkload, this.stories.values()]) {
      for (const { reports } of stories) {
        const found = reports.findLast(({ anchor }) => anchor === "stopping");
        if (found !== undefined) return found;
      }
    }
    return undefined;
  }

  /** When the node next says something, from this moment on; undefined: never in the recording. */
  speaksFrom(node: string, atMs: number): number | undefined {
    const times = this.spoke.get(node) ?? [];
    const next = times.find((time) => time >= atMs);
    const last = times.findLast((time) => time <= atMs);
    const isHeard = last !== undefined && atMs - last < LEASE_MS;
    const goesOn = (next ?? this.endMs) - atMs < LEASE_MS;
    return isHeard && goesOn ? atMs : next;
  }

  private told({ operation, changes, atMs }: Commit): void {
    const intent = this.sent.get(operation);
    const [change] = changes;
    const incarnation = change && this.names.of(change.key);
    if (intent === undefined || incarnation === undefined) return;
    const story = this.storyOf(incarnation, undefined);
    const anchor = story.stopMs === undefined ? "bound" : "stopping";
    const since = story.stopMs ?? story.boundMs ?? atMs;
    story.reports.push({ anchor, atMs, delayMs: Math.max(0, atMs - since), intent });
  }

  private moved({ kind, incarnation, atMs }: IncarnationMove): void {
    if (kind === "bound") this.storyOf(incarnation, atMs);
    if (kind === "stopping") this.storyOf(incarnation, undefined).stopMs = atMs;
  }

  private storyOf(
    { name, replica }: Exclude<ReturnType<IncarnationNames["of"]>, undefined>,
    boundMs: number | undefined,
  ): IncarnationStory {
    const known = this.stories.get(name);
    if (known !== undefined) return known;
    const workload = workloadOf(replica);
    const node = replica.status.node ?? "";
    const stopMs = undefined;
    const story: IncarnationStory = { name, workload, node, boundMs, stopMs, reports: [] };
    this.stories.set(name, story);
    const others = this.byWorkload.get(workload);
    if (others === undefined) this.byWorkload.set(workload, [story]);
    else others.push(story);
    return story;
  }
}
