/** In what two runs differ: placements, preemptions, and how long replicas wait. */
import type { Because } from "../../core/protocol/decision.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { Placement, Preemption, RunAccount } from "./run-account.ts";

/** A wait that differs by less is the time of a batch on its way to the log. */
export const WAIT_DIFFERS_MS = 1_000;

export interface PlacedSide {
  readonly node: string;
  readonly revision?: string | undefined;
  readonly because?: Because | undefined;
}

export interface UnplacedSide {
  /** Why it waits at the end; undefined: this incarnation does not come to wait there. */
  readonly waits: string | undefined;
}

export interface PlacementDifference {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  readonly atMs: number;
  readonly before: PlacedSide | UnplacedSide;
  readonly after: PlacedSide | UnplacedSide;
}

export interface WaitDifference {
  readonly replica: ObjectKey;
  readonly incarnation: number;
  /**
   * Undefined: until the end of the recording, and beyond. 0: it did not have to wait, or to be
   * placed at all.
   */
  readonly beforeMs: number | undefined;
  readonly afterMs: number | undefined;
}

export interface PreemptionDifference {
  readonly by: ObjectKey;
  readonly before: Preemption | undefined;
  readonly after: Preemption | undefined;
}

export interface Differences {
  /** Of one run or the other. */
  readonly compared: number;
  readonly placements: readonly PlacementDifference[];
  readonly waits: readonly WaitDifference[];
  readonly preemptions: readonly PreemptionDifference[];
}

export function differences(before: RunAccount, after: RunAccount): Differences {
  const names = [...new Set([...before.placements.keys(), ...after.placements.keys()])].toSorted();
  const placements = names.flatMap((name) => {
    const was = before.placements.get(name);
    const is = after.placements.get(name);
    const some = was ?? is;
    if (some === undefined || was?.node === is?.node) return [];
    const { replica, incarnation } = some;
    const atMs = Math.min(was?.boundMs ?? some.boundMs, is?.boundMs ?? some.boundMs);
    return [
      { replica, incarnation, atMs, before: side(was, some, before), after: side(is, some, after) },
    ];
  });
  return {
    compared: names.length,
    placements: placements.toSorted((a, b) => a.atMs - b.atMs || (a.replica < b.replica ? -1 : 1)),
    waits: [
      ...names.flatMap((name) => waitOf(name, before, after)),
      ...newWaits(before, after).map((wait) => ({ ...wait, beforeMs: 0, afterMs: undefined })),
      ...newWaits(after, before).map((wait) => ({ ...wait, beforeMs: undefined, afterMs: 0 })),
    ],
    preemptions: preemptionsOf(before, after),
  };
}

function side(
  placed: Placement | undefined,
  { replica, incarnation }: Placement,
  of: RunAccount,
): PlacedSide | UnplacedSide {
  if (placed === undefined) {
    const waiting = of.waiting.get(`${replica}#${incarnation}`);
    return { waits: waiting && (waiting.why ?? "no controller has looked at it yet") };
  }
  const { node, revision, because } = placed;
  return { node, revision, because };
}

function waitOf(name: string, before: RunAccount, after: RunAccount): readonly WaitDifference[] {
  const was = before.placements.get(name);
  const is = after.placements.get(name);
  const some = was ?? is;
  if (some === undefined) return [];
  const { replica, incarnation } = some;
  const beforeMs = was && was.boundMs - was.queuedMs;
  const afterMs = is && is.boundMs - is.queuedMs;
  if (beforeMs !== undefined && afterMs !== undefined) {
    const apart = Math.abs(beforeMs - afterMs);
    return apart < WAIT_DIFFERS_MS ? [] : [{ replica, incarnation, beforeMs, afterMs }];
  }
  // An incarnation that the other run never queued waits for nothing there.
  const other = was === undefined ? before : after;
  return other.waiting.has(`${replica}#${incarnation}`)
    ? [{ replica, incarnation, beforeMs, afterMs }]
    : [];
}

/** Incarnations that wait at the end of the one run and that the other never had to place. */
function newWaits(
  without: RunAccount,
  { waiting, placements }: RunAccount,
): readonly { readonly replica: ObjectKey; readonly incarnation: number }[] {
  return [...waiting]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, { replica, incarnation }]) => {
      const isKnown = without.waiting.has(key) || without.placements.has(`${key}#0`);
      return isKnown || placements.has(`${key}#0`) ? [] : [{ replica, incarnation }];
    });
}

function preemptionsOf(before: RunAccount, after: RunAccount): readonly PreemptionDifference[] {
  const names = new Set([...before.preemptions.keys(), ...after.preemptions.keys()]);
  return [...names].toSorted().flatMap((name) => {
    const was = before.preemptions.get(name);
    const is = after.preemptions.get(name);
    const some = was ?? is;
    if (some === undefined || textOf(was) === textOf(is)) return [];
    return [{ by: some.by, before: was, after: is }];
  });
}

const textOf = (preemption: Preemption | undefined): string =>
  preemption === undefined ? "" : `${preemption.node} ${preemption.victims.join(" ")}`;
