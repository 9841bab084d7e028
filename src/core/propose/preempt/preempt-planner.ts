/**
 * What the proposer of preemptions keeps between two looks: the replicas that may need one, what
 * every node would cost, and the nodes it has asked for and not yet seen granted or refused.
 */
import type { Change } from "../../protocol/commit-record.ts";
import type { ObjectKey, Revision } from "../../model/ids.ts";
import type { Ask, PriorityClassSpec, Replica, Reservation } from "../../model/objects.ts";
import type { Room } from "../../model/room.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { View } from "../../observe/view.ts";
import { NodeFinder } from "../fleet/node-finder.ts";
import { QueuedReplicas } from "../queued-replicas.ts";
import type { Choice } from "./choose-victims.ts";
import { MovedNodes } from "./moved-nodes.ts";
import { VictimRows } from "./victim-rows.ts";

/**
 * Kept at once; beyond it the one longest unused is worked out anew. Each takes some bytes per
 * node.
 */
const ROWS_KEPT = 64;

/**
 * A preemption is answered and seen well within this; one that was never sent must not block its
 * node.
 */
const CLAIMED_MS = 3_000;

type InVain = "nothing-to-preempt" | "preemption-budget" | "room-promised";

export class PreemptPlanner {
  readonly view: View;
  readonly finder: NodeFinder;
  readonly queued = new QueuedReplicas();
  /** Workloads whose last look found that only a budget was in the way. */
  readonly waitingForBudget = new Set<ObjectKey>();
  private readonly moved: MovedNodes;
  private readonly rows = new Map<string, VictimRows>();
  /** Node → until when it is left to the preemption that was asked for. */
  private readonly claims = new Map<string, number>();
  private readonly asked = new Map<
    ObjectKey,
    { readonly node: string; readonly replica: Replica }[]
  >();
  private readonly names = new WeakMap<Ask, string>();
  /** What was found to be nowhere, and as of which state of everything. */
  private readonly inVain = new WeakMap<
    object,
    { readonly asOf: string; readonly rows: VictimRows; readonly reason: InVain }
  >();
  private claimsVersion = 0;
  private sparesMore = false;

  constructor(view: View) {
    this.view = view;
    this.finder = new NodeFinder(view);
    this.moved = new MovedNodes(view.objects);
  }

  follow(change: Change): void {
    this.finder.follow(change);
    // The first look reads all nodes.
    if (this.rows.size > 0) this.moved.follow(change);
    const some = change.after ?? change.before;
    switch (some?.kind) {
      case "Replica":
        // Work without a class never preempts.
        if (some.spec.template.priorityClass !== "") this.queued.follow(change);
        break;
      case "Reservation":
        this.holdMoved(some, change.after !== undefined);
        break;
      // What every node costs is another question from now on.
      case "PriorityClass":
      case "Policy":
      case "Override":
        this.rows.clear();
        break;
      default:
        break;
    }
  }

  /**
   * Whether, since this was last asked, some workload came to be able to spare more of its
   * replicas.
   */
  canSpareMore(): boolean {
    if (this.waitingForBudget.size === 0) return false;
    if (this.moved.settleBudgets()) this.sparesMore = true;
    const { sparesMore } = this;
    this.sparesMore = false;
    return sparesMore;
  }

  /**
   * The workload is looked at again: what was asked for it has been answered. `refusedAt` is the
   * revision at which something was refused that the view does not show yet: the nodes are left
   * alone until it does.
   */
  answered(workload: ObjectKey, nowMs: number, refusedAt: Revision): void {
    for (const { node, replica } of this.asked.get(workload) ?? []) {
      this.unclaim(node);
      if (this.finder.roomHeld(replica) === undefined) this.finder.forget(replica.key);
      if (refusedAt > 0) this.finder.shun(node, refusedAt);
    }
    this.asked.delete(workload);
    this.waitingForBudget.delete(workload);
    for (const [node, untilMs] of this.claims) {
      if (nowMs < untilMs) break;
      this.unclaim(node);
    }
    this.finder.liftShunned();
  }

  /**
   * The same room must not be asked for twice before the view shows that it is held. For its
   * neighbours the replica counts as there from now on, or they would all be promised the one place
   * that they may not share.
   */
  claim(replica: Replica, room: Pick<Room, "node" | "deviceIds">, nowMs: number): void {
    const { node } = room;
    this.unclaim(node);
    this.claims.set(node, nowMs + CLAIMED_MS);
    this.finder.assume(replica, { ...room, score: 0, parts: {} }, nowMs);
    const workload = workloadOf(replica);
    const asked = this.asked.get(workload);
    if (asked === undefined) this.asked.set(workload, [{ node, replica }]);
    else asked.push({ node, replica });
  }

  /** The node whose victims matter least, or why there is none. */
  bestNode(
    replica: Replica,
    by: PriorityClassSpec,
  ): { readonly node: string; readonly choice: Choice } | InVain {
    const rows = this.rowsFor(replica, by);
    const { names } = rows.fleet;
    const isOpen = this.openRows(replica, names);
    const asOf = `${rows.fleet.touches} ${this.moved.count} ${this.claimsVersion}`;
    // Thousands may wait for the same: a failed search stays failed while nothing has moved.
    const askClass = this.finder.askClass(replica);
    const known = this.inVain.get(askClass);
    if (known?.asOf === asOf && known.rows === rows) return known.reason;
    const row = rows.best((at) => !this.claims.has(names[at] ?? "") && isOpen(at));
    const choice = row === undefined ? undefined : rows.choose(row, replica);
    if (row !== undefined && choice !== undefined) return { node: names[row] ?? "", choice };
    const reason =
      rows.best(isOpen) !== undefined
        ? "room-promised"
        : rows.isBudgetInTheWay(isOpen)
          ? "preemption-budget"
          : "nothing-to-preempt";
    this.inVain.set(askClass, { asOf, rows, reason });
    return reason;
  }

  /**
   * No replica is evicted from a partitioned region (DG2), whatever might be bound there beside
   * them.
   */
  private openRows(replica: Replica, names: readonly string[]): (row: number) => boolean {
    const isOpen = this.finder.openRows(replica);
    const { places } = this.finder;
    if (!places.hasMarks) return isOpen;
    const regionOf = (row: number): string | undefined =>
      this.view.objects.nodeNamed(names[row] ?? "")?.spec.region;
    return (row) => isOpen(row) && places.marksOn(regionOf(row)).length === 0;
  }

  private unclaim(node: string): void {
    this.claims.delete(node);
    this.claimsVersion += 1;
  }

  /** A replica with reserved room is on its way there. */
  private holdMoved({ spec }: Reservation, isHeld: boolean): void {
    const owner = this.view.objects.replica(spec.owner);
    if (!isHeld || owner === undefined) this.finder.forget(spec.owner);
    else if (spec.for !== "quota" && owner.status.stage === "queued") {
      const { node, deviceIds } = spec.room;
      this.finder.assume(owner, { node, deviceIds, score: 0, parts: {} }, 0);
    }
  }

  private rowsFor(replica: Replica, by: PriorityClassSpec): VictimRows {
    this.sparesMore = this.moved.settleBudgets() || this.sparesMore;
    const name = this.nameOf(replica);
    const fleet = this.finder.columns;
    const known = this.rows.get(name);
    if (known?.fleet === fleet && this.moved.remembers(known.movesSeen)) {
      this.catchUp(known, replica);
      return known;
    }
    this.rows.delete(name);
    const { objects } = this.view;
    const made = new VictimRows({ fleet, objects, replica, by, moves: this.moved.count });
    this.rows.set(name, made);
    const oldest = this.rows.keys().next().value;
    if (this.rows.size > ROWS_KEPT && oldest !== undefined) this.rows.delete(oldest);
    return made;
  }

  /** The same for all that ask for the same room with the same right to it. */
  private nameOf({ meta, spec }: Replica): string {
    const { ask, priorityClass, affinity, policy = "" } = spec.template;
    let name = this.names.get(ask);
    if (name === undefined) {
      name = JSON.stringify([ask.amounts, ask.device ?? 0]);
      this.names.set(ask, name);
    }
    const company = affinity?.required ?? [];
    const near = company.length === 0 ? "" : `${meta.namespace} ${JSON.stringify(company)}`;
    return `${priorityClass} ${policy} ${name} ${near}`;
  }

  private catchUp(rows: VictimRows, replica: Replica): void {
    const seen = new Set<string>();
    for (let at = rows.movesSeen; at < this.moved.count; at += 1) {
      const node = this.moved.name(at);
      if (!seen.has(node)) rows.moved(node, replica);
      seen.add(node);
    }
    rows.movesSeen = this.moved.count;
  }
}
