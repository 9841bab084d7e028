/**
 * What happened in a simulated or a recorded run, as one document that a browser can show: who did what in which
 * turn, which message led from one turn to another, and what each component believed when. What is believed is not
 * written down: a component's view is the state at some revision, so the changes by revision and the revision that each
 * component had reached are enough to put belief and truth side by side at any turn.
 */

export const INCIDENT_FORMAT = 1;

export interface IncidentDocument {
  readonly berthIncident: typeof INCIDENT_FORMAT;
  readonly source: IncidentSource;
  /** Components in the order in which they are drawn: planes, controllers, agents, users, the world. */
  readonly lanes: readonly Lane[];
  /** By time, then by number. */
  readonly turns: readonly Turn[];
  readonly arrows: readonly Arrow[];
  /** What the log says, oldest first; `base` is what was there before the first of them. */
  readonly base: readonly Shown[];
  readonly commits: readonly ShownCommit[];
  /** Where to look first, such as the turn in which a rule was violated. */
  readonly marks: readonly Mark[];
  /** What did not fit; undefined when all of it is here. */
  readonly leftOut: LeftOut | undefined;
}

export interface IncidentSource {
  readonly kind: "simulation" | "recording";
  /** e.g. "seed 889 of the swarm", "plane one, chapter 3" */
  readonly title: string;
  readonly version: string;
  /** The command that shows it again. */
  readonly again: string;
  /** The moment of `atMs` 0 since 1970; undefined where time is simulated. */
  readonly epochMs: number | undefined;
  readonly violation: { readonly rule: string; readonly text: string } | undefined;
}

export type LaneKind = "plane" | "controller" | "agent" | "user" | "fault" | "checker";

export interface Lane {
  readonly name: string;
  readonly kind: LaneKind;
}

export interface Turn {
  readonly turn: number;
  readonly atMs: number;
  /** Index in `lanes`. */
  readonly lane: number;
  readonly what:
    | "start"
    | "see"
    | "decide"
    | "send"
    | "commit"
    | "refuse"
    | "fault"
    | "violate"
    | "other";
  readonly text: string;
  /** Of the view with which it left this turn; for a plane, what it has committed. */
  readonly revision?: number;
  /** The object it is about. */
  readonly key?: string;
  /** Rules, score, alternatives and waits, as `berth explain` shows them. */
  readonly decision?: unknown;
}

/** Indexes in `turns`; a message that never arrived has no `to`. */
export interface Arrow {
  readonly from: number;
  readonly to: number | undefined;
  readonly what: string;
}

/** An object as a row: its kind's columns are the keys. */
export interface Shown {
  readonly key: string;
  readonly cells: Readonly<Record<string, string | number | boolean>>;
}

export interface ShownCommit {
  readonly revision: number;
  /** Index in `turns`, when the turn is among them. */
  readonly turn: number | undefined;
  readonly operation: string;
  readonly actor: string;
  /** `cells` undefined: it is gone. */
  readonly changes: readonly {
    readonly key: string;
    readonly cells: Shown["cells"] | undefined;
  }[];
}

export interface Mark {
  /** Index in `turns`. */
  readonly turn: number;
  readonly kind: "violation" | "fault" | "divergence" | "lead";
  readonly text: string;
}

export interface LeftOut {
  readonly turns: number;
  readonly why: string;
}
