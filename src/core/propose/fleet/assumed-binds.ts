/**
 * The binds one scheduler has asked for and not yet seen granted or refused. Its view does not show
 * them, so without this assumed it would offer the same room to the next replica. It is a courtesy
 * to itself: the authority knows nothing of it.
 */
import { roomOf } from "../../model/reservation.ts";
import { type Amounts, minus, NOTHING, plus } from "../../model/amounts.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Replica, Reservation } from "../../model/objects.ts";

export interface AssumedBind {
  readonly replica: Replica;
  readonly node: string;
  /** That of the node. */
  readonly region: string;
  readonly deviceIds: readonly string[];
  readonly notedMs: number;
  /** The room kept for its workload that it takes. */
  readonly spare?: ObjectKey | undefined;
  /** The recovery budget that it spends. */
  readonly budget?: string | undefined;
}

/**
 * A bind is answered and seen well within this; one that was never sent must not hold room for
 * longer.
 */
const ASSUMED_MS = 3_000;

export class AssumedBinds {
  /** Oldest first. */
  private readonly binds = new Map<ObjectKey, AssumedBind>();
  /** What they add up to, by tenant and by tenant and region. */
  private readonly sums = new Map<string, Amounts>();

  get isEmpty(): boolean {
    return this.binds.size === 0;
  }

  get(key: ObjectKey): AssumedBind | undefined {
    return this.binds.get(key);
  }

  all(): Iterable<AssumedBind> {
    return this.binds.values();
  }

  /** Whether one of these takes the very room that is held. */
  isFor({ key, spec }: Reservation): boolean {
    const { owner, incarnation } = spec;
    if (spec.for === "recovery") return this.takesSpare(key);
    const bind = this.binds.get(owner);
    return (
      bind !== undefined &&
      bind.node === roomOf(spec)?.node &&
      bind.replica.status.incarnation === incarnation
    );
  }

  private takesSpare(key: ObjectKey): boolean {
    for (const { spare } of this.binds.values()) if (spare === key) return true;
    return false;
  }

  /** What these will hold of a tenant's quota in a region once they are granted. */
  inRegion(tenant: string, region: string): Amounts {
    return this.sums.get(`${tenant} ${region}`) ?? NOTHING;
  }

  /** What these will hold of all nodes once they are granted. */
  sumOf(tenant: string): Amounts {
    return this.sums.get(tenant) ?? NOTHING;
  }

  add(bind: AssumedBind): void {
    this.remove(bind.replica.key);
    this.binds.set(bind.replica.key, bind);
    this.tally(bind, plus);
  }

  remove(key: ObjectKey): void {
    const bind = this.binds.get(key);
    if (bind === undefined) return;
    this.binds.delete(key);
    this.tally(bind, minus);
    // What is left of nothing need not be kept, for ever, for every tenant and region there was.
    if (this.isEmpty) this.sums.clear();
  }

  private tally({ replica, region }: AssumedBind, add: typeof plus): void {
    const { namespace: tenant } = replica.meta;
    // A tenant's name has no blank in it, so the two kinds of entry never meet.
    for (const name of [tenant, `${tenant} ${region}`]) {
      this.sums.set(name, add(this.sums.get(name) ?? NOTHING, replica.spec.template.ask.amounts));
    }
  }

  /** Those that were asked for so long ago that the answer must have been lost. */
  overdue(nowMs: number): readonly AssumedBind[] {
    const overdue: AssumedBind[] = [];
    for (const bind of this.binds.values()) {
      if (nowMs < bind.notedMs + ASSUMED_MS) break;
      overdue.push(bind);
    }
    return overdue;
  }
}

/** Whether the replica was bound as it was asked for. */
export const isAsAssumed = ({ replica, node, deviceIds }: AssumedBind, is: Replica): boolean =>
  is.status.node === node &&
  is.status.incarnation === replica.status.incarnation &&
  is.meta.uid === replica.meta.uid &&
  deviceIds.length === is.status.deviceIds.length &&
  deviceIds.every((id, at) => is.status.deviceIds[at] === id);

/** Whether a change left the replica where it was, or still nowhere. */
export const isSameBinding = (was: Replica | undefined, is: Replica | undefined): boolean =>
  was?.status.node === is?.status.node &&
  was?.meta.uid === is?.meta.uid &&
  was?.status.incarnation === is?.status.incarnation;
