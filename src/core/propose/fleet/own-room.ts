/** Whether a replica can take the room that is held for it: those it was to be made by may still be there. */
import { checkChosenDevices } from "../../feasibility/devices.ts";
import { firstMisfit } from "../../feasibility/feasibility.ts";
import type { Node, Replica, Room } from "../../model/objects.ts";
import { copyOfUse, leaving, useAfter, withoutHolds } from "../../observe/held-room.ts";
import type { ObjectIndex } from "../../observe/object-index.ts";
import { addToDevices, addToNode } from "../../observe/usage.ts";
import type { AssumedBinds } from "./assumed-binds.ts";

export function isOwnRoomFree(of: {
  readonly objects: ObjectIndex;
  readonly assumed: AssumedBinds;
  readonly node: Node;
  readonly replica: Replica;
  readonly room: Room;
}): boolean {
  const { objects, node, replica, room } = of;
  // Whoever else takes room that is held for it there is counted with what was asked for, and so once.
  const held = withoutHolds(objects.useOf(room.node), ({ spec }) => of.assumed.isFor(spec));
  const use = copyOfUse(held);
  for (const bind of of.assumed.all()) {
    if (bind.node !== room.node) continue;
    addToNode(use, bind.replica.spec.template.ask.amounts, 1);
    addToDevices(use, bind.replica, bind.deviceIds, 1);
  }
  const later = useAfter(use, leaving(objects, room.node), replica);
  const { ask } = replica.spec.template;
  return [use, later].every(
    (each) =>
      firstMisfit({ node, use: each }, ask) === undefined &&
      checkChosenDevices({ node, use: each }, ask, room.deviceIds) === undefined,
  );
}
