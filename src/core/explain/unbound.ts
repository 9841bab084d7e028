/** A replica as it waits for a place after its node was lost or drained. */
import type { Replica } from "../model/objects.ts";

export const unbound = (replica: Replica): Replica => ({
  ...replica,
  status: {
    ...replica.status,
    stage: "queued",
    incarnation: replica.status.incarnation + 1,
    node: undefined,
    deviceIds: [],
    stopping: undefined,
  },
});

/** In the same incarnation: the next one would teach the scorer one more request at each loss. */
export const waitingAgain = (replica: Replica): Replica => ({
  ...replica,
  status: {
    ...replica.status,
    stage: "queued",
    node: undefined,
    deviceIds: [],
    stopping: undefined,
    budget: undefined,
  },
});
