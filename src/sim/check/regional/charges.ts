/**
 * What each tenant is charged at one plane: quota reservations, and replicas that are queued or
 * hold a node. Kept from the changes of its log alone.
 */
import type { ObjectKey } from "../../../core/model/ids.ts";
import type { AnyObject } from "../../../core/model/objects.ts";
import type { ObjectIndex } from "../../../core/observe/object-index.ts";
import type { Amounts } from "../../../core/model/amounts.ts";
import type { Commit } from "../../../core/protocol/commit-record.ts";
import { isHolding } from "../models/holding.ts";
import { add, none, type Sums } from "./tenant-sums.ts";

interface Charge {
  readonly tenant: string;
  readonly amounts: Amounts;
}

export class Charges {
  private readonly sums = new Map<string, Sums>();
  private readonly charges = new Map<ObjectKey, Charge>();

  static of(objects: ObjectIndex): Charges {
    const charges = new Charges();
    for (const replica of objects.all("Replica").values()) charges.set(replica.key, replica);
    for (const held of objects.all("Reservation").values()) charges.set(held.key, held);
    return charges;
  }

  ofTenant(tenant: string): Amounts {
    return this.sums.get(tenant) ?? none();
  }

  copy(): ReadonlyMap<string, Amounts> {
    return new Map([...this.sums].map(([tenant, sums]) => [tenant, { ...sums }]));
  }

  /** Returns what the touched tenants were charged before. */
  see({ changes }: Commit): ReadonlyMap<string, Amounts> {
    const before = new Map<string, Amounts>();
    for (const { key, after, before: was } of changes) {
      const { kind } = after ?? was ?? {};
      if (kind !== "Replica" && kind !== "Reservation") continue;
      for (const charge of [this.charges.get(key), chargeOf(after)]) {
        if (charge === undefined || before.has(charge.tenant)) continue;
        before.set(charge.tenant, { ...this.ofTenant(charge.tenant) });
      }
      this.set(key, after);
    }
    return before;
  }

  private set(key: ObjectKey, object: AnyObject | undefined): void {
    const was = this.charges.get(key);
    if (was !== undefined) add(this.sumsOf(was.tenant), was.amounts, -1);
    this.charges.delete(key);
    const charge = chargeOf(object);
    if (charge === undefined) return;
    this.charges.set(key, charge);
    add(this.sumsOf(charge.tenant), charge.amounts);
  }

  private sumsOf(tenant: string): Sums {
    let sums = this.sums.get(tenant);
    if (sums === undefined) this.sums.set(tenant, (sums = none()));
    return sums;
  }
}

function chargeOf(object: AnyObject | undefined): Charge | undefined {
  if (object?.kind === "Replica") {
    if (object.status.stage !== "queued" && !isHolding(object)) return undefined;
    return { tenant: object.meta.namespace, amounts: object.spec.template.ask.amounts };
  }
  if (object?.kind !== "Reservation" || object.spec.for !== "quota") return undefined;
  return { tenant: object.spec.tenant, amounts: object.spec.amounts };
}
