/**
 * What people do with recovery budgets in a timeline: `grant-budget: { name: bu-1, as: ana, region:
 * eu-west, cpu: 4, memory: 4Gi, ttl: 10m, reason: why }`.
 */
import type { AnyField } from "../core/kinds/fields/field.ts";
import { fieldsOf } from "../core/kinds/kind-definitions.ts";
import type { RecoveryBudgetSpec } from "../core/model/recovery-budget.ts";
import { readFields, writtenNames } from "../manifest/read-fields.ts";
import { type PlainFields, writeFields } from "../manifest/write-fields.ts";
import type { UserAction } from "../sim/world/world.ts";
import type { Cursor } from "./cursor.ts";
import { byWhom } from "./override-fields.ts";
import { References } from "./references.ts";
import { writtenFields } from "./written-cursor.ts";

type Grant = Extract<UserAction, { do: "grant-budget" }>;
type Extend = Extract<UserAction, { do: "extend-budget" }>;
type Withdraw = Extract<UserAction, { do: "withdraw-budget" }>;

const GRANT = fieldsOf("RecoveryBudget");
const TTL = { ttlMs: GRANT["ttlMs"] as AnyField };

export function readGrantRecoveryBudget(value: Cursor, references: References): Grant {
  const fields = value.fields(["name", "as", ...writtenNames(GRANT)]);
  const spec = readFields(
    GRANT,
    writtenFields(fields, references),
  ) as unknown as RecoveryBudgetSpec;
  return { do: "grant-budget", ...byWhom(fields), spec };
}

export function readExtendRecoveryBudget(value: Cursor): Extend {
  const fields = value.fields(["name", "as", "ttl"]);
  const { ttlMs } = readFields(TTL, writtenFields(fields, new References()));
  return { do: "extend-budget", ...byWhom(fields), ttlMs: ttlMs as number };
}

export function readWithdrawRecoveryBudget(value: Cursor): Withdraw {
  return { do: "withdraw-budget", ...byWhom(value.fields(["name", "as"])) };
}

export const plainGrantRecoveryBudget = ({ name, as, spec }: Grant): PlainFields => ({
  name,
  as,
  ...writeFields(GRANT, spec, "world"),
});
