/**
 * [INV18] Whoever waits for room or quota does so truthfully: in its own view there is none. The view may be
 * stale; what it shows must have been acted on in the turn that showed it.
 *
 * It would break if a change that ends a wait made no fact, or a fact woke nobody: the lost wake-up, which
 * otherwise hides behind the deadline that bounds it.
 */
import { type ObjectKey, parseKey } from "../../core/model/ids.ts";
import type { Replica, Workload } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import type { Believer, Checker, Report, Truth } from "./checker.ts";
import { feasibleNodes } from "./naive-fit.ts";
import { gangFits, hasQuota, isThere, membersOf } from "./naive-gangs.ts";
import { quotaPicture } from "./naive-quota.ts";
import { isWantedBy } from "./naive-wanted.ts";

class HonestWaitsChecker implements Checker {
  readonly name = "honest-waits";

  sampled(truth: Truth, report: Report): void {
    for (const believer of truth.clients()) this.check(believer, report);
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private check({ name, view, owed }: Believer, report: Report): void {
    for (const { key, reason, wakes } of owed) {
      if (isComingBack(wakes, view.objects)) continue;
      const ended =
        reason === "no-feasible-node"
          ? roomFor(view.objects, key)
          : reason === "quota-exhausted" || reason === "quota-lent"
            ? quotaFor(view.objects, key)
            : reason === "gang-does-not-fit"
              ? gangRoomFor(view.objects, key)
              : reason === "room-held" && name.startsWith("place-")
                ? heldRoomFor(view.objects, key)
                : undefined;
      if (ended === undefined) continue;
      report("INV18", `${name} lets ${key} wait for ${reason}, but in its own view ${ended}.`, key);
    }
  }
}

/** An override that it waited for has ended: it is looked at within a few seconds, and not at once (OV12). */
const isComingBack = (wakes: readonly string[], objects: ObjectIndex): boolean =>
  wakes.some(
    (fact) => fact.startsWith("Override/") && objects.get(fact as ObjectKey) === undefined,
  );

/** A scheduler waits for a workload as a whole: for all of it that are wanted, of whatever generation. */
function wantedInQueue(objects: ObjectIndex, workload: ObjectKey): readonly Replica[] {
  const wish = objects.workload(workload);
  return [...objects.replicasOf(workload).values()].filter(
    ({ spec, status }) =>
      status.stage === "queued" && (wish === undefined || isWantedBy(wish, spec)),
  );
}

function roomFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  for (const replica of wantedInQueue(objects, workload)) {
    const node = feasibleNodes(objects, replica)[0];
    if (node !== undefined) return `${node.meta.name} can take ${replica.key}`;
  }
  return undefined;
}

/** Whoever waits for room that is held for it takes it as soon as those who made it are gone. */
function heldRoomFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  for (const replica of wantedInQueue(objects, workload)) {
    const holds = [...objects.reservationsOf(replica.key)].filter(
      ({ spec }) => spec.room !== undefined && spec.life === replica.status.life,
    );
    const nodes = new Set(holds.map(({ spec }) => spec.room?.node));
    const free = feasibleNodes(objects, replica).find(({ meta }) => nodes.has(meta.name));
    if (free !== undefined) return `what ${free.meta.name} holds for ${replica.key} is free`;
  }
  return undefined;
}

/** For all of them at once, or it is no use to any. */
function gangRoomFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  const gang = objects.workload(workload);
  return gang !== undefined && gangFits(objects, gang) ? "there is room for all of it" : undefined;
}

function gangQuotaFor(objects: ObjectIndex, gang: Workload): string | undefined {
  const lacking = membersOf(objects, gang).filter((member) => !isThere(member));
  const isWaiting = lacking.some(({ replica }) => replica?.status.stage === "admitted");
  return isWaiting && hasQuota(objects, gang, lacking) ? "there is quota for all of it" : undefined;
}

function quotaFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  const { name } = parseKey(workload);
  const gang = objects.workload(workload);
  if (gang?.spec.gang !== undefined) return gangQuotaFor(objects, gang);
  const picture = quotaPicture(objects);
  for (const replica of objects.replicasOf(workload).values()) {
    const { stage, life } = replica.status;
    if (stage !== "admitted" || replica.spec.workload !== name) continue;
    const isHeld = objects.reservationsOf(replica.key).some(({ spec }) => spec.life === life);
    if (isHeld || picture.mayReserve(replica)) {
      return `there is quota for ${replica.key}`;
    }
  }
  return undefined;
}

export const createHonestWaitsChecker = (): Checker => new HonestWaitsChecker();
