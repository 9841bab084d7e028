/**
 * What people with roles do during a run, and what they may not do. An act says its sender, its
 * time and its kind; its target is drawn from the objects that the sender sees at that time. The
 * swarm draws acts, scenario files list them, the shrinker removes them.
 */
import type { Actor } from "../../core/model/actor.ts";

export const PERSON_ACTS = [
  /** Puts a Role or a ClusterRole with drawn rules. */
  "write-role",
  "drop-role",
  /** Binds a role, ready or written, to people or groups; often with an end. */
  "bind",
  /** Deletes a binding. */
  "unbind",
  /** Puts a binding that exists again: with another role, other subjects or another end. */
  "rebind",
  /** Gives itself what it may lack: a strong role, or a role with a star. */
  "take-over",
  /** Binds the role for emergencies, with an end that may be missing or too far away. */
  "break-glass",
  "write-work",
  "drop-work",
  "write-secret",
  "drop-secret",
  /** Moves the pointer of a policy. */
  "activate",
  /** Steers the placement of all tenants for a few seconds. */
  "override",
] as const;
export type PersonActKind = (typeof PERSON_ACTS)[number];

export interface PersonAct {
  readonly by: Person;
  readonly does: PersonActKind;
  readonly atMs: number;
}

/** With the groups that the credential of each states. `root` may do everything. */
const CREDENTIALS = {
  root: { kind: "local" },
  ana: { kind: "user", token: "a0a0a0a0", groups: ["devs"] },
  ben: { kind: "user", token: "b0b0b0b0", groups: ["devs", "ops"] },
  eve: { kind: "user", token: "e0e0e0e0" },
} as const satisfies Readonly<Record<string, NonNullable<Actor["by"]>>>;

export type Person = keyof typeof CREDENTIALS;
export const PEOPLE = Object.keys(CREDENTIALS) as Person[];
/** All but the administrator. */
export const OTHERS: readonly Person[] = PEOPLE.filter((name) => name !== "root");
export const GROUPS = ["devs", "ops"] as const;

/** As the API sets it. */
export const actorOfPerson = (name: Person): Actor => ({
  role: "user",
  name,
  by: CREDENTIALS[name],
});

/** In the order of `PEOPLE`. */
export const peopleOf = (acts: readonly PersonAct[]): readonly Person[] =>
  PEOPLE.filter((name) => acts.some(({ by }) => by === name));

export const clientNameOf = (name: Person): string => `person:${name}`;
