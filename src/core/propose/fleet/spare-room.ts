/**
 * Room that is kept for the workload of a replica, and that it may take: something of the workload
 * was lost (RV4).
 */
import { roomOf } from "../../model/reservation.ts";
import type { Node, Replica } from "../../model/objects.ts";
import { isRecovering } from "../../model/recovery.ts";
import { workloadOf } from "../../model/workload-of.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { sparesOf } from "../../rules/recovery/spare-rooms.ts";
import type { AssumedBinds } from "./assumed-binds.ts";
import type { Fleet } from "./fleet.ts";
import type { Found } from "./node-finder.ts";
import { isOwnRoomFree } from "./own-room.ts";

export interface SpareSearch {
  readonly objects: ObjectIndex;
  readonly assumed: AssumedBinds;
  readonly fleet: Fleet;
  /** The node of each row. */
  readonly nodes: readonly Node[];
  /** Whether nothing but a lack of room keeps the replica from the row. */
  isOpen(row: number): boolean;
  /**
   * The budget that pays for a bind in the region, where one has to; left out: none has to (BU4).
   */
  readonly payFor?: (region: string) => string | undefined;
}

export function spareRoom(search: SpareSearch, replica: Replica): Found | undefined {
  const { objects, assumed, fleet, nodes } = search;
  const workload = objects.workload(workloadOf(replica));
  if (workload === undefined || !isRecovering(workload)) return undefined;
  for (const held of sparesOf(objects, workload)) {
    const { key: spare, spec } = held;
    const room = roomOf(spec);
    const row = room && fleet.rowOf(room.node);
    const node = row === undefined ? undefined : nodes[row];
    if (room === undefined || row === undefined || node === undefined) continue;
    if (assumed.isFor(held) || !search.isOpen(row)) continue;
    if (!isOwnRoomFree({ objects, assumed, node, replica, room, spare })) continue;
    const found = { node: room.node, deviceIds: room.deviceIds, score: 0, parts: {}, spare };
    if (search.payFor === undefined) return found;
    const budget = search.payFor(node.spec.region);
    if (budget !== undefined) return { ...found, budget };
  }
  return undefined;
}
