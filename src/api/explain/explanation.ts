/**
 * What `GET /explain` answers: the timeline of one thing, and where it stands. Times are RFC 3339,
 * ages milliseconds.
 */
import type { Remedy } from "../../core/rules/obstacles/remedy.ts";
import type { Because } from "../../core/protocol/decision.ts";
import type { Revision } from "../../core/model/ids.ts";

export const EXPLAINED = ["replica", "workload", "node", "decision"] as const;
export type Explained = (typeof EXPLAINED)[number];

/** The log's revision that the decision saw. */
export interface Seen {
  readonly revision: Revision;
  /** Commits that were there already and had not been seen. */
  readonly behind: number;
  /** How long the oldest of those had been there; left out when that is no longer known. */
  readonly ageMs?: number;
}

export interface CitedEvidence {
  readonly kind: string;
  readonly says: string;
  /** What may be done on it, and no more. */
  readonly permits: string;
  /** How old it was when it was cited; left out when it has no age. */
  readonly ageMs?: number;
}

export interface Said {
  readonly controller: string;
  readonly because: Because;
  readonly seen: Seen;
  /** How often the same was proposed. */
  readonly attempts?: number;
  readonly refusals?: {
    readonly times: number;
    readonly code: string;
    readonly field: string;
    readonly expected: string | number;
    readonly actual: string | number;
  };
}

export interface CommitStep {
  readonly kind: "commit";
  readonly at: string;
  readonly revision: Revision;
  readonly epoch: number;
  readonly command: string;
  readonly actor: { readonly role: string; readonly name: string };
  readonly operation: string;
  /** What it changed that this is about, in sentences. */
  readonly what: readonly { readonly of: string; readonly says: string }[];
  /** How many other objects it changed. */
  readonly others: number;
  readonly seen: Seen;
  readonly evidence?: CitedEvidence;
  /** Why it was proposed; left out without a decision, or when its record is no longer kept. */
  readonly decided?: Said;
}

export interface WaitStep {
  readonly kind: "wait" | "proposal";
  /** When it was last said. */
  readonly at: string;
  readonly since: string;
  readonly times: number;
  readonly of: string;
  readonly reason: string;
  readonly decided: Said;
}

export type Step = CommitStep | WaitStep;

export interface OwedWait {
  readonly controller: string;
  readonly of: string;
  readonly reason: string;
  readonly summary: string;
  /** What ends it, beside the deadline. */
  readonly wakes: readonly string[];
  readonly by: string;
  readonly inMs: number;
}

/** What the autoscaler of a workload saw, what it makes of it, and what keeps it from that. */
export interface Scaling {
  readonly autoscaler: string;
  /** e.g. "70% cpu" */
  readonly target: string;
  readonly min: number;
  readonly max: number;
  /** As many as carry the observed load at the target; left out: nothing was observed. */
  readonly needed?: number;
  /** What it does, and why, in a sentence. */
  readonly says: string;
  readonly observed?: {
    readonly at: string;
    readonly ageMs: number;
    /** What a replica had, of those that were measured. */
    readonly load: number;
    readonly covered: number;
    readonly of: number;
    /** Its number, which decisions cite. */
    readonly observation: number;
  };
  /** The last step to more and the last to fewer, the newer one first. */
  readonly steps: readonly { readonly at: string; readonly from: number; readonly to: number }[];
  readonly conditions: readonly {
    readonly type: string;
    readonly status: string;
    readonly reason: string;
    readonly message: string;
  }[];
}

export interface Stand {
  readonly exists: boolean;
  readonly says: string;
  /** Who does the next thing. */
  readonly owner: string;
  readonly next: string;
  /** By when, where a rule says so, and which. */
  readonly by?: { readonly at: string; readonly inMs: number; readonly because: string };
  readonly waits: readonly OwedWait[];
  /** Of a workload that an autoscaler scales. */
  readonly scaling?: Scaling;
}

export interface Explanation {
  readonly kind: Explained;
  readonly name: string;
  readonly namespace?: string;
  /** The revision that it is explained as of. */
  readonly revision: Revision;
  readonly time: string;
  /** Oldest first. */
  readonly timeline: readonly Step[];
  /** Steps between the record's beginning and the first one shown. */
  readonly leftOff: boolean;
  readonly record: {
    /** Everything after this revision was looked at. */
    readonly from: Revision;
    readonly isWhole: boolean;
    readonly says: string;
  };
  readonly now: Stand;
  readonly whyNot?: ShownWhyNot;
  readonly whatIf?: ShownWhatIf;
}

/** Every rule that keeps a replica from a node; none: the node would take it. */
export interface ShownWhyNot {
  readonly node: string;
  readonly isThere: boolean;
  readonly obstacles: readonly {
    readonly rule: string;
    readonly code?: string;
    readonly what: string;
    readonly expected: string | number;
    readonly actual: string | number;
    readonly says: string;
    /** What would lift it; left out: nothing that could be changed at once. */
    readonly remedy?: string;
  }[];
  readonly notChecked: readonly string[];
}

export interface ShownWhatIf {
  readonly says: string;
  /** Smallest first. */
  readonly suggestions: readonly {
    readonly changes: readonly (Remedy & { readonly says: string })[];
    /** A node that would take it then. */
    readonly node: string;
    /** How many nodes the same changes open. */
    readonly opens: number;
  }[];
  /** Nodes that none of these changes opens, by the rule that turns them away. */
  readonly beyondHelp: Readonly<Record<string, number>>;
  readonly notChecked: readonly string[];
}
