/** The small changes of which every effect is made. The model is changed in place. */
import type { ObjectKey } from "../../src/core/model/ids.ts";
import { find, type ModelState, type ReplicaThing } from "./model-state.ts";
import { partsOf } from "./rules-of-desired-state.ts";

export function remove(state: ModelState, key: ObjectKey): void {
  state.things = state.things.filter((thing) => thing.key !== key);
}

export function alter(
  state: ModelState,
  key: ObjectKey,
  change: (replica: ReplicaThing) => void,
): void {
  const replica = find(state, "Replica", key)!;
  replica.revision = state.revision;
  change(replica);
}

export function toStage(
  state: ModelState,
  replica: ReplicaThing,
  stage: ReplicaThing["stage"],
): void {
  if (replica.stage !== stage) replica.stageSinceMs = state.nowMs;
  replica.stage = stage;
}

/** Whatever a replica held is given back when it ends, and room that was held for it is held no more (PE7). */
export function end(state: ModelState, replica: ReplicaThing, stage: ReplicaThing["stage"]): void {
  toStage(state, replica, stage);
  replica.node = undefined;
  replica.deviceIds = [];
  replica.stopping = undefined;
  replica.address = undefined;
  replica.preemptions = 0;
  endRoomOf(state, replica);
}

export function endRoomOf(state: ModelState, { key: owner, born }: ReplicaThing): void {
  state.things = state.things.filter(
    (thing) =>
      thing.kind !== "Reservation" ||
      thing.room === undefined ||
      thing.owner !== owner ||
      thing.ownerBorn !== born,
  );
}

/** Room of a node that is gone, or whose loss is settled, is nobody's (PE7). */
export function endRoomsOn(state: ModelState, node: string): void {
  state.things = state.things.filter(
    (thing) => thing.kind !== "Reservation" || thing.room?.node !== node,
  );
}

/** What every new thing has. */
export const named = (state: ModelState, key: ObjectKey) => ({
  key,
  namespace: partsOf(key).namespace,
  name: partsOf(key).name,
  born: state.revision,
  revision: state.revision,
  generation: 1,
  createdMs: state.nowMs,
  labels: {},
  finalizers: [],
  deletingMs: undefined,
});
