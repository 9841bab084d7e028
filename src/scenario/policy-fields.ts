/**
 * Policies in a file: revisions such as `{ name: default-2, scoring: best-fit, onRollback: {
 * bindings: drain } }`, pointers such as `{ name: default, active: default-1 }`, and the timeline's
 * `activate: { policy: default, to: default-2 }`.
 */
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { PolicyRules } from "../core/model/policy.ts";
import { writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { UserAction, WorldPolicy, WorldPolicyRevision } from "../sim/world/world.ts";
import type { Cursor } from "./cursor.ts";
import { readName, type References } from "./references.ts";
import { calling, readSpec } from "./written-cursor.ts";

type Activate = Extract<UserAction, { do: "activate" }>;

/** A world calls the bounds of autoscalers as it calls those of one autoscaler. */
const OWN = fieldsOf("PolicyRevision");
const RULES = {
  ...OWN,
  autoscaling: calling(OWN["autoscaling"], {
    minReplicas: "min",
    maxReplicas: "max",
    stepMost: "step",
  }),
};

export function readPolicyRevision(cursor: Cursor, references: References): WorldPolicyRevision {
  const fields = cursor.fields(["name", ...writtenNames(RULES)]);
  const spec = readSpec("PolicyRevision", fields, references, { fields: RULES }) as PolicyRules;
  return { name: readName(fields.need("name")), spec };
}

export const plainPolicyRevision = ({ name, spec }: WorldPolicyRevision): PlainFields => ({
  name,
  ...writeFields(RULES, spec, "world"),
});

export function readPolicy(cursor: Cursor): WorldPolicy {
  const fields = cursor.fields(["name", "active"]);
  return { name: readName(fields.need("name")), active: readName(fields.need("active")) };
}

export function readActivate(value: Cursor, references: References): Activate {
  const fields = value.fields(["policy", "to", "region", "stale"]);
  const regionAt = fields.has("region") ? fields.need("region") : undefined;
  const region = regionAt && readName(regionAt);
  if (region !== undefined) references.refer("region", region, regionAt as Cursor);
  const isStale = fields.has("stale") && fields.need("stale").boolean();
  return {
    do: "activate",
    policy: readName(fields.need("policy")),
    to: readName(fields.need("to")),
    ...(region === undefined ? {} : { region }),
    ...(isStale ? { stale: true } : {}),
  };
}

export const plainActivate = ({ policy, to, region, stale }: Activate): PlainFields => ({
  policy,
  to,
  ...(region === undefined ? {} : { region }),
  ...(stale === undefined ? {} : { stale }),
});
