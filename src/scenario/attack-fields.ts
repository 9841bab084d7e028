/**
 * What hostile senders do, as it stands in a file: `{ at: 20s, by: "agent:node-2", attack:
 * take-operation, times: 3 }`. `agent:` has the credentials of a node's agent, `user:` those of the
 * one user of a tenant.
 */
import { formatDuration } from "../quantity/duration.ts";
import {
  AGENT_ATTACKS,
  type Attack,
  type Attacker,
  nodeOf,
  ownOf,
  tenantOf,
  USER_ATTACKS,
} from "../sim/hostile/attack.ts";
import type { PlainFields } from "../manifest/write-fields.ts";
import type { Cursor } from "./cursor.ts";
import type { References } from "./references.ts";

export function readAttack(cursor: Cursor, references: References): Attack | undefined {
  const fields = cursor.fields(["at", "by", "attack", "times", "of"]);
  const byAt = fields.need("by");
  const by = readAttacker(byAt);
  const attackAt = fields.need("attack");
  const times = {
    atMs: fields.need("at").durationMs(),
    times: fields.get("times", (count) => count.integer(1), 1),
    ...(fields.has("of") ? { of: fields.need("of").text("a part of a name") } : {}),
  };
  if (by === undefined) return undefined;
  if (isAgent(by)) return { by, attack: attackAt.choice(AGENT_ATTACKS), ...times };
  references.refer("tenant", ownOf(by), byAt);
  return { by, attack: attackAt.choice(USER_ATTACKS), ...times };
}

function readAttacker(cursor: Cursor): Attacker | undefined {
  const text = cursor.text("agent:<node> or user:<tenant>") as Attacker;
  if ((nodeOf(text) ?? tenantOf(text) ?? "") !== "") return text;
  cursor.expected("agent:<node> or user:<tenant>");
  return undefined;
}

const isAgent = (by: Attacker): by is `agent:${string}` => nodeOf(by) !== undefined;

export const plainAttack = ({ atMs, by, attack, times, of }: Attack): PlainFields => ({
  at: formatDuration(atMs),
  by,
  attack,
  times,
  ...(of === undefined ? {} : { of }),
});
