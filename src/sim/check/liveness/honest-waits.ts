/**
 * [INV18] A controller that makes a replica wait for room or quota sees none in its own view. The
 * view may be stale, but the controller must act on it in the turn that showed it. The recovery
 * reserve is room for recovering workloads that lack a replica, and if recoveries are budgeted only
 * with a budget that covers it.
 *
 * It would break if a change that ends a wait made no fact, or if a fact caused no wake-up: the
 * lost wake-up, which otherwise hides behind the deadline that bounds it.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey, parseKey } from "../../../core/model/ids.ts";
import type { Replica, Workload } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Believer, Checker, Report, Truth } from "../checker.ts";
import { recoveryBudgetFor, lackOf, recoveryTerms } from "../models/naive-recovery-budgets.ts";
import { feasibleButForRoom, feasibleNodes } from "../models/naive-fit.ts";
import { gangFits, hasQuota, isThere, membersOf } from "../models/naive-gangs.ts";
import { quotaPicture } from "../models/naive-quota.ts";
import { recoveryPicture } from "../models/naive-recovery.ts";
import { hasRoomInPlaceOf } from "../models/naive-room.ts";
import { isWantedBy } from "../models/naive-wanted.ts";

class HonestWaitsChecker implements Checker {
  readonly name = "honest-waits";
  /** The latest time on the clock of any authority. */
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
 * A scheduler waits for a workload as a whole: for all of its wanted replicas, of every generation.
 */
function wantedInQueue(objects: ObjectIndex, workload: ObjectKey): readonly Replica[] {
  const desired = objects.workload(workload);
  return [...objects.replicasOf(workload).values()].filter(
    ({ spec, status }) =>
      status.stage === "queued" && (desired === undefined || isWantedBy(desired, spec)),
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
 * The authority may refuse a budget that ends so soon, because it has read a later clock, and the
 * scheduler hears of that later.
 */
const SOON_MS = 10_000;

/**
 * Devices are reserved one by one; whether these very devices are free is left to the scheduler.
 */
function keptRoomFor(objects: ObjectIndex, key: ObjectKey, atMs: number): string | undefined {
  const workload = objects.workload(key);
  if (workload === undefined || lackOf(objects, workload) === 0) return undefined;
  const { held } = recoveryPicture(objects, workload);
  for (const replica of wantedInQueue(objects, key)) {
    if (replica.spec.template.ask.device !== undefined) continue;
    for (const { key: hold, spec } of held) {
      const node = objects.node(nodeKey(roomOf(spec)?.node ?? ""));
      if (node === undefined || !feasibleButForRoom(objects, replica)(node)) continue;
      if (!hasRoomInPlaceOf(objects, node, replica, hold)) continue;
      const { region } = node.spec;
      if (recoveryTerms(objects) === undefined) return `${hold} is kept for it`;
      const budget = recoveryBudgetFor(objects, replica, { region, atMs });
      if (budget !== undefined) return `${hold} is kept for it, and ${budget.key} is left`;
    }
  }
  return undefined;
}

/** A preemptor takes its reserved room as soon as its victims are gone. */
function heldRoomFor(objects: ObjectIndex, workload: ObjectKey): string | undefined {
  for (const replica of wantedInQueue(objects, workload)) {
    const holds = [...objects.reservationsOf(replica.key)].filter(
      ({ spec }) => spec.for !== "quota" && spec.incarnation === replica.status.incarnation,
    );
    const nodes = new Set(holds.map(({ spec }) => roomOf(spec)?.node));
    const free = feasibleNodes(objects, replica).find(({ meta }) => nodes.has(meta.name));
    if (free !== undefined) return `what ${free.meta.name} holds for ${replica.key} is free`;
  }
  return undefined;
}

/** Room for all members at once. */
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
