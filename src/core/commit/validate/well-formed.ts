/**
 * The shape the other rules rely on (OB5). The API checks its own schema with better messages; the
 * authority trusts no sender, because a negative amount would make capacity out of nothing.
 */
import { writtenDefinitionOf } from "../../kinds/kind-definitions.ts";
import { nameFormOf } from "../../kinds/object-name.ts";
import type { Bad } from "../../kinds/well-formed/malformed-amounts.ts";
import { malformedSpec } from "../../kinds/well-formed/malformed-spec.ts";
import { parseKey } from "../../model/ids.ts";
import { OBJECT_MOST } from "../../model/limits/object-limits.ts";
import type { IntentOf } from "../../protocol/command.ts";
import { reject, type Rejection } from "../../protocol/rejection.ts";
import { malformedOwners } from "./malformed-owners.ts";

export function malformed(intent: IntentOf<"put">): Rejection | undefined {
  const { kind, namespace, name } = parseKey(intent.key);
  const bad = (field: string, expected: string, actual: string | number): Rejection =>
    reject("bad-object", `${intent.key} ${field}`, expected, actual);
  if (kind !== intent.desired.kind) return bad("kind", intent.desired.kind, kind);
  const definition = writtenDefinitionOf(kind);
  if (definition === undefined) return bad("kind", "one that people write", kind);
  const { pattern, expected } = nameFormOf(definition);
  if (!new RegExp(pattern).test(name)) return bad("name", expected, name);
  const isOwned = definition.scope === "tenant";
  if (isOwned === (namespace === "")) {
    return bad("namespace", isOwned ? "a tenant" : "none", namespace || "(none)");
  }
  const { onlyName = name } = definition;
  if (name !== onlyName) return bad("name", onlyName, name);
  return (
    malformedConditions(intent, bad) ??
    malformedOwners(intent, definition, bad) ??
    malformedSpec(definition, intent.desired.spec, bad)
  );
}

/** They are kept with the object and sent with it, so they are bounded. */
export const CONDITIONS_MAX = OBJECT_MOST.conditions;

function malformedConditions(
  { conditions = [] }: IntentOf<"put">,
  bad: Bad,
): Rejection | undefined {
  if (conditions.length > CONDITIONS_MAX) {
    return bad("status.conditions", `at most ${CONDITIONS_MAX}`, conditions.length);
  }
  const types = conditions.map(({ type }) => type);
  if (types.includes("")) return bad("status.conditions.type", "a name", "(none)");
  return new Set(types).size === types.length
    ? undefined
    : bad("status.conditions", "each type once", types.join(","));
}
