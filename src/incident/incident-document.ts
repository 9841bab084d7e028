/**
 * What happened in a simulated or a recorded run, as one document that a browser can show: who did
 * what in which turn, which message led from one turn to another, and what each component believed
 * when. Views are not written down: a component's view is the state at some revision, so the
 * changes by revision and the revision that each component had reached are enough to put belief and
 * truth side by side at any turn.
 */

export const INCIDENT_FORMAT = 1;

export interface IncidentDocument {
  readonly berthIncident: typeof INCIDENT_FORMAT;
  readonly source: IncidentSource;
  /**
   * Components in the order in which they are drawn: planes, controllers, agents, users, the world.
   */
  readonly lanes: readonly Lane[];
  /** By time, then by number. */
  readonly turns: readonly Turn[];
  readonly arrows: readonly Arrow[];
  /** What the log says, oldest first; `base` is what was there before the first of them. */
  readonly base: readonly Shown[];
  /** The revision of `base`; left out: the one before the first commit. */
  readonly baseRevision?: number;
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
  /** The kinds of objects that it is shown; left out: all of them, or it has no view. */
  readonly kinds?: readonly string[];
  /** Of an agent: of the replicas it is shown those on this node only. */
  readonly node?: string;
}

/**
 * One line of what happened; what a component did in one turn may be several, all with its number.
 */
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
  /**
   * What its view holds otherwise than the state at its revision is (`cells` undefined: it does not
   * hold it), from here until it says so again; empty: nothing any more. Faults of a watch do this,
   * and bugs.
   */
  readonly astray?: readonly ShownChange[];
  /** The object it is about. */
  readonly key?: string;
  /** Rules, score, alternatives and waits, as `berth explain` shows them. */
  readonly decision?: unknown;
}

/**
 * Indexes in `turns`; a message that never arrived has no `to`. One that is left in the air at the
 * end has none at all.
 */
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
  readonly changes: readonly ShownChange[];
}

/** `cells` undefined: it is gone. */
export interface ShownChange {
  readonly key: string;
  readonly cells: Shown["cells"] | undefined;
}

export interface Mark {
  /** Index in `turns`. */
  readonly turn: number;
  /** "point": a commit after which an incident could not be undone any more. */
  readonly kind: "violation" | "fault" | "divergence" | "lead" | "point";
  readonly text: string;
}

export interface LeftOut {
  readonly turns: number;
  /** Objects of which nothing is told, although something may be known; left out: none. */
  readonly objects?: number;
  readonly why: string;
}
