/**
 * All workloads with replicas to place, as one scheduler sees them: in which order it looks at
 * those that are due, and where each of those that wait stands.
 */
import type { Change } from "../../protocol/commit-record.ts";
import { type Decision, type QueuePlace, takeTurn } from "../../protocol/decision.ts";
import { type Amounts, NOTHING, plus, times } from "../../model/amounts.ts";
import { type ObjectKey, parseKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { classOf } from "../../model/preemption.ts";
import { workloadOf } from "../../model/workload-of.ts";
import { urgentOf } from "../../observe/recovery-now.ts";
import type { View } from "../../observe/view.ts";
import type { NodeFinder } from "../fleet/node-finder.ts";
import type { Ordered } from "../../runner/controller.ts";
import type { QueuedReplicas } from "../queued-replicas.ts";
import { Departures } from "./departures.ts";
import { estimateWait, type WaitEstimate } from "./estimate-wait.ts";
import { fairOrder, type Waiting } from "./fair-order.ts";
import { NoNodeEver } from "./no-node-ever.ts";
import { tenantShare } from "./tenant-share.ts";
import { LEAST_WAITS, WaitRecord } from "./wait-record.ts";

/** Who is further back learns that, and not how far: every place costs a walk up to it. */
const PLACES_KEPT = 1_000;

/** The walk serves all who ask within this time; a place moves no faster than people look. */
const WALK_EVERY_MS = 1_000;

interface Standing {
  readonly position: number;
  readonly replicasAhead: number;
}

export interface OrderTerms {
  readonly view: View;
  readonly finder: NodeFinder;
  readonly mayGoAhead?: ((key: ObjectKey) => boolean) | undefined;
}

export class WaitingLine {
  private readonly queued: QueuedReplicas;
  private readonly known = new Map<ObjectKey, Waiting>();
  private readonly departures = new Departures();
  private readonly noNodeEver = new NoNodeEver();
  private readonly record = new WaitRecord();
  private standings = new Map<ObjectKey, Standing>();
  private walkedMs = Number.NEGATIVE_INFINITY;
  private length = 0;
  private gifts = 0;
  /**
   * Workloads for which a look ahead of their turn found nothing: they take their turn before the
   * next.
   */
  private readonly inVain = new Set<ObjectKey>();

  constructor(queued: QueuedReplicas) {
    this.queued = queued;
  }

  follow({ before, after }: Change): void {
    const some = after ?? before;
    if (some?.kind === "PriorityClass") this.known.clear();
    if (some?.kind === "Node") this.noNodeEver.nodeMoved();
    if (some?.kind !== "Replica") return;
    const was = (before as Replica | undefined)?.status;
    const is = (after as Replica | undefined)?.status;
    if (was?.stage === "queued" || is?.stage === "queued") this.known.delete(workloadOf(some));
    if (was?.node !== undefined && was.node !== is?.node) this.departures.note();
    if (was?.stage === "queued" && is?.stage !== "queued") this.leftQueue(some, is);
  }

  /** The wait ended with a node, or without one because it was given up. */
  private leftQueue(replica: Replica, is: Replica["status"] | undefined): void {
    const key = workloadOf(replica);
    if (is?.node !== undefined) this.record.bound(key);
    else if (this.queued.count(key) === 0) this.record.gone(key);
  }

  /** The look that is under way has found something. */
  foundSome(key: ObjectKey, nowMs: number): void {
    this.gifts += 1;
    this.record.found(key, nowMs);
  }

  /** The look ahead of its turn found nothing: it is looked at again when its turn comes. */
  takeTurn(key: ObjectKey): Decision {
    this.inVain.add(key);
    return takeTurn;
  }

  /** `mayGoAhead` says which may be looked at first; left out: recoveries are not budgeted. */
  *order(due: Iterable<ObjectKey>, { view, finder, mayGoAhead }: OrderTerms): Iterable<Ordered> {
    const waiting: Waiting[] = [];
    const urgent: ObjectKey[] = [];
    for (const key of due) {
      // Nothing of it waits any more: to find that out is no look that a tenant could have used.
      if (this.queued.count(key) === 0) yield key;
      else if (urgentOf(view.objects, view.objects.workload(key)) > 0) urgent.push(key);
      else waiting.push(this.waiting(key, view));
    }
    // Lost replicas come first, for every tenant: there is less than was there a moment ago (RV8).
    for (const key of urgent.toSorted()) {
      if (mayGoAhead === undefined) {
        yield key;
        continue;
      }
      const isTried = this.inVain.delete(key) || !mayGoAhead(key);
      if (!isTried) yield { ahead: key };
      // The look that was just taken, or the last one of an earlier cycle, found nothing.
      if (isTried || this.inVain.delete(key)) waiting.push(this.waiting(key, view));
    }
    const gifts = (): number => this.gifts;
    yield* fairOrder(waiting, { of: (tenant) => tenantShare(tenant, { view, finder }), gifts });
  }

  waiting(key: ObjectKey, view: View): Waiting {
    let waiting = this.known.get(key);
    if (waiting === undefined) {
      const [first] = this.queued.first(key, 1, view);
      const name = first?.spec.template.priorityClass ?? "";
      const priority = classOf(view.objects.all("PriorityClass"), name).value;
      const tenant = parseKey(key).namespace;
      waiting = { key, tenant, priority, sinceMs: first?.meta.createdMs ?? 0 };
      // Those without a replica in the queue are about to be settled.
      if (first !== undefined) this.known.set(key, waiting);
    }
    return waiting;
  }

  /** Where the workload stands among all that wait, for the record of a decision. */
  placeOf(key: ObjectKey, search: { view: View; finder: NodeFinder; nowMs: number }): QueuePlace {
    const { nowMs } = search;
    const lately = this.departures.lately(nowMs);
    if (nowMs >= this.walkedMs + WALK_EVERY_MS) this.walk(search.view, search.finder, nowMs);
    const standing = this.standings.get(key);
    const [first] = this.queued.first(key, 1, search.view);
    const never = first && this.noNodeEver.why(first.spec.template.ask, search.view);
    if (standing === undefined) {
      const far = `more than ${PLACES_KEPT} workloads are ahead of it`;
      return { of: this.length, basis: never ?? far };
    }
    if (never !== undefined) return { ...standing, of: this.length, basis: never };
    const guess = estimateWait(standing.replicasAhead, lately);
    return { ...standing, of: this.length, ...this.withInterval(key, guess, nowMs) };
  }

  private withInterval(key: ObjectKey, guess: WaitEstimate, nowMs: number): WaitEstimate {
    if (guess.estimateMs === undefined) return guess;
    const interval = this.record.interval(guess.estimateMs, nowMs);
    this.record.estimated(key, guess.estimateMs, nowMs);
    const { ended } = this.record;
    const basis =
      interval === undefined
        ? `${guess.basis}; no interval yet: ${ended} of ${LEAST_WAITS} estimated waits have ended`
        : `${guess.basis}; interval from ${ended} waits that were estimated and have ended`;
    return { ...guess, ...interval, basis };
  }

  /** In the order in which all would be looked at, if each were given what it asks for. */
  private walk(view: View, finder: NodeFinder, nowMs: number): void {
    this.walkedMs = nowMs;
    this.standings = new Map();
    const keys = [...this.queued.workloads()];
    this.length = keys.length;
    const given = new Map<string, Amounts>();
    const shares = {
      of: (tenant: string) => tenantShare(tenant, { view, finder, more: given.get(tenant) }),
      gifts: () => this.standings.size,
    };
    let replicasAhead = 0;
    for (const key of fairOrder(this.all(keys, view), shares)) {
      this.standings.set(key, { position: this.standings.size + 1, replicasAhead });
      if (this.standings.size === PLACES_KEPT) return;
      const count = this.queued.count(key);
      replicasAhead += count;
      const [first] = this.queued.first(key, 1, view);
      const asked = times(first?.spec.template.ask.amounts ?? NOTHING, count);
      const { tenant } = this.waiting(key, view);
      given.set(tenant, plus(given.get(tenant) ?? NOTHING, asked));
    }
  }

  private *all(keys: Iterable<ObjectKey>, view: View): Iterable<Waiting> {
    for (const key of keys) yield this.waiting(key, view);
  }
}
