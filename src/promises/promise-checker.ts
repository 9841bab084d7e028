/**
 * The work of the thread: a copy of the fleet that follows the plane, and the check of all its
 * promises. It computes and answers; when it is asked, the plane says.
 */
import { createHash } from "node:crypto";
import type { ObjectKey, Revision } from "../core/model/ids.ts";
import type { AnyObject, Commitment } from "../core/model/objects.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { allOf, type Fleet } from "../fleet/fleet.ts";
import { CapacityArguer } from "../review/capacity/argue-capacity.ts";
import { runTwin } from "../twin/run-twin.ts";
import { checkByRuns, checkQuickly, tooLarge } from "./check-promise.ts";
import type { Pacer } from "./pacer.ts";
import { PROMISE_LIMITS } from "./promise-limits.ts";
import type { CheckedRound, LossNow, PromiseCheck } from "./promise-standing.ts";

type OnChecked = (check: PromiseCheck) => void;

export interface RoundListener {
  readonly onChecked: OnChecked;
  /** What was found before the runs of the twin, which take longer than all the rest. */
  readonly onSeen: (round: CheckedRound) => void;
}

export class PromiseChecker {
  private readonly objects = new ObjectIndex();
  private readonly pacer: Pacer;
  private readonly nowMs: () => number;
  /** The round in which a promise was last simulated. */
  private readonly simulated = new Map<ObjectKey, number>();
  private rounds = 0;

  constructor(pacer: Pacer, nowMs: () => number) {
    this.pacer = pacer;
    this.nowMs = nowMs;
  }

  follow(changed: readonly AnyObject[], gone: readonly ObjectKey[]): void {
    this.pacer.begin();
    for (const after of changed) {
      this.objects.fold({ key: after.key, before: this.objects.get(after.key), after });
    }
    for (const key of gone) {
      this.objects.fold({ key, before: this.objects.get(key), after: undefined });
    }
    this.pacer.rest();
  }

  /** What can be told at once comes first. */
  check(revision: Revision, { onChecked, onSeen }: RoundListener): CheckedRound {
    const { objects, pacer } = this;
    const beganMs = this.nowMs();
    const busyBefore = pacer.busyMs;
    this.rounds += 1;
    pacer.begin();
    const fleet: Fleet = { source: `a plane at revision ${revision}`, objects: allOf(objects) };
    const hash = hashOf(fleet);
    const arguer = new CapacityArguer(objects);
    pacer.rest();
    const open: Commitment[] = [];
    for (const commitment of objects.all("Commitment").values()) {
      const { check, isOpen } = checkQuickly(arguer, { fleet, objects }, commitment);
      // Its last verdict stands until its runs are over, and a new promise has none.
      if (isOpen) open.push(commitment);
      else onChecked(check);
      pacer.rest();
    }
    const losses = ["zone", "region"].flatMap((lose) => {
      const found = lossesBy(arguer, lose);
      pacer.rest();
      return found;
    });
    const soFar = (): CheckedRound => ({
      revision,
      fleet: hash,
      losses,
      busyMs: pacer.busyMs - busyBefore,
      tookMs: this.nowMs() - beganMs,
    });
    onSeen(soFar());
    this.simulate(open, fleet, onChecked);
    return soFar();
  }

  /** Those that were simulated longest ago go first: in the end each has its turn. */
  private simulate(open: readonly Commitment[], fleet: Fleet, onChecked: OnChecked): void {
    const { objects, pacer, simulated } = this;
    const roundOf = ({ key }: Commitment): number => simulated.get(key) ?? 0;
    const isTooLarge = objects.all("Replica").size > PROMISE_LIMITS.simulatedReplicas.value;
    const endMs = pacer.busyMs + PROMISE_LIMITS.simulationBusyMs.value;
    for (const commitment of open.toSorted((a, b) => roundOf(a) - roundOf(b))) {
      if (pacer.busyMs >= endMs) return;
      simulated.set(commitment.key, this.rounds);
      if (isTooLarge) onChecked(tooLarge(commitment, objects));
      else onChecked(this.simulateOne(commitment, fleet));
    }
  }

  private simulateOne(commitment: Commitment, fleet: Fleet): PromiseCheck {
    const { objects, pacer } = this;
    const endMs = pacer.busyMs + PROMISE_LIMITS.simulationBusyMs.value;
    try {
      return checkByRuns({ fleet, objects }, commitment, (...of) => {
        pacer.rest();
        if (pacer.busyMs >= endMs) throw new TakesTooLong();
        return runTwin(...of);
      });
    } catch (error) {
      if (!(error instanceof TakesTooLong)) throw error;
      return tooLarge(commitment, objects);
    } finally {
      pacer.rest();
    }
  }
}

class TakesTooLong extends Error {}

/** An object is another one as soon as its revision is. */
function hashOf({ objects }: Fleet): string {
  const hash = createHash("sha256");
  for (const { key, meta } of objects) hash.update(`${key} ${meta.uid} ${meta.revision}\n`);
  return hash.digest("hex");
}

/** Without a second place nothing is left to move to. */
function lossesBy(arguer: CapacityArguer, lose: string): readonly LossNow[] {
  const { outcomes } = arguer.argue({ lose, counted: "hard" });
  if (outcomes.length < 2) return [];
  return outcomes.map(({ places, plan, wanted, missing }) => ({
    by: lose,
    place: places.map(({ name }) => name).join(" and "),
    nodes: places.reduce((sum, { nodes }) => sum + nodes.length, 0),
    replicas: wanted,
    placed: wanted - missing,
    homeless: plan.homeless.map(({ workload, count }) => ({ workload, count })),
  }));
}
