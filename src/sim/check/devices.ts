/**
 * [INV3] Of a device never more than the whole is given away, so one that a replica has whole has
 * no other owner; it exists on that replica's node and is of the class and model asked for; a
 * replica holds exactly as many as it asked for.
 *
 * It would break if devices were counted but not named, or named by a scheduler whose view still
 * showed them free.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { ObjectKey } from "../../core/model/ids.ts";
import type { NodeSpec, Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";

interface Held {
  readonly node: string;
  readonly ids: readonly string[];
}

interface Part {
  readonly owner: ObjectKey;
  readonly millis: number;
}

const WHOLE_MILLIS = 1000;

class DevicesChecker implements Checker {
  readonly name = "devices";
  readonly ignoresRenewals = true;
  private readonly specs = new Map<string, NodeSpec>();
  /** Node name → device id → who has how much of it. */
  private readonly parts = new Map<string, Map<string, Part[]>>();
  private readonly held = new Map<ObjectKey, Held>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
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
    // A replica asks for the same all its incarnation, so one that asks for none and has none never
    // held any.
    if (spec.template.ask.device === undefined && status.deviceIds.length === 0) return;
    const node = isHolding(replica) ? status.node : undefined;
    const was = this.held.get(key);
    if (was?.node === node && (was === undefined || sameIds(was.ids, status.deviceIds))) return;
    if (was !== undefined) this.free(key);
    if (node !== undefined) this.take(replica, node, report);
  }

  private take(replica: Replica, node: string, report: Report): void {
    const { key, status } = replica;
    const asked = replica.spec.template.ask.device;
    const ids = status.deviceIds;
    const count = asked?.count ?? 0;
    if (ids.length !== count) {
      report("INV3", `${key} asks for ${count} devices and holds ${ids.length} on ${node}.`, key);
    }
    for (const id of ids) {
      this.checkKind(replica, node, id, report);
      this.givePart(node, id, { owner: key, millis: asked?.shareMillis ?? 0 }, report);
    }
    this.held.set(key, { node, ids });
  }

  private checkKind(replica: Replica, node: string, id: string, report: Report): void {
    const { key } = replica;
    const { device } = replica.spec.template.ask;
    const pool = this.specs.get(node)?.pools.find(({ ids }) => ids.includes(id));
    if (pool === undefined) {
      report("INV3", `${key} holds device ${id}, which ${node} does not have.`, key);
      return;
    }
    if (device !== undefined && pool.class !== device.class) {
      const found = `holds class "${pool.class}" on ${node}`;
      report("INV3", `${key} asks for class "${device.class}" and ${found}.`, key);
    }
    const models = device?.models ?? [];
    if (models.length > 0 && !models.includes(pool.model)) {
      const found = `holds a "${pool.model}" on ${node}`;
      report("INV3", `${key} asks for model "${models.join("|")}" and ${found}.`, key);
    }
  }

  private givePart(node: string, id: string, part: Part, report: Report): void {
    const parts = this.partsOf(node, id);
    const used = parts.reduce((sum, { millis }) => sum + millis, 0);
    const first = parts[0];
    // The same owner twice is one device counted as two, which is as wrong as two owners.
    if (first !== undefined && used + part.millis > WHOLE_MILLIS) {
      const owners = parts.map(({ owner }) => owner).join(", ");
      const share =
        part.millis === WHOLE_MILLIS && used === WHOLE_MILLIS
          ? "holds"
          : `holds ${used}m of, beside its own ${part.millis}m`;
      report(
        "INV3",
        `${part.owner} was given device ${id} of ${node}, which ${owners} ${share}.`,
        part.owner,
      );
    }
    parts.push(part);
  }

  private partsOf(node: string, id: string): Part[] {
    let devices = this.parts.get(node);
    if (devices === undefined) {
      devices = new Map();
      this.parts.set(node, devices);
    }
    let parts = devices.get(id);
    if (parts === undefined) {
      parts = [];
      devices.set(id, parts);
    }
    return parts;
  }

  private free(key: ObjectKey): void {
    const was = this.held.get(key);
    if (was === undefined) return;
    for (const id of was.ids) {
      const left = this.partsOf(was.node, id).filter(({ owner }) => owner !== key);
      this.parts.get(was.node)?.set(id, left);
    }
    this.held.delete(key);
  }
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  if (a === b) return true;
  return a.length === b.length && a.every((id, at) => id === b[at]);
}

export const createDevicesChecker = (): Checker => new DevicesChecker();
