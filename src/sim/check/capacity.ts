/**
 * [INV2] No bind makes the requests of the replicas on a node exceed its capacity, and the shared
 * index of the node's use equals a sum computed here.
 *
 * It would break if the binds of two schedulers were each checked against the room before the
 * other, or if a release were counted twice. A node whose spec shrinks below its use is not a
 * violation: no replica was placed.
 */
import type { Commit } from "../../core/protocol/commit-record.ts";
import type { AmountName, Amounts } from "../../core/model/amounts.ts";
import { leaseKey, nodeKey, type ObjectKey } from "../../core/model/ids.ts";
import type { Replica } from "../../core/model/objects.ts";
import type { Checker, Report, Truth } from "./checker.ts";
import { keepsBinding } from "./fast-path.ts";
import { isHolding } from "./models/holding.ts";
import { AMOUNT_NAMES } from "./models/amount-names.ts";

type Sums = { -readonly [N in AmountName]: number };

interface Room extends Sums {
  /** Undefined while no such node exists. */
  capacity: Amounts | undefined;
  replicas: number;
}

interface Held {
  readonly node: string;
  readonly amounts: Amounts;
}

class CapacityChecker implements Checker {
  readonly name = "capacity";
  readonly ignoresRenewals = true;
  private readonly rooms = new Map<string, Room>();
  private readonly held = new Map<ObjectKey, Held>();
  /** Nodes that gained a replica in the current commit, with that replica. */
  private readonly gained = new Map<string, ObjectKey>();

  afterCommit(commit: Commit, _truth: Truth, report: Report): void {
    for (const change of commit.changes) {
      if (keepsBinding(change)) continue;
      const { key, after, before } = change;
      const kind = (after ?? before)?.kind;
      if (kind === "Replica") this.seeReplica(key, after as Replica | undefined);
      else if (kind === "Node") {
        const name = (after ?? before)?.meta.name ?? "";
        const room = this.room(name);
        room.capacity = after?.kind === "Node" ? after.spec.capacity : undefined;
        // A person may delete the node object alone. Its lease stays and tells when its replicas
        // have ended.
        const takesLease = (): boolean =>
          commit.changes.some((other) => other.key === leaseKey(name));
        if (after === undefined && room.replicas > 0 && takesLease()) {
          const what = `${key} was removed with its lease while ${room.replicas} replicas hold it`;
          report("INV2", `${what}.`, key);
        }
      }
    }
    // A commit that changes node and replica at once is checked by its result.
    if (this.gained.size > 0) this.check(report);
  }

  sampled(truth: Truth, report: Report): void {
    for (const [name, room] of this.rooms) {
      const use = truth.objects.useOf(name);
      for (const amount of AMOUNT_NAMES) {
        if (use[amount] !== room[amount]) {
          report(
            "INV2",
            `The index counts ${amount} ${use[amount]} in use on ${name}; the log adds up to ${room[amount]}.`,
            nodeKey(name),
          );
        }
      }
    }
  }

  atEnd(truth: Truth, report: Report): void {
    this.sampled(truth, report);
  }

  private seeReplica(key: ObjectKey, after: Replica | undefined): void {
    const node = after !== undefined && isHolding(after) ? after.status.node : undefined;
    const amounts = after?.spec.template.ask.amounts;
    const was = this.held.get(key);
    if (was?.node === node && (was === undefined || sameAmounts(was.amounts, amounts))) return;
    if (was !== undefined) {
      add(this.room(was.node), was.amounts, -1);
      this.held.delete(key);
    }
    if (node === undefined || amounts === undefined) return;
    add(this.room(node), amounts, 1);
    this.held.set(key, { node, amounts });
    this.gained.set(node, key);
  }

  private check(report: Report): void {
    for (const [node, key] of this.gained) {
      const room = this.room(node);
      const { capacity } = room;
      if (capacity === undefined) {
        report("INV2", `${key} was bound to ${node}, which does not exist.`, key);
        continue;
      }
      for (const amount of AMOUNT_NAMES) {
        if (room[amount] > capacity[amount]) {
          report(
            "INV2",
            `Binding ${key} takes ${amount} on ${node} to ${room[amount]}; its capacity is ${capacity[amount]}.`,
            key,
          );
        }
      }
    }
    this.gained.clear();
  }

  private room(node: string): Room {
    let room = this.rooms.get(node);
    if (room === undefined) {
      room = { capacity: undefined, cpuMillis: 0, memoryMiB: 0, deviceMillis: 0, replicas: 0 };
      this.rooms.set(node, room);
    }
    return room;
  }
}

/**
 * By identity first: a stage report leaves the request as it was, and most commits are stage
 * reports.
 */
const sameAmounts = (a: Amounts, b: Amounts | undefined): boolean =>
  a === b ||
  (b !== undefined &&
    a.cpuMillis === b.cpuMillis &&
    a.memoryMiB === b.memoryMiB &&
    a.deviceMillis === b.deviceMillis);

function add(room: Room, amounts: Amounts, sign: 1 | -1): void {
  room.cpuMillis += sign * amounts.cpuMillis;
  room.memoryMiB += sign * amounts.memoryMiB;
  room.deviceMillis += sign * amounts.deviceMillis;
  room.replicas += sign;
}

export const createCapacityChecker = (): Checker => new CapacityChecker();
