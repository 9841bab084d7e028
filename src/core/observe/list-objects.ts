/**
 * What a plane answers to `list`: the objects of interest, found without looking at all the others.
 */
import type { AnyObject } from "../model/objects.ts";
import { type Interest, wantsObject } from "./interest.ts";
import type { ObjectIndex } from "./object-index.ts";

export function listObjects(objects: ObjectIndex, interest: Interest): readonly AnyObject[] {
  if (interest.node !== undefined) {
    // Only replicas can be on a node, so everything else is of no interest to an agent.
    return [...objects.replicasOn(interest.node).values()].filter((replica) =>
      wantsObject(interest, replica),
    );
  }
  const listed: AnyObject[] = [];
  for (const kind of interest.kinds) {
    const needsLook = kind === "Reservation" && interest.roomsOnly === true;
    for (const object of objects.all(kind).values()) {
      if (!needsLook || wantsObject(interest, object)) listed.push(object);
    }
  }
  return listed;
}
