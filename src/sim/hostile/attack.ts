/**
 * The actions of a hostile sender during a run. An attack says its sender, its time and its kind;
 * its target depends on the objects that the sender sees at that time. Attacks belong to the world,
 * not to the faults: they go on after the world has healed. The swarm draws them, scenario files
 * list them, the shrinker removes them.
 */

/** Attacks with the credentials of one node's agent. */
export const AGENT_ATTACKS = [
  /** Sends a report of its own under an operation id that another sender is about to use. */
  "take-operation",
  /** Reports on replicas that are bound to other nodes, in the name of those nodes. */
  "report-for-another",
  /** Reports stages that its own replicas never reached, for other incarnations and other uids. */
  "false-report",
  /** Renews the lease of another node, under its session or under the next one. */
  "lease-for-another",
  /** Renews its own lease under a session or number far ahead of the agent's. */
  "forge-session",
  /** Renews its own lease and lists or keeps replicas of others, or none. */
  "forge-inventory",
  /** Sends commands of controllers and people. */
  "act-as-plane",
  /**
   * Puts its own node or another: with more than any machine has, with labels that work selects,
   * with holds of others.
   */
  "put-node",
  /** Sends again, word for word, what it sent before. */
  "replay",
  /** Renews its own lease as fast as it may send. */
  "flood",
  /** Asks for the outcome of other senders' operations. */
  "look-up",
  /** Asks for secrets of replicas of other nodes, and of its own at the wrong time. */
  "ask-secrets",
  /** Renews its own lease with a clock that stands, jumps or runs backwards. */
  "bend-clock",
  /** Says with its inventory that it has every driver, and notes of any length. */
  "boast",
  /** Puts its own node in another region or zone, without taints, with more devices. */
  "move-node",
  /** A second agent with the node's identity: begins sessions of its own and reports in them. */
  "twin",
] as const;
export type AgentAttack = (typeof AGENT_ATTACKS)[number];

/** Attacks of a user who owns one tenant. */
export const USER_ATTACKS = [
  /** Writes its own workload under an operation id that another sender is about to use. */
  "take-operation",
  /** Sends commands of controllers and agents. */
  "act-as-plane",
  /** Deletes one of its workloads and puts it again at once. */
  "re-create",
  /** Puts workload after workload, each of many tiny replicas. */
  "flood",
  /** Puts batches that fail as soon as they run. */
  "failing-work",
  /** Puts a finalizer on a workload, never removes it, and deletes the workload. */
  "block-deletion",
  /**
   * Puts workloads under the names of others' workloads, and under names that look like those of
   * replicas.
   */
  "namesake",
  /** Puts workloads that exceed the size limit of an object, each in another way. */
  "oversized",
  "replay",
  "look-up",
  /** Puts objects of its tenant with fields drawn from the definition of their kind. */
  "strange-spec",
] as const;
export type UserAttack = (typeof USER_ATTACKS)[number];

/** `agent:<node>`, or `user:<tenant>`. */
export type Attacker = `agent:${string}` | `user:${string}`;

interface Times {
  readonly atMs: number;
  /** The number of messages, one every `SPACING_MS`. */
  readonly times: number;
  /** The attack targets only keys and operations with this text. Left out: any. */
  readonly of?: string;
}

export type Attack =
  | ({ readonly by: `agent:${string}`; readonly attack: AgentAttack } & Times)
  | ({ readonly by: `user:${string}`; readonly attack: UserAttack } & Times);

/**
 * Twenty a second: more than any honest agent or user sends, and few enough for a simulated run.
 */
export const SPACING_MS = 50;

export const attackOver = ({ atMs, times }: Attack): number => atMs + times * SPACING_MS;

/** In the order of their first attacks. */
export const attackersOf = (attacks: readonly Attack[]): readonly Attacker[] => [
  ...new Set(attacks.map(({ by }) => by)),
];

/** The node or the tenant whose credentials the sender has. */
export const ownOf = (by: Attacker): string => by.slice(by.indexOf(":") + 1);

export const nodeOf = (by: Attacker): string | undefined =>
  by.startsWith("agent:") ? ownOf(by) : undefined;

export const tenantOf = (by: Attacker): string | undefined =>
  by.startsWith("user:") ? ownOf(by) : undefined;
