/**
 * The policies by the log: when each revision was made, which is in force where, and which bindings
 * of a revision are left for another. It reads the specs in commits and no conclusion of a plane.
 */
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import { parseKey, type Revision } from "../../../core/model/ids.ts";
import type { PolicyRules, PolicySpec, RollbackWay } from "../../../core/model/policy.ts";

interface Made {
  readonly madeAt: Revision;
  readonly text: string;
  readonly rules: PolicyRules;
}

interface Left {
  readonly policy: string;
  readonly revision: string;
  /** Undefined: everywhere. */
  readonly region: string | undefined;
}

export interface Move {
  readonly region: string | undefined;
  readonly from: string;
  readonly to: string;
}

export class PolicyShadow {
  readonly revisions = new Map<string, Made>();
  readonly pointers = new Map<string, PolicySpec>();
  private left: Left[] = [];

  take({ revision, changes }: Commit): void {
    for (const change of changes) {
      const { name } = parseKey(change.key);
      if (change.key.startsWith("PolicyRevision/")) this.takeRevision(name, change, revision);
      if (change.key.startsWith("Policy/")) this.takePolicy(name, change);
    }
  }

  inForce(policy: string, region: string): string | undefined {
    const spec = this.pointers.get(policy);
    const staged = spec?.stages?.filter((stage) => stage.region === region) ?? [];
    return staged.length > 0 ? staged[0]?.revision : spec?.active;
  }

  /**
   * How a rollback treats the results of the revision there; undefined: the revision was never
   * left, or is in force again.
   */
  wayFor(
    what: "bindings" | "reservations",
    of: { readonly policy: string; readonly revision: string; readonly region: string },
  ): RollbackWay | undefined {
    const { policy, revision, region } = of;
    if (this.inForce(policy, region) === revision) return undefined;
    const found = this.left.some(
      (left) =>
        left.policy === policy &&
        left.revision === revision &&
        (left.region === undefined || left.region === region),
    );
    if (!found) return undefined;
    return this.revisions.get(revision)?.rules.onRollback?.[what] ?? "preserve";
  }

  private takeRevision(name: string, { after }: Change, at: Revision): void {
    if (after?.kind !== "PolicyRevision") this.revisions.delete(name);
    else if (!this.revisions.has(name)) {
      const { spec } = after;
      this.revisions.set(name, { madeAt: at, text: JSON.stringify(spec), rules: spec });
    }
  }

  private takePolicy(name: string, { after }: Change): void {
    const before = this.pointers.get(name);
    if (after?.kind !== "Policy") {
      this.pointers.delete(name);
      this.left = this.left.filter(({ policy }) => policy !== name);
      return;
    }
    this.pointers.set(name, after.spec);
    if (before === undefined) return;
    for (const move of movesBetween(before, after.spec)) this.moved(name, move);
  }

  private moved(policy: string, { region, from, to }: Move): void {
    this.left = this.left.filter(
      (left) =>
        left.policy !== policy ||
        left.revision !== to ||
        (region !== undefined && left.region !== region),
    );
    const was = this.revisions.get(from);
    const is = this.revisions.get(to);
    const isBack = was !== undefined && is !== undefined && is.madeAt < was.madeAt;
    if (isBack) this.left.push({ policy, revision: from, region });
  }
}

const at = ({ active = "", stages = [] }: PolicySpec, region: string): string =>
  stages.find((stage) => stage.region === region)?.revision ?? active;

/**
 * The pointer moves everywhere, or in single regions; a stage that ends because all regions have
 * reached it is no move.
 */
export function movesBetween(before: PolicySpec, after: PolicySpec): readonly Move[] {
  if (before.active !== after.active) {
    return [{ region: undefined, from: before.active ?? "", to: after.active ?? "" }];
  }
  const staged = [...(before.stages ?? []), ...(after.stages ?? [])];
  const regions = [...new Set(staged.map(({ region }) => region))].toSorted();
  return regions
    .filter((region) => at(before, region) !== at(after, region))
    .map((region) => ({ region, from: at(before, region), to: at(after, region) }));
}

const kept = new WeakMap<readonly Commit[], { readonly shadow: PolicyShadow; seen: number }>();

/**
 * The shadow of all commits, for checkers that look from time to time; it reads each commit once.
 */
export function shadowOf(commits: readonly Commit[]): PolicyShadow {
  const known = kept.get(commits) ?? { shadow: new PolicyShadow(), seen: 0 };
  kept.set(commits, known);
  for (; known.seen < commits.length; known.seen += 1) {
    const commit = commits[known.seen];
    if (commit !== undefined) known.shadow.take(commit);
  }
  return known.shadow;
}
