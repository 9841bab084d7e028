/**
 * What nodes have and what was given away of it. No bind takes the replicas of a node beyond its
 * capacity or gives a device that is not there; a node that was made smaller later is no fault. A
 * device is never given away more than once, whatever became of its node.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { leaseKey, nodeKey, type ObjectKey } from "../../core/model/ids.ts";
import type { NodeSpec, Replica } from "../../core/model/objects.ts";
import type { ObjectIndex } from "../../core/observe/object-index.ts";
import { about, type CheckName, type Report } from "./check-names.ts";
import { isHolding, type StateCheck } from "./state-check.ts";

type Sums = { -readonly [Name in AmountName]: number };

const NAMES: readonly AmountName[] = ["cpuMillis", "memoryMiB", "deviceMillis"];
const WHOLE_DEVICE = 1000;

interface Held {
  readonly node: string;
  readonly amounts: Amounts;
}

export class NodeCheck implements StateCheck {
  private readonly specs = new Map<string, NodeSpec>();
  private readonly sums = new Map<string, Sums>();
  private readonly held = new Map<ObjectKey, Held>();
  private seen: Readonly<Partial<Record<CheckName, number>>> = {};

  begin(objects: ObjectIndex): void {
    for (const each of [this.specs, this.sums, this.held]) each.clear();
    for (const { meta, spec } of objects.all("Node").values()) this.specs.set(meta.name, spec);
    for (const replica of objects.all("Replica").values()) this.hold(replica.key, replica);
  }

  afterCommit({ changes, revision }: Commit, report: Report): void {
    const gained: Replica[] = [];
    for (const { key, after, before } of changes) {
      const some = after ?? before;
      if (some?.kind === "Replica") {
        const replica = after?.kind === "Replica" ? after : undefined;
        if (this.hold(key, replica) && replica !== undefined) gained.push(replica);
      } else if (some?.kind === "Node") {
        if (after?.kind === "Node") this.specs.set(after.meta.name, after.spec);
        else this.specs.delete(some.meta.name);
      }
    }
    for (const replica of gained) this.check(replica, revision, report);
  }

  atEnd(objects: ObjectIndex, revision: number, report: Report): void {
    const devices = new Map<string, { millis: number; owners: ObjectKey[] }>();
    let replicas = 0;
    for (const replica of objects.all("Replica").values()) {
      replicas += 1;
      this.checkBinding(replica, objects, revision, report);
      const { node, deviceIds } = replica.status;
      if (!isHolding(replica)) continue;
      for (const id of deviceIds) {
        const name = `${node}/${id}`;
        const use = devices.get(name) ?? { millis: 0, owners: [] };
        use.millis += replica.spec.template.ask.device?.shareMillis ?? WHOLE_DEVICE;
        use.owners.push(replica.key);
        devices.set(name, use);
      }
    }
    for (const [name, { millis, owners }] of devices) {
      if (millis <= WHOLE_DEVICE) continue;
      const found = `${millis} thousandths of device ${name} are assigned, to ${owners.toSorted().join(" and ")}`;
      report(about("devices", owners[0] ?? nodeKey(name), revision, found));
    }
    this.seen = { bindings: replicas, devices: devices.size, capacity: this.specs.size };
  }

  counts(): Readonly<Partial<Record<CheckName, number>>> {
    return this.seen;
  }

  private checkBinding(
    replica: Replica,
    objects: ObjectIndex,
    revision: number,
    report: Report,
  ): void {
    const { key, status } = replica;
    const { node, stage } = status;
    if (isHolding(replica) !== (node !== undefined)) {
      const found = `it is ${stage} and names ${node === undefined ? "no node" : `the node ${node}`}`;
      report(about("bindings", key, revision, found));
    }
    if (node === undefined) return;
    // The lease of a node that was deleted alone stays until what ran there is over, and says that
    // it is gone.
    const isThere =
      objects.get(nodeKey(node)) !== undefined || objects.get(leaseKey(node)) !== undefined;
    if (isThere) return;
    const found = `it is bound to ${node}, which has neither an object nor a lease`;
    report(about("bindings", key, revision, found));
  }

  /** True when it came to hold a node that it did not hold before. */
  private hold(key: ObjectKey, replica: Replica | undefined): boolean {
    const node = replica !== undefined && isHolding(replica) ? replica.status.node : undefined;
    const was = this.held.get(key);
    if (was !== undefined) {
      this.add(was, -1);
      this.held.delete(key);
    }
    if (node === undefined || replica === undefined) return false;
    const held = { node, amounts: replica.spec.template.ask.amounts };
    this.held.set(key, held);
    this.add(held, 1);
    return was?.node !== node;
  }

  private check({ key, spec, status }: Replica, revision: number, report: Report): void {
    const { node = "", deviceIds } = status;
    const has = this.specs.get(node);
    if (has === undefined) {
      report(about("capacity", key, revision, `it was bound to ${node}, which did not exist`));
      return;
    }
    const sums = this.sums.get(node);
    for (const name of NAMES) {
      const taken = sums?.[name] ?? 0;
      if (taken <= has.capacity[name]) continue;
      const found = `binding it took ${name} on ${node} to ${taken} of ${has.capacity[name]}`;
      report(about("capacity", key, revision, found));
    }
    const asked = spec.template.ask.device;
    if (deviceIds.length !== (asked?.count ?? 0)) {
      const found = `it requests ${asked?.count ?? 0} devices and got ${deviceIds.length}`;
      report(about("devices", key, revision, found));
    }
    for (const id of deviceIds) {
      const pool = has.pools.find(({ ids }) => ids.includes(id));
      if (pool !== undefined && pool.class === asked?.class) continue;
      const found = `it got device ${id} of ${node}, which has no such ${asked?.class ?? "device"}`;
      report(about("devices", key, revision, found));
    }
  }

  private add({ node, amounts }: Held, sign: 1 | -1): void {
    let sums = this.sums.get(node);
    if (sums === undefined) {
      sums = { cpuMillis: 0, memoryMiB: 0, deviceMillis: 0 };
      this.sums.set(node, sums);
    }
    for (const name of NAMES) sums[name] += sign * amounts[name];
  }
}
