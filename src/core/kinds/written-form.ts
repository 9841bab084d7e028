/**
 * Between the core's form of a spec and the one that people write. Most kinds have one form for
 * both. Where people write less (a count instead of ids) or elsewhere (devices under the capacity),
 * a kind states the fields of both forms and two functions between them; fields that are the same
 * in both are stated once.
 */
import type { FieldsOf } from "./fields/field.ts";
import type { BrokenRule, Rule, SpecDefinition, WrittenForm } from "./kind-definition.ts";

/** Only this function needs the type of the written form: callers read it by its fields. */
export const writtenAs = <Spec, Written>(form: {
  readonly fields: FieldsOf<Written>;
  readonly read: (written: Written) => Spec;
  readonly write: (spec: Spec) => Written;
  readonly rules?: readonly Rule<Written>[];
}): WrittenForm<Spec> => ({ rules: [], ...form }) as unknown as WrittenForm<Spec>;

export const brokenRules = <Spec>(
  rules: readonly Rule<Spec>[],
  spec: Spec,
): readonly BrokenRule[] => rules.flatMap((rule) => rule(spec) ?? []);

export const writtenFormOf = <Spec>(spec: SpecDefinition<Spec>): WrittenForm<Spec> =>
  spec.written ??
  writtenAs<Spec, Spec>({
    fields: spec.fields,
    read: (written) => written,
    write: (stored) => stored,
    ...(spec.rules === undefined ? {} : { rules: spec.rules }),
  });
