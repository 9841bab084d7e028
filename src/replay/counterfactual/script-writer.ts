/** Takes one recorded turn after the other and keeps what a `Script` is made of. */
import { takeSnapshot } from "../../core/commit/snapshot.ts";
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import { Ledger } from "../../core/commit/ledger.ts";
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AuthorityInput } from "../../core/kernel/component.ts";
import type { AnyObject } from "../../core/model/objects.ts";
import type { PolicyRevisionSpec, PolicySpec } from "../../core/model/policy.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { OutsideCalls } from "../../host/outside-calls.ts";
import type { ChapterStart } from "../../host/recording/entry.ts";
import type { Played } from "../stage.ts";
import { AgentStories } from "./agent-stories.ts";
import { RunAccount } from "./run-account.ts";
import type { Cue, OutsideRequest, Script, ScriptLine, Standing } from "./script.ts";

/** Where nothing was appended: less than anybody could tell. */
const APPEND_MS = 1;

type Of<K extends Played["by"]> = Extract<Played, { by: K }>;

export class ScriptWriter {
  readonly account = new RunAccount();
  private readonly lines: ScriptLine[] = [];
  private readonly stories = new AgentStories();
  private readonly revisions = new Map<string, PolicyRevisionSpec>();
  private readonly policies = new Map<string, PolicySpec>();
  private readonly calls = new Map<number, OutsideRequest>();
  private readonly appends: number[] = [];
  private beginning: Snapshot | undefined;
  private timerMs: number | undefined;
  private appendedFromMs: number | undefined;
  private revision = 0;
  /** The end of what was given to the log. */
  private sentTo = 0;
  private nowMs = 0;

  /** A chapter goes on where the one before it ended, or this is the first. */
  page(start: ChapterStart, state: Snapshot | undefined): void {
    this.timerMs = undefined;
    this.calls.clear();
    if (start.state === undefined || start.isStandby) this.appendedFromMs = undefined;
    if (state !== undefined && this.beginning === undefined) this.begin(state);
    const end = state?.revision ?? this.revision;
    const cue = { kind: "page", start, landed: end > this.revision } as const;
    this.revision = end;
    this.lines.push({ ...this.standing(), cue, caused: [] });
  }

  /** Whether a log that ends there is the one that was left. */
  goesOn(end: number): boolean {
    return this.beginning === undefined || end === this.revision || end === this.sentTo;
  }

  turn(atMs: number, played: Played, objects: ObjectIndex): void {
    const before = this.standing();
    this.nowMs = atMs;
    const cue = played.by === "plane" ? this.planeCue(played, objects) : clientCue(played);
    if (cue !== undefined) this.lines.push({ ...before, atMs, cue, caused: [] });
    else this.lines.at(-1)?.caused.push(atMs);
    if (played.by === "plane") this.planeDid(played);
    else this.clientDid(played);
  }

  script(objects: ObjectIndex, of: Pick<Script, "chapters" | "notes">): Script | undefined {
    const { lines, stories, revisions, policies, beginning } = this;
    if (beginning === undefined) return undefined;
    this.account.end(objects);
    const sorted = this.appends.toSorted((a, b) => a - b);
    const appendMs = Math.max(APPEND_MS, sorted[sorted.length >> 1] ?? 0);
    const fromMs = lines.find(({ atMs }) => atMs > 0)?.atMs ?? 0;
    const end = this.standing();
    return { lines, end, beginning, stories, revisions, policies, appendMs, fromMs, ...of };
  }

  private standing(): Standing {
    const { nowMs: atMs, timerMs, revision } = this;
    return { atMs, timerMs, isAppending: this.appendedFromMs !== undefined, revision };
  }

  private begin(state: Snapshot): void {
    this.beginning = state;
    this.revision = state.revision;
    this.sentTo = state.revision;
    this.stories.begin(state.objects);
    for (const object of state.objects) this.seen(object);
  }

  private seen(object: AnyObject | undefined): void {
    if (object?.kind === "PolicyRevision") this.revisions.set(object.meta.name, object.spec);
    if (object?.kind !== "Policy" || this.policies.has(object.meta.name)) return;
    this.policies.set(object.meta.name, object.spec);
  }

  private planeCue({ input }: Of<"plane">, objects: ObjectIndex): Cue | undefined {
    switch (input.kind) {
      case "request":
        return input.from === OutsideCalls.SENDER ? this.request(input, objects) : undefined;
      case "claimed":
        return this.claimed(input);
      case "appended":
        return { kind: "appended", result: input.result };
      case "took-over":
        return { kind: "took-over", epoch: input.epoch };
      case "started":
      case "lapsed":
      case "stalled":
        return { kind: input.kind };
      case "followed":
        return undefined;
    }
  }

  private claimed(input: Extract<AuthorityInput, { kind: "claimed" }>): Cue {
    const { epoch } = input;
    const end = input.commits.at(-1)?.revision ?? input.snapshot?.revision ?? 0;
    const landed = end > this.revision;
    if (this.beginning === undefined) this.begin(foldedIn(input));
    return { kind: "claimed", epoch, landed };
  }

  private request(
    input: Extract<AuthorityInput, { kind: "request" }>,
    objects: ObjectIndex,
  ): OutsideRequest {
    const kept: OutsideRequest = {
      kind: "request",
      input,
      wasCommitted: false,
      ...this.heard(input, objects),
    };
    this.calls.set(input.call, kept);
    return kept;
  }

  private heard(
    { request }: Extract<AuthorityInput, { kind: "request" }>,
    objects: ObjectIndex,
  ): Pick<OutsideRequest, "about" | "wereOn"> {
    if (request.kind !== "command") return {};
    const { intent } = request.command;
    if (intent.kind === "report") return { about: this.stories.sends(intent) };
    if (intent.kind !== "lease") return {};
    this.stories.speaks(intent.node, this.nowMs);
    if (intent.kept.length === 0 && intent.inventory === undefined) return {};
    return { wereOn: new Set(objects.replicasOn(intent.node).keys()) };
  }

  private planeDid({ input, effects, published, revision }: Of<"plane">): void {
    if (input.kind === "appended" && this.appendedFromMs !== undefined) {
      this.appends.push(this.nowMs - this.appendedFromMs);
      this.appendedFromMs = undefined;
    }
    for (const effect of effects) {
      if (effect.kind === "append") {
        this.appendedFromMs = this.nowMs;
        this.sentTo = effect.commits.at(-1)?.revision ?? this.sentTo;
      }
      if (effect.kind === "claim") this.appendedFromMs = undefined;
      if (effect.kind !== "respond" || effect.to !== OutsideCalls.SENDER) continue;
      const { reply } = effect;
      const call = this.calls.get(effect.call);
      this.calls.delete(effect.call);
      if (call === undefined || reply.kind !== "outcome") continue;
      call.wasCommitted = reply.outcome.kind === "committed" || reply.outcome.kind === "duplicate";
    }
    // A plane that reads its log back shows all of it, and most of that is old.
    for (const commit of published) if (commit.revision > this.revision) this.committed(commit);
    this.revision = Math.max(this.revision, revision);
  }

  private committed(commit: Commit): void {
    this.account.committed(commit);
    this.stories.committed(commit);
    for (const { after } of commit.changes) this.seen(after);
  }

  private clientDid({ input, effects }: Of<"client">): void {
    if (input.kind === "timer") this.timerMs = undefined;
    for (const effect of effects) {
      if (effect.kind === "timer") this.timerMs = effect.atMs;
      if (effect.kind === "decision") this.account.decided(effect.record);
    }
  }
}

/**
 * A watch that shows nothing came because a second was over; all others come of what was published.
 */
function clientCue({ input }: Of<"client">): Cue | undefined {
  if (input.kind === "started") return { kind: "hired" };
  if (input.kind === "timer") return { kind: "timer" };
  return input.kind === "watch" && input.commits.length === 0 ? { kind: "bookmark" } : undefined;
}

function foldedIn({ snapshot, commits }: Extract<AuthorityInput, { kind: "claimed" }>): Snapshot {
  const ledger = new Ledger();
  if (snapshot !== undefined) ledger.restore(snapshot);
  for (const commit of commits) ledger.fold(commit);
  return takeSnapshot(ledger);
}
