/**
 * The agents of a run under another policy. They say of an incarnation what they said of it in the
 * recording: at the recorded moment where it was bound, or asked to stop, at the recorded moment,
 * and otherwise as long after it. The agent of the bound node reports it. Of incarnations that the
 * recording does not have, or that were cut short there by what happened to a node, they say what
 * was said of others of the workload. A node that is silent in the recording says nothing.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { IntentOf } from "../../core/protocol/command.ts";
import type { Request } from "../../core/kernel/component.ts";
import type { AnyObject, Replica } from "../../core/model/objects.ts";
import { workloadOf } from "../../core/model/workload-of.ts";
import { reportOperation } from "../../core/protocol/operations.ts";
import {
  type AgentStories,
  type Anchor,
  isWhole,
  type IncarnationStory,
  type ToldReport,
} from "./agent-stories.ts";
import {
  IncarnationNames,
  type IncarnationMove,
  type IncarnationName,
  type LiveIncarnation,
} from "./incarnation-names.ts";
import type { OutsideRequest } from "./script.ts";

/**
 * What differs by less may as well be the same moment: a batch more or less on the way to the log
 * moves it as much.
 */
const SAME_MOMENT_MS = 1_000;

/** Where no stop was recorded at all: a process that ends when it is asked to. */
const STOP_MS = 1_000;

interface Due {
  readonly atMs: number;
  readonly name: IncarnationName;
  readonly anchor: Anchor;
  readonly report: Pick<ToldReport, "intent"> | undefined;
}

export class AgentsAgain {
  private readonly stories: AgentStories;
  private readonly names = new IncarnationNames();
  private readonly due: Due[] = [];
  /** Incarnations, with what had come, whose recorded reports are not given at their moments. */
  private readonly outOfStep = new Set<string>();

  constructor(stories: AgentStories, objects: readonly AnyObject[]) {
    this.stories = stories;
    this.names.begin(objects);
  }

  committed(commit: Commit): void {
    for (const move of this.names.follow(commit)) this.moved(move);
  }

  get nextMs(): number | undefined {
    return this.due[0]?.atMs;
  }

  /** The first that is due, as a command; undefined: no agent reports it any more, or yet. */
  take(): IntentOf<"report"> | undefined {
    const due = this.due.shift();
    if (due === undefined) return undefined;
    const incarnation = this.incarnationNamed(due.name);
    if (incarnation === undefined || this.isOver(due, incarnation)) return undefined;
    const { node = "" } = incarnation.replica.status;
    const fromMs = this.stories.speaksFrom(node, due.atMs);
    if (fromMs === due.atMs) return reportBy(incarnation.replica, due.report?.intent);
    if (fromMs !== undefined) this.put({ ...due, atMs: fromMs });
    return undefined;
  }

  /** A recorded report as it is said in this run; undefined: not now, or not at all. */
  reaimed({ input, about }: OutsideRequest, atMs: number): Request | undefined {
    const { request } = input;
    if (request.kind !== "command" || request.command.intent.kind !== "report") return request;
    const { intent } = request.command;
    const incarnation = this.names.of(intent.replica);
    // A report that was rejected then is rejected again, if it is about something that is there.
    if (about?.name === undefined) return incarnation === undefined ? request : undefined;
    if (incarnation?.name !== about.name || this.outOfStep.has(stepOf(about.name, about.anchor))) {
      return undefined;
    }
    const { meta, status } = incarnation.replica;
    // Its process ended because it was asked to, and here it was not.
    if (about.anchor === "stopping" && status.stopping === undefined) return undefined;
    const { node = "", session } = status;
    if (node !== intent.node && this.stories.speaksFrom(node, atMs) !== atMs) {
      this.put({ atMs, name: incarnation.name, anchor: about.anchor, report: { intent } });
      return undefined;
    }
    const uid = intent.uid === undefined ? {} : { uid: meta.uid };
    const aimed =
      node === intent.node ? { ...intent, ...uid } : { ...intent, ...uid, node, session };
    const { actor } = request.command;
    const by = node === intent.node ? actor : agentOf(node);
    return { ...request, command: { ...request.command, intent: aimed, actor: by } };
  }

  private moved({ kind, incarnation, atMs }: IncarnationMove): void {
    if (kind === "ended") return;
    const own = this.stories.of(incarnation.name);
    if (this.isInStep(own, kind, incarnation, atMs)) return;
    this.outOfStep.add(stepOf(incarnation.name, kind));
    const workload = workloadOf(incarnation.replica);
    if (kind === "stopping") {
      // What it would have said of itself is over.
      this.outOfStep.add(stepOf(incarnation.name, "bound"));
      const told = own?.reports.find(({ anchor }) => anchor === kind);
      const report = told ?? this.stories.stopLike(workload);
      const delayMs = report?.delayMs ?? STOP_MS;
      this.put({ atMs: atMs + delayMs, name: incarnation.name, anchor: kind, report });
      return;
    }
    const story = own !== undefined && isWhole(own) ? own : (this.stories.like(workload) ?? own);
    for (const report of story?.reports ?? []) {
      if (report.anchor !== "bound") continue;
      this.put({ atMs: atMs + report.delayMs, name: incarnation.name, anchor: "bound", report });
    }
  }

  /**
   * Whether the recorded reports fit the incarnation as it is in this run, at their own moments.
   */
  private isInStep(
    own: IncarnationStory | undefined,
    anchor: Anchor,
    { replica }: LiveIncarnation,
    atMs: number,
  ): boolean {
    const thenMs = anchor === "bound" ? own?.boundMs : own?.stopMs;
    if (own === undefined || thenMs === undefined) return false;
    if (Math.abs(thenMs - atMs) > SAME_MOMENT_MS) return false;
    const told = own.reports.filter((report) => report.anchor === anchor);
    if (told.some((report) => report.atMs < atMs)) return false;
    if (own.node === replica.status.node) return true;
    return anchor === "bound" ? isWhole(own) : told.length > 0;
  }

  /** It was asked to stop meanwhile, and does not begin any more. */
  private isOver({ anchor }: Due, { replica }: LiveIncarnation): boolean {
    return anchor === "bound" && replica.status.stopping !== undefined;
  }

  private incarnationNamed(name: IncarnationName): LiveIncarnation | undefined {
    const incarnation = this.names.of(name.slice(0, name.indexOf("#")) as Replica["key"]);
    return incarnation?.name === name ? incarnation : undefined;
  }

  /** Kept in order of time; among equals the first to come is first. */
  private put(due: Due): void {
    const at = this.due.findLastIndex(({ atMs }) => atMs <= due.atMs) + 1;
    this.due.splice(at, 0, due);
  }
}

const stepOf = (name: IncarnationName, anchor: Anchor): string => `${name} ${anchor}`;

export const agentOf = (node: string) => ({ role: "agent", name: `agent:${node}` }) as const;

function reportBy(replica: Replica, told: IntentOf<"report"> | undefined): IntentOf<"report"> {
  const { key, meta, status } = replica;
  const { node = "", session, incarnation } = status;
  const stage = told?.stage ?? "released";
  return {
    ...told,
    kind: "report",
    operation: reportOperation(replica, stage),
    replica: key,
    uid: meta.uid,
    incarnation,
    node,
    session,
    stage,
  };
}
