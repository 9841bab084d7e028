/**
 * [INV18] Whoever waits for room or quota does so truthfully: in its own view there is none. The
 * view may be stale; what it shows must have been acted on in the turn that showed it. Room that is
 * kept for a recovery is room for what recovers and lacks a replica, and where recoveries are
 * budgeted only with a budget that lets it be taken.
 *
 * It would break if a change that ends a wait made no fact, or a fact woke nobody: the lost
 * wake-up, which otherwise hides behind the deadline that bounds it.
 */
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, parseKey } from "../../../core/model/ids.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Believer, Checker, Report, Truth } from "../checker.ts";
import { budgetFor, lackOf, recoveryTerms } from "../models/naive-budgets.ts";
import { feasibleButForRoom, feasibleNodes } from "../models/naive-fit.ts";
import { gangFits, hasQuota, isThere, membersOf } from "../models/naive-gangs.ts";
import { quotaPicture } from "../models/naive-quota.ts";
import { recoveryPicture } from "../models/naive-recovery.ts";
import { hasRoomInPlaceOf } from "../models/naive-room.ts";
import { isWantedBy } from "../models/naive-wanted.ts";

class HonestWaitsChecker implements Checker {
  readonly name = "honest-waits";
  /** The latest time that any authority has read on its clock. */
  private readMs = 0;

  afterCommit({ atMs }: Commit): void {
    this.readMs = Math.max(this.readMs, atMs);
  }

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
        reason === "no-feasible-node" || reason === "recovery-budget"
          ? (roomFor(view.objects, key) ?? keptRoomFor(view.objects, key, this.readMs + SOON_MS))
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

/**
 * An override that it waited for has ended: it is looked at within a few seconds, and not at once
 * (OV12).
 */
const isComingBack = (wakes: readonly string[], objects: ObjectIndex): boolean =>
  wakes.some(
    (fact) => fact.startsWith("Override/") && objects.get(fact as ObjectKey) === undefined,
  );

/**
 * A scheduler waits for a workload as a whole: for all of it that are wanted, of whatever
 * generation.
 */
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

/**
 * A budget that ends so soon may be refused by who has read a clock since, and that is heard of
 * later.
 */
const SOON_MS = 10_000;

/** Devices are kept one by one; whether those very ones are free is left to the scheduler. */
function keptRoomFor(objects: ObjectIndex, key: ObjectKey, atMs: number): string | undefined {
  const workload = objects.workload(key);
  if (workload === undefined || lackOf(objects, workload) === 0) return undefined;
  const { held } = recoveryPicture(objects, workload);
  for (const replica of wantedInQueue(objects, key)) {
    if (replica.spec.template.ask.device !== undefined) continue;
    for (const { key: hold, spec } of held) {
      const node = objects.node(nodeKey(spec.room?.node ?? ""));
      if (node === undefined || !feasibleButForRoom(objects, replica)(node)) continue;
      if (!hasRoomInPlaceOf(objects, node, replica, hold)) continue;
      const { region } = node.spec;
      if (recoveryTerms(objects) === undefined) return `${hold} is kept for it`;
      const budget = budgetFor(objects, replica, { region, atMs });
      if (budget !== undefined) return `${hold} is kept for it, and ${budget.key} is left`;
    }
  }
  return undefined;
}

/** Whoever waits for room that is held for it takes it as soon as those who made it are gone. */
function heldRoomFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  for (const replica of wantedInQueue(objects, workload)) {
    const holds = [...objects.reservationsOf(replica.key)].filter(
      ({ spec }) => spec.room !== undefined && spec.incarnation === replica.status.incarnation,
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
    const { stage, incarnation } = replica.status;
    if (stage !== "admitted" || replica.spec.workload !== name) continue;
    const isHeld = objects
      .reservationsOf(replica.key)
      .some(({ spec }) => spec.incarnation === incarnation);
    if (isHeld || picture.mayReserve(replica)) {
      return `there is quota for ${replica.key}`;
    }
  }
  return undefined;
}

export const createHonestWaitsChecker = (): Checker => new HonestWaitsChecker();
