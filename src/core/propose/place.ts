/**
 * Places the queued replicas of one workload on nodes.
 * Observes nodes, their use and all replicas through a view that may be stale; proposes binds, many at a time.
 * Leaves capacity, quota and fencing to the authority, and retries to the runner.
 */
import type { Change } from "../protocol/commit-record.ts";
import type { Controller } from "../runner/controller.ts";
import { type Decision, type Look, propose, settled, wait } from "../protocol/decision.ts";
import { nodeKey, type ObjectKey } from "../model/ids.ts";
import type { Replica, Workload } from "../model/objects.ts";
import { workloadOf } from "../model/workload-of.ts";
import {
  BUDGETS_FACT,
  companyFacts,
  NODES_FACT,
  objectFact,
  quotaFact,
  roomFact,
  siblingsFact,
} from "../observe/facts.ts";
import { gangMembers } from "../observe/gang-members.ts";
import { urgentOf } from "../observe/recovery-now.ts";
import { isSpare } from "../rules/recovery/spare-rooms.ts";
import type { View } from "../observe/view.ts";
import { frozenWait } from "../rules/override/wait-for-override.ts";
import { movesPlaces } from "./fleet/avoided-places.ts";
import { NodeFinder } from "./fleet/node-finder.ts";
import { AHEAD, IN_TURN, type PlacementMode } from "./fleet/placement-mode.ts";
import { nodeOfRefusal } from "./fleet/node-of-refusal.ts";
import { REGION_QUOTA } from "../rules/obstacles/region-quota-name.ts";
import { heldSummary } from "./held-summary.ts";
import { bindIntent, type FoundPlace, placeEach, underRevision } from "./found-places.ts";
import { dominantShare } from "./queue/fair-order.ts";
import { nodeToKeep } from "./queue/node-to-keep.ts";
import { WaitingLine } from "./queue/waiting-line.ts";
import { keptUnpaid } from "./recovery/kept-unpaid.ts";
import { QueuedReplicas } from "./queued-replicas.ts";
import { regionShortage, type WhyNowhere, whyNowhere } from "./why-nowhere.ts";

/** Wake-ups should come from facts; this is for the ones that were lost on the way. */
const PATIENCE_MS = 15_000;

/** The view normally catches up with a refusal or with our own binds within this time. */
const HELD_BACK_PATIENCE_MS = 1_000;

/** A kept node is given away by this scheduler itself, which no fact tells; it may well take a minute. */
const KEPT_PATIENCE_MS = 5_000;

/** How many runners-up are written down. */
const ALTERNATIVES = 3;

/** Enough to spread the cost of a commit thin; few enough that one stale node spoils little. */
const BINDS_PER_LOOK = 256;

export function createPlace(): Controller {
  const desk = new PlaceDesk();
  return {
    role: "place",
    interest: {
      kinds: new Set([
        "Node",
        "Replica",
        "Quota",
        "Reservation",
        "Workload",
        "PriorityClass",
        "Policy",
        "PolicyRevision",
        "Override",
        "Budget",
      ]),
      node: undefined,
      roomsOnly: true,
    },
    follow: (change, view) => desk.follow(change, view),
    keysFor: (change, view) => desk.keysFor(change, view),
    allKeys: () => desk.queued.workloads(),
    order: (due, view) => desk.order(due, view),
    reconcile: (key, view, look) => desk.place(key, view, look),
  };
}

class PlaceDesk {
  readonly queued = new QueuedReplicas();
  private readonly line = new WaitingLine(this.queued);
  private finder: NodeFinder | undefined;
  /** What the last look at a workload asked for; answered by the time it is looked at again. */
  private readonly asked = new Map<ObjectKey, readonly Replica[]>();

  follow(change: Change, view: View): void {
    this.queued.follow(change);
    this.line.follow(change);
    this.finderOn(view).follow(change);
  }

  keysFor({ before, after }: Change, view: View): readonly ObjectKey[] {
    for (const object of [after, before]) {
      if (object?.kind !== "Replica") continue;
      if (object.status.stage === "queued") return [workloadOf(object)];
    }
    if (makesHeldRoom({ before, after }, view)) return [...this.queued.workloads()];
    const some = after ?? before;
    if (movesPlaces({ before, after })) return [...this.queued.workloads()];
    // Its recovery may have begun, or room may be kept for it: from then on it has more room than before.
    if (some?.kind === "Workload") return some.spec.recovery === undefined ? [] : [some.key];
    if (some?.kind !== "Reservation") return [];
    if (isSpare(some)) return [some.spec.owner];
    const owner = view.objects.replica(some.spec.owner);
    return owner === undefined ? [] : [workloadOf(owner)];
  }

  place(workload: ObjectKey, view: View, look: Look): Decision {
    const finder = this.finderOn(view);
    this.tidy(workload, finder, look);
    const most = Math.max(1, BINDS_PER_LOOK >> (2 * Math.min(look.failures, 8)));
    const replicas = this.queued.first(workload, BINDS_PER_LOOK, view);
    const first = replicas[0];
    if (first === undefined) {
      this.gotRoom(workload, finder);
      return settled;
    }
    const frozen = frozenWait(workload, view, look);
    if (frozen !== undefined) return frozen;
    const { priority } = this.line.waiting(workload, view);
    finder.heldBack.avoid(workload, replicas, look.now);
    finder.heldBack.lookFor({ workload, priority }, look.now);
    const wish = view.objects.workload(workload);
    if (wish?.spec.gang !== undefined) return this.placeGang(wish, view, look);
    const mode = this.line.modeOf(workload);
    const alternatives = finder.alternatives(first, 1 + ALTERNATIVES, mode);
    const found = this.placeNewest(replicas, {
      view,
      look,
      mode,
      most: Math.min(most, this.placesFor(wish, view, mode)),
    });
    const best = found[0];
    if (best === undefined) {
      return mode.ifNowhere === "take-its-turn"
        ? this.takesItsTurn(workload, look)
        : this.waitForAny(replicas, view, look);
    }
    return this.askFor(found, best, { finder, alternatives });
  }

  /** What was lost is looked at before everybody else, and no more of it than was lost (RV8). */
  private placesFor(wish: Workload | undefined, view: View, mode: PlacementMode): number {
    const urgent = urgentOf(view.objects, wish);
    if (wish === undefined || urgent === 0) return BINDS_PER_LOOK;
    // In its turn it gets what everybody does (BU8).
    const isUrgent =
      mode.mostOfRecovery === "what-was-lost" || !this.finderOn(view).budgets.isBudgeted;
    return isUrgent ? urgent : BINDS_PER_LOOK;
  }

  /** Nothing that is paid for was found after all: it is looked at again soon, and then in its turn (BU8). */
  private takesItsTurn(workload: ObjectKey, look: Look): Decision {
    this.line.lookedInVain(workload);
    return wait({
      reason: "recovery-budget",
      wakes: [NODES_FACT, BUDGETS_FACT],
      deadlineMs: look.now + HELD_BACK_PATIENCE_MS,
      because: { summary: "no place that a budget pays for was found before its turn" },
    });
  }

  private askFor(
    found: readonly FoundPlace[],
    best: FoundPlace,
    of: {
      readonly finder: NodeFinder;
      readonly alternatives: readonly { readonly name: string; readonly score: number }[];
    },
  ): Decision {
    const { finder, alternatives } = of;
    const workload = workloadOf(best.replica);
    this.gotRoom(workload, finder);
    this.line.foundSome();
    this.asked.set(
      workload,
      found.map(({ replica }) => replica),
    );
    const { node, spare, budget } = best.place;
    const more = found.length === 1 ? "" : `; ${found.length} replicas placed in all`;
    const why = spare === undefined ? "scores highest" : "has room that is kept";
    const paid = budget === undefined ? "" : ` on ${finder.budgets.text(budget)}`;
    return propose([bindIntent(found, finder)], {
      summary: `${node} ${why} for ${best.replica.meta.name}${paid}${more}`,
      chosen: node,
      score: best.place.score,
      parts: best.place.parts,
      policy: finder.policyText(best.replica, node),
      ...underRevision(finder.revisionFor(best.replica, node)),
      alternatives: alternatives.filter(({ name }) => name !== node).slice(0, ALTERNATIVES),
    });
  }

  /** A generation that finds no place holds up no older one: what goes back to that must find room (RO9). */
  private placeNewest(
    replicas: readonly Replica[],
    of: {
      readonly view: View;
      readonly look: Look;
      readonly mode: PlacementMode;
      readonly most: number;
    },
  ): readonly FoundPlace[] {
    for (let tried = replicas, first = tried[0]; first !== undefined; first = tried[0]) {
      const found = placeEach(tried, { ...of, finder: this.finderOn(of.view) });
      if (found.length > 0) return found;
      tried = this.queued.first(workloadOf(first), BINDS_PER_LOOK, of.view, first.spec.generation);
    }
    return [];
  }

  /** All of them in one commit, or none: nothing is held for some while the others find no room. */
  private placeGang(gang: Workload, view: View, look: Look): Decision {
    const finder = this.finderOn(view);
    const { queued, missing } = gangMembers(gang, view.objects);
    const first = queued[0];
    // Those of an earlier template are in the queue until they are ended; they get no place any more.
    if (first === undefined || missing.length > 0) {
      return wait({
        reason: "gang-incomplete",
        wakes: [],
        deadlineMs: look.now + PATIENCE_MS,
        because: {
          summary: `${missing.length} of ${gang.spec.replicas} members are not queued yet`,
        },
      });
    }
    const found = placeEach(queued, { finder, look, mode: IN_TURN });
    if (found.length === queued.length) {
      this.gotRoom(gang.key, finder);
      this.line.foundSome();
      this.asked.set(gang.key, queued);
      const summary = `all ${queued.length} members fit, the first on ${found[0]?.place.node}`;
      const node = found[0]?.place.node ?? "";
      const under = underRevision(finder.revisionFor(queued[0] as Replica, node));
      return propose([bindIntent(found, finder)], { summary, chosen: node, ...under });
    }
    // What turned the others away is told with those who fit in their places, whether it passes without them.
    const { rejected } = whyNowhere(first, finder, view);
    for (const { replica } of found) finder.forget(replica.key);
    const { heldBack } = whyNowhere(first, finder, view);
    this.keepNode(first, view, look, queued.length - found.length);
    return wait({
      reason: heldBack ?? "gang-does-not-fit",
      wakes: [NODES_FACT, ...companyFacts(first), quotaFact(first.meta.namespace)],
      deadlineMs: look.now + patienceMs(heldBack),
      because: {
        summary: `room for ${found.length} of ${queued.length} members${this.keptText(gang.key)}`,
        rejected,
        queue: this.line.placeOf(gang.key, { view, finder, nowMs: look.now }),
      },
    });
  }

  order(due: ReadonlySet<ObjectKey>, view: View): Iterable<ObjectKey> {
    const finder = this.finderOn(view);
    // Hardly any plane has budgets, and every turn asks.
    if (!finder.budgets.isBudgeted) return this.line.order(due, { view, finder });
    const mayGoAhead = (key: ObjectKey): boolean => this.mayGoAhead(key, view);
    return this.line.order(due, { view, finder, mayGoAhead });
  }

  /** Whether its window lasts, and there is a place for it that a budget pays for (BU8). */
  private mayGoAhead(key: ObjectKey, view: View): boolean {
    const [first] = this.queued.first(key, 1, view);
    const under = view.objects.workload(key)?.status.recovery?.under;
    if (first === undefined || under?.inTurn === true) return false;
    return this.finderOn(view).find(first, AHEAD) !== undefined;
  }

  /** Some of it are placed, or none wants to be: it is passed over no more, and no node is kept for it. */
  private gotRoom(workload: ObjectKey, { heldBack }: NodeFinder): void {
    heldBack.release(workload);
    heldBack.kept.forget(workload);
  }

  /** Whoever was passed over for too long has nodes kept for it, as many as it may need of them. */
  private keepNode(replica: Replica, view: View, look: Look, most = 1): void {
    const finder = this.finderOn(view);
    const workload = workloadOf(replica);
    const { kept } = finder.heldBack;
    const { priority } = this.line.waiting(workload, view);
    const size = dominantShare(replica.spec.template.ask.amounts, finder.columns.total, 1);
    const claim = { workload, priority, size };
    if (kept.nodesOf(workload).length >= most || !kept.isToBeFound(claim, look.now)) return;
    const node = nodeToKeep(replica, claim, { finder, view });
    kept.searched(workload, look.now, node !== undefined);
    if (node !== undefined) finder.heldBack.keep(node, claim, look.now);
  }

  private keptText(workload: ObjectKey): string {
    const nodes = this.finder?.heldBack.kept.nodesOf(workload) ?? [];
    return nodes.length === 0
      ? ""
      : `; ${nodes.join(", ")} is kept for it until it is empty enough`;
  }

  /** Before a look: what was asked for and not granted is room again, and who refused is left alone. */
  private tidy(workload: ObjectKey, finder: NodeFinder, look: Look): void {
    for (const { key } of this.asked.get(workload) ?? []) finder.forget(key);
    this.asked.delete(workload);
    finder.forgetOverdue(look.now);
    finder.budgets.nowMs = look.now;
    finder.liftShunned();
    for (const refusal of look.feedback) {
      const node = nodeOfRefusal(refusal);
      if (node !== undefined) finder.shun(node, refusal.revision);
    }
  }

  /** Those for whom room is held wait for it alone: what happens elsewhere is for the others. */
  private waitForAny(replicas: readonly Replica[], view: View, look: Look): Decision {
    const finder = this.finderOn(view);
    const without = replicas.find((replica) => finder.roomHeld(replica) === undefined);
    if (without !== undefined) return this.wait(without, view, look);
    const held = replicas.flatMap((replica) => finder.roomHeld(replica) ?? []);
    const nodes = new Set(held.flatMap(({ spec }) => spec.room?.node ?? []));
    const first = replicas[0] as Replica;
    const [heldBack] = [...nodes].flatMap((node) => finder.roomHeldBack(node) ?? []);
    const short = [...nodes].flatMap((node) => regionShortage(node, first, view) ?? []);
    return wait({
      reason: heldBack ?? "room-held",
      wakes: [
        ...[...nodes].flatMap((node) => [roomFact(node), objectFact(nodeKey(node))]),
        siblingsFact(first.meta.namespace, first.spec.workload),
        ...companyFacts(first),
        // Room is held without asking what the tenant may use in its region; that is asked of the bind (QT7).
        quotaFact(first.meta.namespace),
      ],
      deadlineMs: look.now + patienceMs(heldBack),
      because: {
        summary: heldSummary([...nodes], view),
        ...(short[0] === undefined
          ? {}
          : { rejected: { [REGION_QUOTA]: { count: short.length, example: short[0] } } }),
      },
    });
  }

  private wait(replica: Replica, view: View, look: Look): Decision {
    const finder = this.finderOn(view);
    const workload = workloadOf(replica);
    const { rejected, heldBack } = whyNowhere(replica, finder, view);
    const unpaid = keptUnpaid(replica, finder, view);
    if (unpaid === undefined) this.keepNode(replica, view, look);
    const rest = unpaid === undefined ? "no-feasible-node" : "recovery-budget";
    return wait({
      reason: heldBack ?? rest,
      wakes: [
        NODES_FACT,
        ...(unpaid === undefined && heldBack !== "region-cut-off" ? [] : [BUDGETS_FACT]),
        siblingsFact(replica.meta.namespace, replica.spec.workload),
        ...companyFacts(replica),
        ...(REGION_QUOTA in rejected ? [quotaFact(replica.meta.namespace)] : []),
      ],
      deadlineMs: look.now + patienceMs(heldBack),
      because: {
        summary:
          unpaid?.summary ?? `no node of the view can take the replica${this.keptText(workload)}`,
        rejected: { ...rejected, ...unpaid?.rejected },
        queue: this.line.placeOf(workload, { view, finder, nowMs: look.now }),
      },
    });
  }

  private finderOn(view: View): NodeFinder {
    this.finder ??= new NodeFinder(view);
    return this.finder;
  }
}

function patienceMs(heldBack: WhyNowhere["heldBack"]): number {
  if (heldBack === undefined) return PATIENCE_MS;
  if (heldBack === "override" || heldBack === "region-cut-off") return PATIENCE_MS;
  const mayTakeLong = heldBack === "room-kept" || heldBack === "rejected-lately";
  return mayTakeLong ? KEPT_PATIENCE_MS : HELD_BACK_PATIENCE_MS;
}

/**
 * Whether one more was asked to leave a node where room is held: what is left beside it may have grown. A
 * preemption that is the first there leaves nobody more than before.
 */
function makesHeldRoom({ before, after }: Pick<Change, "before" | "after">, view: View): boolean {
  if (after?.kind !== "Replica" || after.status.stopping === undefined) return false;
  if (before?.kind === "Replica" && before.status.stopping !== undefined) return false;
  const { node, stopping } = after.status;
  const holds = node === undefined ? 0 : view.objects.useOf(node).held.size;
  return holds > (stopping.reason === "preempted" ? 1 : 0);
}
