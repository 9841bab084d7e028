/** Which changes a component is shown. Hosts use it to route, views use it to fold. */
import type { Change } from "../protocol/commit-record.ts";
import { type Kind, parseKey } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";

export interface Interest {
  readonly kinds: ReadonlySet<Kind>;
  /** An agent sees only replicas that hold (or just held) this node. */
  readonly node: string | undefined;
  /** Of the reservations only those that hold room. */
  readonly roomsOnly?: true;
  /**
   * Replicas matter to it only by the budgets that they name. Its view has all of them; where it
   * shares the view with others, it is not woken for commits that name none.
   */
  readonly paidOnly?: true;
  /**
   * It has nothing to do while there is no object of this kind, and keeps nothing in mind of the
   * others. Its view has all of them; where it shares the view with others, it is shown no change
   * until there is one.
   */
  readonly onlyWith?: Kind;
}

const isForQuotaOnly = (object: AnyObject | undefined): boolean =>
  object?.kind === "Reservation" && object.spec.for === "quota";

const onNode = (object: AnyObject | undefined, node: string): boolean =>
  object?.kind === "Replica" && object.status.node === node;

export function wants(interest: Interest, change: Change): boolean {
  const kind = (change.after ?? change.before)?.kind ?? parseKey(change.key).kind;
  if (!interest.kinds.has(kind)) return false;
  if (interest.roomsOnly === true && isForQuotaOnly(change.after ?? change.before)) return false;
  if (interest.node === undefined) return true;
  return onNode(change.after, interest.node) || onNode(change.before, interest.node);
}

/** Whether a listed object belongs to the interest. */
export function wantsObject(interest: Interest, object: AnyObject): boolean {
  if (!interest.kinds.has(object.kind)) return false;
  if (interest.roomsOnly === true && isForQuotaOnly(object)) return false;
  return interest.node === undefined || onNode(object, interest.node);
}
