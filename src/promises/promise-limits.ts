/** What the check of promises may use of a plane. */
import type { Limit } from "../core/model/limits/limit.ts";

export const PROMISE_LIMITS = {
  threadCoreMillis: {
    value: 100,
    unit: "count",
    of: "thousandths of one core for the check of promises",
    beyond: "the thread rests; the next verdict comes later",
    why: "decisions and requests must not notice it, also on a machine with two cores",
  },
  threadMemoryMiB: {
    value: 1_024,
    unit: "count",
    of: "MiB of memory of the thread that checks promises",
    beyond: "the thread ends, promises are not shown, and it begins again with the next change",
    why: "it has a copy of the objects, and another one for the argument",
  },
  quietMs: {
    value: 3_000,
    unit: "ms",
    of: "quiet of the fleet before a check begins",
    beyond: "the check begins",
    why: "a rollout or a recovery changes many objects; one check after it is enough",
  },
  latestMs: {
    value: 30_000,
    unit: "ms",
    of: "the time from a change until a check begins, if the fleet never is quiet",
    beyond: "the check begins",
    why: "a busy fleet needs verdicts, too",
  },
  staleMs: {
    value: 600_000,
    unit: "ms",
    of: "the age of a verdict while the fleet has changed since",
    beyond: "the promise is not shown until it was checked again",
    why: "a verdict is about one fleet, and ends with it",
  },
  simulationBusyMs: {
    value: 6_000,
    unit: "ms",
    of: "work for the simulation of promises in one round of checks",
    beyond: "other promises are simulated in the next round; one that takes longer is not shown",
    why: "a minute with its pauses; the room is checked again only after the round",
  },
  simulatedReplicas: {
    value: 5_000,
    unit: "count",
    of: "replicas of a fleet that is simulated beside its plane",
    beyond: "promises about time are not shown; `berth review` simulates them elsewhere",
    why: "one run of a larger fleet takes longer than a round may work",
  },
  historyKept: {
    value: 10,
    unit: "count",
    of: "earlier verdicts of a promise",
    beyond: "the oldest is forgotten",
    why: "people ask how it went lately; the audit trail has what changed",
  },
} as const satisfies Readonly<Record<string, Limit>>;
