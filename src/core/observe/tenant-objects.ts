/**
 * How many objects of each kind each tenant has: counted as they come and go, because a put that
 * looked through all of them would make a flood of objects quadratic.
 */
import type { Kind } from "../model/ids.ts";
import type { AnyObject } from "../model/objects.ts";

/** Made by the plane in numbers that other bounds hold: counting them would cost every bind. */
const NOT_COUNTED: ReadonlySet<Kind> = new Set(["Replica", "Reservation"]);

export class TenantObjects {
  private readonly counts = new Map<string, number>();

  of(kind: Kind, tenant: string): number {
    return this.counts.get(`${kind}/${tenant}`) ?? 0;
  }

  fold(held: AnyObject | undefined, after: AnyObject | undefined): void {
    if ((held === undefined) === (after === undefined)) return;
    const { kind, meta } = (after ?? held) as AnyObject;
    if (meta.namespace === "" || NOT_COUNTED.has(kind)) return;
    const of = `${kind}/${meta.namespace}`;
    const count = (this.counts.get(of) ?? 0) + (after === undefined ? -1 : 1);
    if (count === 0) this.counts.delete(of);
    else this.counts.set(of, count);
  }
}
