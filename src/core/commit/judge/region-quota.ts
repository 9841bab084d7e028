/** What a tenant's replicas may hold in one region, checked when they are bound and not before (QT7). */
import { type Amounts, NOTHING, plus, shortage } from "../../model/amounts.ts";
import { quotaKey } from "../../model/ids.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import type { Binding } from "../command.ts";
import { no, type No } from "../verdict.ts";

/** The bindings of one command: each meets what the ones before it take of its region. */
export class RegionQuota {
  private readonly objects: ObjectIndex;
  private readonly taken = new Map<string, Amounts>();

  constructor(objects: ObjectIndex) {
    this.objects = objects;
  }

  /** Takes what the binding needs of its region, or says why it may not. */
  exceededBy(binding: Binding): No | undefined {
    const { objects, taken } = this;
    const replica = objects.replica(binding.replica);
    const region = objects.nodeNamed(binding.node)?.spec.region;
    if (replica === undefined || region === undefined) return undefined;
    const tenant = replica.meta.namespace;
    const room = regionRoom(objects, tenant, region);
    if (room === undefined) return undefined;
    const name = `${tenant} ${region}`;
    const sum = plus(taken.get(name) ?? NOTHING, replica.spec.template.ask.amounts);
    taken.set(name, sum);
    const short = shortage(sum, room);
    if (short === undefined) return undefined;
    const field = `${quotaKey(tenant)} regions.${region}.${short}`;
    return no("quota-exceeded", field, sum[short], room[short]);
  }
}
