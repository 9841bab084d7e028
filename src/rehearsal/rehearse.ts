/**
 * What would happen if these objects were put now: two rehearsals of the same fleet, one without
 * the change and one with it, and in what they differ. What the plane is about to do anyway is in
 * both, and is not told.
 */
import { AMOUNT_NAMES, type Amounts } from "../core/model/amounts.ts";
import type { ObjectIndex } from "../core/observe/object-index.ts";
import type { Intent } from "../core/protocol/command.ts";
import type { Refusal } from "../core/protocol/outcome.ts";
import type { PlaneFleet } from "../fleet/fleet.ts";
import type { Bound, Requested, Rolled, Stopped, Waiting } from "./rehearsal-account.ts";
import type { Pace } from "./rehearsed-agents.ts";
import { RehearsedPlane } from "./rehearsed-plane.ts";

export interface RehearsalOf {
  readonly fleet: PlaneFleet;
  readonly puts: readonly Intent[];
  /** Who sends them. */
  readonly sender: string;
  readonly pace: Pace;
  /** How long the plane is watched after the puts, in virtual time. */
  readonly watchMs: number;
}

export interface Rehearsal {
  readonly placed: readonly Bound[];
  readonly stopped: readonly Stopped[];
  /** Still without a node when it was no longer watched. */
  readonly waiting: readonly Waiting[];
  readonly requested: readonly Requested[];
  readonly rolled: readonly Rolled[];
  readonly quotas: readonly QuotaUse[];
}

export interface QuotaUse {
  readonly tenant: string;
  /** Left out: the tenant has no quota. */
  readonly limit?: Amounts;
  /** Reserved and used, without the change and with it. */
  readonly before: Amounts;
  readonly after: Amounts;
}

/** The first put that the authority would reject, by its place in the list. */
export interface RehearsalRefused {
  readonly at: number;
  readonly refusal: Refusal;
}

export function rehearse(of: RehearsalOf): Rehearsal | RehearsalRefused {
  const { fleet, puts, pace, watchMs } = of;
  const untilMs = fleet.atMs + watchMs;
  const changed = new RehearsedPlane(fleet, pace);
  for (const [at, intent] of puts.entries()) {
    const outcome = changed.take(intent, { role: "user", name: of.sender });
    if (outcome.kind === "conflict" || outcome.kind === "refused") return { at, refusal: outcome };
  }
  changed.runUntil(untilMs);
  const same = new RehearsedPlane(fleet, pace);
  same.runUntil(untilMs);
  const [before, after] = [same.account, changed.account];
  return {
    placed: newIn(before.bound, after.bound),
    stopped: newIn(before.stopped, after.stopped),
    waiting: newIn(before.waiting, after.waiting),
    requested: after.requested.slice(before.requested.length),
    rolled: newIn(before.rolled, after.rolled),
    quotas: quotasOf(same.ledger.objects, changed.ledger.objects),
  };
}

export const isRefused = (made: Rehearsal | RehearsalRefused): made is RehearsalRefused =>
  "refusal" in made;

const newIn = <T>(before: ReadonlyMap<string, T>, after: ReadonlyMap<string, T>): readonly T[] =>
  [...after].flatMap(([name, value]) => (before.has(name) ? [] : [value]));

/** Of every tenant whose use or limit differs. */
function quotasOf(before: ObjectIndex, after: ObjectIndex): readonly QuotaUse[] {
  return [...after.all("Tenant").values()]
    .map(({ meta }) => meta.name)
    .toSorted()
    .flatMap((tenant) => {
      const [was, is] = [before, after].map((objects) => objects.quotaUsage.of(tenant));
      if (was === undefined || is === undefined) return [];
      const [limitBefore, limit] = [was.spec?.limit, is.spec?.limit];
      const use = { before: usedOf(was.account), after: usedOf(is.account) };
      const isSame = sameAmounts(use.before, use.after) && sameAmounts(limitBefore, limit);
      return isSame ? [] : [{ tenant, ...use, ...(limit && { limit }) }];
    });
}

interface Sides {
  readonly reserved: Amounts;
  readonly committed: Amounts;
}

const usedOf = ({ reserved, committed }: Sides): Amounts => ({
  cpuMillis: reserved.cpuMillis + committed.cpuMillis,
  memoryMiB: reserved.memoryMiB + committed.memoryMiB,
  deviceMillis: reserved.deviceMillis + committed.deviceMillis,
});

const sameAmounts = (a: Amounts | undefined, b: Amounts | undefined): boolean =>
  AMOUNT_NAMES.every((name) => a?.[name] === b?.[name]);
