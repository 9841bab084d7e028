/**
 * What a tenant's replicas may hold in one region, checked when they are bound and not before
 * (QT7).
 */
import { type Amounts, NOTHING, plus, shortage } from "../../model/amounts.ts";
import { quotaKey } from "../../model/ids.ts";
import type { Replica } from "../../model/objects.ts";
import { regionRoom } from "../../observe/accounts/quota-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";

/** The bindings of one command: each meets what the ones before it take of its region. */
export class RegionQuota {
  private readonly objects: ObjectIndex;
  private readonly taken = new Map<string, Amounts>();

  constructor(objects: ObjectIndex) {
    this.objects = objects;
  }

  /** Takes what the replica needs of the node's region, or says why it may not. */
  exceededBy(replica: Replica, node: string): Rejection | undefined {
    const { objects, taken } = this;
    const region = objects.nodeNamed(node)?.spec.region;
    if (region === undefined) return undefined;
    const tenant = replica.meta.namespace;
    const room = regionRoom(objects, tenant, region);
    if (room === undefined) return undefined;
    const name = `${tenant} ${region}`;
    const sum = plus(taken.get(name) ?? NOTHING, replica.spec.template.ask.amounts);
    taken.set(name, sum);
    const short = shortage(sum, room);
    if (short === undefined) return undefined;
    const field = `${quotaKey(tenant)} regions.${region}.${short}`;
    return reject("quota-exceeded", field, sum[short], room[short]);
  }
}
