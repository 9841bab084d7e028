/**
 * The few times that safety rests on. They belong together because their order is the argument:
 * an agent's processes are dead before the authority may believe they are.
 */

/** How long a node lease lasts, by the agent's clock, counted from when it *sent* the renewal. */
export const LEASE_MS = 15_000;

/** Three renewals fit into a lease, so two may be lost without harm. */
export const RENEW_EVERY_MS = 5_000;

/** A leash kills the process group outright; this is how long the kernel may need to reap it. */
export const KILL_GRACE_MS = 3_000;

/**
 * Clocks may run up to this much fast or slow. Offsets and steps do not matter: every interval is
 * measured on one clock within one process incarnation (CL1).
 */
export const DRIFT_PARTS_PER_THOUSAND = 10;

/**
 * Two clocks, each off by the drift bound in opposite directions, over lease and kill time, rounded
 * up.
 */
export const CLOCK_BOUND_MS = 500;

/** Silence after which the authority may take a node's processes for dead. */
export const FENCE_AFTER_MS = LEASE_MS + KILL_GRACE_MS + CLOCK_BOUND_MS;

/** One renewal late, with slack for a slow link: stop placing, destroy nothing. */
export const SUSPECT_AFTER_MS = 8_000;

/** The lease is over by any clock: show replicas as unknown, still hold everything. */
export const UNKNOWN_AFTER_MS = LEASE_MS;

/**
 * Silence of this share of the nodes of a place (and of at least so many) is taken for our own
 * blindness.
 */
export const CORRELATED_PERCENT = 50;
export const CORRELATED_MIN_NODES = 3;

/**
 * How long the correlated silence of a region holds destructive action back; after it, lost is
 * lost.
 */
export const CORRELATED_HOLD_MS = 120_000;

/**
 * A zone shares power and switches, and does fail as a whole: it is given half of a region's time.
 */
export const ZONE_HOLD_MS = 60_000;

/**
 * Half of everything, in more than one region, hardly ever fails at once: the blind one is most
 * likely us.
 */
export const PLANE_HOLD_MS = 300_000;

/**
 * While a node is held back, its silence is committed once in this time: the next leadership goes
 * on from there. One commit for a node in half a minute is little beside its renewals, and half a
 * minute is all that a change of leadership loses.
 */
export const SILENCE_TOLD_MS = 30_000;

/**
 * A node that is heard again counts as silent for so long: when a blind eye opens, the first to be
 * seen must not make strays of those who are a breath behind them. One lease, in which every agent
 * has renewed three times.
 */
export const JUST_BACK_MS = LEASE_MS;

/**
 * A node whose clock was seen to run beyond the bound may keep its lease for longer than it says.
 * This is enough for a clock at a sixth of the right pace, which no oscillator reaches; a frozen
 * one does not renew at all.
 */
export const SUSPECT_CLOCK_FENCE_MS = 120_000;
