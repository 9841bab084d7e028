/**
 * [INV41] A preemption victim has a class that the preemptor may preempt, and the preemptor fits
 * after the preemption and would not have fitted without. [INV43] An incarnation preempts again
 * only if it lost its reserved room, and no more victims leave in a minute than the plane allows:
 * so every chain of preemptions ends.
 *
 * It would break if the authority trusted a scheduler's idea of classes or room, or if a victim
 * could preempt its own preemptor.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import { nodeKey, type Uid } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { mayNotTake } from "./models/naive-preemption.ts";
import { hasRoom, hasRoomWithout } from "./models/naive-room.ts";

const MINUTE_MS = 60_000;
/** Written out, not imported: a plane that preempts more has broken its promise. */
const VICTIMS_A_MINUTE = 50_000;

class PreemptionsChecker implements Checker {
  readonly name = "preemptions";
  /** Incarnations with reserved room, or with reserved room until they were bound. */
  private readonly satisfied = new Set<string>();
  private readonly lately: { readonly atMs: number; readonly victims: number }[] = [];

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    this.followHolds(commit);
    const victims = newlyPreempted(commit);
    if (victims.length > 0 && commit.command !== "preempt") {
      for (const { key } of victims) {
        report("INV41", `${key} was preempted by ${commit.command} of ${commit.actor.name}.`, key);
      }
    }
    if (commit.command === "preempt") this.preempted(commit, victims, truth, report);
  }

  private preempted(
    commit: Commit,
    victims: readonly Replica[],
    truth: Truth,
    report: Report,
  ): void {
    const hold = commit.changes
      .map(({ after }) => after)
      .find((after) => after?.kind === "Reservation" && after.spec.for !== "quota");
    if (hold?.kind !== "Reservation" || hold.spec.for === "quota") {
      report("INV41", `Preemption ${commit.operation} held no room.`);
      return;
    }
    const by = truth.objects.replica(hold.spec.owner);
    if (by === undefined || by.status.stage !== "queued") {
      report("INV41", `${hold.spec.owner} preempts and is ${by?.status.stage ?? "gone"}.`);
      return;
    }
    for (const victim of victims) {
      const barred = mayNotTake(truth.objects, by, victim);
      if (barred !== undefined)
        report("INV41", `${by.key} preempts ${victim.key}: it ${barred}.`, by.key);
      if (victim.status.node === hold.spec.room.node) continue;
      report("INV41", `${by.key} preempts ${victim.key}, which is elsewhere.`, by.key);
    }
    checkRoom(by, hold.spec.room.node, victims, truth, report);
    this.checkEnding(by, victims.length, commit, report);
  }

  private checkEnding(by: Replica, victims: number, { atMs }: Commit, report: Report): void {
    const incarnation = incarnationOf(by.meta.uid, by.status.incarnation);
    if (this.satisfied.has(incarnation)) {
      const who = `${by.key} incarnation ${by.status.incarnation}`;
      report("INV43", `${who} preempts again, though room was held for it and not lost.`, by.key);
    }
    this.satisfied.add(incarnation);
    this.lately.push({ atMs, victims });
    const sum = this.lately
      .filter((entry) => Math.abs(atMs - entry.atMs) < MINUTE_MS)
      .reduce((all, entry) => all + entry.victims, 0);
    if (sum > VICTIMS_A_MINUTE) report("INV43", `${sum} replicas were preempted within a minute.`);
  }

  /**
   * A reservation that ends in any way but the bind of its owner is lost, and may be made again.
   */
  private followHolds({ changes }: Commit): void {
    for (const { before, after } of changes) {
      if (before?.kind !== "Reservation" || before.spec.for === "quota") continue;
      if (after !== undefined) continue;
      const { owner, ownerUid, incarnation } = before.spec;
      const isBound = changes.some(
        (change) =>
          change.after?.kind === "Replica" &&
          change.after.key === owner &&
          change.after.status.node !== undefined,
      );
      if (!isBound) this.satisfied.delete(incarnationOf(ownerUid, incarnation));
    }
  }
}

/** By uid: a replica that was deleted and made anew begins at incarnation one again. */
const incarnationOf = (uid: Uid, incarnation: number): string =>
  `${uid} incarnation ${incarnation}`;

function newlyPreempted({ changes }: Commit): readonly Replica[] {
  return changes.flatMap(({ before, after }) => {
    if (after?.kind !== "Replica" || after.status.stopping?.reason !== "preempted") return [];
    const was = before?.kind === "Replica" ? before.status.stopping : undefined;
    return was === undefined ? [after] : [];
  });
}

function checkRoom(
  by: Replica,
  name: string,
  victims: readonly Replica[],
  { objects }: Truth,
  report: Report,
): void {
  const node = objects.node(nodeKey(name));
  if (node === undefined) {
    report("INV41", `${by.key} preempts on ${name}, which does not exist.`, by.key);
    return;
  }
  const gone = new Set(victims.map(({ key }) => key));
  if (!hasRoomWithout(objects, node, by, { replicas: gone })) {
    report("INV41", `${by.key} does not fit on ${name} even without its victims.`, by.key);
  }
  if (victims.length === 0 && hasRoom(objects, node, by)) {
    report("INV41", `${by.key} holds room on ${name} though it fits there already.`, by.key);
  }
  for (const victim of victims) {
    gone.delete(victim.key);
    const isNeeded = !hasRoomWithout(objects, node, by, { replicas: gone });
    gone.add(victim.key);
    if (isNeeded) continue;
    report("INV41", `${by.key} preempts ${victim.key} and would fit on ${name} without.`, by.key);
  }
}

export const createPreemptionsChecker = (): Checker => new PreemptionsChecker();
