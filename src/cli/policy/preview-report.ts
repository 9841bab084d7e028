/** Exactly what `berth policy preview --json` prints, and what its text is made of. */
import { rfc3339Millis } from "../../api/rfc3339.ts";
import type { Because } from "../../core/protocol/decision.ts";
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Counterfactual } from "../../replay/counterfactual.ts";
import type {
  Differences,
  PlacedSide,
  UnplacedSide,
  WaitDifference,
} from "../../replay/counterfactual/differences.ts";
import type { Preemption, UseOfPlace } from "../../replay/counterfactual/run-account.ts";

export interface Previewed extends Counterfactual {
  readonly policy: string;
  readonly revision: string;
  readonly region: string | undefined;
  readonly notes: readonly string[];
}

export interface ReportedSide {
  /** Left out: not placed. */
  readonly node?: string;
  readonly policyRevision?: string;
  readonly score?: number;
  readonly parts?: Readonly<Record<string, number>>;
  readonly why: string;
}

export interface PreviewReport {
  readonly policy: string;
  readonly revision: string;
  readonly region?: string;
  readonly from: string;
  readonly until: string;
  readonly chapters: readonly string[];
  readonly notes: readonly string[];
  readonly summary: string;
  /** What differs from the recording with nothing changed. */
  readonly control: Counts;
  readonly counts: Counts;
  readonly placements: readonly {
    readonly replica: string;
    readonly incarnation: number;
    readonly time: string;
    readonly before: ReportedSide;
    readonly after: ReportedSide;
  }[];
  /** Milliseconds; null: until the end of the recording, and beyond. */
  readonly waits: readonly {
    readonly replica: string;
    readonly incarnation: number;
    readonly beforeMs: number | null;
    readonly afterMs: number | null;
  }[];
  /** Null: none. */
  readonly preemptions: readonly {
    readonly by: string;
    readonly before: ReportedPreemption | null;
    readonly after: ReportedPreemption | null;
  }[];
  readonly use: readonly {
    readonly region: string;
    readonly zone: string;
    readonly before: Use;
    readonly after: Use;
  }[];
}

export interface Counts {
  readonly compared: number;
  readonly placements: number;
  readonly waits: number;
  readonly preemptions: number;
}

interface ReportedPreemption {
  readonly node: string;
  readonly victims: readonly string[];
}

export interface Use {
  readonly cpuPercent: number;
  readonly memoryPercent: number;
}

export function previewReport(of: Previewed): PreviewReport {
  const { script, control, changed, before, after } = of;
  return {
    policy: of.policy,
    revision: of.revision,
    ...(of.region === undefined ? {} : { region: of.region }),
    from: rfc3339Millis(script.fromMs),
    until: rfc3339Millis(script.end.atMs),
    chapters: script.chapters,
    notes: [...of.notes, ...script.notes],
    summary: summaryOf(of),
    control: countsOf(control),
    counts: countsOf(changed),
    placements: changed.placements.map((each) => ({
      replica: shortName(each.replica),
      incarnation: each.incarnation,
      time: rfc3339Millis(each.atMs),
      before: sideOf(each.before),
      after: sideOf(each.after),
    })),
    waits: changed.waits.map(({ replica, incarnation, beforeMs = null, afterMs = null }) => ({
      replica: shortName(replica),
      incarnation,
      beforeMs,
      afterMs,
    })),
    preemptions: changed.preemptions.map((each) => ({
      by: shortName(each.by),
      before: preemptionOf(each.before),
      after: preemptionOf(each.after),
    })),
    use: before.use.map((was) => {
      const is = after.use.find(({ region, zone }) => region === was.region && zone === was.zone);
      const { region, zone } = was;
      return { region, zone, before: percentOf(was), after: percentOf(is ?? was) };
    }),
  };
}

/** `tenant/replica`, as people name it. */
function shortName(key: ObjectKey): string {
  const { namespace, name } = parseKey(key);
  return `${namespace}/${name}`;
}

const countsOf = ({ compared, placements, waits, preemptions }: Differences): Counts => ({
  compared,
  placements: placements.length,
  waits: waits.length,
  preemptions: preemptions.length,
});

function sideOf(side: PlacedSide | UnplacedSide): ReportedSide {
  if ("waits" in side) return { why: side.waits ?? "it does not exist" };
  const { node, revision, because } = side;
  return {
    node,
    ...(revision === undefined ? {} : { policyRevision: revision }),
    ...scoreOf(because),
    why: because?.summary ?? "",
  };
}

/** Of many that are bound at once only the first has one. */
function scoreOf(because: Because | undefined): Pick<ReportedSide, "score" | "parts"> {
  if (because?.score === undefined) return {};
  const { score, parts } = because;
  return { score, ...(parts === undefined ? {} : { parts }) };
}

function preemptionOf(preemption: Preemption | undefined): ReportedPreemption | null {
  if (preemption === undefined) return null;
  const { node, victims } = preemption;
  return { node, victims: victims.map(shortName) };
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((100 * part) / whole);

function percentOf(use: UseOfPlace): Use {
  return {
    cpuPercent: percent(use.cpuMillis, use.cpuCapacityMillis),
    memoryPercent: percent(use.memoryMiB, use.memoryCapacityMiB),
  };
}

/** e.g. "14 of 220 placements would differ; 3 replicas would wait longer; 1 preemption fewer" */
function summaryOf({ changed, before, after }: Previewed): string {
  const { compared, placements, waits } = changed;
  const longer = waits.filter(isLonger).length;
  const shorter = waits.length - longer;
  const more = after.preemptions.size - before.preemptions.size;
  const parts = [
    `${placements.length} of ${compared} ${compared === 1 ? "placement" : "placements"} would differ`,
    ...(longer === 0 ? [] : [`${counted(longer, "replica")} would wait longer`]),
    ...(shorter === 0 ? [] : [`${counted(shorter, "replica")} would wait less`]),
    ...(more === 0
      ? []
      : [`${counted(Math.abs(more), "preemption")} ${more > 0 ? "more" : "fewer"}`]),
  ];
  return parts.join("; ");
}

const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`;

const isLonger = ({ beforeMs, afterMs }: WaitDifference): boolean =>
  afterMs === undefined || (beforeMs !== undefined && afterMs > beforeMs);
