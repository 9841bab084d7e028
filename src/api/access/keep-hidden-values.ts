/**
 * A write that brings back a placeholder for the value of an environment variable leaves the value
 * as it is (AZ49). Where there is none to leave, it is refused, so that no process ever starts with
 * a placeholder for its value.
 */
import type { Workload } from "../../core/model/objects.ts";
import type { FieldMistake } from "../api-kind.ts";
import { isJsonObject, type JsonObject } from "../http/json-value.ts";
import { invalid } from "../list/read-object.ts";
import { type TakeValues, takesNothing } from "../list/served-kind.ts";
import {
  APPLIED,
  appliedIn,
  HIDDEN,
  hiddenApplied,
  mapEnv,
  placeholderIn,
  withApplied,
} from "./env-values.ts";

export const keepHiddenValues: TakeValues = (of) => {
  const { object, target, isVeiled } = of;
  const held = of.held?.kind === "Workload" ? of.held : undefined;
  const mistakes: FieldMistake[] = [];
  const { spec } = object;
  const kept = isJsonObject(spec)
    ? mapEnv(spec, (name, value) => {
        const placeholder = placeholderIn(value);
        if (placeholder === undefined) return value;
        const before = heldEnv(held, placeholder.generation);
        if (before !== undefined && Object.hasOwn(before, name)) return before[name] ?? value;
        mistakes.push({ field: `spec.run.env.${name}`, message: NOT_HELD });
        return value;
      })
    : spec;
  if (mistakes.length > 0) throw invalid(target.kind, target.name, mistakes);
  const whole = { ...object, ...(kept === undefined ? {} : { spec: kept }) };
  const taken = takesNothing({ ...of, object: isVeiled ? keptApplied(whole, held) : whole });
  if (!isVeiled || held === undefined) return taken;
  return {
    ...taken,
    finish: (desired) => ({ desired, marked: (shown) => marked(shown, held) }),
  };
};

const NOT_HELD =
  "is the placeholder for a value that its reader may not see, and there is no such value to keep: write the value itself, or leave the variable out.";

function heldEnv(
  held: Workload | undefined,
  generation: number | undefined,
): Readonly<Record<string, string>> | undefined {
  if (generation === undefined) return held?.spec.template.run?.env;
  const past = held?.status.history?.find((each) => each.generation === generation);
  return past?.template.run?.env;
}

/** What kubectl applied last, if the client brings it back as it was shown. */
function keptApplied(object: JsonObject, held: Workload | undefined): JsonObject {
  const before = held?.meta.annotations?.[APPLIED];
  if (before === undefined || appliedIn(object) !== hiddenApplied(before)) return object;
  return withApplied(object, before);
}

/**
 * As the caller would read it if it changed nothing that is hidden: a value that it changed is
 * itself, so that the field counts as changed.
 */
function marked(shown: JsonObject, held: Workload): JsonObject {
  const { spec } = shown;
  const before = held.spec.template.run?.env ?? {};
  const hide = (name: string, value: unknown) => (before[name] === value ? HIDDEN : value);
  const next = isJsonObject(spec) ? { ...shown, spec: mapEnv(spec, hide) } : shown;
  const applied = held.meta.annotations?.[APPLIED];
  if (applied === undefined || appliedIn(next) !== applied) return next;
  return withApplied(next, hiddenApplied(applied));
}
