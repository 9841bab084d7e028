/**
 * The fields of one object in their order, with what follows from their definitions. Worked out
 * once for each definition: objects are read, checked and written for every request.
 */
import { type AnyField, type Fields, writtenName } from "./field.ts";

export interface PlannedField {
  readonly name: string;
  readonly field: AnyField;
  /** The name under which people write it. */
  readonly written: string;
}

const plans = new WeakMap<Fields, readonly PlannedField[]>();

export function planOf(fields: Fields): readonly PlannedField[] {
  const known = plans.get(fields);
  if (known !== undefined) return known;
  const plan = Object.entries(fields).map(([name, field]) => ({
    name,
    field,
    written: writtenName(name, field),
  }));
  plans.set(fields, plan);
  return plan;
}
