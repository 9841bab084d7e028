/**
 * [INV130] No replica comes to a place while an override avoids it. [INV131] Nothing is released,
 * replaced or evicted where repair is paused. [INV132] No index begins its first incarnation where
 * expansion is paused. [INV133] Nothing of a frozen tenant begins or is placed. [INV134] A pinned
 * workload is not asked to leave. [INV135] Only its owner changes or releases an override, and it
 * does not expire before its end. [INV136] Held-back workloads do not all return at once. [LIV56]
 * No workload waits for an override that is gone.
 *
 * It would break if one way of placing, ending or moving replicas skipped the check, or if an end
 * were counted on another clock than that of the committing authority.
 */
import { roomOf } from "../../../core/model/reservation.ts";
import type { Change, Commit } from "../../../core/protocol/commit-record.ts";
import { nodeKey, type ObjectKey } from "../../../core/model/ids.ts";
import type { Override, Replica } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Checker, Report, Truth } from "../checker.ts";
import { avoidedBy, holdingAt, isAbout, isOver } from "../models/naive-overrides.ts";
import { OverrideReturns } from "./override-returns.ts";

class OverridesChecker implements Checker {
  readonly name = "overrides";
  readonly ignoresRenewals = true;
  private readonly returns = new OverrideReturns();

  beforeCommit(commit: Commit, truth: Truth, report: Report): void {
    this.returns.changed(commit);
    for (const change of commit.changes) {
      const { before, after } = change;
      if ((after ?? before)?.kind === "Override") ownersWord(commit, change, report);
      if (before?.kind === "Override" && after === undefined) this.returns.ended(before, truth);
    }
    const holding = [...holdingAt(truth.objects, commit.atMs)];
    if (holding.length === 0) return;
    for (const change of commit.changes) {
      places(change, { commit, truth, holding }, report);
      for (const override of holding) {
        const found = broken(override, change, commit, truth.objects);
        if (found === undefined) continue;
        const [rule, what] = found;
        const who = `${override.key} of ${override.status.owner}`;
        report(rule, `${change.key} ${what} by ${commit.command}, against ${who}.`, change.key);
      }
    }
  }

  decided(...[records, view, truth, report]: Parameters<NonNullable<Checker["decided"]>>): void {
    this.returns.decided(records, { view, truth, report });
  }

  sampled(truth: Truth, report: Report): void {
    this.returns.sampled(truth, report);
  }
}

/** The kind and owner of an override never change; only its owner moves its end. */
function ownersWord(commit: Commit, { key, before, after }: Change, report: Report): void {
  const { actor, atMs } = commit;
  if (before?.kind !== "Override") return;
  const { owner, untilMs, sinceMs } = before.status;
  const isOwner = actor.role === "user" && actor.name === owner;
  if (after === undefined) {
    if (isOwner || before.meta.deletingMs !== undefined || atMs >= untilMs) return;
    report("INV135", `${actor.name} ended ${key} of ${owner} ${untilMs - atMs} ms early.`, key);
    return;
  }
  if (after.kind !== "Override" || before.meta.deletingMs !== undefined) return;
  if (!isOwner) report("INV135", `${actor.name} changed ${key}, which is of ${owner}.`, key);
  const isSame = after.status.owner === owner && after.status.sinceMs === sinceMs;
  if (!isSame) report("INV135", `${key} of ${owner} is another's, or begins anew.`, key);
}

interface At {
  readonly commit: Commit;
  readonly truth: Truth;
  readonly holding: readonly Override[];
}

/** Reserved room counts too: its owner could not be placed there. */
function places(
  { key, before, after }: Change,
  { commit, truth, holding }: At,
  report: Report,
): void {
  const was = before?.kind === "Replica" ? before.status.node : undefined;
  const is =
    after?.kind === "Replica"
      ? after.status.node
      : after?.kind === "Reservation" && before === undefined
        ? roomOf(after.spec)?.node
        : undefined;
  if (is === undefined || is === was) return;
  const node = truth.objects.node(nodeKey(is));
  const by = node && avoidedBy(holding, node);
  if (by === undefined) return;
  const what = `${key} came to ${is} by ${commit.command}`;
  report("INV130", `${what}, which ${by.status.owner} avoids by ${by.key}.`, key);
}

type Broken = readonly [rule: string, what: string];

function broken(
  override: Override,
  { before, after, key }: Change,
  commit: Commit,
  objects: ObjectIndex,
): Broken | undefined {
  const was = before?.kind === "Replica" ? before : undefined;
  const is = after?.kind === "Replica" ? after : undefined;
  switch (override.spec.action) {
    case "pause-repair":
      return was !== undefined && isOver(override, was, objects)
        ? repaired(was, is, commit)
        : undefined;
    case "pause-expansion":
      return is !== undefined && isAbout(override, is.meta.namespace, is.spec.workload)
        ? expanded(key, is, commit, objects)
        : undefined;
    case "freeze-tenant":
      return is?.meta.namespace === override.spec.target.tenant && is !== undefined
        ? (grown(was, is, commit) ?? moved(was, is, "INV133"))
        : undefined;
    case "pin":
      return is !== undefined && isAbout(override, is.meta.namespace, is.spec.workload)
        ? moved(was, is, "INV134")
        : undefined;
    default:
      return undefined;
  }
}

/** Ends of unwanted replicas are no repairs. */
const REPAIRS: ReadonlySet<string> = new Set(["drain", "quota", "replaced", "policy"]);

function repaired(was: Replica, is: Replica | undefined, { command }: Commit): Broken | undefined {
  if (command === "release" && was.status.node !== is?.status.node) {
    return ["INV131", "was released"];
  }
  if (command === "release" && was.status.superseded !== is?.status.superseded) {
    return ["INV131", "was replaced"];
  }
  const asked = was.status.stopping === undefined ? is?.status.stopping?.reason : undefined;
  return command === "evict" && asked !== undefined && REPAIRS.has(asked)
    ? ["INV131", `was asked to stop (${asked})`]
    : undefined;
}

/** An index that a rollout moves to another template is no expansion. */
function expanded(
  key: ObjectKey,
  { meta, spec }: Replica,
  { command }: Commit,
  objects: ObjectIndex,
): Broken | undefined {
  if (command !== "admit" && command !== "enqueue") return undefined;
  const siblings = [...objects.all("Replica").values()].filter(
    (other) =>
      other.meta.namespace === meta.namespace &&
      other.spec.workload === spec.workload &&
      other.spec.generation === spec.generation &&
      other.spec.index === spec.index,
  );
  if (siblings.length > 0) return undefined;
  const workload = [...objects.all("Workload").values()].find(
    (each) => each.meta.namespace === meta.namespace && each.meta.name === spec.workload,
  );
  const rollout = workload?.status.rollout;
  const isOnItsWay = rollout?.stage === "rolling" || rollout?.stage === "going-back";
  return isOnItsWay && rollout.to === spec.generation
    ? undefined
    : ["INV132", `begins as the first of its index (${key})`];
}

/** An agent may restart a replica on its own node: that is a fact, not a decision. */
const GROWS: ReadonlySet<string> = new Set(["admit", "enqueue", "transition", "bind", "bind-all"]);

function grown(was: Replica | undefined, is: Replica, { command }: Commit): Broken | undefined {
  if (!GROWS.has(command)) return undefined;
  const { stage } = is.status;
  const isStep = stage === "admitted" || stage === "queued" || stage === "bound";
  return isStep && stage !== was?.status.stage ? ["INV133", `came to be ${stage}`] : undefined;
}

const MOVES: ReadonlySet<string> = new Set(["preempted", "drain", "rollout", "policy", "deleted"]);

function moved(was: Replica | undefined, is: Replica, rule: string): Broken | undefined {
  const asked = was?.status.stopping === undefined ? is.status.stopping?.reason : undefined;
  return asked !== undefined && MOVES.has(asked)
    ? [rule, `was asked to stop (${asked})`]
    : undefined;
}

export const createOverridesChecker = (): Checker => new OverridesChecker();
