/** What a move may do, and how often each is drawn: a property draws most of what it is about. */
export const VERBS = [
  "advance-replica",
  "advance-time",
  "lease",
  "report",
  "worsen-node",
  "release",
  "evict",
  "admit",
  "reserve",
  "queue",
  "bind",
  "enqueue",
  "bind-all",
  "put-node",
  "put-workload",
  "put-quota",
  "put-plain",
  "delete",
  "delete-node",
  "lift-finalizer",
  "preempt",
  "drain-over",
  "repeat",
  "lead",
] as const;
export type Verb = (typeof VERBS)[number];

export type Weights = Readonly<Partial<Record<Verb, number>>>;

/** How often each verb is drawn: the long way of a replica needs most moves, endings of the world few. */
export const EVERYDAY: Weights = {
  "advance-replica": 36,
  "advance-time": 8,
  lease: 13,
  report: 6,
  "worsen-node": 10,
  release: 10,
  evict: 8,
  admit: 3,
  reserve: 2,
  queue: 2,
  bind: 8,
  enqueue: 7,
  "bind-all": 7,
  "put-node": 6,
  "put-workload": 6,
  "put-quota": 3,
  "put-plain": 2,
  delete: 5,
  "delete-node": 1,
  "lift-finalizer": 2,
  preempt: 6,
  "drain-over": 2,
  repeat: 4,
  lead: 1,
};

/** Only what makes indexes and quotas come, go and come again, while reservations of theirs are still about. */
export const CHURN: Weights = {
  admit: 12,
  enqueue: 6,
  reserve: 12,
  queue: 8,
  bind: 2,
  "put-workload": 14,
  "put-quota": 6,
  evict: 12,
  delete: 5,
  release: 8,
};

/** Only what fills nodes that stay as they are, so that several come to be placed together. */
export const CROWD: Weights = {
  "advance-replica": 10,
  enqueue: 12,
  bind: 5,
  "bind-all": 12,
  report: 8,
  evict: 5,
  admit: 2,
  "put-workload": 4,
  "put-quota": 1,
  "put-node": 2,
};

/** Only what fills nodes with work of several classes that runs, and makes room among it; see contest.ts. */
export const CONTEST: Weights = {
  "advance-time": 4,
  enqueue: 16,
  bind: 14,
  "bind-all": 5,
  preempt: 18,
  report: 20,
  release: 8,
  evict: 3,
  "put-plain": 2,
  "put-node": 2,
  "drain-over": 1,
  "worsen-node": 1,
  lease: 2,
  delete: 1,
  lead: 1,
};

/** Only what gives services other templates and sizes while their replicas come and go. */
export const MOVING: Weights = {
  enqueue: 20,
  admit: 8,
  bind: 12,
  report: 10,
  "put-workload": 10,
  evict: 1,
};

/** Only what nodes go through that have work: silences, drains, deletions, and lists with somebody missing. */
export const UPKEEP: Weights = {
  "advance-time": 12,
  enqueue: 12,
  bind: 14,
  report: 2,
  lease: 34,
  "worsen-node": 3,
  release: 20,
  "put-node": 10,
  "delete-node": 7,
  "drain-over": 8,
  evict: 16,
  "lift-finalizer": 1,
  lead: 1,
};

/** Only what fences nodes and lets them come back, so often that they are held from new work. */
export const FLAPPING: Weights = {
  lease: 24,
  "worsen-node": 24,
  "advance-time": 6,
  release: 12,
};

/** Only what makes nodes silent and heard again; most of them are heard between two steps of time. */
export const SILENCE: Weights = {
  lease: 30,
  "advance-time": 5,
  "worsen-node": 10,
  "put-node": 1,
  lead: 1,
};
