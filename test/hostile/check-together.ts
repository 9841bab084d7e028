/**
 * Cases that are sent at once, and then one by one where something was dear or found. What one of them shows again by itself is that
 * one's. What none of them shows again was shown all the same: a plane that died once has died.
 */
import type { HostileCase } from "./hostile-case.ts";
import { type Finding, SLOW_MS, type Verdict } from "./oracle.ts";

/** Of the main thread, for that many cases: what is dearer is looked at one by one. */
const DEAR_MS = 80;

export interface Together {
  /** First what all of them cost and did together, then each one's answers. */
  readonly send: (cases: readonly HostileCase[]) => Promise<readonly [Verdict, ...Verdict[]]>;
  /** One alone; what kind of thing it showed, if any. */
  readonly check: (one: HostileCase) => Promise<Finding["kind"] | undefined>;
  readonly note: (found: Finding & { readonly case: HostileCase }) => void;
  readonly count: (verdict: Verdict) => void;
}

export async function checkTogether(of: Together, cases: readonly HostileCase[]): Promise<void> {
  const [joined, ...verdicts] = await of.send(cases);
  for (const verdict of verdicts) of.count(verdict);
  const seen = seenTogether(cases, joined, verdicts);
  if (seen === undefined && joined.finding === undefined && joined.costMs <= DEAR_MS) return;
  const again = new Set<Finding["kind"] | undefined>();
  for (const one of cases) again.add(await of.check(one));
  if (seen !== undefined && !again.has(seen.kind)) of.note(seen);
}

/** What no busy machine can have done. Silence may be the machine's, so it counts only where a case shows it again. */
function seenTogether(
  cases: readonly HostileCase[],
  joined: Verdict,
  verdicts: readonly Verdict[],
): (Finding & { readonly case: HostileCase }) | undefined {
  for (const [at, { finding }] of verdicts.entries()) {
    const one = cases[at];
    if (finding !== undefined && one !== undefined) return { ...finding, case: told(one, finding) };
  }
  const { finding, costMs } = joined;
  const slow: Finding | undefined =
    costMs > cases.length * SLOW_MS
      ? { kind: "slow", what: `${Math.round(costMs)} ms of the plane's main thread together` }
      : undefined;
  const seen = finding?.kind === "silent" ? slow : (finding ?? slow);
  return seen && { ...seen, case: told(joinedCase(cases), seen) };
}

const told = (one: HostileCase, { kind, what }: Finding): HostileCase => ({
  ...one,
  showed: `${kind}, once: ${what.slice(0, 300)}`,
});

/** All of them as one, sent as they were: none waits for another's answer. */
export const joinedCase = (cases: readonly HostileCase[]): HostileCase => ({
  name: `${cases[0]?.name ?? "none"}-and-${cases.length - 1}-more`,
  requests: cases.flatMap(({ requests }) =>
    requests.map((request) => ({ ...request, isParallel: true as const })),
  ),
});
