/**
 * The work of the thread: a copy of the fleet that follows the plane, and the check of all its
 * promises. It computes and answers; when it is asked, the plane says.
 */
import { createHash } from "node:crypto";
import type { ObjectKey, Revision } from "../core/model/ids.ts";

import type { AnyObject } from "../core/model/objects.ts";
import { ObjectIndex } from "../core/observe/object-index.ts";
import { allOf } from "../fleet/fleet.ts";
import { CapacityArguer } from "../review/capacity/argue-capacity.ts";
import { checkPromise } from "./check-promise.ts";
import type { Pacer } from "./pacer.ts";
import type { CheckedRound, LossNow, PromiseCheck } from "./promise-standing.ts";

export class PromiseChecker {
  private readonly objects = new ObjectIndex();
  private readonly pacer: Pacer;
  private readonly nowMs: () => number;

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

  check(revision: Revision, onChecked: (check: PromiseCheck) => void): CheckedRound {
    const { objects, pacer } = this;
    const beganMs = this.nowMs();
    const busyBefore = pacer.busyMs;
    pacer.begin();
    const fleet = this.hash();
    const arguer = new CapacityArguer(objects);
    pacer.rest();
    for (const commitment of objects.all("Commitment").values()) {
      onChecked(checkPromise(arguer, objects, commitment));
      pacer.rest();
    }
    const losses = ["zone", "region"].flatMap((lose) => {
      const found = lossesBy(arguer, lose);
      pacer.rest();
      return found;
    });
    const tookMs = this.nowMs() - beganMs;
    return { revision, fleet, losses, busyMs: pacer.busyMs - busyBefore, tookMs };
  }

  /** An object is another one as soon as its revision is. */
  private hash(): string {
    const hash = createHash("sha256");
    for (const { key, meta } of allOf(this.objects)) {
      hash.update(`${key} ${meta.uid} ${meta.revision}\n`);
    }
    return hash.digest("hex");
  }
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
