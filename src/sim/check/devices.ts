/**
 * [INV3] An exclusive device belongs to at most one holding replica, exists on that replica's node and is
 * of the class asked for; a replica holds exactly as many as it asked for.
 *
 * It would break if devices were counted but not named, or named by a scheduler whose view still showed
 * them free.
 */
import type { Commit } from "../../core/commit/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { NodeSpec, Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { isRenewal, keepsBinding } from "./fast-path.ts";
import { isHolding } from "./holding.ts";

interface Held {
  readonly node: string;
  readonly ids: readonly string[];
}

class DevicesChecker implements Checker {
  readonly name = "devices";
  private readonly specs = new Map<string, NodeSpec>();
  /** Node name → device id → the replica that holds it. */
  private readonly owners = new Map<string, Map<string, ObjectKey>>();
  private readonly held = new Map<ObjectKey, Held>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    if (isRenewal(commit)) return;
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      const { key, after } = change;
      if (after === undefined) this.free(key);
      else if (after.kind === "Replica") this.seeReplica(after, report);
      else if (after.kind === "Node") this.specs.set(after.meta.name, after.spec);
    }
  }

  private seeReplica(replica: Replica, report: Report): void {
    const { key, spec, status } = replica;
    // A replica asks for the same all its life, so one that asks for none and has none never held any.
    if (spec.template.ask.amounts.devices === 0 && status.deviceIds.length === 0) return;
    const node = isHolding(replica) ? status.node : undefined;
    const was = this.held.get(key);
    if (was?.node === node && (was === undefined || sameIds(was.ids, status.deviceIds))) return;
    if (was !== undefined) this.free(key);
    if (node !== undefined) this.take(replica, node, report);
  }

  private take(replica: Replica, node: string, report: Report): void {
    const { key, status } = replica;
    const { ask } = replica.spec.template;
    const ids = status.deviceIds;
    if (ids.length !== ask.amounts.devices) {
      report(
        "INV3",
        `${key} asks for ${ask.amounts.devices} devices and holds ${ids.length} on ${node}.`,
        key,
      );
    }
    const spec = this.specs.get(node);
    if (ids.length > 0 && spec !== undefined && spec.deviceClass !== ask.deviceClass) {
      report(
        "INV3",
        `${key} asks for class "${ask.deviceClass}" and holds class "${spec.deviceClass}" on ${node}.`,
        key,
      );
    }
    let owners = this.owners.get(node);
    if (owners === undefined) {
      owners = new Map();
      this.owners.set(node, owners);
    }
    for (const id of ids) {
      if (spec === undefined || !spec.deviceIds.includes(id)) {
        report("INV3", `${key} holds device ${id}, which ${node} does not have.`, key);
      }
      const owner = owners.get(id);
      if (owner !== undefined) {
        // The same owner twice is one device counted as two, which is as wrong as two owners.
        report("INV3", `${key} was given device ${id} of ${node}, which ${owner} holds.`, key);
      }
      owners.set(id, key);
    }
    this.held.set(key, { node, ids });
  }

  private free(key: ObjectKey): void {
    const was = this.held.get(key);
    if (was === undefined) return;
    const owners = this.owners.get(was.node);
    for (const id of was.ids) {
      if (owners?.get(id) === key) owners.delete(id);
    }
    this.held.delete(key);
  }
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

export const createDevicesChecker = (): Checker => new DevicesChecker();
