/**
 * Whether a replica can take the room that is held for it: those it was to be made by may still be
 * there.
 */
import { checkChosenDevices } from "../../rules/feasibility/devices.ts";
import { firstMisfit } from "../../rules/feasibility/feasibility.ts";
import type { ObjectKey } from "../../model/ids.ts";
import type { Node, Replica } from "../../model/objects.ts";
import type { Room } from "../../model/room.ts";
import { copyOfUse, leaving, useAfter, withoutHolds } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { addToDevices, addToNode, type NodeUse } from "../../observe/usage.ts";
import type { AssumedBinds } from "./assumed-binds.ts";

export function isOwnRoomFree(asked: {
  readonly objects: ObjectIndex;
  readonly assumed: AssumedBinds;
  readonly node: Node;
  readonly replica: Replica;
  readonly room: Room;
  /** Kept for its workload: no obstacle, since it is what the replica takes. */
  readonly spare?: ObjectKey;
}): boolean {
  const { objects, node, replica, room } = asked;
  // Others that take its reserved room there are counted with the proposals, and so once.
  const held = withoutHolds(
    objects.useOf(room.node),
    (each) => each.key === asked.spare || asked.assumed.isFor(each),
  );
  const use = copyOfUse(held);
  for (const bind of asked.assumed.all()) {
    if (bind.node !== room.node) continue;
    addToNode(use, bind.replica.spec.template.ask.amounts, 1);
    addToDevices(use, bind.replica, bind.deviceIds, 1);
  }
  const { ask } = replica.spec.template;
  const fits = (each: NodeUse): boolean =>
    firstMisfit({ node, use: each }, ask) === undefined &&
    checkChosenDevices({ node, use: each }, ask, room.deviceIds) === undefined;
  // Most looks come before the room is free: what leaves later is then no question.
  return fits(use) && fits(useAfter(use, leaving(objects, room.node), replica));
}
