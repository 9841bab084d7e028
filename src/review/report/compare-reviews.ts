/**
 * Two reviews of the same promises: what became worse, what became better, and which figures moved.
 * A promise that was loosened says so, because a weaker promise is the cheapest way to keep it.
 */
import type { Finding, Review, Verdict } from "../review.ts";
import { spanText } from "./span-text.ts";
import { timeText } from "./review-sentences.ts";

export interface Comparison {
  readonly before: ReviewedAt;
  readonly isSameFleet: boolean;
  readonly isSameProfile: boolean;
  /** The earlier evidence was over when the later review was made. */
  readonly hadExpired: boolean;
  readonly newly: Readonly<Record<Verdict, readonly string[]>>;
  /** Promises that only the later review has, and those that only the earlier one had. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly ChangedFigure[];
}

interface ReviewedAt {
  readonly hash: string;
  readonly madeMs?: number;
}

export interface ChangedFigure {
  readonly name: string;
  readonly what: string;
  readonly before: string;
  readonly after: string;
}

export function compareReviews(before: Review, after: Review): Comparison {
  const was = byName(before.findings);
  const is = byName(after.findings);
  const newly: Record<Verdict, string[]> = { breached: [], "not-shown": [], holds: [] };
  const changed: ChangedFigure[] = [];
  for (const [name, findings] of is) {
    for (const [at, finding] of findings.entries()) {
      const earlier = was.get(name)?.[at];
      if (earlier === undefined) continue;
      const own = nth(name, at);
      if (earlier.verdict !== finding.verdict) newly[finding.verdict].push(own);
      changed.push(...changesIn(own, earlier, finding));
    }
  }
  const expiredMs = before.evidence?.expiresMs;
  const madeMs = before.evidence?.madeMs;
  return {
    before: { hash: before.fleet.hash, ...(madeMs !== undefined && { madeMs }) },
    isSameFleet: before.fleet.hash === after.fleet.hash,
    isSameProfile: before.profile === after.profile,
    hadExpired: expiredMs !== undefined && expiredMs < (after.evidence?.madeMs ?? expiredMs),
    newly,
    added: missingIn(was, is),
    removed: missingIn(is, was),
    changed,
  };
}

/** A name may stand twice; the second is another promise, and is compared with the second. */
function byName(findings: readonly Finding[]): ReadonlyMap<string, readonly Finding[]> {
  const found = new Map<string, Finding[]>();
  for (const finding of findings) {
    const others = found.get(finding.name);
    if (others === undefined) found.set(finding.name, [finding]);
    else others.push(finding);
  }
  return found;
}

const nth = (name: string, at: number): string => (at === 0 ? name : `${name} #${at + 1}`);

/** Those of the one that have none of their name in the other. */
const missingIn = (
  other: ReadonlyMap<string, readonly Finding[]>,
  those: ReadonlyMap<string, readonly Finding[]>,
): readonly string[] =>
  [...those].flatMap(([name, findings]) => {
    const known = other.get(name)?.length ?? 0;
    return findings.slice(known).map((_, at) => nth(name, known + at));
  });

const NONE = "none";

const FIGURES: readonly (readonly [string, (finding: Finding) => string])[] = [
  ["promise", ({ promise }) => promise],
  ["objects", ({ mechanisms }) => mechanisms.map(({ object }) => object).join(", ") || NONE],
  ["capacity counted", ({ capacity }) => capacity?.counted ?? NONE],
  ["failures that break it", ({ capacity }) => partOf(capacity?.broken, capacity?.failures)],
  ["binding constraint", ({ capacity }) => capacity?.binding ?? NONE],
  ["headroom", ({ capacity }) => capacity?.headroom ?? NONE],
  ["seeds that kept it", ({ simulation }) => partOf(simulation?.kept, simulation?.seeds)],
  ["p50", ({ simulation }) => msText(simulation?.p50Ms)],
  ["p99", ({ simulation }) => msText(simulation?.p99Ms)],
  ["worst", ({ simulation }) => worstText(simulation?.worst)],
  ["smallest fix", ({ fix }) => fix?.change ?? NONE],
];

function changesIn(name: string, earlier: Finding, finding: Finding): readonly ChangedFigure[] {
  return FIGURES.flatMap(([what, of]) => {
    const [before, after] = [of(earlier), of(finding)];
    return before === after ? [] : [{ name, what, before, after }];
  });
}

const partOf = (count: number | undefined, whole: number | undefined): string =>
  count === undefined || whole === undefined ? NONE : `${count} of ${whole}`;

const msText = (ms: number | undefined): string => (ms === undefined ? NONE : spanText(ms));

const worstText = (worst: { readonly ms?: number } | undefined): string =>
  worst !== undefined && worst.ms === undefined ? "not while it was watched" : msText(worst?.ms);

/** Against what it was compared, as sentences; the names follow elsewhere. */
export function comparisonHead({
  before,
  isSameFleet,
  isSameProfile,
  hadExpired,
}: Comparison): readonly string[] {
  const made = before.madeMs === undefined ? undefined : timeText(before.madeMs);
  return [
    `Compared with ${made === undefined ? "an earlier review" : `the review of ${made}`}: ${
      isSameFleet
        ? "the fleet is the same."
        : `the fleet has changed since (its hash was ${before.hash}).`
    }`,
    ...(isSameProfile ? [] : ["The times come from another control plane than before."]),
    ...(hadExpired ? ["The earlier evidence had expired when this review was made."] : []),
  ];
}

export const comparisonLists = ({
  newly,
  added,
  removed,
}: Comparison): readonly (readonly [string, readonly string[]])[] =>
  (
    [
      ["Newly breached", newly.breached],
      ["Newly not shown", newly["not-shown"]],
      ["Newly holding", newly.holds],
      ["New promises", added],
      ["Promises that are gone", removed],
    ] as const
  ).filter(([, names]) => names.length > 0);

export const isUnchanged = (comparison: Comparison): boolean =>
  comparisonLists(comparison).length === 0 && comparison.changed.length === 0;
