/**
 * What came to a plane from outside itself, in the order in which it came: the part of a recording
 * that a run under another policy keeps. All that the plane's own components told each other is
 * left out; of that only the times stay.
 */
import type { Snapshot } from "../../core/protocol/snapshot.ts";
import type { AuthorityInput } from "../../core/kernel/component.ts";
import type { Epoch, ObjectKey, Revision } from "../../core/model/ids.ts";
import type { PolicyRevisionSpec, PolicySpec } from "../../core/model/policy.ts";
import type { ChapterStart } from "../../host/recording/entry.ts";
import type { AgentStories, Anchor } from "./agent-stories.ts";
import type { IncarnationName } from "./incarnation-names.ts";

export interface OutsideRequest {
  readonly kind: "request";
  readonly input: Extract<AuthorityInput, { kind: "request" }>;
  /** It had its effect, or had had it before. */
  wasCommitted: boolean;
  /** Of a report: the incarnation it is about, and what had come before it. */
  readonly about?: { readonly name: IncarnationName | undefined; readonly anchor: Anchor };
  /** Of a renewal that lists replicas: which were on the node. */
  readonly wereOn?: ReadonlySet<ObjectKey>;
}

export type Cue =
  /**
   * Fresh controllers; without a state, or of a standby, also a fresh authority. `landed`: as of a
   * claim.
   */
  | { readonly kind: "page"; readonly start: ChapterStart; readonly landed: boolean }
  | { readonly kind: "started" | "lapsed" | "stalled" }
  | { readonly kind: "took-over"; readonly epoch: Epoch }
  /** `landed`: the append in flight when the plane asked for the log had landed. */
  | { readonly kind: "claimed"; readonly epoch: Epoch; readonly landed: boolean }
  | { readonly kind: "appended"; readonly result: "durable" | "fenced" | "unknown" }
  | OutsideRequest
  | { readonly kind: "hired" | "timer" | "bookmark" };

/** Where the recorded run stood at this moment. */
export interface Standing {
  readonly atMs: number;
  /** When its controllers wanted to be woken. */
  readonly timerMs: number | undefined;
  readonly isAppending: boolean;
  readonly revision: Revision;
}

export interface ScriptLine extends Standing {
  readonly cue: Cue;
  /** The times of the turns that came of it. */
  readonly caused: number[];
}

export interface Script {
  readonly lines: readonly ScriptLine[];
  readonly end: Standing;
  readonly beginning: Snapshot;
  readonly stories: AgentStories;
  /** Every policy revision that was there at some time. */
  readonly revisions: ReadonlyMap<string, PolicyRevisionSpec>;
  /** Every policy as it was first seen. */
  readonly policies: ReadonlyMap<string, PolicySpec>;
  /** How long an append took, half of them at most. */
  readonly appendMs: number;
  readonly fromMs: number;
  readonly chapters: readonly string[];
  /** What of the chapters that were asked for had to be left out, and why. */
  readonly notes: readonly string[];
}
